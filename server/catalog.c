#include "server/catalog.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "middleware/blob.h"
#include "middleware/exchange.h"
#include "openapi/build.h"
#include "openapi/dialect.h"
#include "openapi/document.h"
#include "server/filter.h"
#include "server/find_tool.h"
#include "tools/core/json.h"

/* A document that may have been rendered: NULL until then, and never changed again. */
struct slot {
    _Atomic(struct tr_blob *) blob;
};

struct tr_catalog {
    struct tr_registry *registry;
    const struct tr_keyring *keyring;
    const char *external_url; /* NULL: none */
    const char *base_url;
    bool needs_key;
    size_t scope_count; /* the last one is nobody's, where there are keys */
    size_t tool_count, dialect_count;

    /* One allocation: openapi and plugins of each scope, lists of each scope and dialect, views of
     * each tool and dialect. */
    struct slot *slots;
    size_t slot_count;
    pthread_mutex_t render_lock; /* whoever fills a slot holds it */
};

/* What one rendering is about; each kind of document reads some of the members. */
struct subject {
    const struct tr_principal *principal;
    const struct tr_dialect *dialect;
    const struct tr_entry *entry;
    const struct tr_catalog_filter *filter;
};

typedef json_t *render_fn(const struct tr_catalog *catalog, const struct subject *subject);

/* ---- rendering ---- */

static bool is_visible(const struct tr_catalog *catalog, const struct tr_principal *principal,
                       const struct tr_entry *entry)
{
    return tr_caller_may_use(catalog->keyring, principal, entry->tool->name);
}

static struct tr_subject describe_subject(const struct tr_catalog *catalog,
                                          const struct tr_entry *entry)
{
    return (struct tr_subject){
        .entry = entry,
        .base_url = catalog->base_url,
        .needs_key = catalog->needs_key,
    };
}

static json_t *render_tool(const struct tr_catalog *catalog, const struct subject *subject)
{
    const struct tr_subject described = describe_subject(catalog, subject->entry);
    return subject->dialect->describe(&described, NULL);
}

static json_t *render_list(const struct tr_catalog *catalog, const struct subject *subject)
{
    json_t *tools = json_array();
    for (size_t i = 0; i < catalog->tool_count; i++) {
        const struct tr_entry *entry = tr_registry_tool(catalog->registry, i);
        if (is_visible(catalog, subject->principal, entry)
            && tr_filter_wants(subject->filter, entry)) {
            const struct tr_subject described = describe_subject(catalog, entry);
            tr_build_add(&tools, subject->dialect->describe(&described, NULL));
        }
    }
    return subject->dialect->wrap != NULL ? subject->dialect->wrap(tools) : tools;
}

static json_t *render_suite(const struct tr_catalog *catalog, const struct subject *subject,
                            const struct tr_loaded_suite *loaded, bool *ret_is_visible)
{
    json_t *tools = json_array();
    for (size_t i = 0; i < catalog->tool_count; i++) {
        const struct tr_entry *entry = tr_registry_tool(catalog->registry, i);
        if (entry->suite == loaded && is_visible(catalog, subject->principal, entry)) {
            tr_build_add_text(&tools, entry->tool->name);
        }
    }
    *ret_is_visible = tools == NULL || json_array_size(tools) > 0;
    json_t *out = json_object();
    tr_build_put_text(&out, "name", loaded->suite->name);
    tr_build_put_text(&out, "version", loaded->suite->version);
    tr_build_put_text(&out, "description", loaded->suite->description);
    tr_build_put_bool(&out, "built_in", !loaded->is_plugin);
    tr_build_put(&out, "tools", tools);
    return out;
}

/* A suite none of whose tools the caller may use is left out. */
static json_t *render_plugins(const struct tr_catalog *catalog, const struct subject *subject)
{
    json_t *suites = json_array();
    const size_t count = tr_registry_suite_count(catalog->registry);
    for (size_t i = 0; i < count; i++) {
        bool is_shown = false;
        json_t *suite =
            render_suite(catalog, subject, tr_registry_suite(catalog->registry, i), &is_shown);
        if (is_shown) {
            tr_build_add(&suites, suite);
        } else {
            json_decref(suite);
        }
    }
    json_t *out = json_object();
    tr_build_put(&out, "plugins", suites);
    return out;
}

static json_t *render_openapi(const struct tr_catalog *catalog, const struct subject *subject)
{
    const struct tr_entry **entries =
        calloc(catalog->tool_count + 1, sizeof(const struct tr_entry *));
    if (entries == NULL) {
        return NULL;
    }
    size_t count = 0;
    for (size_t i = 0; i < catalog->tool_count; i++) {
        const struct tr_entry *entry = tr_registry_tool(catalog->registry, i);
        if (is_visible(catalog, subject->principal, entry)) {
            entries[count++] = entry;
        }
    }
    const struct tr_document_facts facts = {
        .version = TR_VERSION,
        .external_url = catalog->external_url,
        .needs_key = catalog->needs_key,
        .entries = entries,
        .entry_count = count,
    };
    json_t *document = tr_document_render(&facts);
    free(entries);
    return document;
}

/* ---- keeping ---- */

static struct tr_blob *render(const struct tr_catalog *catalog, render_fn *renderer,
                              const struct subject *subject)
{
    json_auto_t *value = renderer(catalog, subject);
    if (value == NULL) {
        return NULL;
    }
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, TR_ANSWER_BODY_BYTES);
    tr_json_write(&text, value);
    return tr_blob_new(&text);
}

static struct tr_blob *render_kept(struct tr_catalog *catalog, struct slot *slot,
                                   render_fn *renderer, const struct subject *subject)
{
    struct tr_blob *blob = atomic_load_explicit(&slot->blob, memory_order_acquire);
    if (blob == NULL) {
        pthread_mutex_lock(&catalog->render_lock);
        blob = atomic_load_explicit(&slot->blob, memory_order_relaxed);
        if (blob == NULL) {
            blob = render(catalog, renderer, subject);
            atomic_store_explicit(&slot->blob, blob, memory_order_release);
        }
        pthread_mutex_unlock(&catalog->render_lock);
    }
    return blob != NULL ? tr_blob_ref(blob) : NULL;
}

static size_t scope_of(const struct tr_catalog *catalog, const struct tr_principal *principal)
{
    return principal != NULL ? principal->scope : catalog->scope_count - 1;
}

static struct slot *openapi_slot(struct tr_catalog *catalog, const struct tr_principal *principal)
{
    return &catalog->slots[scope_of(catalog, principal)];
}

static struct slot *plugins_slot(struct tr_catalog *catalog, const struct tr_principal *principal)
{
    return &catalog->slots[catalog->scope_count + scope_of(catalog, principal)];
}

static struct slot *list_slot(struct tr_catalog *catalog, const struct tr_principal *principal,
                              const struct tr_dialect *dialect)
{
    const size_t row = 2 * catalog->scope_count;
    const size_t index = scope_of(catalog, principal) * catalog->dialect_count;
    return &catalog->slots[row + index + tr_dialect_index(dialect)];
}

static struct slot *tool_slot(struct tr_catalog *catalog, const struct tr_entry *entry,
                              const struct tr_dialect *dialect)
{
    const size_t row = (2 + catalog->dialect_count) * catalog->scope_count;
    const size_t index = entry->index * catalog->dialect_count;
    return &catalog->slots[row + index + tr_dialect_index(dialect)];
}

struct tr_blob *tr_catalog_tools(struct tr_catalog *catalog, const struct tr_principal *principal,
                                 const struct tr_dialect *dialect,
                                 const struct tr_catalog_filter *filter)
{
    const struct subject subject = {
        .principal = principal,
        .dialect = dialect,
        .filter = filter,
    };
    if (!tr_filter_wants_all(filter)) {
        return render(catalog, render_list, &subject);
    }
    return render_kept(catalog, list_slot(catalog, principal, dialect), render_list, &subject);
}

struct tr_blob *tr_catalog_openapi(struct tr_catalog *catalog, const struct tr_principal *principal)
{
    const struct subject subject = { .principal = principal };
    return render_kept(catalog, openapi_slot(catalog, principal), render_openapi, &subject);
}

struct tr_blob *tr_catalog_plugins(struct tr_catalog *catalog, const struct tr_principal *principal)
{
    const struct subject subject = { .principal = principal };
    return render_kept(catalog, plugins_slot(catalog, principal), render_plugins, &subject);
}

struct tr_blob *tr_catalog_tool(struct tr_catalog *catalog, const struct tr_entry *entry,
                                const struct tr_dialect *dialect)
{
    const struct subject subject = { .entry = entry, .dialect = dialect };
    return render_kept(catalog, tool_slot(catalog, entry, dialect), render_tool, &subject);
}

/* ---- life ---- */

static bool make_slots(struct tr_catalog *catalog)
{
    (void)tr_dialects(&catalog->dialect_count);
    catalog->tool_count = tr_registry_tool_count(catalog->registry);
    catalog->scope_count = catalog->needs_key ? tr_keyring_scope_count(catalog->keyring) + 1 : 1;
    catalog->slot_count = (2 + catalog->dialect_count) * catalog->scope_count
                          + catalog->tool_count * catalog->dialect_count;
    catalog->slots = calloc(catalog->slot_count, sizeof(*catalog->slots));
    for (size_t i = 0; catalog->slots != NULL && i < catalog->slot_count; i++) {
        atomic_init(&catalog->slots[i].blob, NULL);
    }
    return catalog->slots != NULL;
}

struct tr_catalog *tr_catalog_new(const struct tr_catalog_facts *facts)
{
    struct tr_catalog *catalog = calloc(1, sizeof(*catalog));
    if (catalog == NULL) {
        return NULL;
    }
    if (pthread_mutex_init(&catalog->render_lock, NULL) != 0) {
        free(catalog);
        return NULL;
    }
    catalog->registry = tr_registry_ref(facts->registry);
    catalog->keyring = facts->keyring;
    catalog->needs_key = tr_keys_in_force(facts->keyring);
    catalog->external_url = facts->external_url;
    catalog->base_url = facts->base_url;
    if (!make_slots(catalog)) {
        tr_catalog_free(catalog);
        return NULL;
    }
    return catalog;
}

void tr_catalog_free(struct tr_catalog *catalog)
{
    if (catalog == NULL) {
        return;
    }
    for (size_t i = 0; catalog->slots != NULL && i < catalog->slot_count; i++) {
        tr_blob_unref(atomic_load(&catalog->slots[i].blob));
    }
    free(catalog->slots);
    tr_registry_unref(catalog->registry);
    pthread_mutex_destroy(&catalog->render_lock);
    free(catalog);
}
