/* suite.h - a group of tools with common settings; built in, or a plugin (.so). The same struct. */
#ifndef TR_TOOLS_CORE_SUITE_H
#define TR_TOOLS_CORE_SUITE_H

#include <stddef.h>

#include "tools/core/descriptor.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"
#include "tools/core/tool.h"

struct tr_suite {
    unsigned abi; /* TR_TOOL_ABI */
    size_t size;  /* sizeof(struct tr_suite) */
    const char *name;
    const char *version;
    const char *description;
    const struct tr_tool *const *tools;
    size_t tool_count;

    /* What `suites: {name: {...}}` of the configuration binds to; NULL: no settings. */
    const struct tr_type *settings;

    /* Run once at load, before any call. `settings` lives until cleanup. On failure nothing
     * must be left behind and `reterr` says why; cleanup is then not called. Either may be NULL. */
    enum tr_status (*initialize)(const void *settings, void **ret_state, struct tr_fault *reterr);
    void (*cleanup)(void *state);
};

#define TR_SUITE_HEADER .abi = TR_TOOL_ABI, .size = sizeof(struct tr_suite)

/* The one symbol that a plugin exports: TR_PLUGIN(my_suite); Build a plugin with
 * -fvisibility=hidden, or tables of its own are taken from the program where it has the same names.
 */
#define TR_PLUGIN(suite_object)                                    \
    extern TR_EXPORT const struct tr_suite *const toolrest_plugin; \
    const struct tr_suite *const toolrest_plugin = &(suite_object)
#define TR_PLUGIN_SYMBOL "toolrest_plugin"

#endif
