#include <jansson.h>

#include "tests/peer/peer.h"
#include "tests/unit/tools/base/engine_fixture.h"

/* One plain peer and one engine for the tests that need no options of their own. */
static struct peer *peer;
static struct tr_http_engine *engine;

static int start_all(void **state)
{
    (void)state;
    peer = peer_start(&(struct peer_options){ .port = 0 });
    engine = engine_new(&(struct tr_http_engine_options){ .queue_limit = 100 });
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    tr_http_engine_free(engine);
    peer_stop(peer);
    return 0;
}

static void at_peer(struct ask *ask, const char *path)
{
    ask_url(ask, "http://127.0.0.1:%u%s", (unsigned)peer_port(peer), path);
}

static const char *text_of(const struct ask *ask)
{
    return tr_text_string(&ask->answer.body);
}

/* ---- what goes out and what comes back ---- */

static void an_answer_comes_whole(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .method = NULL } };
    at_peer(&ask, "/headers");

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    assert_int_equal(ask.answer.status, 200);
    assert_string_equal(text_of(&ask), "ok");
    assert_string_equal(ask.answer.url, ask.url);
    assert_non_null(strstr(tr_text_string(&ask.answer.head), "X-Plain:  a value \n"));
    assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_NONE);
    assert_false(pthread_equal(ask.told_by, pthread_self()));
    tr_http_answer_done(&ask.answer);
}

static void any_status_is_an_answer(void **state)
{
    (void)state;
    static const int statuses[] = { 201, 204, 304, 400, 404, 429, 500, 503 };
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        struct ask ask = { .outbound = { .method = NULL } };
        ask_url(&ask, "http://127.0.0.1:%u/status/%d", (unsigned)peer_port(peer), statuses[i]);
        /* These two have no body by definition; the peer sends one, which is none of their own. */
        ask.outbound.method = statuses[i] == 204 || statuses[i] == 304 ? "HEAD" : NULL;

        assert_int_equal(ask_now(engine, &ask), TR_OK);

        assert_int_equal(ask.answer.status, statuses[i]);
        tr_http_answer_done(&ask.answer);
    }
}

static json_t *echo_of(const struct ask *ask)
{
    json_t *echo = json_loads(text_of(ask), 0, NULL);
    assert_non_null(echo);
    return echo;
}

static const char *echoed(const json_t *echo, const char *member)
{
    return json_string_value(json_object_get(echo, member));
}

static const char *echoed_header(const json_t *echo, const char *name)
{
    return json_string_value(json_object_get(json_object_get(echo, "headers"), name));
}

static void method_and_body_go_out(void **state)
{
    (void)state;
    static const struct {
        const char *method, *body, *wanted_method, *wanted_length;
    } rows[] = {
        { NULL, NULL, "GET", NULL },       { NULL, "hello", "POST", "5" },
        { "POST", NULL, "POST", "0" },     { "PUT", "hello", "PUT", "5" },
        { "PATCH", NULL, "PATCH", "0" },   { "DELETE", NULL, "DELETE", NULL },
        { "DELETE", "it", "DELETE", "2" }, { "GET", "body", "GET", "4" },
        { "PURGE", NULL, "PURGE", NULL },  { "POST", "", "POST", "0" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ask ask = { .outbound = { .method = rows[i].method, .body = rows[i].body } };
        ask.outbound.body_length = rows[i].body != NULL ? strlen(rows[i].body) : 0;
        at_peer(&ask, "/echo?a=b");

        assert_int_equal(ask_now(engine, &ask), TR_OK);

        json_t *echo = echo_of(&ask);
        assert_string_equal(echoed(echo, "method"), rows[i].wanted_method);
        assert_string_equal(echoed(echo, "target"), "/echo?a=b");
        assert_string_equal(echoed(echo, "body"), rows[i].body != NULL ? rows[i].body : "");
        const char *length = echoed_header(echo, "content-length");
        if (rows[i].wanted_length != NULL) {
            assert_string_equal(length, rows[i].wanted_length);
        } else {
            assert_null(length);
        }
        json_decref(echo);
        tr_http_answer_done(&ask.answer);
    }
}

static void only_the_headers_asked_for_go_out(void **state)
{
    (void)state;
    static const struct tr_out_header headers[] = {
        { .name = "X-One", .value = "1" },
        { .name = "X-Empty", .value = "" },
        { .name = "Content-Type", .value = "text/csv" },
    };
    struct ask ask = {
        .outbound = { .body = "a,b", .body_length = 3, .headers = headers, .header_count = 3 }
    };
    at_peer(&ask, "/echo");

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    json_t *echo = echo_of(&ask);
    assert_string_equal(echoed_header(echo, "x-one"), "1");
    assert_string_equal(echoed_header(echo, "x-empty"), "");
    assert_string_equal(echoed_header(echo, "content-type"), "text/csv");
    assert_string_equal(echoed_header(echo, "user-agent"), "toolrest/" TR_VERSION);
    assert_non_null(strstr(echoed_header(echo, "accept-encoding"), "gzip"));
    assert_null(echoed_header(echo, "expect"));
    /* Besides these: Host, Accept, Content-Length. */
    assert_int_equal(json_object_size(json_object_get(echo, "headers")), 8);
    json_decref(echo);
    tr_http_answer_done(&ask.answer);
}

static void a_large_body_goes_out_without_waiting_for_100_continue(void **state)
{
    (void)state;
    char *body = calloc(1, 100 * 1024 + 1);
    assert_non_null(body);
    memset(body, 'b', 100 * 1024);
    struct ask ask = { .outbound = { .body = body, .body_length = 100 * 1024 } };
    at_peer(&ask, "/echo");

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    json_t *echo = echo_of(&ask);
    assert_string_equal(echoed(echo, "body"), body);
    json_decref(echo);
    tr_http_answer_done(&ask.answer);
    free(body);
}

static void cookies_are_not_kept(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .method = NULL } };
    at_peer(&ask, "/headers");
    assert_int_equal(ask_now(engine, &ask), TR_OK);
    ask_reset(&ask);
    at_peer(&ask, "/echo");

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    json_t *echo = echo_of(&ask);
    assert_null(echoed_header(echo, "cookie"));
    json_decref(echo);
    tr_http_answer_done(&ask.answer);
}

static void interim_answers_and_trailers_are_not_the_head(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .method = NULL } };
    at_peer(&ask, "/interim");
    assert_int_equal(ask_now(engine, &ask), TR_OK);
    assert_int_equal(ask.answer.status, 200);
    assert_null(strstr(tr_text_string(&ask.answer.head), "X-Early"));
    ask_reset(&ask);
    at_peer(&ask, "/chunked?n=4");

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    assert_string_equal(text_of(&ask), "chunkchunkchunkchunk");
    assert_null(strstr(tr_text_string(&ask.answer.head), "X-Trailer"));
    tr_http_answer_done(&ask.answer);
}

static void connections_are_kept(void **state)
{
    (void)state;
    struct peer *own = peer_start(&(struct peer_options){ .port = 0 });
    for (int i = 0; i < 20; i++) {
        struct ask ask = { .outbound = { .method = NULL } };
        ask_url(&ask, "http://127.0.0.1:%u/bytes?n=2000", (unsigned)peer_port(own));
        assert_int_equal(ask_now(engine, &ask), TR_OK);
        assert_int_equal(ask.answer.body.length, 2000);
        tr_http_answer_done(&ask.answer);
    }
    assert_int_equal(peer_requests(own), 20);
    assert_int_equal(peer_connections(own), 1);
    peer_stop(own);
}

static void the_environment_names_no_proxy(void **state)
{
    (void)state;
    struct trap trap = trap_set();
    char proxy[64];
    (void)snprintf(proxy, sizeof(proxy), "http://127.0.0.1:%u", trap.port);
    assert_int_equal(setenv("http_proxy", proxy, 1), 0);
    assert_int_equal(setenv("all_proxy", proxy, 1), 0);
    struct ask ask = { .outbound = { .method = NULL } };
    at_peer(&ask, "/status/200");

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    assert_int_equal(unsetenv("http_proxy") | unsetenv("all_proxy"), 0);
    trap_was_not_touched(&trap);
    tr_http_answer_done(&ask.answer);
}

/* ---- what goes wrong ---- */

static void assert_fails(struct ask *ask, enum tr_http_failure failure)
{
    assert_int_equal(ask_now(engine, ask), TR_TOOL_FAILED);
    assert_string_equal(tr_http_failure_name(ask->answer.failure), tr_http_failure_name(failure));
    tr_http_answer_done(&ask->answer);
}

static void every_failure_has_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum tr_http_failure failure;
    } rows[] = {
        { "/cut", TR_HTTP_FAILURE_PROTOCOL },
        { "/garbage", TR_HTTP_FAILURE_PROTOCOL },
        { "/nothing", TR_HTTP_FAILURE_PROTOCOL },
        { "/bad-gzip", TR_HTTP_FAILURE_PROTOCOL },
        { "/hang", TR_HTTP_FAILURE_TIMEOUT },
        { "/drip?n=100000&ms=1", TR_HTTP_FAILURE_TIMEOUT },
        { "/head?n=30000", TR_HTTP_FAILURE_NONE },
        { "/head?n=90000", TR_HTTP_FAILURE_TOO_LARGE },
        { "/bytes?n=2000000", TR_HTTP_FAILURE_TOO_LARGE },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const bool is_late = rows[i].failure == TR_HTTP_FAILURE_TIMEOUT;
        struct ask ask = { .timeout_ms = is_late ? 100 : 0 };
        at_peer(&ask, rows[i].path);
        if (rows[i].failure != TR_HTTP_FAILURE_NONE) {
            assert_fails(&ask, rows[i].failure);
        } else {
            assert_int_equal(ask_now(engine, &ask), TR_OK);
            tr_http_answer_done(&ask.answer);
        }
    }
}

static void a_closed_port_accepts_no_connection(void **state)
{
    (void)state;
    struct trap trap = trap_set();
    close(trap.fd);
    struct ask ask = { .outbound = { .method = NULL } };
    ask_url(&ask, "http://127.0.0.1:%u/", trap.port);

    assert_fails(&ask, TR_HTTP_FAILURE_CONNECT);
}

static void a_url_that_is_blocked_is_refused_at_once(void **state)
{
    (void)state;
    struct ask ask = { .policy = &strict };
    at_peer(&ask, "/status/200");
    assert_false(ask_send(engine, &ask));
    assert_int_equal(ask.status, TR_URL_BLOCKED);
    assert_string_not_equal(ask.fault.what, "");
}

/* ---- caps ---- */

static void the_cap_of_the_body_holds_to_the_byte(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool accepts_truncation;
        enum tr_status status;
        size_t length;
    } rows[] = {
        { "/bytes?n=999", false, TR_OK, 999 },
        { "/bytes?n=1000", false, TR_OK, 1000 },
        { "/bytes?n=1001", false, TR_TOOL_FAILED, 0 },
        { "/bytes?n=1000", true, TR_OK, 1000 },
        { "/bytes?n=1001", true, TR_OK, 1000 },
        { "/bytes?n=900000", true, TR_OK, 1000 },
        { "/gzip?n=1000", false, TR_OK, 1000 },
        { "/gzip?n=1001", false, TR_TOOL_FAILED, 0 },
        { "/gzip?n=90000000", true, TR_OK, 1000 },
        { "/gzip?n=90000000", false, TR_TOOL_FAILED, 0 },
        { "/bytes?n=0", false, TR_OK, 0 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ask ask = { .outbound = { .max_bytes = 1000,
                                         .accepts_truncation = rows[i].accepts_truncation } };
        at_peer(&ask, rows[i].path);

        assert_int_equal(ask_now(engine, &ask), rows[i].status);

        if (rows[i].status == TR_OK) {
            assert_int_equal(ask.answer.body.length, rows[i].length);
            assert_int_equal(ask.answer.is_truncated,
                             strstr(rows[i].path, "=1000") == NULL && rows[i].accepts_truncation);
        } else {
            assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_TOO_LARGE);
        }
        tr_http_answer_done(&ask.answer);
    }
}

static void all_answers_together_have_a_cap(void **state)
{
    (void)state;
    struct tr_http_engine *small =
        engine_new(&(struct tr_http_engine_options){ .memory_limit = 5000 });
    struct ask ask = { .outbound = { .method = NULL } };
    at_peer(&ask, "/bytes?n=5001");
    assert_int_equal(ask_now(small, &ask), TR_NO_MEMORY);
    assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_MEMORY);
    ask_reset(&ask);
    at_peer(&ask, "/bytes?n=5000");

    /* What the first one held is free again. */
    assert_int_equal(ask_now(small, &ask), TR_OK);

    tr_http_answer_done(&ask.answer);
    tr_http_engine_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_whole),
        cmocka_unit_test(any_status_is_an_answer),
        cmocka_unit_test(method_and_body_go_out),
        cmocka_unit_test(only_the_headers_asked_for_go_out),
        cmocka_unit_test(a_large_body_goes_out_without_waiting_for_100_continue),
        cmocka_unit_test(cookies_are_not_kept),
        cmocka_unit_test(interim_answers_and_trailers_are_not_the_head),
        cmocka_unit_test(connections_are_kept),
        cmocka_unit_test(the_environment_names_no_proxy),
        cmocka_unit_test(every_failure_has_its_kind),
        cmocka_unit_test(a_closed_port_accepts_no_connection),
        cmocka_unit_test(a_url_that_is_blocked_is_refused_at_once),
        cmocka_unit_test(the_cap_of_the_body_holds_to_the_byte),
        cmocka_unit_test(all_answers_together_have_a_cap),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
