/* registry_load.c - from a suite's const tables to verified, compiled, initialized entries. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/params.h"
#include "tools/core/registry_base.h"
#include "tools/core/registry_internal.h"
#include "tools/core/report.h"
#include "tools/core/settings.h"
#include "tools/core/violation.h"

/* A suite on its way in. Nothing of it is visible in the registry before commit(). */
struct loading {
    struct tr_registry *registry;
    const struct tr_load *load;
    struct tr_loaded_suite *loaded;
    struct tr_entry **entries;
    size_t entry_count;
};

static void loading_drop(struct loading *loading)
{
    for (size_t i = 0; i < loading->entry_count; i++) {
        tr_entry_free(loading->entries[i]);
    }
    free(loading->entries);
    tr_loaded_suite_free(loading->loaded);
}

static enum tr_status refuse(const struct loading *loading, const char *tool_name,
                             struct tr_fault *reterr, const char *why)
{
    char where[TR_FAULT_WHERE_BYTES];
    (void)snprintf(where, sizeof(where), "%s%s%s", loading->load->origin,
                   tool_name != NULL ? ": tool " : "", tool_name != NULL ? tool_name : "");
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, where, "%s", why);
}

/* Put the origin and the tool in front of a fault that names only the place inside of it. Whatever
 * it was called there, to the operator it is a suite that cannot be loaded. */
static enum tr_status blame(const struct loading *loading, const char *tool_name, const char *part,
                            enum tr_status status, struct tr_fault *fault)
{
    char why[TR_FAULT_WHAT_BYTES + TR_FAULT_WHERE_BYTES + 32];
    (void)snprintf(why, sizeof(why), "%s%s%s: %s", part, fault->where[0] != '\0' ? " at " : "",
                   fault->where, fault->what);
    (void)refuse(loading, tool_name, fault, why);
    return status == TR_NO_MEMORY ? TR_NO_MEMORY : TR_INVALID_PARAMETERS;
}

/* ---- what a suite must be ---- */

static bool is_name(const char *name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const size_t length = name != NULL ? strlen(name) : 0;
    return length >= 1 && length <= TR_MAX_TOOL_NAME_BYTES && strspn(name, allowed) == length;
}

static bool is_blank(const char *text)
{
    return text == NULL || text[strspn(text, " \t\r\n")] == '\0';
}

static enum tr_status check_suite(const struct loading *loading, struct tr_fault *reterr)
{
    const struct tr_suite *suite = loading->load->suite;
    if (suite->abi != TR_TOOL_ABI || suite->size != sizeof(struct tr_suite)) {
        return refuse(loading, NULL, reterr,
                      "was built for another version of toolrest (suite ABI or size differ)");
    }
    if (!is_name(suite->name)) {
        return refuse(loading, NULL, reterr, "the suite's name must match ^[A-Za-z0-9_-]{1,64}$");
    }
    if (is_blank(suite->version) || is_blank(suite->description)) {
        return refuse(loading, NULL, reterr, "the suite has no version or no description");
    }
    if (suite->tools == NULL && suite->tool_count != 0) {
        return refuse(loading, NULL, reterr, "the suite counts tools and has no list of them");
    }
    for (size_t i = 0; i < loading->registry->suite_count; i++) {
        const struct tr_loaded_suite *other = loading->registry->suites[i];
        if (strcmp(other->suite->name, suite->name) == 0) {
            char why[TR_FAULT_WHAT_BYTES];
            (void)snprintf(why, sizeof(why), "suite '%s' is already loaded from %s", suite->name,
                           other->origin);
            return refuse(loading, NULL, reterr, why);
        }
    }
    return TR_OK;
}

static enum tr_status refuse_duplicate(const struct loading *loading, const struct tr_tool *tool,
                                       const char *owner, const char *origin,
                                       struct tr_fault *reterr)
{
    char why[TR_FAULT_WHAT_BYTES];
    (void)snprintf(why, sizeof(why), "suite '%s' brings a tool that suite '%s' (%s) has already",
                   loading->load->suite->name, owner, origin);
    return refuse(loading, tool->name, reterr, why);
}

static enum tr_status check_unique(const struct loading *loading, const struct tr_tool *tool,
                                   struct tr_fault *reterr)
{
    const struct tr_entry *other = tr_registry_find(loading->registry, tool->name);
    if (other != NULL) {
        return refuse_duplicate(loading, tool, other->suite->suite->name, other->suite->origin,
                                reterr);
    }
    for (size_t i = 0; i < loading->entry_count; i++) {
        if (strcmp(loading->entries[i]->tool->name, tool->name) == 0) {
            return refuse_duplicate(loading, tool, loading->load->suite->name,
                                    loading->load->origin, reterr);
        }
    }
    return TR_OK;
}

static enum tr_status check_tool(const struct loading *loading, const struct tr_tool *tool,
                                 struct tr_fault *reterr)
{
    if (tool == NULL) {
        return refuse(loading, NULL, reterr, "the suite's list of tools has a gap");
    }
    if (tool->abi != TR_TOOL_ABI || tool->size != sizeof(struct tr_tool)) {
        return refuse(loading, NULL, reterr,
                      "a tool was built for another version of toolrest (ABI or size differ)");
    }
    if (!is_name(tool->name)) {
        return refuse(loading, NULL, reterr, "a tool's name must match ^[A-Za-z0-9_-]{1,64}$");
    }
    if (is_blank(tool->description)) {
        return refuse(loading, tool->name, reterr, "has no description");
    }
    const bool is_runnable = tool->base != NULL ? tool->hooks != NULL : tool->execute != NULL;
    if (!is_runnable || tool->request == NULL || tool->response == NULL) {
        return refuse(loading, tool->name, reterr, "has no request, response or function");
    }
    if (tool->timeout_ms < 0 || tool->timeout_ms > TR_MAX_TIMEOUT_MS) {
        return refuse(loading, tool->name, reterr, "timeout_ms is out of range");
    }
    return check_unique(loading, tool, reterr);
}

/* ---- compiling a tool ---- */

static enum tr_status compile_type(const struct loading *loading, const struct tr_tool *tool,
                                   const struct tr_type *type, struct tr_schema_document *document,
                                   struct tr_fault *reterr)
{
    const bool is_request = type == tool->request;
    const char *part = is_request ? "request" : "response";
    enum tr_status status = tr_type_verify(type, reterr);
    if (status == TR_OK) {
        status = tr_schema_compile(type, is_request && tool->strict, document, reterr);
    }
    return status == TR_OK ? TR_OK : blame(loading, tool->name, part, status, reterr);
}

/* The example must be a call that works: it runs the same stages as any request. */
static enum tr_status check_example(const struct loading *loading, const struct tr_entry *entry,
                                    struct tr_fault *reterr)
{
    const char *text = entry->tool->example_json;
    if (text == NULL) {
        return TR_OK;
    }
    json_auto_t *value = NULL;
    const enum tr_status status = tr_json_parse(text, strlen(text), &value, reterr);
    if (status != TR_OK) {
        return blame(loading, entry->tool->name, "example_json", status, reterr);
    }
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_report report = { .arena = &arena };
    struct tr_violations found = { .arena = &arena };
    const struct tr_params_rules rules = { .is_exact = true };
    if (tr_params_prepare(entry->request.root, &rules, &value, &report, &found) == TR_OK) {
        return TR_OK;
    }
    const char *why = found.count != 0 ? found.items[0].message : "it does not fit";
    (void)tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL, "%s", why);
    return blame(loading, entry->tool->name, "example_json", TR_INVALID_PARAMETERS, reterr);
}

static enum tr_status compile_entry(const struct loading *loading, struct tr_entry *entry,
                                    struct tr_fault *reterr)
{
    const struct tr_tool *tool = entry->tool;
    const struct tr_suite *suite = loading->load->suite;
    entry->suite = loading->loaded;
    entry->category = tool->category != NULL ? tool->category : suite->name;
    entry->version = tool->version != NULL ? tool->version : suite->version;
    entry->timeout_ms = tool->timeout_ms != 0 ? tool->timeout_ms : TR_DEFAULT_TIMEOUT_MS;
    entry->output_limit_bytes =
        tool->output_limit_bytes != 0 ? tool->output_limit_bytes : TR_OUTPUT_LIMIT_BYTES;
    TR_TRY(compile_type(loading, tool, tool->request, &entry->request, reterr));
    TR_TRY(compile_type(loading, tool, tool->response, &entry->response, reterr));
    const enum tr_status status = tr_entry_configure_base(entry, loading->load->settings, reterr);
    if (status != TR_OK) {
        return blame(loading, tool->name, tool->base->settings_key, status, reterr);
    }
    return check_example(loading, entry, reterr);
}

static enum tr_status load_tools(struct loading *loading, struct tr_fault *reterr)
{
    const struct tr_suite *suite = loading->load->suite;
    loading->entries = calloc(suite->tool_count + 1, sizeof(*loading->entries));
    if (loading->entries == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < suite->tool_count; i++) {
        TR_TRY(check_tool(loading, suite->tools[i], reterr));
        struct tr_entry *entry = calloc(1, sizeof(*entry));
        if (entry == NULL) {
            return TR_NO_MEMORY;
        }
        entry->tool = suite->tools[i];
        loading->entries[loading->entry_count++] = entry;
        TR_TRY(compile_entry(loading, entry, reterr));
    }
    return TR_OK;
}

/* ---- settings ---- */

/* The members that are the suite's own, without those of its tools' bases. NULL when out of memory.
 */
static json_t *own_settings(const struct tr_suite *suite, const json_t *given)
{
    json_t *own = json_is_object(given) ? json_deep_copy(given) : json_object();
    const char *key = NULL;
    void *next = NULL;
    json_t *value = NULL;
    json_object_foreach_safe(own, next, key, value)
    {
        if (tr_suite_has_base_key(suite, key)) {
            (void)json_object_del(own, key);
        }
    }
    return own;
}

static enum tr_status load_settings(const struct loading *loading, struct tr_fault *reterr)
{
    const struct tr_suite *suite = loading->load->suite;
    const json_t *given = loading->load->settings;
    if (given != NULL && !json_is_null(given) && !json_is_object(given)) {
        return refuse(loading, NULL, reterr, "settings must be a mapping");
    }
    json_auto_t *own = own_settings(suite, given);
    if (own == NULL) {
        return TR_NO_MEMORY;
    }
    if (suite->settings == NULL) {
        return json_object_size(own) == 0
                   ? TR_OK
                   : refuse(loading, NULL, reterr, "the suite has no settings of its own");
    }
    const enum tr_status status = tr_settings_bind(suite->settings, own, &loading->loaded->arena,
                                                   &loading->loaded->settings, reterr);
    return status == TR_OK ? TR_OK : blame(loading, NULL, "settings", status, reterr);
}

/* ---- all or nothing ---- */

static enum tr_status make_room(const struct loading *loading)
{
    struct tr_registry *registry = loading->registry;
    struct tr_loaded_suite **suites =
        realloc(registry->suites, (registry->suite_count + 1) * sizeof(*suites));
    if (suites == NULL) {
        return TR_NO_MEMORY;
    }
    registry->suites = suites;
    struct tr_entry **entries = realloc(
        registry->entries, (registry->entry_count + loading->entry_count + 1) * sizeof(*entries));
    if (entries == NULL) {
        return TR_NO_MEMORY;
    }
    registry->entries = entries;
    return TR_OK;
}

static enum tr_status initialize(const struct loading *loading, struct tr_fault *reterr)
{
    const struct tr_suite *suite = loading->load->suite;
    if (suite->initialize == NULL) {
        return TR_OK;
    }
    struct tr_fault fault = { .what = "initialize() failed and gave no reason" };
    const enum tr_status status =
        suite->initialize(loading->loaded->settings, &loading->loaded->state, &fault);
    if (status != TR_OK) {
        *reterr = fault;
        return blame(loading, NULL, "initialize", TR_INVALID_PARAMETERS, reterr);
    }
    return TR_OK;
}

/* Enter the suite; the only step after initialize(), so its failure must clean up again. */
static enum tr_status commit(struct loading *loading)
{
    struct tr_registry *registry = loading->registry;
    const size_t old_count = registry->entry_count;
    memcpy(registry->entries + old_count, loading->entries,
           loading->entry_count * sizeof(struct tr_entry *));
    registry->entry_count += loading->entry_count;
    if (!tr_registry_index(registry)) {
        registry->entry_count = old_count;
        if (loading->load->suite->cleanup != NULL) {
            loading->load->suite->cleanup(loading->loaded->state);
        }
        return TR_NO_MEMORY;
    }
    registry->suites[registry->suite_count++] = loading->loaded;
    loading->loaded->library = loading->load->library;
    loading->loaded = NULL;
    loading->entry_count = 0;
    return TR_OK;
}

static enum tr_status load_all(struct loading *loading, struct tr_fault *reterr)
{
    TR_TRY(check_suite(loading, reterr));
    TR_TRY(load_settings(loading, reterr));
    TR_TRY(load_tools(loading, reterr));
    TR_TRY(make_room(loading));
    TR_TRY(initialize(loading, reterr));
    return commit(loading);
}

enum tr_status tr_registry_load(struct tr_registry *registry, const struct tr_load *load,
                                struct tr_fault *reterr)
{
    assert(!registry->is_sealed);
    struct tr_fault unread;
    struct loading loading = { .registry = registry, .load = load };
    loading.loaded = calloc(1, sizeof(*loading.loaded));
    if (loading.loaded == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, load->origin, "out of memory");
    }
    loading.loaded->suite = load->suite;
    loading.loaded->is_plugin = load->library != NULL;
    tr_arena_init(&loading.loaded->arena, TR_LOAD_ARENA_BYTES);
    loading.loaded->origin =
        tr_arena_strndup(&loading.loaded->arena, load->origin, strlen(load->origin));
    struct tr_fault *fault = reterr != NULL ? reterr : &unread;
    const enum tr_status status =
        loading.loaded->origin != NULL ? load_all(&loading, fault) : TR_NO_MEMORY;
    loading_drop(&loading);
    return status == TR_NO_MEMORY ? tr_refuse(status, fault, load->origin, "out of memory")
                                  : status;
}

enum tr_status tr_registry_add_suite(struct tr_registry *registry, const struct tr_suite *suite,
                                     const char *origin, const json_t *settings,
                                     struct tr_fault *reterr)
{
    const struct tr_load load = { .suite = suite, .origin = origin, .settings = settings };
    return tr_registry_load(registry, &load, reterr);
}
