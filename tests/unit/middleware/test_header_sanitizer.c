#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/unit/middleware/fixture.h"

#define PARENT "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

static void headers_are_counted(void **state)
{
    (void)state;
    for (size_t count = 99; count <= 101; count++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        for (size_t i = 0; i < count; i++) {
            fixture_header(&fixture, "X", "y");
        }
        assert_int_equal(fixture_admit(&fixture, &tr_header_sanitizer), count <= 100);
        assert_int_equal(fixture.exchange.answer.http_status, count <= 100 ? 0 : 431);
    }
}

static void headers_have_a_most_of_bytes(void **state)
{
    (void)state;
    for (size_t bytes = 8191; bytes <= 8193; bytes++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.request.header_bytes = bytes;
        assert_int_equal(fixture_admit(&fixture, &tr_header_sanitizer), bytes <= 8192);
    }
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.header_limit_bytes = 0;
    fixture.exchange.request.header_bytes = 1000 * 1000;
    assert_true(fixture_admit(&fixture, &tr_header_sanitizer));
}

static void expectations_and_encodings_that_are_unknown_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *first, *second;
        int http_status; /* 0: passes */
    } cases[] = {
        { "Expect", "100-continue", NULL, 0 },
        { "expect", "100-Continue", NULL, 0 },
        { "Expect", "200-maybe", NULL, 417 },
        { "Expect", "", NULL, 417 },
        { "Expect", "100-continue, x", NULL, 417 },
        { "Expect", "100-continue", "100-continue", 417 },
        { "Content-Encoding", "identity", NULL, 0 },
        { "Content-Encoding", "Identity", NULL, 0 },
        { "Content-Encoding", "gzip", NULL, 415 },
        { "Content-Encoding", "gzip, gzip", NULL, 415 },
        { "Content-Encoding", "deflate", NULL, 415 },
        { "Content-Encoding", "x-unknown", NULL, 415 },
        { "Content-Encoding", "", NULL, 415 },
        { "Content-Encoding", "identity", "gzip", 415 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture_header(&fixture, cases[i].name, cases[i].first);
        fixture_header(&fixture, cases[i].name, cases[i].second);

        const bool is_admitted = fixture_admit(&fixture, &tr_header_sanitizer);

        assert_int_equal(is_admitted, cases[i].http_status == 0);
        assert_int_equal(fixture.exchange.answer.http_status, cases[i].http_status);
        const bool is_415 = cases[i].http_status == 415;
        assert_int_equal(fixture_answer(&fixture, "Accept-Encoding") != NULL, is_415);
        assert_int_equal(fixture_answer(&fixture, "Accept") != NULL, is_415);
    }
}

static void the_callers_ids_are_taken(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "X-Agent-Id", "  planner 7 ");
    fixture_header(&fixture, "x-task-id", "task/1~");

    assert_true(fixture_admit(&fixture, &tr_header_sanitizer));

    assert_string_equal(fixture.exchange.agent_id, "planner 7");
    assert_string_equal(fixture.exchange.task_id, "task/1~");
}

static void wrong_ids_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const names[] = { "X-Agent-Id", "X-Task-Id" };
    static char long_id[130];
    memset(long_id, 'a', 129);
    const struct {
        const char *first, *second;
        size_t length; /* 0: of the string */
        bool is_taken;
    } cases[] = {
        { long_id, NULL, 128, true },   { long_id, NULL, 129, false },
        { "", NULL, 0, true }, /* as if it were absent */
        { "a\tb", NULL, 0, false },     { "a\x7f", NULL, 0, false },
        { "\xc3\xa9", NULL, 0, false }, { "a\0b", NULL, 3, false },
        { "a", "a", 0, false },         { "", "a", 0, false },
    };
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const char *name = names[i % 2];
        const char *first = cases[i / 2].first;
        const size_t length = cases[i / 2].length;
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture_header_bytes(&fixture, name, first, length != 0 ? length : strlen(first));
        fixture_header(&fixture, name, cases[i / 2].second);

        assert_int_equal(fixture_admit(&fixture, &tr_header_sanitizer), cases[i / 2].is_taken);

        if (!cases[i / 2].is_taken) {
            assert_int_equal(fixture.exchange.answer.http_status, 400);
            assert_true(fixture_body_has(&fixture, name));
        }
    }
}

static void an_empty_id_is_none(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "X-Agent-Id", "");
    assert_true(fixture_admit(&fixture, &tr_header_sanitizer));
    assert_null(fixture.exchange.agent_id);
}

static void trace_context_is_kept_or_dropped_but_never_refused(void **state)
{
    (void)state;
    static const struct {
        const char *parent[2], *trace_state[2];
        const char *kept_parent, *kept_state;
    } cases[] = {
        { { PARENT }, { "foo=1" }, PARENT, "foo=1" },
        { { "  " PARENT "\t" }, { NULL }, PARENT, NULL },
        { { PARENT }, { "foo=1", "bar=2" }, PARENT, "foo=1,bar=2" },
        { { PARENT }, { "foo" }, PARENT, NULL },
        { { PARENT }, { "foo=1", "bar" }, PARENT, NULL },
        { { PARENT }, { "" }, PARENT, NULL },
        { { PARENT, PARENT }, { "foo=1" }, NULL, NULL },
        { { "nonsense" }, { "foo=1" }, NULL, NULL },
        { { NULL }, { "foo=1" }, NULL, NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        for (size_t j = 0; j < 2; j++) {
            fixture_header(&fixture, "traceparent", cases[i].parent[j]);
            fixture_header(&fixture, "TraceState", cases[i].trace_state[j]);
        }

        assert_true(fixture_admit(&fixture, &tr_header_sanitizer));

        const struct tr_exchange *exchange = &fixture.exchange;
        assert_int_equal(exchange->traceparent != NULL, cases[i].kept_parent != NULL);
        assert_int_equal(exchange->tracestate != NULL, cases[i].kept_state != NULL);
        if (cases[i].kept_parent != NULL) {
            assert_string_equal(exchange->traceparent, cases[i].kept_parent);
        }
        if (cases[i].kept_state != NULL) {
            assert_string_equal(exchange->tracestate, cases[i].kept_state);
        }
    }
}

static void baggage_is_one_list_over_all_its_headers(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *kept;
    } cases[] = {
        { "a=1", NULL, "a=1" },   { "a=1", "b=2;p", "a=1,b=2;p" },
        { "a=1", "b", NULL },     { "a", NULL, NULL },
        { "", NULL, NULL },       { NULL, NULL, NULL },
        { "a=\x01", NULL, NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture_header(&fixture, "baggage", cases[i].first);
        fixture_header(&fixture, "Baggage", cases[i].second);

        assert_true(fixture_admit(&fixture, &tr_header_sanitizer));

        assert_int_equal(fixture.exchange.baggage != NULL, cases[i].kept != NULL);
        if (cases[i].kept != NULL) {
            assert_string_equal(fixture.exchange.baggage, cases[i].kept);
        }
    }
}

static void what_connection_names_does_not_go_on(void **state)
{
    (void)state;
    static const char *const options[] = {
        "X-Agent-Id, X-Task-Id, baggage, traceparent",
        "keep-alive,x-agent-id ,;, x-task-id,BAGGAGE,TraceParent",
    };
    for (size_t i = 0; i < 2; i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture_header(&fixture, "X-Agent-Id", "a");
        fixture_header(&fixture, "X-Task-Id", "t");
        fixture_header(&fixture, "baggage", "a=1");
        fixture_header(&fixture, "traceparent", PARENT);
        fixture_header(&fixture, "Authorization", "Bearer x");
        fixture_header(&fixture, "Connection", "close");
        fixture_header(&fixture, "Connection", options[i]);

        assert_true(fixture_admit(&fixture, &tr_header_sanitizer));

        assert_null(fixture.exchange.agent_id);
        assert_null(fixture.exchange.task_id);
        assert_null(fixture.exchange.baggage);
        assert_null(fixture.exchange.traceparent);
        assert_non_null(tr_exchange_header(&fixture.exchange, "Authorization"));
    }
}

static void a_connection_kept_alive_drops_nothing(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "X-Agent-Id", "a");
    fixture_header(&fixture, "Connection", "Keep-Alive");

    assert_true(fixture_admit(&fixture, &tr_header_sanitizer));

    assert_string_equal(fixture.exchange.agent_id, "a");
}

/* The rows "strip" of what a client may send to pass for somebody, or somewhere, else. */
static void headers_that_claim_something_are_invisible(void **state)
{
    (void)state;
    static const char *const names[] = {
        "X-HTTP-Method",  "X-Forwarded-Host", "Cookie",          "Remote-User",
        "X-Original-URL", "X-Forwarded-Port", "X_Forwarded_For", "Keep-Alive",
        "True-Client-IP", "CF-Connecting-IP", "Trailer",         "X-Authenticated-User",
        "HTTP2-Settings", "X-Auth-Subject",   "X-Client-IP",     "X-Forwarded-Client-Cert",
        "X-User-Id",      "X-Forwarded-User", "X-Secret",        "Proxy-Authorization",
    };
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        fixture_header(&fixture, names[i], "admin");
    }

    assert_true(fixture_admit(&fixture, &tr_header_sanitizer));

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_null(tr_exchange_header(&fixture.exchange, names[i]));
        assert_null(tr_exchange_header_string(&fixture.exchange, names[i]));
    }
}

static bool admit_all_context(void *context)
{
    (void)context;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "X-Agent-Id", "a");
    fixture_header(&fixture, "baggage", "a=1");
    fixture_header(&fixture, "baggage", "b=1");
    fixture_header(&fixture, "traceparent", PARENT);
    const bool is_admitted = fixture_admit(&fixture, &tr_header_sanitizer);
    if (!is_admitted) {
        assert_int_equal(fixture.exchange.answer.http_status, 503);
    }
    return is_admitted;
}

static void context_without_memory_is_answered_so(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(admit_all_context, NULL) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_are_counted),
        cmocka_unit_test(headers_have_a_most_of_bytes),
        cmocka_unit_test(expectations_and_encodings_that_are_unknown_are_refused),
        cmocka_unit_test(the_callers_ids_are_taken),
        cmocka_unit_test(wrong_ids_are_refused_by_name),
        cmocka_unit_test(an_empty_id_is_none),
        cmocka_unit_test(trace_context_is_kept_or_dropped_but_never_refused),
        cmocka_unit_test(baggage_is_one_list_over_all_its_headers),
        cmocka_unit_test(what_connection_names_does_not_go_on),
        cmocka_unit_test(a_connection_kept_alive_drops_nothing),
        cmocka_unit_test(headers_that_claim_something_are_invisible),
        cmocka_unit_test(context_without_memory_is_answered_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
