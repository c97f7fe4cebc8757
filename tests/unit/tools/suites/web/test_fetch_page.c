#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

#define REQUEST "{\"url\":\"https://example.com/\"}"

static void fetch_page_follows_redirects_and_reads_a_part_of_what_is_huge(void **state)
{
    (void)state;
    struct http_exchange exchange;

    http_exchange_begin(&exchange, registry, "fetch_page", REQUEST);

    assert_int_equal(exchange.status, TR_OK);
    assert_string_equal(exchange.outbound.url, "https://example.com/");
    assert_true(exchange.outbound.follows_redirects);
    assert_true(exchange.outbound.accepts_truncation);
    assert_null(exchange.outbound.method);
    http_exchange_done(&exchange);
}

static void fetch_page_gives_text_title_and_links(void **state)
{
    (void)state;
    const struct tr_inbound inbound = http_inbound(
        "text/html; charset=utf-8", "<title>T</title><h1>Head</h1><p>see <a href='x'>this</a>");

    assert_http_gives(registry, "fetch_page", REQUEST, &inbound,
                      "{\"url\":\"https://example.com/final\",\"title\":\"T\","
                      "\"content_type\":\"text/html\",\"text\":\"# Head\\n\\nsee this [1]\","
                      "\"links\":[{\"number\":1,\"url\":\"https://example.com/x\"}],"
                      "\"start_index\":0,\"total_length\":20,\"truncated\":false}");
}

/* The member of the result as text; numbers and absence too. */
static void assert_member(const json_t *answer, const char *name, const char *wanted)
{
    const json_t *value = json_object_get(json_object_get(answer, "result"), name);
    char room[100];
    (void)snprintf(room, sizeof(room), "%lld", (long long)json_integer_value(value));
    const char *got = json_is_string(value) ? json_string_value(value) : room;
    assert_string_equal(value != NULL ? got : "absent", wanted);
}

static void fetch_page_reads_every_kind_of_text(void **state)
{
    (void)state;
    static const struct {
        const char *type, *body, *text;
    } cases[] = {
        { "text/html", "<meta charset=windows-1251><p>\xcf\xf0\xe8", "\u041f\u0440\u0438" },
        { "text/html; charset=windows-1251", "<meta charset=utf-8><p>\xcf", "\u041f" },
        { "text/html", "\xef\xbb\xbf<meta charset=windows-1251>\xc3\xa9", "\u00e9" },
        { "text/html", "\xff bare", "\u00ff bare" },
        { "application/xhtml+xml", "<p>a</p>", "a" },
        { "text/plain", "a  b\r\n\tc\u202e\n", "a  b\n\tc\n" },
        { "text/markdown", "# <b>", "# <b>" },
        { "application/json", "{\"a\": 1}", "{\"a\": 1}" },
        { "application/rss+xml", "<rss>x</rss>", "<rss>x</rss>" },
        { NULL, "  <!DOCTYPE HTML><p>a", "a" },
        { NULL, "plain", "plain" },
        { "application/octet-stream", "<html><p>a", "a" },
        { "text/html", "<nav>only <a href=/x>menus</a></nav>", "only menus [1]" },
        { "text/html", "", "" },
        { "text/html", "<script>x</script>", "" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_inbound inbound = http_inbound(cases[i].type, cases[i].body);
        enum tr_status status = TR_INTERNAL;

        json_auto_t *answer = http_call(registry, "fetch_page", REQUEST, &inbound, &status);

        assert_int_equal(status, TR_OK);
        assert_member(answer, "text", cases[i].text);
    }
}

static void fetch_page_warns_of_a_page_without_text(void **state)
{
    (void)state;
    const struct tr_inbound inbound = http_inbound("text/html", "<script>x</script>");
    enum tr_status status = TR_INTERNAL;

    json_auto_t *answer = http_call(registry, "fetch_page", REQUEST, &inbound, &status);

    const json_t *warnings = json_object_get(json_object_get(answer, "metadata"), "warnings");
    assert_non_null(strstr(json_string_value(json_array_get(warnings, 0)), "made by scripts"));
}

static void fetch_page_goes_through_a_page_in_parts(void **state)
{
    (void)state;
    /* 11 characters of 2 bytes each: "é [1] à [2]" has links at 2 and 8. */
    static const struct {
        int start, length;
        const char *text, *next;
        size_t links;
    } cases[] = {
        { 0, 100, "\u00e9 [1] \u00e0 [2]", "absent", 2 },
        { 0, 11, "\u00e9 [1] \u00e0 [2]", "absent", 2 },
        { 0, 10, "\u00e9 [1] \u00e0 [2", "10", 2 },
        { 0, 1, "\u00e9", "1", 0 },
        { 1, 5, " [1] ", "6", 1 },
        { 6, 5, "\u00e0 [2]", "absent", 1 },
        { 10, 1, "]", "absent", 0 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char request[200];
        (void)snprintf(request, sizeof(request),
                       "{\"url\":\"https://a.example/\",\"start_index\":%d,\"max_length\":%d}",
                       cases[i].start, cases[i].length);
        const struct tr_inbound inbound =
            http_inbound("text/html", "<a href=x>\u00e9</a> <a href=y>\u00e0</a>");
        enum tr_status status = TR_INTERNAL;

        json_auto_t *answer = http_call(registry, "fetch_page", request, &inbound, &status);

        const json_t *result = json_object_get(answer, "result");
        assert_int_equal(status, TR_OK);
        assert_member(answer, "text", cases[i].text);
        assert_member(answer, "next_start_index", cases[i].next);
        assert_member(answer, "total_length", "11");
        assert_int_equal(json_array_size(json_object_get(result, "links")), cases[i].links);
    }
}

static void fetch_page_says_why_there_is_no_page(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *type, *body, *request, *error;
    } cases[] = {
        { 404, "text/html", "<p>gone", REQUEST,
          "The page answered with HTTP status 404; check the URL, or look at the answer with "
          "http_request" },
        { 304, NULL, "", REQUEST,
          "The page answered with HTTP status 304; check the URL, or look at the answer with "
          "http_request" },
        { 200, "application/pdf", "%PDF", REQUEST,
          "The page is not text but application/pdf, which cannot be read here; fetch_page reads "
          "HTML, plain text and JSON, and http_request gives the bytes of anything" },
        { 200, NULL, "\xff\xfe\xfd", REQUEST,
          "The page is not text but of an unknown kind, which cannot be read here; fetch_page "
          "reads HTML, plain text and JSON, and http_request gives the bytes of anything" },
        { 200, "text/plain", "abc", "{\"url\":\"https://a.example/\",\"start_index\":3}",
          "start_index 3 is behind the end of the page, which has 3 characters; begin at 0" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_inbound inbound = http_inbound(cases[i].type, cases[i].body);
        inbound.status = cases[i].status;

        assert_http_fails(registry, "fetch_page", cases[i].request, &inbound, cases[i].error);
    }
}

static void fetch_page_says_when_the_end_could_not_be_read(void **state)
{
    (void)state;
    struct tr_inbound inbound = http_inbound("text/html", "<p>a<a href='");
    inbound.is_truncated = true;

    assert_http_gives(registry, "fetch_page", REQUEST, &inbound,
                      "{\"url\":\"https://example.com/final\",\"content_type\":\"text/html\","
                      "\"text\":\"a\",\"links\":[],\"start_index\":0,\"total_length\":1,"
                      "\"truncated\":true}");
}

static bool call_once(void *context)
{
    const struct tr_inbound *inbound = context;
    enum tr_status status = TR_INTERNAL;
    json_decref(http_call(registry, "fetch_page", REQUEST, inbound, &status));
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static void fetch_page_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct tr_inbound inbound =
        http_inbound("text/html", "<title>T</title><nav><a href=x>a</a></nav>");
    alloc_fail_each(call_once, &inbound);
    inbound = http_inbound("text/plain", "caf\xe9");
    alloc_fail_each(call_once, &inbound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fetch_page_follows_redirects_and_reads_a_part_of_what_is_huge),
        cmocka_unit_test(fetch_page_gives_text_title_and_links),
        cmocka_unit_test(fetch_page_reads_every_kind_of_text),
        cmocka_unit_test(fetch_page_warns_of_a_page_without_text),
        cmocka_unit_test(fetch_page_goes_through_a_page_in_parts),
        cmocka_unit_test(fetch_page_says_why_there_is_no_page),
        cmocka_unit_test(fetch_page_says_when_the_end_could_not_be_read),
        cmocka_unit_test(fetch_page_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
