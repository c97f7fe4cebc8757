#include "tools/core/registry_base.h"

#include <stdio.h>
#include <string.h>

#include "tools/core/limits.h"
#include "tools/core/nearest.h"
#include "tools/core/settings.h"

static const char *key_of(const struct tr_tool *tool)
{
    return tool->base != NULL ? tool->base->settings_key : NULL;
}

bool tr_suite_has_base_key(const struct tr_suite *suite, const char *key)
{
    for (size_t i = 0; i < suite->tool_count; i++) {
        const char *base_key = key_of(suite->tools[i]);
        if (base_key != NULL && strcmp(base_key, key) == 0) {
            return true;
        }
    }
    return false;
}

static enum tr_status configure(struct tr_entry *entry, const json_t *given,
                                struct tr_fault *reterr)
{
    const struct tr_base *base = entry->tool->base;
    const void *settings = NULL;
    tr_arena_done(&entry->arena);
    tr_arena_init(&entry->arena, TR_LOAD_ARENA_BYTES);
    entry->base_state = NULL;
    TR_TRY(tr_settings_bind(base->settings, given, &entry->arena, &settings, reterr));
    return base->configure(settings, &entry->arena, &entry->base_state, reterr);
}

enum tr_status tr_entry_configure_base(struct tr_entry *entry, const json_t *suite_settings,
                                       struct tr_fault *reterr)
{
    const char *key = key_of(entry->tool);
    if (key == NULL) {
        return TR_OK;
    }
    const json_t *given = json_object_get(suite_settings, key);
    if (given != NULL && !json_is_null(given)) {
        entry->base_settings = json_deep_copy(given);
        if (entry->base_settings == NULL) {
            return TR_NO_MEMORY;
        }
    }
    return configure(entry, entry->base_settings, reterr);
}

static enum tr_status refuse_key(const struct tr_entry *entry, const char *key,
                                 struct tr_fault *reterr)
{
    const char *base_key = key_of(entry->tool);
    struct tr_nearest nearest = { .wanted = key };
    static const char *const known[] = { "defaults", "timeout_ms", "output_limit_bytes" };
    for (size_t i = 0; i < TR_COUNT_OF(known); i++) {
        tr_nearest_offer(&nearest, known[i]);
    }
    if (base_key != NULL) {
        tr_nearest_offer(&nearest, base_key);
    }
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, entry->tool->name,
                     "there is no option '%s' for this tool%s%s%s", key,
                     nearest.best != NULL ? "; did you mean '" : "",
                     nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
}

/* The tool's members over the suite's. */
static json_t *merged(const json_t *suite, json_t *tool)
{
    json_t *both = suite != NULL ? json_deep_copy(suite) : json_object();
    if (both != NULL && json_object_update(both, tool) != 0) {
        json_decref(both);
        return NULL;
    }
    return both;
}

static enum tr_status override(struct tr_entry *entry, json_t *given, struct tr_fault *reterr)
{
    json_auto_t *both =
        json_is_object(given) ? merged(entry->base_settings, given) : json_incref(given);
    if (both == NULL) {
        return TR_NO_MEMORY;
    }
    struct tr_fault inner = { 0 };
    const enum tr_status status = configure(entry, both, &inner);
    if (status == TR_OK) {
        return TR_OK;
    }
    char where[TR_FAULT_WHERE_BYTES];
    (void)snprintf(where, sizeof(where), "%s.%s", entry->tool->name, key_of(entry->tool));
    return tr_refuse(status, reterr, where, "%s", inner.what);
}

enum tr_status tr_entry_override_base(struct tr_entry *entry, const json_t *options,
                                      struct tr_fault *reterr)
{
    json_auto_t *given = json_deep_copy(options);
    if (given == NULL) {
        return options == NULL ? TR_OK : TR_NO_MEMORY;
    }
    const char *base_key = key_of(entry->tool);
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach (given, key, value) {
        if (base_key == NULL || strcmp(key, base_key) != 0) {
            return refuse_key(entry, key, reterr);
        }
        TR_TRY(override(entry, value, reterr));
    }
    return TR_OK;
}
