#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/unit/middleware/fixture.h"

static void an_exchange_starts_empty_with_its_clock_running(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);

    assert_true(fixture.exchange.started_ns > 0);
    assert_true(fixture.exchange.started_real_ms > INT64_C(1600000000000));
    assert_int_equal(fixture.exchange.request.content_length, -1);
    assert_int_equal(fixture.exchange.body_limit_bytes, 1000);
    assert_int_equal(fixture.exchange.body.limit, 1000);
    assert_false(fixture.exchange.answer.is_ready);
}

static void an_exchange_can_be_ended_twice(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    tr_answer_problem(&fixture.exchange, TR_INTERNAL, NULL);
    tr_exchange_done(&fixture.exchange);
    tr_exchange_done(&fixture.exchange);
}

static void headers_are_found_in_any_case_as_received(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "X-Other", "0");
    fixture_header(&fixture, "ORIGIN", " first ");
    fixture_header(&fixture, "Origin", "second");
    fixture_header_bytes(&fixture, "Host", "a\0b", 3);
    tr_exchange_index(&fixture.exchange);

    const struct tr_header *header = tr_exchange_header(&fixture.exchange, "origin");
    assert_ptr_equal(header, &fixture.headers[1]);
    assert_string_equal(tr_exchange_header_string(&fixture.exchange, "Origin"), "first");
    assert_null(tr_exchange_header(&fixture.exchange, "Accept"));
    assert_null(tr_exchange_header_string(&fixture.exchange, "Accept"));
    assert_null(tr_exchange_header(&fixture.exchange, "X-Other"));
    assert_null(tr_exchange_header_string(&fixture.exchange, "X-Other"));
    assert_null(tr_exchange_header_string(&fixture.exchange, "Host"));
}

static void query_parameters_are_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *query, *name, *value; /* NULL: absent */
    } cases[] = {
        { "", "a", NULL },
        { "a=1", "a", "1" },
        { "a=1", "b", NULL },
        { "b=2&a=1", "a", "1" },
        { "a=1&a=2", "a", "1" },
        { "a", "a", "" },
        { "a=", "a", "" },
        { "a&b=1", "b", "1" },
        { "aa=1&a=2", "a", "2" },
        { "&&a=1&", "a", "1" },
        { "a=b=c", "a", "b=c" },
        { "a=x+y%20z%2B", "a", "x y z+" },
        { "%61=1", "a", "1" },
        { "a=%C3%A9", "a", "\xc3\xa9" },
        { "a=%c3%a9", "a", "\xc3\xa9" },
        { "a=%FF", "a", NULL },
        { "a=%C0%AF", "a", NULL },
        { "a=%00", "a", NULL },
        { "a=%", "a", NULL },
        { "a=%4", "a", NULL },
        { "a=%4g", "a", NULL },
        { "a=%g4", "a", NULL },
        { "a=%41", "a", "A" },
        { "a=1%", "a", NULL },
        { "%=1&a=2", "a", "2" },
        { "=1", "", "1" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.request.query = cases[i].query;
        const char *value = tr_exchange_query(&fixture.exchange, cases[i].name);
        assert_int_equal(value != NULL, cases[i].value != NULL);
        if (value != NULL) {
            assert_string_equal(value, cases[i].value);
        }
    }
}

static void an_exchange_without_a_query_has_no_parameters(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.request.query = NULL;
    assert_null(tr_exchange_query(&fixture.exchange, "a"));
}

static void a_long_query_stops_at_the_arena(void **state)
{
    (void)state;
    static char query[TR_EXCHANGE_ARENA_BYTES + 3];
    memset(query, 'a', sizeof(query) - 1);
    query[1] = '=';
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.request.query = query;
    assert_null(tr_exchange_query(&fixture.exchange, "a"));
}

static bool read_query(void *context)
{
    (void)context;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.request.query = "b=2&a=1";
    return tr_exchange_query(&fixture.exchange, "a") != NULL;
}

static void a_query_survives_out_of_memory(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(read_query, NULL) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exchange_starts_empty_with_its_clock_running),
        cmocka_unit_test(an_exchange_can_be_ended_twice),
        cmocka_unit_test(headers_are_found_in_any_case_as_received),
        cmocka_unit_test(query_parameters_are_decoded),
        cmocka_unit_test(an_exchange_without_a_query_has_no_parameters),
        cmocka_unit_test(a_long_query_stops_at_the_arena),
        cmocka_unit_test(a_query_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
