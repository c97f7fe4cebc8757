/* test_web.c - the tools of the web suite against an upstream, over real sockets at both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/e2e/gateway.h"
#include "tests/peer/peer.h"
#include "tools/core/descriptor.h"
#include "tools/core/text.h"

#define API_KEY "s3cret-key"

static struct peer *peer;
static struct gateway gateway;

/* JSON, percent-encoded. */
#define WEATHER                                                                            \
    "%7B%22location%22:%7B%22name%22:%22Lisbon%22%7D,%22current%22:%7B%22temp_c%22:21.46," \
    "%22temp_f%22:70.6,%22condition%22:%7B%22text%22:%22Sunny%22%7D%7D%7D"
#define FOUND                                                                                  \
    "%7B%22results%22:%5B%7B%22title%22:%22T%22,%22url%22:%22https://a.example/%22,%22content" \
    "%22:%22C%22%7D%5D%7D"

/* Every "PEER" in the text stands for the upstream's host and port. */
static void add_with_peer(struct tr_text *out, const char *text)
{
    for (const char *mark = strstr(text, "PEER"); mark != NULL; mark = strstr(text, "PEER")) {
        tr_text_add(out, text, (size_t)(mark - text));
        tr_text_printf(out, "127.0.0.1:%u", (unsigned)peer_port(peer));
        text = mark + 4;
    }
    tr_text_add_string(out, text);
}

static void start_gateway(struct gateway *other, const char *more)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 10000);
    add_with_peer(&text, more);
    gateway_start(other, "", tr_text_string(&text));
}

static int start(void **state)
{
    (void)state;
    peer = peer_start(&(struct peer_options){ .port = 0 });
    start_gateway(&gateway, "suites:\n"
                            "  web:\n"
                            "    network: {allow_private: true}\n"
                            "    weather_base_url: 'http://PEER/say?body=" WEATHER "'\n"
                            "    weather_api_key: " API_KEY "\n"
                            "    search_url: 'http://PEER/say?body=" FOUND "'\n");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    gateway_stop(&gateway);
    peer_stop(peer);
    return 0;
}

static struct reply call(const struct gateway *at, const char *tool, const char *body)
{
    char path[100];
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 10000);
    add_with_peer(&text, body);
    (void)snprintf(path, sizeof(path), "/tools/%s", tool);
    return gateway_send(at, (struct sent){ .path = path, .body = tr_text_string(&text) });
}

static const json_t *result_of(const struct reply *reply)
{
    return json_object_get(reply->json, "result");
}

static const char *warning_of(const struct reply *reply)
{
    const json_t *metadata = json_object_get(reply->json, "metadata");
    const char *text = json_string_value(json_array_get(json_object_get(metadata, "warnings"), 0));
    return text != NULL ? text : "";
}

static void http_request_sends_and_shows_what_came_back(void **state)
{
    (void)state;
    struct reply reply = call(&gateway, "http_request",
                              "{\"url\":\"http://PEER/echo?a=1\",\"query\":{\"b\":\"x y\"},"
                              "\"method\":\"PUT\",\"headers\":{\"X-A\":\"1\"},\"json\":[1,2]}");

    const json_t *result = result_of(&reply);
    const json_t *echo = json_object_get(result, "json");
    const json_t *headers = json_object_get(echo, "headers");
    assert_int_equal(reply.status, 200);
    assert_true(json_is_true(json_object_get(reply.json, "success")));
    assert_int_equal(json_integer_value(json_object_get(result, "status")), 200);
    assert_string_equal(json_string_value(json_object_get(echo, "method")), "PUT");
    assert_string_equal(json_string_value(json_object_get(echo, "target")), "/echo?a=1&b=x%20y");
    assert_string_equal(json_string_value(json_object_get(echo, "body")), "[1,2]");
    assert_string_equal(json_string_value(json_object_get(headers, "x-a")), "1");
    assert_string_equal(json_string_value(json_object_get(headers, "content-type")),
                        "application/json");
    reply_done(&reply);
}

static void http_request_succeeds_whatever_the_status(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int status;
        const char *end_of_url;
    } cases[] = {
        { "{\"url\":\"http://PEER/status/404\"}", 404, "/status/404" },
        { "{\"url\":\"http://PEER/status/503\",\"method\":\"HEAD\"}", 503, "/status/503" },
        { "{\"url\":\"http://PEER/redirect?status=302&to=/status/201\"}", 201, "/status/201" },
        { "{\"url\":\"http://PEER/redirect?status=302&to=/echo\",\"follow_redirects\":false}", 302,
          "to=/echo" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct reply reply = call(&gateway, "http_request", cases[i].body);

        const json_t *result = result_of(&reply);
        const char *url = json_string_value(json_object_get(result, "final_url"));
        assert_int_equal(json_integer_value(json_object_get(result, "status")), cases[i].status);
        assert_non_null(url);
        assert_string_equal(url + strlen(url) - strlen(cases[i].end_of_url), cases[i].end_of_url);
        reply_done(&reply);
    }
}

static void http_request_warns_of_what_it_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *headers, *name, *sent, *value;
    } cases[] = {
        { "{\"Host\":\"evil\"}", "Host", "host", NULL },
        { "{\"X-A\":\"a\\r\\nX-B: c\"}", "X-A", "x-a", NULL },
        { "{\"Authorization\":\"Bearer t\"}", "Authorization", "authorization", "Bearer t" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[300];
        (void)snprintf(body, sizeof(body), "{\"url\":\"http://PEER/echo\",\"headers\":%s}",
                       cases[i].headers);

        struct reply reply = call(&gateway, "http_request", body);

        const json_t *echo = json_object_get(result_of(&reply), "json");
        const json_t *headers = json_object_get(echo, "headers");
        const char *value = json_string_value(json_object_get(headers, cases[i].sent));
        assert_int_equal(reply.status, 200);
        assert_non_null(strstr(warning_of(&reply), cases[i].name));
        assert_null(json_object_get(headers, "x-b"));
        if (cases[i].value != NULL) {
            assert_string_equal(value, cases[i].value);
        } else {
            assert_true(value == NULL || strncmp(value, "127.0.0.1:", 10) == 0);
        }
        reply_done(&reply);
    }
}

/* What the upstream sees of a header, "(none)" when nothing, and the first warning. */
static void assert_forwards(const struct gateway *at, const char *name, const char *wanted,
                            const char *warning)
{
    static const char *const headers[] = { "X-Tenant: acme", "Accept-Language: pt", "X-Other: o",
                                           "X-Twice: 1",     "X-Twice: 2",          NULL };
    char body[200];
    (void)snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%u/echo\"}",
                   (unsigned)peer_port(peer));

    struct reply reply = gateway_send(
        at, (struct sent){ .path = "/tools/http_request", .body = body, .headers = headers });

    const json_t *echo = json_object_get(result_of(&reply), "json");
    const char *sent = json_string_value(json_object_get(json_object_get(echo, "headers"), name));
    assert_int_equal(reply.status, 200);
    assert_non_null(echo);
    assert_string_equal(sent != NULL ? sent : "(none)", wanted);
    assert_string_equal(warning_of(&reply), warning);
    reply_done(&reply);
}

static void only_the_headers_that_are_named_go_on_to_the_upstream(void **state)
{
    (void)state;
    static const char twice[] = "Header X-Twice was not sent: it came more than once";
    struct gateway other;
    start_gateway(&other, "suites:\n"
                          "  web:\n"
                          "    network: {allow_private: true, forward_headers: [X-Tenant, "
                          "accept-language, X-Twice, X-Absent]}\n");
    assert_forwards(&other, "x-tenant", "acme", twice);
    assert_forwards(&other, "accept-language", "pt", twice);
    assert_forwards(&other, "x-other", "(none)", twice);
    assert_forwards(&other, "x-twice", "(none)", twice);
    assert_forwards(&other, "x-absent", "(none)", twice);
    assert_forwards(&other, "authorization", "(none)", twice);
    assert_forwards(&gateway, "x-tenant", "(none)", "");
    assert_forwards(&gateway, "accept-language", "(none)", "");
    gateway_stop(&other);
}

static void http_request_cuts_what_is_too_long(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        size_t length;
        bool is_cut;
    } cases[] = {
        { "http://PEER/bytes?n=99", 99, false },
        { "http://PEER/bytes?n=100", 100, false },
        { "http://PEER/bytes?n=101", 100, true },
        { "http://PEER/gzip?n=100000000", 100, true },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[300];
        (void)snprintf(body, sizeof(body), "{\"url\":\"%s\",\"max_bytes\":100}", cases[i].url);

        struct reply reply = call(&gateway, "http_request", body);

        const json_t *result = result_of(&reply);
        assert_int_equal(json_string_length(json_object_get(result, "body")), cases[i].length);
        assert_int_equal(json_is_true(json_object_get(result, "truncated")), cases[i].is_cut);
        reply_done(&reply);
    }
}

static void a_tool_says_why_its_upstream_gave_no_answer(void **state)
{
    (void)state;
    static const struct {
        const char *body, *kind;
    } cases[] = {
        { "{\"url\":\"http://PEER/hang\",\"timeout_ms\":50}", "(timeout, " },
        { "{\"url\":\"http://PEER/garbage\"}", "(protocol, " },
        { "{\"url\":\"http://PEER/circle\"}", "(redirects, " },
        { "{\"url\":\"http://127.0.0.1:2/\"}", "(connect, " },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct reply reply = call(&gateway, "http_request", cases[i].body);

        assert_int_equal(reply.status, 200);
        assert_true(json_is_false(json_object_get(reply.json, "success")));
        assert_non_null(strstr(reply_text(&reply, "error"), cases[i].kind));
        reply_done(&reply);
    }
}

static void fetch_page_reads_a_page(void **state)
{
    (void)state;
    struct reply reply =
        call(&gateway, "fetch_page",
             "{\"url\":\"http://PEER/say/a/page?type=text/html&body=%3Ctitle%3ET%3C/title%3E"
             "%3Ch1%3EHead%3C/h1%3E%3Ca%20href=../x%3Elink%3C/a%3E\"}");

    const json_t *result = result_of(&reply);
    const json_t *link = json_array_get(json_object_get(result, "links"), 0);
    char wanted[100];
    (void)snprintf(wanted, sizeof(wanted), "http://127.0.0.1:%u/say/x", (unsigned)peer_port(peer));
    assert_int_equal(reply.status, 200);
    assert_string_equal(json_string_value(json_object_get(result, "title")), "T");
    assert_string_equal(json_string_value(json_object_get(result, "text")), "# Head\n\nlink [1]");
    assert_string_equal(json_string_value(json_object_get(link, "url")), wanted);
    reply_done(&reply);
}

static void weather_and_search_read_their_services(void **state)
{
    (void)state;
    struct reply reply = call(&gateway, "weather", "{\"city\":\"Lisbon\"}");
    const json_t *result = result_of(&reply);
    assert_true(json_real_value(json_object_get(result, "temperature")) == 21.5);
    assert_string_equal(json_string_value(json_object_get(result, "city")), "Lisbon");
    assert_null(strstr(reply.body, API_KEY));
    reply_done(&reply);

    reply = call(&gateway, "web_search", "{\"query\":\"q\"}");
    const json_t *first = json_array_get(json_object_get(result_of(&reply), "results"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "url")), "https://a.example/");
    reply_done(&reply);
}

/* Whatever goes wrong with the weather, the key is not in the answer. */
static void weather_keeps_its_key_to_itself(void **state)
{
    (void)state;
    static const char *const bases[] = {
        "http://PEER/garbage?x=",
        "http://PEER/echo?x=",
        "http://PEER/say?body=" API_KEY,
        "http://PEER/say?status=500&body=%7B%22error%22:%7B%22message%22:%22" API_KEY "%22%7D%7D",
        "http://127.0.0.1:2/",
        "ftp://127.0.0.1/",
    };
    for (size_t i = 0; i < TR_COUNT_OF(bases); i++) {
        struct gateway other;
        char more[500];
        (void)snprintf(more, sizeof(more),
                       "suites: {web: {network: {allow_private: true}, weather_api_key: " API_KEY
                       ", weather_base_url: '%s'}}\n",
                       bases[i]);
        start_gateway(&other, more);

        struct reply reply = call(&other, "weather", "{\"city\":\"Lisbon\"}");

        assert_true(json_is_false(json_object_get(reply.json, "success")));
        assert_true(strlen(reply_text(&reply, "error")) != 0);
        assert_null(strstr(reply.body, API_KEY));
        reply_done(&reply);
        gateway_stop(&other);
    }
}

static void nothing_private_is_reached_unless_it_is_allowed(void **state)
{
    (void)state;
    static const char *const calls[][2] = {
        { "http_request", "{\"url\":\"http://PEER/echo\"}" },
        { "http_request", "{\"url\":\"http://localhost/\"}" },
        { "http_request", "{\"url\":\"ftp://example.com/\"}" },
        { "http_request", "{\"url\":\"not a url\"}" },
        { "fetch_page", "{\"url\":\"http://PEER/echo\"}" },
        { "fetch_page", "{\"url\":\"http://[::1]/\"}" },
        { "fetch_page", "{\"url\":\"file:///etc/passwd\"}" },
    };
    struct gateway strict;
    gateway_start(&strict, "", "");
    const size_t before = peer_connections(peer);
    for (size_t i = 0; i < TR_COUNT_OF(calls); i++) {
        struct reply reply = call(&strict, calls[i][0], calls[i][1]);

        assert_int_equal(reply.status, 403);
        assert_string_equal(reply_text(&reply, "code"), "url_blocked");
        assert_true(strlen(reply_text(&reply, "error")) != 0);
        reply_done(&reply);
    }
    assert_int_equal(peer_connections(peer), before);
    gateway_stop(&strict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(http_request_sends_and_shows_what_came_back),
        cmocka_unit_test(http_request_succeeds_whatever_the_status),
        cmocka_unit_test(http_request_warns_of_what_it_left_out),
        cmocka_unit_test(only_the_headers_that_are_named_go_on_to_the_upstream),
        cmocka_unit_test(http_request_cuts_what_is_too_long),
        cmocka_unit_test(a_tool_says_why_its_upstream_gave_no_answer),
        cmocka_unit_test(fetch_page_reads_a_page),
        cmocka_unit_test(weather_and_search_read_their_services),
        cmocka_unit_test(weather_keeps_its_key_to_itself),
        cmocka_unit_test(nothing_private_is_reached_unless_it_is_allowed),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
