#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/call.h"
#include "tools/core/clock.h"
#include "tools/core/place.h"
#include "tools/core/problem.h"
#include "tools/core/text.h"
#include "tools/core/violation.h"

static struct tr_call call;

static int start(void **state)
{
    (void)state;
    tr_call_init(&call);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tr_call_done(&call);
    return 0;
}

static void fail_keeps_the_sentence_and_gives_the_status(void **state)
{
    (void)state;
    assert_int_equal(tr_fail(&call, "City '%s' not found", "Atlantis"), TR_TOOL_FAILED);
    assert_string_equal(call.failure, "City 'Atlantis' not found");
    assert_int_equal(tr_fail_internal(&call, "%d", 7), TR_INTERNAL);
    assert_string_equal(call.failure, "7");
}

static void warnings_are_kept_for_the_answer(void **state)
{
    (void)state;
    tr_warn(&call, "removed %s", "Host");
    assert_int_equal(call.report.warnings.count, 1);
    assert_string_equal(call.report.warnings.items[0], "removed Host");
}

static void a_call_should_stop_once_it_is_cancelled_or_overdue(void **state)
{
    (void)state;
    assert_false(tr_call_should_stop(&call));
    call.deadline_ms = tr_clock_ms() + 60 * 1000;
    assert_false(tr_call_should_stop(&call));
    call.deadline_ms = tr_clock_ms() - 1;
    assert_true(tr_call_should_stop(&call));
    call.deadline_ms = 0;
    atomic_store(&call.is_cancelled, true);
    assert_true(tr_call_should_stop(&call));
}

static void a_sleep_ends_at_once_when_the_call_should_stop(void **state)
{
    (void)state;
    assert_true(tr_call_sleep(&call, 0));
    atomic_store(&call.is_cancelled, true);
    assert_false(tr_call_sleep(&call, 3600 * 1000));
}

static void a_call_has_its_share_of_memory_and_no_more(void **state)
{
    (void)state;
    assert_non_null(tr_alloc(&call, 1, 1024));
    assert_null(tr_alloc(&call, 1, TR_CALL_ARENA_BYTES));
    assert_null(tr_printf(&call, "%*d", (int)TR_CALL_ARENA_BYTES, 1));
    assert_string_equal(tr_printf(&call, "%s", "still works"), "still works");
}

static void a_problem_has_every_member_of_the_contract_in_order(void **state)
{
    (void)state;
    struct tr_violations found = { .arena = &call.arena };
    const struct tr_place root = { 0 };
    const struct tr_place city = { .parent = &root, .key = "city" };
    tr_violations_add(&found, &city, "required", "Required parameter 'city' is missing");
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 4096);

    tr_problem_write(&out, TR_INVALID_PARAMETERS, "Required parameter 'city' is missing", &found,
                     "01J");

    assert_string_equal(
        tr_text_string(&out),
        "{\"type\":\"/problems/invalid_parameters\","
        "\"title\":\"The parameters do not fit the tool's schema\",\"status\":422,"
        "\"detail\":\"Required parameter 'city' is missing\",\"code\":\"invalid_parameters\","
        "\"success\":false,\"error\":\"Required parameter 'city' is missing\","
        "\"violations\":[{\"pointer\":\"/city\",\"code\":\"required\","
        "\"message\":\"Required parameter 'city' is missing\"}],"
        "\"retryable\":false,\"request_id\":\"01J\"}");
}

static void a_problem_is_never_without_a_reason(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 4096);

    tr_problem_write(&out, TR_BUSY, "", NULL, NULL);

    assert_non_null(strstr(tr_text_string(&out), "\"error\":\"All places are taken\""));
    assert_non_null(strstr(tr_text_string(&out), "\"retryable\":true}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fail_keeps_the_sentence_and_gives_the_status, start, end),
        cmocka_unit_test_setup_teardown(warnings_are_kept_for_the_answer, start, end),
        cmocka_unit_test_setup_teardown(a_call_should_stop_once_it_is_cancelled_or_overdue, start,
                                        end),
        cmocka_unit_test_setup_teardown(a_sleep_ends_at_once_when_the_call_should_stop, start, end),
        cmocka_unit_test_setup_teardown(a_call_has_its_share_of_memory_and_no_more, start, end),
        cmocka_unit_test_setup_teardown(a_problem_has_every_member_of_the_contract_in_order, start,
                                        end),
        cmocka_unit_test_setup_teardown(a_problem_is_never_without_a_reason, start, end),
    };
    return cmocka_run_group_tests_name("call", tests, NULL, NULL);
}
