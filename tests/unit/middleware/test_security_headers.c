#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/middleware/fixture.h"

static void every_answer_tells_browsers_to_do_nothing_with_it(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
    } headers[] = {
        { "X-Content-Type-Options", "nosniff" },
        { "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'" },
        { "Cache-Control", "no-store" },
    };
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);

    fixture_leave(&fixture, &tr_security_headers);

    assert_int_equal(fixture.exchange.answer.header_count, sizeof(headers) / sizeof(headers[0]));
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        assert_string_equal(fixture_answer(&fixture, headers[i].name), headers[i].value);
    }
}

static void https_is_insisted_on_where_it_is_served(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.sends_hsts = true;

    fixture_leave(&fixture, &tr_security_headers);

    assert_string_equal(fixture_answer(&fixture, "Strict-Transport-Security"), "max-age=31536000");
}

static void what_a_route_said_stays(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_answer_header_constant(&fixture.exchange, "Cache-Control", "private");
    tr_answer_header_constant(&fixture.exchange, "Content-Security-Policy", "default-src 'self'");

    fixture_leave(&fixture, &tr_security_headers);

    assert_int_equal(fixture.exchange.answer.header_count, 3);
    assert_string_equal(fixture_answer(&fixture, "Cache-Control"), "private");
    assert_string_equal(fixture_answer(&fixture, "Content-Security-Policy"), "default-src 'self'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_tells_browsers_to_do_nothing_with_it),
        cmocka_unit_test(https_is_insisted_on_where_it_is_served),
        cmocka_unit_test(what_a_route_said_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
