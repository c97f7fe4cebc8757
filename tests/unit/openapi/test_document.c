#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "openapi/document.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/described_suite.h"
#include "tests/support/golden.h"

static struct tr_registry *registry;
static const struct tr_entry *entries[8];
static struct tr_document_facts facts;

static int start(void **state)
{
    (void)state;
    registry = described_registry();
    for (size_t i = 0; i < tr_registry_tool_count(registry); i++) {
        entries[i] = tr_registry_tool(registry, i);
    }
    facts = (struct tr_document_facts){
        .version = "1.2.3",
        .external_url = "https://gateway.example.net/gw",
        .needs_key = true,
        .entries = entries,
        .entry_count = tr_registry_tool_count(registry),
    };
    return 0;
}

static int end(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

static json_t *rendered(void)
{
    json_t *document = tr_document_render(&facts);
    assert_non_null(document);
    return document;
}

/* The member at a path of names with spaces between. */
static json_t *at(json_t *value, const char *path)
{
    while (*path != '\0') {
        char name[64];
        const size_t length = strcspn(path, " ");
        assert_true(length < sizeof(name));
        memcpy(name, path, length);
        name[length] = '\0';
        value = json_object_get(value, name);
        path += length;
        path += strspn(path, " ");
    }
    return value;
}

static const char *text_at(json_t *value, const char *path)
{
    return json_string_value(at(value, path));
}

/* tests/contract/check_openapi.py and lint_openapi.sh judge the same file. */
static void the_document_is_what_the_file_says(void **state)
{
    (void)state;
    json_auto_t *document = rendered();

    golden_expect("document/described.json", document);
}

static void the_same_facts_give_the_same_bytes(void **state)
{
    (void)state;
    json_auto_t *first = rendered();
    json_auto_t *second = rendered();
    char *first_text = json_dumps(first, 0);
    char *second_text = json_dumps(second, 0);

    assert_string_equal(first_text, second_text);
    free(first_text);
    free(second_text);
}

static void a_tool_has_a_path_of_its_own_under_its_own_name(void **state)
{
    (void)state;
    json_auto_t *document = rendered();
    json_t *operation = at(document, "paths /tools/book post");

    assert_string_equal(text_at(operation, "operationId"), "book");
    assert_string_equal(text_at(operation, "summary"), "Books a hotel room");
    assert_string_equal(text_at(operation, "requestBody content application/json schema $ref"),
                        "#/components/schemas/book.request");
    assert_true(json_is_true(at(operation, "requestBody required")));
    assert_string_equal(text_at(operation, "requestBody content application/json example hotel"),
                        "Ritz");
    assert_false(json_is_true(at(document, "paths /tools/ping post requestBody required")));
}

static void only_the_tools_that_were_given_are_in_it(void **state)
{
    (void)state;
    facts.entry_count = 1;
    json_auto_t *document = rendered();

    assert_non_null(at(document, "paths /tools/book"));
    assert_null(at(document, "paths /tools/ping"));
    assert_null(at(document, "components schemas ping.request"));
    assert_int_equal(json_array_size(at(document, "tags")), 2);
}

static void without_keys_there_is_no_security_and_no_answer_about_it(void **state)
{
    (void)state;
    facts.needs_key = false;
    json_auto_t *document = rendered();

    assert_int_equal(json_array_size(at(document, "security")), 0);
    assert_null(at(document, "components securitySchemes"));
    assert_null(at(document, "components responses Problem401"));
    assert_null(at(document, "paths /tools/book post responses 401"));
    assert_null(at(document, "paths /tools/book get responses 403"));
}

static void with_keys_only_public_paths_need_none(void **state)
{
    (void)state;
    json_auto_t *document = rendered();
    const char *path;
    json_t *item;
    json_object_foreach (at(document, "paths"), path, item) {
        const bool is_public = strcmp(path, "/livez") == 0 || strcmp(path, "/readyz") == 0
                               || strcmp(path, "/problems/{code}") == 0;
        json_t *operation = at(item, at(item, "get") != NULL ? "get" : "post");

        assert_int_equal(at(operation, "security") != NULL, is_public);
        assert_int_equal(at(operation, "responses 401") != NULL, !is_public);
    }
}

static void without_a_url_of_its_own_the_server_is_relative(void **state)
{
    (void)state;
    facts.external_url = NULL;
    json_auto_t *document = rendered();

    assert_string_equal(text_at(json_array_get(at(document, "servers"), 0), "url"), ".");
}

static bool attempt(void *context)
{
    (void)context;
    json_t *document = tr_document_render(&facts);
    const bool is_done = document != NULL;
    json_decref(document);
    return is_done;
}

static void running_out_of_memory_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    facts.entries = entries + 1;
    facts.entry_count = 1;
    assert_true(alloc_fail_each(attempt, NULL) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_document_is_what_the_file_says, start, end),
        cmocka_unit_test_setup_teardown(the_same_facts_give_the_same_bytes, start, end),
        cmocka_unit_test_setup_teardown(a_tool_has_a_path_of_its_own_under_its_own_name, start,
                                        end),
        cmocka_unit_test_setup_teardown(only_the_tools_that_were_given_are_in_it, start, end),
        cmocka_unit_test_setup_teardown(without_keys_there_is_no_security_and_no_answer_about_it,
                                        start, end),
        cmocka_unit_test_setup_teardown(with_keys_only_public_paths_need_none, start, end),
        cmocka_unit_test_setup_teardown(without_a_url_of_its_own_the_server_is_relative, start,
                                        end),
        cmocka_unit_test_setup_teardown(running_out_of_memory_gives_null_and_leaks_nothing, start,
                                        end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
