#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/middleware/fixture.h"

static const char *const listed[] = { "http://127.0.0.1:8080", "https://app.example" };
static const char *const any[] = { "*" };

struct cors_case {
    const char *const *origins;
    size_t origin_count;
    const char *origin[2];
    const char *allowed; /* NULL: no Access-Control-Allow-Origin */
    bool varies;
};

static void expect(const struct cors_case *expected)
{
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.cors_origins = expected->origins;
    fixture.policy.cors_origin_count = expected->origin_count;
    fixture_header(&fixture, "Origin", expected->origin[0]);
    fixture_header(&fixture, "Origin", expected->origin[1]);

    assert_true(fixture_admit(&fixture, &tr_cors));
    fixture_leave(&fixture, &tr_cors);

    const char *allowed = fixture_answer(&fixture, "Access-Control-Allow-Origin");
    assert_int_equal(allowed != NULL, expected->allowed != NULL);
    if (allowed != NULL) {
        assert_string_equal(allowed, expected->allowed);
        assert_string_equal(fixture_answer(&fixture, "Access-Control-Expose-Headers"),
                            "X-Request-Id, Retry-After, Server-Timing, ETag");
    }
    assert_int_equal(fixture_answer(&fixture, "Vary") != NULL, expected->varies);
    assert_null(fixture_answer(&fixture, "Access-Control-Allow-Credentials"));
}

static void only_listed_origins_may_read_answers(void **state)
{
    (void)state;
    static const struct cors_case cases[] = {
        { listed, 2, { NULL }, NULL, true },
        { listed, 2, { "http://127.0.0.1:8080" }, "http://127.0.0.1:8080", true },
        { listed, 2, { "https://app.example" }, "https://app.example", true },
        { listed, 2, { "http://evil-127.0.0.1" }, NULL, true },
        { listed, 2, { "http://127.0.0.1:80800" }, NULL, true },
        { listed, 2, { "http://127.0.0.1:808" }, NULL, true },
        { listed, 2, { "HTTP://127.0.0.1:8080" }, NULL, true },
        { listed, 2, { "http://evil.example" }, NULL, true },
        { listed, 2, { "http://evil.example, http://127.0.0.1:8080" }, NULL, true },
        { listed, 2, { "http://127.0.0.1:8080", "http://evil.example" }, NULL, true },
        { listed, 2, { "" }, NULL, true },
        { listed, 2, { "null" }, NULL, true },
        { any, 1, { "http://evil.example" }, "*", false },
        { any, 1, { NULL }, NULL, false },
        { NULL, 0, { "http://evil.example" }, NULL, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(&cases[i]);
    }
}

static void a_preflight_is_answered_before_a_credential_is_asked_for(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.cors_origins = listed;
    fixture.policy.cors_origin_count = 2;
    fixture.exchange.request.method = TR_METHOD_OPTIONS;
    fixture_header(&fixture, "Origin", "https://app.example");
    fixture_header(&fixture, "Access-Control-Request-Method", "POST");

    assert_false(fixture_admit(&fixture, &tr_cors));
    fixture_leave(&fixture, &tr_cors);

    assert_int_equal(fixture.exchange.answer.http_status, 204);
    assert_null(fixture.exchange.answer.content_type);
    assert_string_equal(fixture_answer(&fixture, "Access-Control-Allow-Origin"),
                        "https://app.example");
    assert_non_null(strstr(fixture_answer(&fixture, "Access-Control-Allow-Methods"), "POST"));
    assert_non_null(strstr(fixture_answer(&fixture, "Access-Control-Allow-Headers"), "X-API-Key"));
    assert_string_equal(fixture_answer(&fixture, "Access-Control-Max-Age"), "600");
    assert_string_equal(fixture_answer(&fixture, "Vary"), "Origin");
}

static void what_is_no_preflight_goes_on(void **state)
{
    (void)state;
    static const struct {
        enum tr_method method;
        const char *origin, *request_method;
    } cases[] = {
        { TR_METHOD_OPTIONS, "https://app.example", NULL },
        { TR_METHOD_OPTIONS, NULL, "POST" },
        { TR_METHOD_OPTIONS, "https://evil.example", "POST" },
        { TR_METHOD_POST, "https://app.example", "POST" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.cors_origins = listed;
        fixture.policy.cors_origin_count = 2;
        fixture.exchange.request.method = cases[i].method;
        fixture_header(&fixture, "Origin", cases[i].origin);
        fixture_header(&fixture, "Access-Control-Request-Method", cases[i].request_method);
        assert_true(fixture_admit(&fixture, &tr_cors));
    }
}

static void without_origins_nothing_is_said(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.request.method = TR_METHOD_OPTIONS;
    fixture_header(&fixture, "Origin", "https://app.example");
    fixture_header(&fixture, "Access-Control-Request-Method", "POST");

    assert_true(fixture_admit(&fixture, &tr_cors));
    fixture_leave(&fixture, &tr_cors);

    assert_int_equal(fixture.exchange.answer.header_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_listed_origins_may_read_answers),
        cmocka_unit_test(a_preflight_is_answered_before_a_credential_is_asked_for),
        cmocka_unit_test(what_is_no_preflight_goes_on),
        cmocka_unit_test(without_origins_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
