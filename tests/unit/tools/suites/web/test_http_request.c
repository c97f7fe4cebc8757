#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/http_tool.h"
#include "tools/core/descriptor.h"
#include "tools/core/text.h"
#include "tools/suites/web/web.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = http_registry(&web_suite, NULL);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

/* "Name: value" for each field, with ", " between. */
static void write_headers(const struct tr_outbound *outbound, struct tr_text *out)
{
    for (size_t i = 0; i < outbound->header_count; i++) {
        tr_text_printf(out, "%s%s: %s", i != 0 ? ", " : "", outbound->headers[i].name,
                       outbound->headers[i].value);
    }
}

static void http_request_sends_what_was_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *request, *method, *url, *headers, *body;
    } cases[] = {
        { "\"url\":\"http://a.example/x?y\"", NULL, "http://a.example/x?y", "", NULL },
        { "\"url\":\"ftp://a.example\"", NULL, "ftp://a.example", "", NULL },
        { "\"url\":\"no url at all\"", NULL, "no url at all", "", NULL },
        { "\"url\":\"http://a.example/\",\"method\":\"delete\"", "DELETE", "http://a.example/", "",
          NULL },
        { "\"url\":\"http://a.example/?a=1\",\"query\":{\"q\":\"x y&z\",\"n\":2,\"b\":true,"
          "\"r\":1.5}",
          NULL, "http://a.example/?a=1&q=x%20y%26z&n=2&b=true&r=1.5", "", NULL },
        { "\"url\":\"http://a.example/\",\"query\":{}", NULL, "http://a.example/", "", NULL },
        { "\"url\":\"http://a.example/\",\"headers\":{\"X-A\":\"1\",\"X-N\":2}", NULL,
          "http://a.example/", "X-A: 1, X-N: 2", NULL },
        { "\"url\":\"http://a.example/\",\"body\":\"text\"", NULL, "http://a.example/",
          "Content-Type: text/plain; charset=utf-8", "text" },
        { "\"url\":\"http://a.example/\",\"body\":\"a,b\",\"headers\":{\"content-type\":"
          "\"text/csv\"}",
          NULL, "http://a.example/", "content-type: text/csv", "a,b" },
        { "\"url\":\"http://a.example/\",\"body\":\"\",\"method\":\"PUT\"", "PUT",
          "http://a.example/", "Content-Type: text/plain; charset=utf-8", "" },
        { "\"url\":\"http://a.example/\",\"json\":{\"a\":[1,2.5]}", NULL, "http://a.example/",
          "Content-Type: application/json", "{\"a\":[1,2.5]}" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1000];
        (void)snprintf(body, sizeof(body), "{%s}", cases[i].request);
        struct http_exchange exchange;
        struct tr_text headers;
        tr_text_init(&headers, 1000);

        http_exchange_begin(&exchange, registry, "http_request", body);

        const struct tr_outbound *outbound = &exchange.outbound;
        write_headers(outbound, &headers);
        assert_int_equal(exchange.status, TR_OK);
        assert_int_equal(strcasecmp(outbound->url, cases[i].url), 0); /* %2f or %2F */
        assert_string_equal(tr_text_string(&headers), cases[i].headers);
        assert_string_equal(outbound->method != NULL ? outbound->method : "(none)",
                            cases[i].method != NULL ? cases[i].method : "(none)");
        assert_string_equal(outbound->body != NULL ? outbound->body : "(none)",
                            cases[i].body != NULL ? cases[i].body : "(none)");
        tr_text_done(&headers);
        http_exchange_done(&exchange);
    }
}

static void http_request_keeps_to_its_limits(void **state)
{
    (void)state;
    struct http_exchange exchange;
    http_exchange_begin(&exchange, registry, "http_request", "{\"url\":\"http://a.example/\"}");
    assert_int_equal(exchange.outbound.timeout_ms, 30000);
    assert_int_equal(exchange.outbound.max_bytes, 262144);
    assert_true(exchange.outbound.follows_redirects);
    assert_true(exchange.outbound.accepts_truncation);
    http_exchange_done(&exchange);

    http_exchange_begin(&exchange, registry, "http_request",
                        "{\"url\":\"http://a.example/\",\"timeout_ms\":50,\"max_bytes\":10,"
                        "\"follow_redirects\":false}");
    assert_int_equal(exchange.outbound.timeout_ms, 50);
    assert_int_equal(exchange.outbound.max_bytes, 10);
    assert_false(exchange.outbound.follows_redirects);
    http_exchange_done(&exchange);
}

static void http_request_refuses_what_makes_no_sense(void **state)
{
    (void)state;
    static const struct {
        const char *request, *error;
    } cases[] = {
        { "\"url\":\"\"", "Parameter 'url' must be at least 1 character long" },
        { "\"url\":\"http://a/\",\"body\":\"a\",\"json\":1",
          "Give either 'body' or 'json', not both" },
        { "\"url\":\"http://a/\",\"body\":\"a\",\"method\":\"HEAD\"",
          "A HEAD request has no body; leave out 'body' and 'json'" },
        { "\"url\":\"http://a/\",\"headers\":{\"X\":{}}",
          "Parameter 'headers.X' has invalid type. Expected: string" },
        { "\"url\":\"http://a/\",\"query\":{\"x\":[1]}",
          "Parameter 'query.x' has invalid type. Expected: string" },
        { "\"url\":\"http://a/\",\"query\":{\"x\":null}",
          "Parameter 'query.x' has invalid type. Expected: string" },
        { "\"url\":\"http://a/\",\"method\":\"TRACE\"",
          "Parameter 'method' must be one of: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1000];
        (void)snprintf(body, sizeof(body), "{%s}", cases[i].request);
        enum tr_status status = TR_OK;

        json_auto_t *answer = http_call(registry, "http_request", body, NULL, &status);

        assert_int_equal(status, TR_INVALID_PARAMETERS);
        assert_string_equal(json_string_value(json_object_get(answer, "error")), cases[i].error);
    }
}

static void http_request_leaves_out_a_header_that_is_an_attack(void **state)
{
    (void)state;
    struct http_exchange exchange;
    struct tr_text headers;
    tr_text_init(&headers, 1000);

    http_exchange_begin(&exchange, registry, "http_request",
                        "{\"url\":\"http://a.example/\",\"headers\":{\"X-A\":\"a\\r\\nX-B: c\","
                        "\"X D\":\"1\",\"X-E\":\"e\"}}");

    write_headers(&exchange.outbound, &headers);
    assert_int_equal(exchange.status, TR_OK);
    assert_string_equal(tr_text_string(&headers), "X-E: e");
    assert_int_equal(exchange.call.report.warnings.count, 2);
    assert_non_null(strstr(exchange.call.report.warnings.items[0], "X-A"));
    tr_text_done(&headers);
    http_exchange_done(&exchange);
}

static void http_request_takes_64_headers_and_no_more(void **state)
{
    (void)state;
    for (int count = 63; count <= 65; count++) {
        struct tr_text body;
        struct http_exchange exchange;
        tr_text_init(&body, 10000);
        tr_text_add_string(&body, "{\"url\":\"http://a.example/\",\"headers\":{");
        for (int i = 0; i < count; i++) {
            tr_text_printf(&body, "%s\"X-%d\":\"1\"", i != 0 ? "," : "", i);
        }
        tr_text_add_string(&body, "}}");

        http_exchange_begin(&exchange, registry, "http_request", tr_text_string(&body));

        assert_int_equal(exchange.status, count <= 64 ? TR_OK : TR_INVALID_PARAMETERS);
        http_exchange_done(&exchange);
        tr_text_done(&body);
    }
}

/* The body of a result after `members`, which come first. */
#define RESULT(members, type)                                              \
    "{\"status\":200,\"headers\":{\"content-type\":\"" type "\"}," members \
    "\"final_url\":\"https://example.com/final\",\"truncated\":false,\"elapsed_ms\":12}"

static void http_request_gives_the_body_as_what_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *type, *body;
        size_t length;
        const char *result;
    } cases[] = {
        { "text/plain", "hi", 2, RESULT("\"body\":\"hi\",", "text/plain") },
        { "text/plain", "", 0, RESULT("\"body\":\"\",", "text/plain") },
        { "text/plain; charset=iso-8859-1", "caf\xe9", 4,
          RESULT("\"body\":\"caf\u00e9\",", "text/plain; charset=iso-8859-1") },
        { "text/html", "<p>a\0b", 6,
          RESULT("\"body\":\"<p>a\ufffd"
                 "b\",",
                 "text/html") },
        { "application/json", "{\"a\":[1]}", 9,
          RESULT("\"json\":{\"a\":[1]},", "application/json") },
        { "application/problem+json", "null", 4,
          RESULT("\"json\":null,", "application/problem+json") },
        { "application/json", "", 0, RESULT("\"body\":\"\",", "application/json") },
        { "application/json", "{\"a\":", 5,
          RESULT("\"body\":\"{\\\"a\\\":\",", "application/json") },
        { "image/png", "\x89PNG", 4, RESULT("\"body_base64\":\"iVBORw==\",", "image/png") },
        { "image/png", "text", 4, RESULT("\"body_base64\":\"dGV4dA==\",", "image/png") },
        { "application/octet-stream", "text", 4,
          RESULT("\"body\":\"text\",", "application/octet-stream") },
        { "application/octet-stream", "a\0b", 3,
          RESULT("\"body_base64\":\"YQBi\",", "application/octet-stream") },
        { "nonsense", "\xff", 1, RESULT("\"body_base64\":\"/w==\",", "nonsense") },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_inbound inbound = http_inbound(cases[i].type, cases[i].body);
        inbound.body_length = cases[i].length;

        assert_http_gives(registry, "http_request", "{\"url\":\"http://a.example/\"}", &inbound,
                          cases[i].result);
    }
}

static void http_request_joins_headers_and_repairs_them(void **state)
{
    (void)state;
    static const struct tr_out_header headers[] = { { "Vary", "a" },
                                                    { "X-Bad", "caf\xe9" },
                                                    { "Vary", "b" } };
    struct tr_inbound inbound = http_inbound(NULL, "");
    inbound.headers = headers;
    inbound.header_count = TR_COUNT_OF(headers);
    inbound.status = 404;
    inbound.is_truncated = true;

    assert_http_gives(registry, "http_request", "{\"url\":\"http://a.example/\"}", &inbound,
                      "{\"status\":404,\"headers\":{\"Vary\":\"a, b\",\"X-Bad\":\"caf\u00e9\"},"
                      "\"body\":\"\",\"final_url\":\"https://example.com/final\","
                      "\"truncated\":true,\"elapsed_ms\":12}");
}

static void http_request_warns_of_json_that_is_given_as_text(void **state)
{
    (void)state;
    for (int is_truncated = 0; is_truncated <= 1; is_truncated++) {
        struct tr_inbound inbound = http_inbound("application/json", "{\"a\":");
        inbound.is_truncated = is_truncated;
        enum tr_status status = TR_INTERNAL;

        json_auto_t *answer = http_call(registry, "http_request", "{\"url\":\"http://a.example/\"}",
                                        &inbound, &status);

        const json_t *warnings = json_object_get(json_object_get(answer, "metadata"), "warnings");
        const char *warning = json_string_value(json_array_get(warnings, 0));
        assert_int_equal(status, TR_OK);
        assert_non_null(warning);
        assert_non_null(strstr(warning, is_truncated ? "too long to be parsed" : "it is not the"));
    }
}

static bool call_once(void *context)
{
    const struct tr_inbound *inbound = context;
    enum tr_status status = TR_INTERNAL;
    json_decref(http_call(registry, "http_request",
                          "{\"url\":\"http://a.example/\",\"query\":{\"q\":1},\"json\":{},"
                          "\"headers\":{\"X\":2.5}}",
                          inbound, &status));
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static void http_request_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct tr_inbound inbound = http_inbound("application/json", "{\"a\":1}");
    alloc_fail_each(call_once, &inbound);
    inbound = http_inbound("text/plain", "caf\xe9");
    alloc_fail_each(call_once, &inbound);
    inbound = http_inbound("image/png", "\x89PNG");
    alloc_fail_each(call_once, &inbound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(http_request_sends_what_was_asked_for),
        cmocka_unit_test(http_request_keeps_to_its_limits),
        cmocka_unit_test(http_request_refuses_what_makes_no_sense),
        cmocka_unit_test(http_request_leaves_out_a_header_that_is_an_attack),
        cmocka_unit_test(http_request_takes_64_headers_and_no_more),
        cmocka_unit_test(http_request_gives_the_body_as_what_it_is),
        cmocka_unit_test(http_request_joins_headers_and_repairs_them),
        cmocka_unit_test(http_request_warns_of_json_that_is_given_as_text),
        cmocka_unit_test(http_request_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
