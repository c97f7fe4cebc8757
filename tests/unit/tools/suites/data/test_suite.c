/* What holds for every tool of the suite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/suites/data/data.h"

static void every_example_runs_and_succeeds(void **state)
{
    (void)state;
    struct tr_registry *registry = tool_registry(&data_suite);
    for (size_t i = 0; i < data_suite.tool_count; i++) {
        const struct tr_tool *tool = data_suite.tools[i];
        assert_non_null(tool->example_json);
        enum tr_status status = TR_INTERNAL;

        json_t *answer = tool_call(registry, tool->name, tool->example_json, &status);

        if (status != TR_OK) {
            fail_msg("%s: %s", tool->name, json_string_value(json_object_get(answer, "error")));
        }
        assert_null(json_object_get(answer, "metadata")); /* nothing ignored, coerced or cut */
        json_decref(answer);
    }
    tr_registry_unref(registry);
}

static void every_example_survives_failing_allocations(void **state)
{
    (void)state;
    struct tr_registry *registry = tool_registry(&data_suite);
    for (size_t i = 0; i < data_suite.tool_count; i++) {
        const struct tr_tool *tool = data_suite.tools[i];

        assert_tool_survives_failing_allocations(registry, tool->name, tool->example_json);
    }
    tr_registry_unref(registry);
}

/* An agent needs no confirmation for any of them. */
static void every_tool_changes_nothing_and_reaches_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < data_suite.tool_count; i++) {
        const struct tr_annotations *annotations = &data_suite.tools[i]->annotations;

        assert_true(annotations->read_only);
        assert_false(annotations->destructive);
        assert_false(annotations->open_world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_runs_and_succeeds),
        cmocka_unit_test(every_example_survives_failing_allocations),
        cmocka_unit_test(every_tool_changes_nothing_and_reaches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
