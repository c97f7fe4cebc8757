#include <pthread.h>

#include "openapi/dialect.h"
#include "server/catalog.h"
#include "tests/support/alloc_fail.h"
#include "tests/unit/server/route_fixture.h"

static struct route_fixture fixture;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture, true, "https://gateway.example.net/gw");
    return 0;
}

static int start_without_keys(void **state)
{
    (void)state;
    fixture_start(&fixture, false, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

/* The tools of a native list; drops the blob. */
static size_t count_tools(struct tr_blob *blob)
{
    assert_non_null(blob);
    json_auto_t *list = json_loadb(blob->bytes, blob->length, 0, NULL);
    const size_t count = json_array_size(json_object_get(list, "tools"));
    tr_blob_unref(blob);
    return count;
}

static size_t tools_of(const struct tr_principal *principal)
{
    return count_tools(tr_catalog_tools(fixture.app.catalog, principal, &tr_dialect_native, NULL));
}

static void each_scope_sees_only_what_it_may_use(void **state)
{
    (void)state;
    assert_int_equal(tools_of(fixture.all), 3);
    assert_int_equal(tools_of(fixture.some), 1);
}

static void nobody_sees_nothing_where_there_are_keys(void **state)
{
    (void)state;
    assert_int_equal(tools_of(NULL), 0);

    struct tr_blob *blob = tr_catalog_openapi(fixture.app.catalog, NULL);
    assert_null(strstr(blob->bytes, "/tools/note"));
    tr_blob_unref(blob);

    blob = tr_catalog_plugins(fixture.app.catalog, NULL);
    assert_string_equal(blob->bytes, "{\"plugins\":[]}");
    tr_blob_unref(blob);
}

static void without_keys_nobody_sees_everything(void **state)
{
    (void)state;
    assert_int_equal(tools_of(NULL), 3);
}

static void a_document_is_rendered_once(void **state)
{
    (void)state;
    struct tr_catalog *catalog = fixture.app.catalog;
    const struct tr_entry *note = tr_registry_find(fixture.app.registry, "note");
    struct tr_blob *blobs[] = {
        tr_catalog_tools(catalog, fixture.all, &tr_dialect_openai, NULL),
        tr_catalog_openapi(catalog, fixture.all),
        tr_catalog_plugins(catalog, fixture.all),
        tr_catalog_tool(catalog, note, &tr_dialect_ollama),
    };
    struct tr_blob *again[] = {
        tr_catalog_tools(catalog, fixture.all, &tr_dialect_openai, NULL),
        tr_catalog_openapi(catalog, fixture.all),
        tr_catalog_plugins(catalog, fixture.all),
        tr_catalog_tool(catalog, note, &tr_dialect_ollama),
    };
    for (size_t i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++) {
        assert_non_null(blobs[i]);
        assert_ptr_equal(blobs[i], again[i]);
        for (size_t other = 0; other < i; other++) {
            assert_ptr_not_equal(blobs[i], blobs[other]);
        }
    }
    for (size_t i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++) {
        tr_blob_unref(blobs[i]);
        tr_blob_unref(again[i]);
    }
}

static void every_slot_is_its_own(void **state)
{
    (void)state;
    struct tr_catalog *catalog = fixture.app.catalog;
    size_t dialect_count;
    const struct tr_dialect *const *dialects = tr_dialects(&dialect_count);
    for (size_t d = 0; d < dialect_count; d++) {
        for (size_t i = 0; i < tr_registry_tool_count(fixture.app.registry); i++) {
            const struct tr_entry *entry = tr_registry_tool(fixture.app.registry, i);
            const struct tr_subject subject = {
                .entry = entry,
                .base_url = "https://gateway.example.net/gw",
                .needs_key = true,
            };
            struct tr_blob *blob = tr_catalog_tool(catalog, entry, dialects[d]);
            json_auto_t *kept = json_loadb(blob->bytes, blob->length, 0, NULL);
            json_auto_t *described = dialects[d]->describe(&subject, NULL);
            assert_true(json_equal(kept, described));
            tr_blob_unref(blob);
        }
    }
}

static void a_filtered_list_is_rendered_anew(void **state)
{
    (void)state;
    const struct tr_catalog_filter travel = { .category = "travel" };
    struct tr_catalog *catalog = fixture.app.catalog;

    assert_int_equal(
        count_tools(tr_catalog_tools(catalog, fixture.all, &tr_dialect_native, &travel)), 2);
    assert_int_equal(
        count_tools(tr_catalog_tools(catalog, fixture.some, &tr_dialect_native, &travel)), 1);
    assert_int_equal(tools_of(fixture.all), 3);
}

static void *ask_for_everything(void *context)
{
    struct tr_catalog *catalog = context;
    for (int i = 0; i < 50; i++) {
        tr_blob_unref(tr_catalog_tools(catalog, fixture.all, &tr_dialect_openai, NULL));
        tr_blob_unref(tr_catalog_plugins(catalog, fixture.some));
    }
    return NULL;
}

static void threads_that_ask_at_once_get_the_same_document(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_for_everything, fixture.app.catalog),
                         0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

static bool attempt(void *context)
{
    (void)context;
    const struct tr_catalog_facts facts = {
        .registry = fixture.app.registry,
        .keyring = fixture.app.keyring,
        .external_url = "https://gateway.example.net",
    };
    struct tr_catalog *catalog = tr_catalog_new(&facts);
    struct tr_blob *blob = catalog == NULL ? NULL : tr_catalog_plugins(catalog, fixture.all);
    const bool is_done = blob != NULL;
    tr_blob_unref(blob);
    tr_catalog_free(catalog);
    return is_done;
}

static void running_out_of_memory_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(attempt, NULL) > 5);
}

static void what_could_not_be_rendered_is_tried_again(void **state)
{
    (void)state;
    alloc_fail_at(1);
    assert_null(tr_catalog_plugins(fixture.app.catalog, fixture.all));
    assert_true(alloc_fail_stop());

    struct tr_blob *blob = tr_catalog_plugins(fixture.app.catalog, fixture.all);
    assert_non_null(blob);
    tr_blob_unref(blob);
}

#define WITH_KEYS(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_KEYS(each_scope_sees_only_what_it_may_use),
        WITH_KEYS(nobody_sees_nothing_where_there_are_keys),
        cmocka_unit_test_setup_teardown(without_keys_nobody_sees_everything, start_without_keys,
                                        end),
        WITH_KEYS(a_document_is_rendered_once),
        WITH_KEYS(every_slot_is_its_own),
        WITH_KEYS(a_filtered_list_is_rendered_anew),
        WITH_KEYS(threads_that_ask_at_once_get_the_same_document),
        WITH_KEYS(running_out_of_memory_gives_null_and_leaks_nothing),
        WITH_KEYS(what_could_not_be_rendered_is_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
