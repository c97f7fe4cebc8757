#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/middleware/fixture.h"

static void a_body_has_a_deadline(void **state)
{
    (void)state;
    static const struct {
        int64_t timeout_ms, content_length;
        bool is_chunked;
        int64_t deadline_ms;
    } cases[] = {
        { 3000, 1, false, 5000 }, { 3000, -1, true, 5000 }, { 3000, 0, false, 0 },
        { 3000, -1, false, 0 },   { 0, 1, false, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.body_timeout_ms = cases[i].timeout_ms;
        fixture.exchange.started_ns = INT64_C(2000) * 1000 * 1000;
        fixture.exchange.request.content_length = cases[i].content_length;
        fixture.exchange.request.is_chunked = cases[i].is_chunked;

        assert_true(fixture_admit(&fixture, &tr_deadline));

        assert_int_equal(fixture.exchange.body_deadline_ms, cases[i].deadline_ms);
    }
}

static void the_stages_that_ran_are_told(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.started_ns = 1000;
    fixture.exchange.left_ns = 2001000;
    fixture.exchange.timings = (struct tr_run_timings){
        .parse_ns = 12000,
        .params_ns = 999,
        .execute_ns = INT64_C(1234567890),
    };

    tr_deadline.leave(&fixture.exchange);

    assert_string_equal(fixture_answer(&fixture, "Server-Timing"),
                        "parse;dur=0.012,params;dur=0.000,execute;dur=1234.567,total;dur=2.000");
}

static void an_answer_without_stages_tells_the_total(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.started_ns = 1000;
    fixture.exchange.left_ns = 251000;

    tr_deadline.leave(&fixture.exchange);

    assert_string_equal(fixture_answer(&fixture, "Server-Timing"), "total;dur=0.250");
}

static void the_longest_times_fit(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.started_ns = 0;
    fixture.exchange.left_ns = INT64_MAX;
    fixture.exchange.timings = (struct tr_run_timings){
        INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
    };

    tr_deadline.leave(&fixture.exchange);

    const char *text = fixture_answer(&fixture, "Server-Timing");
    assert_true(strlen(text) < TR_SERVER_TIMING_BYTES);
    assert_non_null(strstr(text, "total;dur=9223372036854.775"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_has_a_deadline),
        cmocka_unit_test(the_stages_that_ran_are_told),
        cmocka_unit_test(an_answer_without_stages_tells_the_total),
        cmocka_unit_test(the_longest_times_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
