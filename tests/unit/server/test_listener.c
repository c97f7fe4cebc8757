/* The listener over real sockets: requests and their answers. test_listener_bounds.c has its limits
 * and its end. */
#include <stdio.h>

#include "middleware/keyring.h"
#include "middleware/secret.h"
#include "tests/unit/server/listener_fixture.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define JSON_LINE       "Content-Type: application/json\r\n"

static struct fixture fixture;
static struct raw_answer answer;

/* Two threads and a key, test-key. */
static int set_up(void **state)
{
    (void)state;
    struct tr_listener_options options = fixture_options(&fixture);
    char digest[TR_SHA256_HEX_BYTES];
    assert_true(tr_sha256_hex("test-key", 8, digest));
    const struct tr_key_spec key = { .name = "test", .sha256_hex = digest };
    assert_int_equal(tr_keyring_new(&key, 1, &fixture.keyring, NULL), TR_OK);
    fixture.policy.keyring = fixture.keyring;
    options.threads = 2;
    fixture_start(&fixture, &options);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_stop(&fixture);
    tr_keyring_free(fixture.keyring);
    return 0;
}

/* A POST of `length` times 'x' whose body is sent, too. */
static void post(int fd, const char *path, const char *lines, size_t length)
{
    static char body[2 * 1024 * 1024];
    char head[512];
    assert_true(length <= sizeof(body));
    memset(body, 'x', length);
    (void)snprintf(head, sizeof(head),
                   "POST %s HTTP/1.1\r\nHost: a\r\n" JSON_LINE "%sContent-Length: %zu\r\n\r\n",
                   path, lines, length);
    raw_send_text(fd, head);
    (void)raw_try_send(fd, body, length);
}

static void assert_header(const char *name, const char *value)
{
    char found[256];
    assert_true(raw_header(&answer, name, found, sizeof(found)));
    assert_string_equal(found, value);
}

static void request_is_answered_and_the_connection_kept(void **state)
{
    (void)state;
    static const size_t lengths[] = { 0, 1, 100, 8191, 8192, 16384, 65537, BODY_LIMIT };
    const int fd = raw_connect(fixture.port);
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        post(fd, "/echo?a=b", "X-API-Key: test-key\r\n", lengths[i]);

        assert_true(raw_read(fd, &answer));

        assert_int_equal(answer.status, 200);
        assert_int_equal(answer.body_length, lengths[i]);
        assert_int_equal(strspn(answer.body, "x"), lengths[i]);
        assert_header("Content-Type", "text/plain");
    }
    close(fd);
}

static void requests_in_one_packet_are_answered_in_order(void **state)
{
    (void)state;
    const int fd = raw_connect(fixture.port);

    raw_send_text(fd, "POST /echo HTTP/1.1\r\n" KEY_LINES JSON_LINE "Content-Length: 3\r\n\r\none"
                      "GET /spawn HTTP/1.1\r\n" KEY_LINES "\r\n"
                      "\r\nPOST /echo HTTP/1.1\r\n" KEY_LINES JSON_LINE
                      "Transfer-Encoding: chunked\r\n\r\n2\r\nth\r\n3\r\nree\r\n0\r\nT: u\r\n\r\n"
                      "GET /nothing HTTP/1.1\r\n" KEY_LINES "Connection: close\r\n\r\n");

    assert_true(raw_read(fd, &answer));
    assert_string_equal(answer.body, "one");
    assert_true(raw_read(fd, &answer));
    assert_string_equal(answer.body, "later");
    assert_true(raw_read(fd, &answer));
    assert_string_equal(answer.body, "three");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 404);
    assert_true(raw_is_closed(fd));
    close(fd);
}

static void request_may_come_byte_by_byte(void **state)
{
    (void)state;
    static const char request[] = "POST /echo HTTP/1.1\r\n" KEY_LINES JSON_LINE
                                  "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    const int fd = raw_connect(fixture.port);
    for (size_t i = 0; i + 1 < sizeof(request); i++) {
        raw_send(fd, request + i, 1);
    }

    assert_true(raw_read(fd, &answer));

    assert_string_equal(answer.body, "hello");
    close(fd);
}

static void body_is_left_out_where_http_says_so(void **state)
{
    (void)state;
    const int fd = raw_connect(fixture.port);
    char etag[64];

    raw_send_text(fd, "HEAD /blob HTTP/1.1\r\n" KEY_LINES "\r\n");
    assert_true(raw_read_head(fd, &answer));
    assert_int_equal(answer.status, 200);
    assert_header("Content-Length", "100000");

    fixture_get(fd, "/blob");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.body_length, BLOB_BYTES);
    assert_memory_equal(answer.body, fixture.blob->bytes, BLOB_BYTES);
    assert_true(raw_header(&answer, "ETag", etag, sizeof(etag)));

    char request[256];
    (void)snprintf(request, sizeof(request),
                   "GET /blob HTTP/1.1\r\n" KEY_LINES "If-None-Match: %s\r\n\r\n", etag);
    raw_send_text(fd, request);
    assert_true(raw_read_head(fd, &answer));
    assert_int_equal(answer.status, 304);
    assert_header("Content-Length", "100000"); /* that of the answer 200 (RFC 9110 section 8.6) */

    fixture_get(fd, "/none");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 204);
    assert_false(raw_header(&answer, "Content-Length", etag, sizeof(etag)));
    close(fd);
}

static void header_with_a_line_end_is_never_sent(void **state)
{
    (void)state;
    char value[64];
    const int fd = raw_connect(fixture.port);

    fixture_get(fd, "/evil");

    assert_true(raw_read(fd, &answer));
    assert_string_equal(answer.body, "evil");
    assert_false(raw_header(&answer, "X-Injected", value, sizeof(value)));
    close(fd);
}

static void handler_that_forgets_to_answer_is_a_defect(void **state)
{
    (void)state;
    const int fd = raw_connect(fixture.port);

    fixture_get(fd, "/lazy");

    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 500);
    close(fd);
}

static void malformed_heads_are_answered_400_and_closed(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.2\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX(: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX-API-Key: a\r\nX-API-Key: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nx",
        "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx",
        /* What libmicrohttpd below 1.0 hides, and later ones refuse. */
        "GET / HTTP/1.1\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n\tContent-Length: 5\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    };
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        const int fd = raw_connect(fixture.port);

        raw_send_text(fd, heads[i]);

        if (!raw_read(fd, &answer) || answer.status != 400) {
            fail_msg("not refused: %s", heads[i]);
        }
        assert_true(raw_is_closed(fd));
        close(fd);
    }
}

static void value_with_a_nul_is_refused(void **state)
{
    (void)state;
    static const char request[] = "GET / HTTP/1.1\r\nHost: a\0\r\nX-API-Key: test-key\r\n\r\n";
    const int fd = raw_connect(fixture.port);

    raw_send(fd, request, sizeof(request) - 1);

    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 400);
    close(fd);
}

static void refusal_is_a_problem_with_the_headers_of_every_answer(void **state)
{
    (void)state;
    char value[128];
    const int fd = raw_connect(fixture.port);

    raw_send_text(fd, "GET /a%2Fb HTTP/1.1\r\nHost: a\r\n\r\n");

    assert_true(raw_read(fd, &answer));
    assert_header("Content-Type", "application/problem+json");
    assert_header("Connection", "close");
    assert_true(raw_header(&answer, "X-Request-Id", value, sizeof(value)));
    assert_true(raw_header(&answer, "X-Content-Type-Options", value, sizeof(value)));
    assert_non_null(strstr(answer.body, "The path of the request holds an encoded '/'"));
    close(fd);
}

static void refused_request_without_a_body_keeps_its_connection(void **state)
{
    (void)state;
    const int fd = raw_connect(fixture.port);

    raw_send_text(fd, "GET /none HTTP/1.1\r\nHost: a\r\nX-API-Key: wrong\r\n\r\n");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 401);
    fixture_get(fd, "/none");
    assert_true(raw_read(fd, &answer));

    assert_int_equal(answer.status, 204);
    close(fd);
}

/* More than any buffer in between holds: without reading on, the client would be reset while it
 * sends, and never see why. */
static void refused_body_is_read_so_that_the_client_sees_the_answer(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        size_t length;
        int status;
    } cases[] = {
        { "X-API-Key: wrong\r\n", 10, 401 },
        { "X-API-Key: wrong\r\n", BODY_LIMIT, 401 },
        { "X-API-Key: test-key\r\n", BODY_LIMIT + 1, 413 },
        { "X-API-Key: test-key\r\n", 2 * 1024 * 1024, 413 },
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const int fd = raw_connect(fixture.port);

        post(fd, "/echo", cases[i].lines, cases[i].length);

        assert_true(raw_read(fd, &answer));
        assert_int_equal(answer.status, cases[i].status);
        assert_header("Connection", "close");
        assert_non_null(strstr(answer.body, "\"success\":false"));
        assert_true(raw_is_closed(fd));
        close(fd);
    }
}

static void chunked_body_has_the_limit_too(void **state)
{
    (void)state;
    enum { CHUNK = 1000 };
    for (int extra = 0; extra < 2; extra++) {
        char chunk[CHUNK + 8] = "3e8\r\n";
        memset(chunk + 5, 'x', CHUNK);
        memcpy(chunk + 5 + CHUNK, "\r\n", 2);
        const int fd = raw_connect(fixture.port);
        raw_send_text(fd, "POST /echo HTTP/1.1\r\n" KEY_LINES JSON_LINE
                          "Transfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < BODY_LIMIT / CHUNK; i++) {
            raw_send(fd, chunk, 5 + CHUNK + 2);
        }

        raw_send_text(fd, extra ? "1\r\nx\r\n0\r\n\r\n" : "0\r\n\r\n");

        assert_true(raw_read(fd, &answer));
        assert_int_equal(answer.status, extra ? 413 : 200);
        assert_true(extra || answer.body_length == BODY_LIMIT);
        close(fd);
    }
}

/* One that never ends is answered, too, and cut off some megabytes later. */
static void endless_body_is_answered_and_cut_off(void **state)
{
    (void)state;
    static char chunk[64 * 1024 + 10] = "10000\r\n";
    const int fd = raw_connect(fixture.port);
    raw_send_text(fd, "POST /echo HTTP/1.1\r\n" KEY_LINES JSON_LINE
                      "Transfer-Encoding: chunked\r\n\r\n");
    memset(chunk + 7, 'x', 64 * 1024);
    memcpy(chunk + 7 + 64 * 1024, "\r\n", 2);

    size_t chunks = 0;
    while (raw_try_send(fd, chunk, 7 + 64 * 1024 + 2)) {
        assert_true(++chunks < 10 * 1000);
    }

    close(fd);
    fixture_assert_alive(&fixture);
}

static void continue_is_sent_to_those_who_may_go_on(void **state)
{
    (void)state;
    int fd = raw_connect(fixture.port);
    raw_send_text(fd, "POST /echo HTTP/1.1\r\n" KEY_LINES JSON_LINE
                      "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 100);
    raw_send_text(fd, "hello");
    assert_true(raw_read(fd, &answer));
    assert_string_equal(answer.body, "hello");
    close(fd);

    fd = raw_connect(fixture.port);
    raw_send_text(fd, "POST /echo HTTP/1.1\r\nHost: a\r\nX-API-Key: wrong\r\n" JSON_LINE
                      "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 401);
    assert_true(raw_is_closed(fd));
    close(fd);
}

static void many_requests_wait_at_once(void **state)
{
    (void)state;
    enum { WAITING = 40 };
    int fds[WAITING];
    for (size_t i = 0; i < WAITING; i++) {
        fds[i] = raw_connect(fixture.port);
        fixture_get(fds[i], "/later");
    }
    fixture_wait_suspended(&fixture, WAITING);
    assert_int_equal(tr_listener_in_flight(fixture.listener), WAITING);
    fixture_assert_alive(&fixture);

    for (size_t i = 0; i < WAITING; i++) {
        fixture_complete(&fixture.suspended[i]);
    }

    for (size_t i = 0; i < WAITING; i++) {
        assert_true(raw_read(fds[i], &answer));
        assert_string_equal(answer.body, "later");
        fixture_get(fds[i], "/none");
        assert_true(raw_read(fds[i], &answer));
        close(fds[i]);
    }
}

static void request_that_is_completed_while_it_suspends_is_answered(void **state)
{
    (void)state;
    const int fd = raw_connect(fixture.port);
    for (int i = 0; i < MAX_SUSPENDED; i++) {
        fixture_get(fd, "/spawn");
        assert_true(raw_read(fd, &answer));
        assert_string_equal(answer.body, "later");
    }
    close(fd);
}

static void client_that_leaves_cancels_its_request(void **state)
{
    (void)state;
    const int fd = raw_connect(fixture.port);
    fixture_get(fd, "/later");
    fixture_wait_suspended(&fixture, 1);

    close(fd);

    fixture_wait_cancelled(&fixture, 1);
    assert_int_equal(fixture.suspended[0].reason, TR_CANCELLED);
}

static void deadline_answers_504(void **state)
{
    (void)state;
    const int fd = raw_connect(fixture.port);
    for (int i = 0; i < 3; i++) {
        fixture_get(fd, "/brief");

        assert_true(raw_read(fd, &answer));

        assert_int_equal(answer.status, 504);
    }
    close(fd);
}

static void client_may_vanish_at_any_byte(void **state)
{
    (void)state;
    static const char request[] =
        "POST /spawn HTTP/1.1\r\n" KEY_LINES JSON_LINE "Content-Length: 5\r\n\r\nhello";
    for (size_t length = 0; length < sizeof(request); length++) {
        const int fd = raw_connect(fixture.port);
        raw_send(fd, request, length);
        close(fd);
    }
    fixture_assert_alive(&fixture);
}

int main(void)
{
#define LISTENER_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        LISTENER_TEST(request_is_answered_and_the_connection_kept),
        LISTENER_TEST(requests_in_one_packet_are_answered_in_order),
        LISTENER_TEST(request_may_come_byte_by_byte),
        LISTENER_TEST(body_is_left_out_where_http_says_so),
        LISTENER_TEST(header_with_a_line_end_is_never_sent),
        LISTENER_TEST(handler_that_forgets_to_answer_is_a_defect),
        LISTENER_TEST(malformed_heads_are_answered_400_and_closed),
        LISTENER_TEST(value_with_a_nul_is_refused),
        LISTENER_TEST(refusal_is_a_problem_with_the_headers_of_every_answer),
        LISTENER_TEST(refused_request_without_a_body_keeps_its_connection),
        LISTENER_TEST(refused_body_is_read_so_that_the_client_sees_the_answer),
        LISTENER_TEST(chunked_body_has_the_limit_too),
        LISTENER_TEST(endless_body_is_answered_and_cut_off),
        LISTENER_TEST(continue_is_sent_to_those_who_may_go_on),
        LISTENER_TEST(many_requests_wait_at_once),
        LISTENER_TEST(request_that_is_completed_while_it_suspends_is_answered),
        LISTENER_TEST(client_that_leaves_cancels_its_request),
        LISTENER_TEST(deadline_answers_504),
        LISTENER_TEST(client_may_vanish_at_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
