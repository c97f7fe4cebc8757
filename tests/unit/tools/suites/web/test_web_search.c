#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
    registry = http_registry(&web_suite, "{\"search_url\":\"https://search.example/s\"}");
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

static void web_search_asks_for_json(void **state)
{
    (void)state;
    static const struct {
        const char *body, *url;
    } cases[] = {
        { "{\"query\":\"a b\"}", "https://search.example/s/search?q=a%20b&format=json" },
        { "{\"query\":\"c&format=rss\",\"language\":\"pt-BR\"}",
          "https://search.example/s/search?q=c%26format%3Drss&format=json&language=pt-BR" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct http_exchange exchange;

        http_exchange_begin(&exchange, registry, "web_search", cases[i].body);

        assert_int_equal(exchange.status, TR_OK);
        /* Releases of libcurl write %2f or %2F. */
        assert_int_equal(strcasecmp(exchange.outbound.url, cases[i].url), 0);
        http_exchange_done(&exchange);
    }
}

static void web_search_gives_what_is_a_result(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *result;
    } cases[] = {
        { "{\"results\":[{\"title\":\"T\",\"url\":\"https://a.example/\",\"content\":\"C\"}]}",
          "{\"results\":[{\"title\":\"T\",\"url\":\"https://a.example/\",\"snippet\":\"C\"}]}" },
        { "{\"results\":[]}", "{\"results\":[]}" },
        { "{\"results\":[1,null,[],\"x\",{},{\"url\":7},{\"url\":\"javascript:x\"},"
          "{\"url\":\"ftp://a/\"}]}",
          "{\"results\":[]}" },
        { "{\"results\":[{\"url\":\"http://a.example/\",\"title\":{},\"content\":null}]}",
          "{\"results\":[{\"title\":\"\",\"url\":\"http://a.example/\",\"snippet\":\"\"}]}" },
        { "{\"results\":[{\"url\":\"http://a.example/\",\"title\":\" a\\n b\\u200b\","
          "\"content\":\"\\u202ec\"}]}",
          "{\"results\":[{\"title\":\"a b\",\"url\":\"http://a.example/\",\"snippet\":\"c\"}]}" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_inbound inbound = http_inbound("application/json", cases[i].answer);

        assert_http_gives(registry, "web_search", "{\"query\":\"q\"}", &inbound, cases[i].result);
    }
}

static void web_search_gives_as_many_as_were_asked_for(void **state)
{
    (void)state;
    struct tr_text body;
    tr_text_init(&body, 10000);
    tr_text_add_string(&body, "{\"results\":[");
    for (int i = 0; i < 30; i++) {
        tr_text_printf(&body, "%s{\"url\":\"http://a.example/%d\"}", i != 0 ? "," : "", i);
    }
    tr_text_add_string(&body, "]}");
    static const struct {
        const char *request;
        size_t count;
    } cases[] = {
        { "{\"query\":\"q\",\"count\":1}", 1 },
        { "{\"query\":\"q\"}", 10 },
        { "{\"query\":\"q\",\"count\":20}", 20 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_inbound inbound = http_inbound("application/json", tr_text_string(&body));
        enum tr_status status = TR_INTERNAL;

        json_auto_t *answer =
            http_call(registry, "web_search", cases[i].request, &inbound, &status);

        const json_t *result = json_object_get(answer, "result");
        assert_int_equal(json_array_size(json_object_get(result, "results")), cases[i].count);
    }
    tr_text_done(&body);
}

static void web_search_cuts_long_texts_and_drops_long_addresses(void **state)
{
    (void)state;
    struct tr_text body;
    tr_text_init(&body, 20000);
    tr_text_add_string(&body, "{\"results\":[{\"url\":\"http://a.example/\",\"content\":\"");
    for (int i = 0; i < 600; i++) {
        tr_text_add_string(&body, "\xc3\xa9\xc3\xa9 ");
    }
    tr_text_add_string(&body, "\"},{\"url\":\"http://a.example/");
    for (int i = 0; i < 3000; i++) {
        tr_text_add_char(&body, 'x');
    }
    tr_text_add_string(&body, "\"}]}");
    const struct tr_inbound inbound = http_inbound("application/json", tr_text_string(&body));
    enum tr_status status = TR_INTERNAL;

    json_auto_t *answer = http_call(registry, "web_search", "{\"query\":\"q\"}", &inbound, &status);

    const json_t *results = json_object_get(json_object_get(answer, "result"), "results");
    assert_int_equal(json_array_size(results), 1);
    assert_int_equal(json_string_length(json_object_get(json_array_get(results, 0), "snippet")),
                     999);
    tr_text_done(&body);
}

static void web_search_says_what_the_service_did_wrong(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *answer, *error;
    } cases[] = {
        { 403, "<html>",
          "The search service does not give its results as JSON; the operator must allow the "
          "format json in its settings (search.formats)" },
        { 429, "", "The search service has had too many questions; try again later" },
        { 500, "x", "The search service answered with HTTP status 500; try again later" },
        { 302, "", "The search service answered with HTTP status 302; try again later" },
        { 200, "{\"results\":{}}",
          "The search service answered without results; the operator must check "
          "suites.web.search_url" },
        { 200, "[]",
          "The search service answered without results; the operator must check "
          "suites.web.search_url" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_inbound inbound = http_inbound("application/json", cases[i].answer);
        inbound.status = cases[i].status;

        assert_http_fails(registry, "web_search", "{\"query\":\"q\"}", &inbound, cases[i].error);
    }
}

static void web_search_without_a_service_names_the_setting(void **state)
{
    (void)state;
    struct tr_registry *bare = http_registry(&web_suite, NULL);

    assert_http_fails(bare, "web_search", "{\"query\":\"q\"}", NULL,
                      "No search service is configured: the operator must set "
                      "suites.web.search_url to the URL of a SearXNG instance");
    tr_registry_unref(bare);
}

static bool call_once(void *context)
{
    const struct tr_inbound inbound = http_inbound(
        NULL, "{\"results\":[{\"title\":\"T\",\"url\":\"https://a.example/\",\"content\":\"C\"}]}");
    enum tr_status status = TR_INTERNAL;
    (void)context;
    json_decref(http_call(registry, "web_search", "{\"query\":\"q\"}", &inbound, &status));
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static void web_search_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(call_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(web_search_asks_for_json),
        cmocka_unit_test(web_search_gives_what_is_a_result),
        cmocka_unit_test(web_search_gives_as_many_as_were_asked_for),
        cmocka_unit_test(web_search_cuts_long_texts_and_drops_long_addresses),
        cmocka_unit_test(web_search_says_what_the_service_did_wrong),
        cmocka_unit_test(web_search_without_a_service_names_the_setting),
        cmocka_unit_test(web_search_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
