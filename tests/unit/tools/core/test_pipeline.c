#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/sample_suite.h"
#include "tools/core/pipeline.h"
#include "tools/core/registry.h"

static struct tr_registry *registry;
static json_t *answer; /* of the last call */

static int load(void **state)
{
    (void)state;
    struct tr_fault fault = { 0 };
    registry = tr_registry_new();
    if (tr_registry_add_suite(registry, &sample_suite, "test", NULL, &fault) != TR_OK) {
        (void)fprintf(stderr, "%s: %s\n", fault.where, fault.what);
        return -1;
    }
    tr_registry_seal(registry);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    json_decref(answer);
    tr_registry_unref(registry);
    return 0;
}

static enum tr_status run(const char *tool, const char *body)
{
    struct tr_call call;
    tr_call_init(&call);
    call.context.request_id = "01J";
    struct tr_run one;
    tr_run_init(&one, tr_registry_find(registry, tool), &call, body, strlen(body));
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 64 * 1024);

    const enum tr_status status = tr_run_all(&one, &out);

    json_decref(answer);
    answer = json_loads(tr_text_string(&out), 0, NULL);
    assert_non_null(answer);
    tr_run_done(&one);
    tr_call_done(&call);
    return status;
}

static const char *text_of(const char *member)
{
    return json_string_value(json_object_get(answer, member));
}

static const json_t *result_of(const char *member)
{
    return json_object_get(json_object_get(answer, "result"), member);
}

static void a_call_that_succeeds_gives_the_envelope(void **state)
{
    (void)state;
    assert_int_equal(run("repeat", "{\"text\":\"ab\",\"times\":2}"), TR_OK);

    assert_true(json_is_true(json_object_get(answer, "success")));
    assert_string_equal(json_string_value(result_of("text")), "abab");
    assert_true(json_is_null(json_object_get(answer, "error")));
    assert_string_equal(text_of("id"), "01J");
    assert_string_equal(text_of("name"), "repeat");
    assert_true(json_is_real(json_object_get(answer, "execution_time_ms")));
    assert_null(json_object_get(answer, "metadata"));
    const char *keys[8] = { 0 };
    size_t count = 0;
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach (answer, key, value) {
        keys[count++] = key;
    }
    static const char *const order[] = { "success", "result", "error",
                                         "id",      "name",   "execution_time_ms" };
    assert_int_equal(count, 6);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(keys[i], order[i]);
    }
}

static void an_internal_field_never_leaves(void **state)
{
    (void)state;
    assert_int_equal(run("repeat", "{\"text\":\"ab\"}"), TR_OK);
    assert_null(result_of("length"));
}

static void no_body_means_no_parameters(void **state)
{
    (void)state;
    static const char *const bodies[] = { "", "{}", "null" };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        assert_int_equal(run("repeat", bodies[i]), TR_INVALID_PARAMETERS);
        assert_string_equal(text_of("error"), "Required parameter 'text' is missing");
    }
}

static void broken_json_is_told_apart_from_wrong_parameters(void **state)
{
    (void)state;
    assert_int_equal(run("repeat", " \r\n"), TR_MALFORMED_JSON);
    assert_int_equal(run("repeat", "{\"text\":"), TR_MALFORMED_JSON);
    assert_string_equal(text_of("code"), "malformed_json");
    assert_true(strlen(text_of("error")) > 0);
    assert_int_equal(run("repeat", "[1]"), TR_INVALID_PARAMETERS);
    assert_int_equal(run("repeat", "\"{\\\"text\\\":\\\"a\\\"}\""), TR_INVALID_PARAMETERS);
}

static void all_violations_are_reported_at_once(void **state)
{
    (void)state;
    assert_int_equal(run("repeat", "{\"times\":\"many\",\"numbers\":[1,\"x\",2.5]}"),
                     TR_INVALID_PARAMETERS);
    assert_int_equal(json_array_size(json_object_get(answer, "violations")), 4);
}

static void what_the_gateway_did_is_in_the_metadata(void **state)
{
    (void)state;
    assert_int_equal(run("repeat", "{\"text\":\"a\",\"times\":\"2\",\"bogus\":1}"), TR_OK);
    const json_t *metadata = json_object_get(answer, "metadata");
    assert_string_equal(json_string_value(json_array_get(json_object_get(metadata, "coerced"), 0)),
                        "/times");
    assert_string_equal(json_string_value(json_array_get(json_object_get(metadata, "ignored"), 0)),
                        "/bogus");
    assert_null(json_object_get(metadata, "truncated"));
}

static void a_tool_that_says_no_is_no_http_error(void **state)
{
    (void)state;
    assert_int_equal(run("refuse", "{\"text\":\"x\"}"), TR_TOOL_FAILED);
    assert_true(json_is_false(json_object_get(answer, "success")));
    assert_string_equal(text_of("error"), "There is no 'x'");
    assert_true(json_is_null(json_object_get(answer, "result")));
    assert_int_equal(run("silent", "{\"text\":\"x\"}"), TR_TOOL_FAILED);
    assert_true(strlen(text_of("error")) > 0);
}

static void a_response_may_say_no_by_itself(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool success;
        const char *error;
    } cases[] = {
        { "{\"text\":\"fine\"}", true, NULL },
        { "{\"text\":\"bare\"}", false, NULL },
        { "{\"text\":\"error\"}", false, "E1" },
        { "{\"text\":\"errors\"}", false, "a; b" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(run("soft", cases[i].body), TR_OK);
        assert_int_equal(json_is_true(json_object_get(answer, "success")), cases[i].success);
        assert_int_equal(json_integer_value(result_of("n")), 1);
        if (cases[i].error == NULL) {
            assert_true(json_is_null(json_object_get(answer, "error")));
        } else {
            assert_string_equal(text_of("error"), cases[i].error);
        }
    }
}

static void every_other_end_of_a_tool_has_its_problem(void **state)
{
    (void)state;
    static const struct {
        const char *tool;
        enum tr_status status;
        const char *error;
    } cases[] = {
        { "defect", TR_INTERNAL, "boom" },
        { "overdue", TR_TIMEOUT, "Tool 'overdue' execution timed out after 200 ms" },
        { "liar", TR_INTERNAL, "The gateway or the tool has a defect" },
        { "greedy", TR_INTERNAL, "The tool needs more memory than one call may use" },
        { "picky", TR_INVALID_PARAMETERS, "I do not like 'no'" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(run(cases[i].tool, "{\"text\":\"no\"}"), cases[i].status);
        assert_string_equal(text_of("error"), cases[i].error);
        assert_string_equal(text_of("code"), tr_status_info(cases[i].status)->code);
    }
}

static void a_response_that_breaks_its_own_schema_is_the_tools_defect(void **state)
{
    (void)state;
    assert_int_equal(run("empty", "{\"text\":\"x\"}"), TR_INTERNAL);
    assert_non_null(strstr(text_of("error"), "text"));
}

static void output_beyond_the_limit_is_cut_and_says_so(void **state)
{
    (void)state;
    assert_int_equal(run("repeat", "{\"text\":\"0123456789\",\"times\":100}"), TR_OK);
    const json_t *metadata = json_object_get(answer, "metadata");
    assert_true(json_is_true(json_object_get(metadata, "truncated")));
    assert_true(json_string_length(result_of("text")) <= 200);
    assert_true(json_string_length(result_of("text")) > 150);
}

static void a_tool_sees_its_suites_settings_and_state(void **state)
{
    (void)state;
    assert_int_equal(run("greet", "{\"text\":\"you\"}"), TR_OK);
    assert_string_equal(json_string_value(result_of("text")), "Hello you (state)");
}

static void an_abandoned_run_is_answered_in_the_words_of_the_contract(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 4096);
    tr_run_write_abandoned(tr_registry_find(registry, "overdue"), "01J", TR_TIMEOUT, &out);
    assert_non_null(strstr(tr_text_string(&out),
                           "\"error\":\"Tool 'overdue' execution timed out after 200 ms\""));
}

static void an_answer_that_finds_no_room_leaves_nothing_half_written(void **state)
{
    (void)state;
    struct tr_call call;
    tr_call_init(&call);
    struct tr_run one;
    tr_run_init(&one, tr_registry_find(registry, "repeat"), &call, "{\"text\":\"a\"}", 12);
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 20);

    assert_int_equal(tr_run_all(&one, &out), TR_BODY_TOO_LARGE);
    assert_int_equal(out.length, 0);

    tr_run_done(&one);
    tr_call_done(&call);
}

static bool attempt(void *context)
{
    const char *body = context;
    struct tr_call call;
    tr_call_init(&call);
    struct tr_run one;
    tr_run_init(&one, tr_registry_find(registry, "repeat"), &call, body, strlen(body));
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 64 * 1024);
    const enum tr_status status = tr_run_all(&one, &out);
    const bool is_complete = status == TR_OK && !call.report.is_incomplete;
    /* Memory that runs out is nobody's mistake; but jansson calls a text that it has no memory to
     * read a syntax error. */
    assert_true(status == TR_OK || status == TR_MALFORMED_JSON
                || tr_status_info(status)->http == 503);
    tr_run_done(&one);
    tr_call_done(&call);
    return is_complete;
}

static void a_run_survives_every_failing_allocation(void **state)
{
    (void)state;
    static char body[] = "{\"text\":\"ab\",\"times\":\"2\",\"numbers\":[1,\"2\"],\"bogus\":{}}";
    assert_true(alloc_fail_each(attempt, body) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_succeeds_gives_the_envelope),
        cmocka_unit_test(an_internal_field_never_leaves),
        cmocka_unit_test(no_body_means_no_parameters),
        cmocka_unit_test(broken_json_is_told_apart_from_wrong_parameters),
        cmocka_unit_test(all_violations_are_reported_at_once),
        cmocka_unit_test(what_the_gateway_did_is_in_the_metadata),
        cmocka_unit_test(a_tool_that_says_no_is_no_http_error),
        cmocka_unit_test(a_response_may_say_no_by_itself),
        cmocka_unit_test(every_other_end_of_a_tool_has_its_problem),
        cmocka_unit_test(a_response_that_breaks_its_own_schema_is_the_tools_defect),
        cmocka_unit_test(output_beyond_the_limit_is_cut_and_says_so),
        cmocka_unit_test(a_tool_sees_its_suites_settings_and_state),
        cmocka_unit_test(an_abandoned_run_is_answered_in_the_words_of_the_contract),
        cmocka_unit_test(an_answer_that_finds_no_room_leaves_nothing_half_written),
        cmocka_unit_test(a_run_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests_name("pipeline", tests, load, unload);
}
