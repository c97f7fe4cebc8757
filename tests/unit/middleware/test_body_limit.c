#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/middleware/fixture.h"

static void a_body_is_refused_by_its_length(void **state)
{
    (void)state;
    static const struct {
        int64_t content_length;
        bool is_admitted;
    } cases[] = {
        { -1, true },   { 0, true },     { 999, true },
        { 1000, true }, { 1001, false }, { INT64_MAX, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.request.content_length = cases[i].content_length;

        assert_int_equal(fixture_admit(&fixture, &tr_body_limit), cases[i].is_admitted);

        assert_int_equal(fixture.exchange.body_limit_bytes, 1000);
        if (!cases[i].is_admitted) {
            assert_int_equal(fixture.exchange.answer.http_status, 413);
            assert_true(fixture_body_has(&fixture, "the limit of 1000 bytes"));
        }
    }
}

static void a_posted_body_says_that_it_is_json(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        bool is_json;
    } cases[] = {
        { NULL, true },
        { "application/json", true },
        { "Application/JSON", true },
        { "application/json;charset=utf-8", true },
        { "application/json; charset=\"UTF-8\"", true },
        { "application/json ; a=b", true },
        { "application/json;", true },
        { "application/json; ;", true },
        { "application/json; a=\"x;charset=latin1\"", true },
        { "application/problem+json", true },
        { "application/vnd.a.b+json; version=1", true },
        { "application/json; charset=latin1", false },
        { "application/json; charset=utf-8; charset=latin1", false },
        { "application/json; charset", false },
        { "application/json; charset=", false },
        { "application/json; charset = utf-8", false },
        { "application/json; a=\"", false },
        { "application/json, text/plain", false },
        { "application/json text/plain", false },
        { "application/jsonx", false },
        { "xapplication/json", false },
        { "application/", false },
        { "application/+json", false },
        { "application", false },
        { "/json", false },
        { "text/json", false },
        { "text/plain", false },
        { "multipart/form-data; boundary=x", false },
        { "application/x-www-form-urlencoded", false },
        { "application/octet-stream", false },
        { "application/xml", false },
        { "", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.request.content_length = 10;
        fixture_header(&fixture, "Content-Type", cases[i].type);

        const bool is_admitted = fixture_admit(&fixture, &tr_body_limit);

        assert_int_equal(is_admitted, cases[i].is_json);
        if (!is_admitted) {
            assert_int_equal(fixture.exchange.answer.http_status, 415);
            assert_string_equal(fixture_answer(&fixture, "Accept"), "application/json");
        }
    }
}

static void two_content_types_are_refused(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.request.is_chunked = true;
    fixture_header(&fixture, "Content-Type", "application/json");
    fixture_header(&fixture, "Content-Type", "application/json");

    assert_false(fixture_admit(&fixture, &tr_body_limit));
    assert_int_equal(fixture.exchange.answer.http_status, 415);
}

static void the_type_matters_only_where_a_body_is_read(void **state)
{
    (void)state;
    static const struct {
        enum tr_method method;
        int64_t content_length;
        bool is_chunked, is_admitted;
    } cases[] = {
        { TR_METHOD_POST, 0, false, true },  { TR_METHOD_POST, -1, false, true },
        { TR_METHOD_POST, -1, true, false }, { TR_METHOD_POST, 1, false, false },
        { TR_METHOD_GET, 1, false, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.request.method = cases[i].method;
        fixture.exchange.request.content_length = cases[i].content_length;
        fixture.exchange.request.is_chunked = cases[i].is_chunked;
        fixture_header(&fixture, "Content-Type", "text/plain");
        assert_int_equal(fixture_admit(&fixture, &tr_body_limit), cases[i].is_admitted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_refused_by_its_length),
        cmocka_unit_test(a_posted_body_says_that_it_is_json),
        cmocka_unit_test(two_content_types_are_refused),
        cmocka_unit_test(the_type_matters_only_where_a_body_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
