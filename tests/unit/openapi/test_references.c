#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "openapi/references.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/descriptor.h"

static const char schema_json[] = TR_JSON({
    "properties": {
        "a": { "$ref": "#/$defs/node" },
        "b": { "items": { "anyOf": [{ "$ref": "#/$defs/a~1b%20c" }, { "$ref": "#" }] } },
        "$ref": { "type": "string" },
        "c": { "default": { "$ref": "#/$defs/node" }, "examples": [{ "$ref": "#" }] }
    },
    "$defs": { "node": { "not": { "$ref": "#/$defs/node" } }, "a/b c": true }
});

static const char components_json[] = TR_JSON({
    "echo.request": {
        "properties": {
            "a": { "$ref": "#/components/schemas/echo.request.node" },
            "b": {
                "items": {
                    "anyOf": [
                        { "$ref": "#/components/schemas/echo.request.a.2fb.20c" },
                        { "$ref": "#/components/schemas/echo.request" }
                    ]
                }
            },
            "$ref": { "type": "string" },
            "c": { "default": { "$ref": "#/$defs/node" }, "examples": [{ "$ref": "#" }] }
        }
    },
    "echo.request.node": { "not": { "$ref": "#/components/schemas/echo.request.node" } },
    "echo.request.a.2fb.20c": true
});

static void definitions_move_and_references_follow_them_but_data_is_left_alone(void **state)
{
    (void)state;
    json_auto_t *expected = json_loads(components_json, 0, NULL);
    json_auto_t *components = json_object();

    tr_references_put_component(&components, "echo.request", json_loads(schema_json, 0, NULL));

    assert_true(json_equal(components, expected));
}

static bool attempt(void *context)
{
    json_t *components = json_object();
    tr_references_put_component(&components, "echo.request", json_deep_copy(context));
    const bool is_done = components != NULL;
    json_decref(components);
    return is_done;
}

static void running_out_of_memory_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    json_auto_t *schema = json_loads(schema_json, 0, NULL);
    assert_true(alloc_fail_each(attempt, schema) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_move_and_references_follow_them_but_data_is_left_alone),
        cmocka_unit_test(running_out_of_memory_gives_null_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
