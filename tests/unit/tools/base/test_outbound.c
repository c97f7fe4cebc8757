#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/base/http_head.h"
#include "tools/base/outbound.h"
#include "tools/base/outbound_secret.h"
#include "tools/core/call.h"
#include "tools/guard/url_parse.h"

enum { MAX_PARTS = 4 };

static int start_call(void **state)
{
    static struct tr_call call;
    tr_call_init(&call);
    *state = &call;
    return 0;
}

static int end_call(void **state)
{
    tr_call_done(*state);
    return 0;
}

/* ---- URLs ---- */

static void a_url_is_made_of_its_parts(void **state)
{
    static const struct {
        const char *base, *segments[MAX_PARTS];
        struct tr_out_header query[MAX_PARTS];
        const char *wanted;
    } rows[] = {
        { "https://api.example.com", { NULL }, { { 0 } }, "https://api.example.com/" },
        { "https://api.example.com/v1/", { NULL }, { { 0 } }, "https://api.example.com/v1/" },
        { "https://api.example.com/v1/",
          { "a", "b" },
          { { 0 } },
          "https://api.example.com/v1/a/b" },
        { "https://api.example.com", { "a b" }, { { 0 } }, "https://api.example.com/a%20b" },
        { "http://h/p", { "a/../b" }, { { 0 } }, "http://h/p/a%2F..%2Fb" },
        { "http://h/p", { "?x=1#f" }, { { 0 } }, "http://h/p/%3Fx%3D1%23f" },
        { "http://h/p", { "%2e%2e" }, { { 0 } }, "http://h/p/%252e%252e" },
        { "http://h/p", { "\xc3\xa9" }, { { 0 } }, "http://h/p/%C3%A9" },
        { "http://h/p?k=v", { "s" }, { { "q", "a&b=c" } }, "http://h/p/s?k=v&q=a%26b%3Dc" },
        { "http://h/p",
          { NULL },
          { { "a", "1" }, { "b", NULL }, { "c", "" } },
          "http://h/p?a=1&c=" },
        { "http://h/p", { NULL }, { { "x y", "\r\n" } }, "http://h/p?x%20y=%0D%0A" },
        { "http://h:8080/%7Euser", { "s" }, { { 0 } }, "http://h:8080/%7Euser/s" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tr_outbound outbound = { .url = NULL };
        struct tr_url_parts parts = {
            .base = rows[i].base,
            .segments = rows[i].segments,
            .query = rows[i].query,
        };
        while (parts.segment_count < MAX_PARTS && rows[i].segments[parts.segment_count] != NULL) {
            parts.segment_count++;
        }
        while (parts.query_count < MAX_PARTS && rows[i].query[parts.query_count].name != NULL) {
            parts.query_count++;
        }
        assert_int_equal(tr_outbound_set_url(*state, &outbound, &parts), TR_OK);
        /* In which case libcurl writes an escape depends on its version. */
        if (strcasecmp(outbound.url, rows[i].wanted) != 0) {
            fail_msg("%s instead of %s", outbound.url, rows[i].wanted);
        }
    }
}

static void a_segment_that_would_change_the_path_is_refused(void **state)
{
    static const char *const segments[] = { "", ".", ".." };
    for (size_t i = 0; i < sizeof(segments) / sizeof(segments[0]); i++) {
        struct tr_outbound outbound = { .url = NULL };
        const struct tr_url_parts parts = {
            .base = "https://api.example.com/v1",
            .segments = &segments[i],
            .segment_count = 1,
        };
        assert_int_equal(tr_outbound_set_url(*state, &outbound, &parts), TR_TOOL_FAILED);
        assert_null(outbound.url);
    }
}

static void a_url_that_gets_too_long_is_refused(void **state)
{
    static char text[TR_MAX_URL_BYTES + 1]; /* with the NUL; the base makes it too long */
    memset(text, 'x', sizeof(text) - 1);
    const char *const segment = text;
    const struct tr_out_header pair = { .name = "q", .value = text };
    struct tr_outbound outbound = { .url = NULL };
    struct tr_url_parts parts = { .base = "http://h/", .segments = &segment, .segment_count = 1 };
    assert_int_equal(tr_outbound_set_url(*state, &outbound, &parts), TR_TOOL_FAILED);
    parts = (struct tr_url_parts){ .base = "http://h/", .query = &pair, .query_count = 1 };
    assert_int_equal(tr_outbound_set_url(*state, &outbound, &parts), TR_TOOL_FAILED);
}

static void a_base_that_is_no_url_is_a_defect(void **state)
{
    struct tr_outbound outbound = { .url = NULL };
    const struct tr_url_parts parts = { .base = "not a url" };
    assert_int_equal(tr_outbound_set_url(*state, &outbound, &parts), TR_INTERNAL);
}

/* ---- headers and bodies ---- */

static void a_header_set_twice_is_sent_once(void **state)
{
    struct tr_outbound outbound = { .url = NULL };
    assert_int_equal(tr_outbound_set_header(*state, &outbound, "Accept", "text/html"), TR_OK);
    assert_int_equal(tr_outbound_set_header(*state, &outbound, "X-Other", "1"), TR_OK);
    assert_int_equal(tr_outbound_set_header(*state, &outbound, "ACCEPT", "text/plain"), TR_OK);
    assert_int_equal(outbound.header_count, 2);
    assert_string_equal(outbound.headers[0].value, "text/plain");
    assert_string_equal(outbound.headers[1].value, "1");
}

static void json_goes_out_with_its_type(void **state)
{
    struct tr_outbound outbound = { .url = NULL };
    json_auto_t *value = json_pack("{s:s,s:i}", "a", "b", "n", 1);
    assert_int_equal(tr_outbound_set_json(*state, &outbound, value), TR_OK);
    assert_string_equal(outbound.body, "{\"a\":\"b\",\"n\":1}");
    assert_int_equal(outbound.body_length, strlen(outbound.body));
    assert_string_equal(outbound.headers[0].value, "application/json");
}

/* ---- answers ---- */

static void a_header_of_an_answer_is_found_in_any_case(void **state)
{
    static const struct tr_out_header headers[] = {
        { .name = "ETag", .value = "\"1\"" },
        { .name = "x-twice", .value = "first" },
        { .name = "X-Twice", .value = "second" },
    };
    const struct tr_inbound inbound = { .headers = headers, .header_count = 3 };
    (void)state;
    assert_string_equal(tr_inbound_header(&inbound, "etag"), "\"1\"");
    assert_string_equal(tr_inbound_header(&inbound, "X-TWICE"), "first");
    assert_null(tr_inbound_header(&inbound, "ETagg"));
}

static void only_2xx_is_success(void **state)
{
    static const struct {
        int status;
        bool is_success;
    } rows[] = { { 199, false }, { 200, true }, { 299, true }, { 300, false }, { 404, false } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tr_call *call = *state;
        const struct tr_inbound inbound = { .status = rows[i].status };
        assert_int_equal(tr_inbound_require_success(call, &inbound),
                         rows[i].is_success ? TR_OK : TR_TOOL_FAILED);
    }
    const struct tr_call *call = *state;
    assert_string_equal(call->failure, "The upstream answered with HTTP status 404");
}

static void a_body_is_read_as_json(void **state)
{
    const json_t *value = NULL;
    struct tr_inbound inbound = { .body = "{\"a\":[1]}", .body_length = 9 };
    assert_int_equal(tr_inbound_json(*state, &inbound, &value), TR_OK);
    assert_true(json_is_array(json_object_get(value, "a")));
    inbound = (struct tr_inbound){ .body = "<html>", .body_length = 6 };
    assert_int_equal(tr_inbound_json(*state, &inbound, &value), TR_TOOL_FAILED);
    inbound = (struct tr_inbound){ .body = "", .body_length = 0 };
    assert_int_equal(tr_inbound_json(*state, &inbound, &value), TR_TOOL_FAILED);
}

/* ---- heads ---- */

static void lines_that_are_no_field_are_passed_over(void **state)
{
    static const char head[] = "no colon\n: no name\nspace : before\n folded: x\nA: 1\nB:\n"
                               "C:\t2 \t\nlast: one";
    static const struct {
        const char *name, *value;
    } wanted[] = { { "A", "1" }, { "B", "" }, { "C", "2" }, { "last", "one" } };
    const char *at = head;
    struct tr_header_field field;
    (void)state;
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        assert_true(tr_http_head_next(&at, &field));
        assert_int_equal(field.name_length, strlen(wanted[i].name));
        assert_memory_equal(field.name, wanted[i].name, field.name_length);
        assert_int_equal(field.value_length, strlen(wanted[i].value));
        assert_memory_equal(field.value, wanted[i].value, field.value_length);
    }
    assert_false(tr_http_head_next(&at, &field));
}

/* ---- secrets ---- */

static void a_secret_does_not_appear(void **state)
{
    static const struct {
        const char *text, *secret, *wanted;
    } rows[] = {
        { "http://h/?key=abc&q=1", "abc", "http://h/?key=***&q=1" },
        { "http://h/?key=a%2Fb%3D", "a/b=", "http://h/?key=***" },
        { "http://h/?key=a%2fb%3d", "a/b=", "http://h/?key=***" },
        { "http://h/a/b=", "a/b=", "http://h/***" },
        { "abcabc", "abc", "******" },
        { "nothing", "abc", "nothing" },
        { "nothing", "", "nothing" },
        { "nothing", NULL, "nothing" },
        { "abc", "abc", "***" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_string_equal(tr_without_secret(*state, rows[i].text, rows[i].secret),
                            rows[i].wanted);
    }
    assert_null(tr_without_secret(*state, NULL, "abc"));
}

/* ---- memory ---- */

static bool try_all(void *context)
{
    static const char *const segments[] = { "a b" };
    static const struct tr_out_header pairs[] = { { .name = "q", .value = "1" } };
    const struct tr_url_parts parts = {
        .base = "http://h/p",
        .segments = segments,
        .segment_count = 1,
        .query = pairs,
        .query_count = 1,
    };
    struct tr_call call;
    struct tr_outbound outbound = { .url = NULL };
    const json_t *value = NULL;
    const struct tr_inbound inbound = { .body = "[1]", .body_length = 3 };
    (void)context;
    tr_call_init(&call);
    json_t *body = json_pack("{s:s}", "a", "b");
    const bool is_done = body != NULL && tr_outbound_set_url(&call, &outbound, &parts) == TR_OK
                         && tr_outbound_set_json(&call, &outbound, body) == TR_OK
                         && tr_inbound_json(&call, &inbound, &value) == TR_OK
                         && tr_without_secret(&call, "a b", "b") != NULL;
    json_decref(body);
    tr_call_done(&call);
    return is_done;
}

static void every_helper_survives_out_of_memory(void **state)
{
    (void)state;
    (void)alloc_fail_each(try_all, NULL);
}

#define WITH_CALL(test) cmocka_unit_test_setup_teardown(test, start_call, end_call)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CALL(a_url_is_made_of_its_parts),
        WITH_CALL(a_segment_that_would_change_the_path_is_refused),
        WITH_CALL(a_url_that_gets_too_long_is_refused),
        WITH_CALL(a_base_that_is_no_url_is_a_defect),
        WITH_CALL(a_header_set_twice_is_sent_once),
        WITH_CALL(json_goes_out_with_its_type),
        WITH_CALL(a_header_of_an_answer_is_found_in_any_case),
        WITH_CALL(only_2xx_is_success),
        WITH_CALL(a_body_is_read_as_json),
        WITH_CALL(lines_that_are_no_field_are_passed_over),
        WITH_CALL(a_secret_does_not_appear),
        cmocka_unit_test(every_helper_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
