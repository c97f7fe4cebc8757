/* registry.h - the tools that are loaded: an immutable, reference-counted snapshot.
 *
 * Life: new, add suites and plugins, apply the deployment's choice, seal; then only read, from any
 * thread. A reload builds a new one and swaps it. */
#ifndef TR_TOOLS_CORE_REGISTRY_H
#define TR_TOOLS_CORE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/schema.h"
#include "tools/core/status.h"
#include "tools/core/suite.h"
#include "tools/core/tool.h"

struct tr_registry;

/* A suite as it is loaded. */
struct tr_loaded_suite {
    const struct tr_suite *suite;
    const char *origin; /* "built in", or the plugin's path as it was given; for error texts */
    bool is_plugin;
    void *state;           /* what initialize() gave */
    const void *settings;  /* the bound settings struct, or NULL */
    struct tr_arena arena; /* memory of the settings */
    void *library;         /* dlopen handle, or NULL */
};

/* A tool as it is loaded: the author's struct, its compiled schemas and the deployment's word. */
struct tr_entry {
    const struct tr_tool *tool;
    const struct tr_loaded_suite *suite;
    const char *category, *version; /* never NULL */
    struct tr_schema_document request, response;
    json_t *defaults; /* the deployment's, an object that fits its properties; NULL: none */
    int64_t timeout_ms;
    size_t output_limit_bytes;
    json_t *base_settings;  /* of the suite, for the tool's base; NULL: none */
    const void *base_state; /* what the base made of its settings; NULL: nothing */
    struct tr_arena arena;  /* memory of base_state */
    size_t index;           /* position in the registry, for counters kept beside it */
};

/* A deployment's word about one tool; see DESIGN section 7. */
struct tr_tool_options {
    const char *name;
    const json_t *defaults; /* an object, or NULL; coerced and checked against the tool's schema */
    int64_t timeout_ms;     /* 0: the tool's own */
    int64_t output_limit_bytes; /* 0: the tool's own */
    const json_t *base; /* an object with the settings of the tool's base under its key, or NULL */
};

/* An empty registry with one reference; NULL when out of memory. */
TR_MALLOC struct tr_registry *tr_registry_new(void);

struct tr_registry *tr_registry_ref(struct tr_registry *registry);

/* Drop a reference; the last one runs every suite's cleanup (newest first), closes the plugins and
 * frees everything. NULL is accepted. */
void tr_registry_unref(struct tr_registry *registry);

/* Load a suite: verify every table, compile the schemas, bind `settings` (JSON, may be NULL;
 * missing settings take their defaults) and initialize. All or nothing. Refuses with
 * TR_INVALID_PARAMETERS, saying who and why: a bad ABI or size, a bad name, a duplicate tool or
 * suite (both owners are named), settings that do not fit, a table that does not verify, an example
 * that does not fit. */
TR_MUST_USE enum tr_status tr_registry_add_suite(struct tr_registry *registry,
                                                 const struct tr_suite *suite, const char *origin,
                                                 const json_t *settings, struct tr_fault *reterr);

/* Open the plugin at `path` and load its suite; `all_settings` is the `suites` object of the
 * configuration (NULL: none), from which the suite's own name is taken. All or nothing. */
TR_MUST_USE enum tr_status tr_registry_add_plugin(struct tr_registry *registry, const char *path,
                                                  const json_t *all_settings,
                                                  struct tr_fault *reterr);

/* Apply a deployment's word about one tool; an unknown name is refused with the nearest one. */
TR_MUST_USE enum tr_status tr_registry_configure(struct tr_registry *registry,
                                                 const struct tr_tool_options *options,
                                                 struct tr_fault *reterr);

/* Drop every tool that none of the options names. Fails with TR_NO_MEMORY alone. */
TR_MUST_USE enum tr_status tr_registry_keep(struct tr_registry *registry,
                                            const struct tr_tool_options *options, size_t count);

/* No additions after this; from here on it may be shared. */
void tr_registry_seal(struct tr_registry *registry);

/* In the order of loading. */
size_t tr_registry_tool_count(const struct tr_registry *registry);
const struct tr_entry *tr_registry_tool(const struct tr_registry *registry, size_t index);
size_t tr_registry_suite_count(const struct tr_registry *registry);
const struct tr_loaded_suite *tr_registry_suite(const struct tr_registry *registry, size_t index);

/* NULL when there is no such tool. Constant time, whatever the number of tools. */
const struct tr_entry *tr_registry_find(const struct tr_registry *registry, const char *name);

/* The loaded name that is nearest to `name`, NULL when none is near. */
const char *tr_registry_nearest(const struct tr_registry *registry, const char *name);

#endif
