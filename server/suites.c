#include "server/suites.h"

#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#include "server/config.h"
#include "tools/core/descriptor.h"
#include "tools/core/json.h"
#include "tools/core/nearest.h"
#include "tools/core/place.h"
#include "tools/suites/data/data.h"
#include "tools/suites/files/files.h"
#include "tools/suites/text/text.h"
#include "tools/suites/web/web.h"

/* In the order in which their tools are listed. */
static const struct tr_suite *const suites[] = {
    &text_suite,
    &files_suite,
    &web_suite,
    &data_suite,
};

static inline void tr_registry_drop(struct tr_registry **registry)
{
    tr_registry_unref(*registry);
}

const struct tr_suite *const *tr_suites(size_t *ret_count)
{
    *ret_count = TR_COUNT_OF(suites);
    return suites;
}

/* ---- what of the file a fault is about ---- */

static void blame_member(const struct tr_config *config, const char *section, const char *name,
                         struct tr_fault *fault)
{
    const struct tr_place root = { .parent = NULL };
    const struct tr_place whole = { .parent = &root, .key = section };
    const struct tr_place member = { .parent = &whole, .key = name };
    tr_config_blame(config, &member, fault);
}

static void blame_item(const struct tr_config *config, const char *section, size_t index,
                       struct tr_fault *fault)
{
    const struct tr_place root = { .parent = NULL };
    const struct tr_place whole = { .parent = &root, .key = section };
    const struct tr_place item = { .parent = &whole, .index = index };
    tr_config_blame(config, &item, fault);
}

/* ---- loading ---- */

static enum tr_status add_built_in(struct tr_registry *registry, const struct tr_config *config,
                                   struct tr_fault *reterr)
{
    for (size_t i = 0; i < TR_COUNT_OF(suites); i++) {
        const char *name = suites[i]->name;
        const json_t *settings = json_object_get(config->file->suites, name);
        const enum tr_status status =
            tr_registry_add_suite(registry, suites[i], "built in", settings, reterr);
        if (status != TR_OK && settings != NULL) {
            blame_member(config, "suites", name, reterr);
        }
        TR_TRY(status);
    }
    return TR_OK;
}

/* The file's plugins come first. */
static enum tr_status add_plugins(struct tr_registry *registry, const struct tr_config *config,
                                  struct tr_fault *reterr)
{
    for (size_t i = 0; i < config->plugin_count; i++) {
        const enum tr_status status =
            tr_registry_add_plugin(registry, config->plugins[i], config->file->suites, reterr);
        if (status != TR_OK && i < config->file->plugins.count) {
            blame_item(config, "plugins", i, reterr);
        }
        TR_TRY(status);
    }
    return TR_OK;
}

static bool has_suite(const struct tr_registry *registry, const char *name,
                      struct tr_nearest *nearest)
{
    for (size_t i = 0; i < tr_registry_suite_count(registry); i++) {
        const char *loaded = tr_registry_suite(registry, i)->suite->name;
        if (strcmp(loaded, name) == 0) {
            return true;
        }
        tr_nearest_offer(nearest, loaded);
    }
    return false;
}

/* Settings that nobody reads are a misspelt name or a plugin that was forgotten. */
static enum tr_status check_settings(const struct tr_registry *registry,
                                     const struct tr_config *config, struct tr_fault *reterr)
{
    const char *name = NULL;
    json_t *settings = NULL;
    json_object_foreach (config->file->suites, name, settings) {
        struct tr_nearest nearest = { .wanted = name };
        if (has_suite(registry, name, &nearest)) {
            continue;
        }
        const enum tr_status status =
            tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL, "no suite of this name is loaded%s%s%s",
                      nearest.best != NULL ? "; did you mean '" : "",
                      nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
        blame_member(config, "suites", name, reterr);
        return status;
    }
    return TR_OK;
}

static enum tr_status choose_tools(struct tr_registry *registry, const struct tr_config *config,
                                   struct tr_fault *reterr)
{
    for (size_t i = 0; i < config->tool_count; i++) {
        const enum tr_status status = tr_registry_configure(registry, &config->tools[i], reterr);
        if (status != TR_OK) {
            blame_item(config, "tools", i, reterr);
            return status;
        }
    }
    return tr_registry_keep(registry, config->tools, config->tool_count) == TR_OK
               ? TR_OK
               : tr_refuse(TR_NO_MEMORY, reterr, "tools", "Out of memory");
}

enum tr_status tr_suites_load(const struct tr_config *config, struct tr_registry **ret_registry,
                              struct tr_fault *reterr)
{
    tr_auto(registry) struct tr_registry *registry = tr_registry_new();
    if (registry == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, "suites", "Out of memory");
    }
    TR_TRY(add_built_in(registry, config, reterr));
    TR_TRY(add_plugins(registry, config, reterr));
    TR_TRY(check_settings(registry, config, reterr));
    if (config->has_tools) {
        TR_TRY(choose_tools(registry, config, reterr));
    }
    tr_registry_seal(registry);
    *ret_registry = registry;
    registry = NULL;
    return TR_OK;
}
