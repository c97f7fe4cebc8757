/* registry_internal.h - what registry.c, registry_load.c and plugin.c share; nobody else looks
 * inside. */
#ifndef TR_TOOLS_CORE_REGISTRY_INTERNAL_H
#define TR_TOOLS_CORE_REGISTRY_INTERNAL_H

#include <stdatomic.h>

#include "tools/core/registry.h"

struct tr_registry {
    atomic_size_t references;
    bool is_sealed;
    struct tr_loaded_suite **suites; /* owned, in the order of loading */
    size_t suite_count;
    struct tr_entry **entries; /* owned, in the order of loading */
    size_t entry_count;
    size_t *slots;     /* open addressing over the names: index + 1 of an entry, 0 for free */
    size_t slot_count; /* a power of two, at least twice entry_count; 0 before the first load */
};

/* Where a suite comes from. */
struct tr_load {
    const struct tr_suite *suite;
    const char *origin;
    void *library; /* taken on success only; NULL for what is built in */
    const json_t *settings;
};

/* tr_registry_add_suite() for any origin. */
TR_MUST_USE enum tr_status tr_registry_load(struct tr_registry *registry,
                                            const struct tr_load *load, struct tr_fault *reterr);

/* Build `slots` anew after the entries changed. False when out of memory; the old ones stay. */
TR_MUST_USE bool tr_registry_index(struct tr_registry *registry);

void tr_entry_free(struct tr_entry *entry);
void tr_loaded_suite_free(struct tr_loaded_suite *loaded); /* without its cleanup() */

#endif
