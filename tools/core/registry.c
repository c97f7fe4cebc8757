#include "tools/core/registry.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tools/core/deployment.h"
#include "tools/core/nearest.h"
#include "tools/core/registry_base.h"
#include "tools/core/registry_internal.h"

enum { MIN_SLOTS = 16 };

struct tr_registry *tr_registry_new(void)
{
    struct tr_registry *registry = calloc(1, sizeof(*registry));
    if (registry != NULL) {
        atomic_init(&registry->references, 1);
    }
    return registry;
}

struct tr_registry *tr_registry_ref(struct tr_registry *registry)
{
    (void)atomic_fetch_add_explicit(&registry->references, 1, memory_order_relaxed);
    return registry;
}

void tr_entry_free(struct tr_entry *entry)
{
    if (entry == NULL) {
        return;
    }
    tr_schema_document_done(&entry->request);
    tr_schema_document_done(&entry->response);
    json_decref(entry->defaults);
    json_decref(entry->base_settings);
    tr_arena_done(&entry->arena);
    free(entry);
}

void tr_loaded_suite_free(struct tr_loaded_suite *loaded)
{
    if (loaded == NULL) {
        return;
    }
    tr_arena_done(&loaded->arena);
    if (loaded->library != NULL) {
        (void)dlclose(loaded->library);
    }
    free(loaded);
}

/* The entries go first: their text lies in the plugin that dlclose() unmaps. */
static void unload_everything(struct tr_registry *registry)
{
    for (size_t i = 0; i < registry->entry_count; i++) {
        tr_entry_free(registry->entries[i]);
    }
    for (size_t i = registry->suite_count; i-- > 0;) {
        struct tr_loaded_suite *loaded = registry->suites[i];
        if (loaded->suite->cleanup != NULL) {
            loaded->suite->cleanup(loaded->state);
        }
        tr_loaded_suite_free(loaded);
    }
}

void tr_registry_unref(struct tr_registry *registry)
{
    if (registry == NULL
        || atomic_fetch_sub_explicit(&registry->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    unload_everything(registry);
    free(registry->suites);
    free(registry->entries);
    free(registry->slots);
    free(registry);
}

/* ---- finding ---- */

/* FNV-1a. Names come from the operator, so nobody outside chooses collisions. */
static size_t hash_of(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    }
    return (size_t)(hash ^ (hash >> 32));
}

bool tr_registry_index(struct tr_registry *registry)
{
    size_t slot_count = MIN_SLOTS;
    while (slot_count < registry->entry_count * 2) {
        slot_count *= 2;
    }
    size_t *slots = calloc(slot_count, sizeof(*slots));
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < registry->entry_count; i++) {
        size_t at = hash_of(registry->entries[i]->tool->name) & (slot_count - 1);
        while (slots[at] != 0) {
            at = (at + 1) & (slot_count - 1);
        }
        slots[at] = i + 1;
        registry->entries[i]->index = i;
    }
    free(registry->slots);
    registry->slots = slots;
    registry->slot_count = slot_count;
    return true;
}

static struct tr_entry *find(const struct tr_registry *registry, const char *name)
{
    if (registry->slot_count == 0) {
        return NULL;
    }
    size_t at = hash_of(name) & (registry->slot_count - 1);
    for (; registry->slots[at] != 0; at = (at + 1) & (registry->slot_count - 1)) {
        struct tr_entry *entry = registry->entries[registry->slots[at] - 1];
        if (strcmp(entry->tool->name, name) == 0) {
            return entry;
        }
    }
    return NULL;
}

const struct tr_entry *tr_registry_find(const struct tr_registry *registry, const char *name)
{
    return find(registry, name);
}

const char *tr_registry_nearest(const struct tr_registry *registry, const char *name)
{
    struct tr_nearest nearest = { .wanted = name };
    for (size_t i = 0; i < registry->entry_count; i++) {
        tr_nearest_offer(&nearest, registry->entries[i]->tool->name);
    }
    return nearest.best;
}

size_t tr_registry_tool_count(const struct tr_registry *registry)
{
    return registry->entry_count;
}

const struct tr_entry *tr_registry_tool(const struct tr_registry *registry, size_t index)
{
    return registry->entries[index];
}

size_t tr_registry_suite_count(const struct tr_registry *registry)
{
    return registry->suite_count;
}

const struct tr_loaded_suite *tr_registry_suite(const struct tr_registry *registry, size_t index)
{
    return registry->suites[index];
}

/* ---- the deployment's choice ---- */

static enum tr_status refuse_unknown(const struct tr_registry *registry, const char *name,
                                     struct tr_fault *reterr)
{
    const char *nearest = tr_registry_nearest(registry, name);
    if (nearest == NULL) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL, "there is no tool '%s'", name);
    }
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL,
                     "there is no tool '%s'; did you mean '%s'?", name, nearest);
}

static enum tr_status replace_defaults(struct tr_entry *entry, const json_t *wanted,
                                       struct tr_fault *reterr)
{
    json_t *defaults = NULL;
    TR_TRY(
        tr_deployment_defaults(entry->request.root, wanted, entry->tool->name, &defaults, reterr));
    json_decref(entry->defaults);
    entry->defaults = defaults;
    return TR_OK;
}

enum tr_status tr_registry_configure(struct tr_registry *registry,
                                     const struct tr_tool_options *options, struct tr_fault *reterr)
{
    assert(!registry->is_sealed);
    struct tr_entry *entry = find(registry, options->name);
    if (entry == NULL) {
        return refuse_unknown(registry, options->name, reterr);
    }
    if (options->timeout_ms != 0) {
        entry->timeout_ms = options->timeout_ms;
    }
    if (options->output_limit_bytes != 0) {
        entry->output_limit_bytes = (size_t)options->output_limit_bytes;
    }
    TR_TRY(tr_entry_override_base(entry, options->base, reterr));
    return options->defaults != NULL ? replace_defaults(entry, options->defaults, reterr) : TR_OK;
}

static bool is_chosen(const struct tr_entry *entry, const struct tr_tool_options *options,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(options[i].name, entry->tool->name) == 0) {
            return true;
        }
    }
    return false;
}

enum tr_status tr_registry_keep(struct tr_registry *registry, const struct tr_tool_options *options,
                                size_t count)
{
    assert(!registry->is_sealed);
    size_t kept = 0;
    for (size_t i = 0; i < registry->entry_count; i++) {
        struct tr_entry *entry = registry->entries[i];
        if (is_chosen(entry, options, count)) {
            registry->entries[kept++] = entry;
        } else {
            tr_entry_free(entry);
        }
    }
    registry->entry_count = kept;
    return tr_registry_index(registry) ? TR_OK : TR_NO_MEMORY;
}

void tr_registry_seal(struct tr_registry *registry)
{
    registry->is_sealed = true;
}
