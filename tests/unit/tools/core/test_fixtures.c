/* The fixture tools do what the tests that call them rely on. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/tool_call.h"
#include "tools/core/descriptor.h"
#include "tools/core/registry.h"
#include "tools/core/schema.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tr_registry_new();
    return tr_registry_add_plugin(registry, TR_TEST_PLUGIN_DIR "/fixtures.so", NULL, NULL) == TR_OK
               ? 0
               : -1;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

struct fixture_case {
    const char *tool, *body, *result;
};

static void fixtures_return_what_is_relied_on(void **state)
{
    (void)state;
    static const struct fixture_case cases[] = {
        { "reflect", "{\"query\":\"a\"}",
          "{\"query\":\"a\",\"max_results\":10,\"verbose\":false}" },
        { "reflect",
          "{\"query\":\"a\",\"maxResults\":5,\"verbose\":\"yes\",\"ratio\":\"1e3\","
          "\"tags\":\"[\\\"a\\\"]\",\"color\":\"RED\",\"mode\":\"slow\",\"opts\":{\"k\":\"v\"},"
          "\"root_path\":\"/\"}",
          "{\"query\":\"a\",\"max_results\":5,\"verbose\":true,\"ratio\":1000,\"tags\":[\"a\"],"
          "\"color\":\"Red\",\"mode\":\"slow\",\"opts\":{\"k\":\"v\"},\"root_path\":\"/\"}" },
        { "echo", "{\"text\":\"hello\"}", "{\"text\":\"hello\"}" },
        { "echo", "{\"text\":\"a\xc3\xa9\",\"repeat\":2,\"upper\":true,\"suffix\":\"!\"}",
          "{\"text\":\"A\xc3\xa9"
          "A\xc3\xa9!\"}" },
        { "no_params", "null", "{}" },
        { "need_root", "{\"root_path\":\"/a\"}", "{\"root_path\":\"/a\"}" },
        { "filtered", "{\"query\":\"x\"}", "{\"answer\":\"Result: x\"}" },
        { "checked", "{\"query\":\"x\"}", "{\"query\":\"x\"}" },
        { "primitive_tool", "{\"name\":\"a\",\"age\":1,\"active\":true}",
          "{\"name\":\"a\",\"age\":1,\"active\":true}" },
        { "enum_tool", "{\"color\":\"green\"}", "{\"color\":\"GREEN\"}" },
        { "list_tool", "{}", "{}" },
        { "list_tool", "{\"tags\":[]}", "{\"tags\":[]}" },
        { "object_tool", "{\"config\":{\"enabled\":true,\"more\":[1]}}",
          "{\"config\":{\"enabled\":true,\"more\":[1]}}" },
        { "anyof_tool", "{\"value\":\"5\"}", "{\"value\":\"5\"}" },
        { "anyof_tool", "{\"value\":5}", "{\"value\":5}" },
        { "test_tool_with_null", "{\"nullParam\":null}", "{\"nullParam\":null}" },
        { "context", "{}", "{}" },
        { "wait", "{\"ms\":0}", "{\"ms\":0}" },
        { "big_output", "{\"bytes\":3}", "{\"text\":\"xxx\"}" },
        { "bad_utf8", "{}", "{\"text\":\"a\xef\xbf\xbd\xef\xbf\xbd\"}" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_tool_gives(registry, cases[i].tool, cases[i].body, cases[i].result);
    }
}

static void fixtures_refuse_what_is_relied_on(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *body;
        enum tr_status status;
        const char *error;
    } cases[] = {
        { "reflect", "{}", TR_INVALID_PARAMETERS, "Required parameter 'query' is missing" },
        { "checked", "{\"query\":\"\"}", TR_INVALID_PARAMETERS, "Query cannot be empty" },
        { "soft_fail", "{\"kind\":\"error\"}", TR_OK, "E1" },
        { "soft_fail", "{\"kind\":\"errors\"}", TR_OK, "a; b" },
        { "boom", "{}", TR_INTERNAL, "boom" },
        { "greedy", "{}", TR_INTERNAL, "The tool needs more memory than one call may use" },
        { "big_output", "{\"bytes\":100000000}", TR_INTERNAL,
          "The tool needs more memory than one call may use" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_tool_refuses(registry, cases[i].tool, cases[i].body, cases[i].status,
                            cases[i].error);
    }
}

static void a_bare_failure_has_no_error(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;

    json_auto_t *answer = tool_call(registry, "soft_fail", "{\"kind\":\"bare\"}", &status);

    assert_int_equal(status, TR_OK);
    assert_true(json_is_false(json_object_get(answer, "success")));
    assert_true(json_is_null(json_object_get(answer, "error")));
}

static void echo_has_the_schema_of_the_sample_document(void **state)
{
    (void)state;
    json_auto_t *document =
        json_load_file(TR_TEST_DATA_DIR "/openapi_good.json", JSON_REJECT_DUPLICATES, NULL);
    json_t *wanted = NULL;
    assert_int_equal(
        json_unpack(document, "{s:{s:{s:o}}}", "components", "schemas", "EchoInput", &wanted), 0);

    json_auto_t *schema = tr_schema_emit(&tr_registry_find(registry, "echo")->request);

    /* Our tables have a sentence for every struct and member; there it is missing in two places. */
    json_object_del(schema, "description");
    json_t *upper = json_object_get(json_object_get(schema, "properties"), "upper");
    json_object_del(upper, "description");
    assert_true(json_equal(schema, wanted));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixtures_return_what_is_relied_on),
        cmocka_unit_test(fixtures_refuse_what_is_relied_on),
        cmocka_unit_test(a_bare_failure_has_no_error),
        cmocka_unit_test(echo_has_the_schema_of_the_sample_document),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
