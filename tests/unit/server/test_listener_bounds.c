/* The listener's limits and its end, over real sockets. */
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>

#include "tests/unit/server/listener_fixture.h"

enum { SHORT_MS = 40 };

static struct fixture fixture;
static struct raw_answer answer;

/* ---- requests within SHORT_MS: a busy machine reads a head too late, and another one tries ----
 */

static bool is_one_suspended(void)
{
    pthread_mutex_lock(&fixture.lock);
    const bool is_one = fixture.suspended_count != 0;
    pthread_mutex_unlock(&fixture.lock);
    return is_one;
}

/* False when the connection is cut off instead. */
static bool becomes_suspended(int fd)
{
    struct pollfd end = { .fd = fd, .events = POLLIN };
    while (!is_one_suspended()) {
        if (poll(&end, 1, 1) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_answered(int fd)
{
    return raw_read(fd, &answer);
}

/* A connection with a request for `path` that `has_come`. */
static int connect_in_time(const char *path, bool (*has_come)(int fd))
{
    char text[256];
    const int length = snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\n" KEY_LINES "\r\n", path);
    for (;;) {
        const int fd = raw_connect(fixture.port);
        if (raw_try_send(fd, text, (size_t)length) && has_come(fd)) {
            return fd;
        }
        close(fd);
    }
}

/* ---- the tests ---- */

static void body_that_does_not_come_is_answered_408(void **state)
{
    (void)state;
    static const char *const requests[] = {
        "POST /echo HTTP/1.1\r\n" KEY_LINES "Content-Length: 5\r\n\r\n",
        "POST /echo HTTP/1.1\r\n" KEY_LINES "Content-Length: 5\r\n\r\nhell",
        "POST /echo HTTP/1.1\r\n" KEY_LINES "Transfer-Encoding: chunked\r\n\r\n5\r\nhe",
        "POST /echo HTTP/1.1\r\n" KEY_LINES "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    };
    struct tr_listener_options options = fixture_options(&fixture);
    fixture.policy.body_timeout_ms = SHORT_MS;
    fixture_start(&fixture, &options);
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        const int fd = raw_connect(fixture.port);

        raw_send_text(fd, requests[i]);

        assert_true(raw_read(fd, &answer));
        assert_int_equal(answer.status, 408);
        assert_non_null(strstr(answer.body, "request_timeout"));
        assert_true(raw_is_closed(fd));
        close(fd);
    }
    fixture_stop(&fixture);
}

/* A byte now and then keeps the library's own time-out away. */
static void body_that_drips_is_cut_off(void **state)
{
    (void)state;
    struct tr_listener_options options = fixture_options(&fixture);
    fixture.policy.body_timeout_ms = SHORT_MS;
    fixture.policy.body_limit_bytes = SIZE_MAX / 2;
    fixture_start(&fixture, &options);
    const int fd = raw_connect(fixture.port);
    raw_send_text(fd, "POST /echo HTTP/1.1\r\n" KEY_LINES "Content-Length: 9999999999\r\n\r\n");

    while (raw_try_send(fd, "x", 1)) {
    }

    /* The answer is lost when a further byte met the closed connection. */
    if (raw_read(fd, &answer)) {
        assert_int_equal(answer.status, 408);
    }
    close(fd);
    fixture_stop(&fixture);
}

static void head_that_does_not_come_ends_the_connection(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "",
        "\r\n",
        "G",
        "GET /none",
        "GET /none HTTP/1.1\r\n",
        "GET /none HTTP/1.1\r\nHost: a\r\n\r",
    };
    struct tr_listener_options options = fixture_options(&fixture);
    options.header_timeout_ms = SHORT_MS;
    fixture_start(&fixture, &options);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        const int fd = raw_connect(fixture.port);
        raw_send_text(fd, heads[i]);

        assert_true(raw_is_closed(fd));

        close(fd);
    }
    fixture_stop(&fixture);
}

static void idle_connection_is_closed(void **state)
{
    (void)state;
    struct tr_listener_options options = fixture_options(&fixture);
    options.header_timeout_ms = SHORT_MS;
    options.idle_timeout_ms = SHORT_MS;
    fixture_start(&fixture, &options);
    const int fd = connect_in_time("/none", is_answered);

    assert_true(raw_is_closed(fd));

    close(fd);
    fixture_stop(&fixture);
}

static void waiting_request_is_not_cut_off(void **state)
{
    (void)state;
    struct tr_listener_options options = fixture_options(&fixture);
    options.header_timeout_ms = SHORT_MS;
    options.idle_timeout_ms = SHORT_MS;
    fixture.policy.body_timeout_ms = SHORT_MS;
    fixture_start(&fixture, &options);
    const int fd = connect_in_time("/later", becomes_suspended);

    /* Others come and are cut off meanwhile. */
    for (int i = 0; i < 3; i++) {
        const int other = raw_connect(fixture.port);
        assert_true(raw_is_closed(other));
        close(other);
    }

    fixture_complete(&fixture.suspended[0]);
    assert_true(raw_read(fd, &answer));
    assert_string_equal(answer.body, "later");
    close(fd);
    fixture_stop(&fixture);
}

static void head_that_is_too_large_is_refused(void **state)
{
    (void)state;
    enum { HEADERS = 20 * 1000 };
    struct tr_listener_options options = fixture_options(&fixture);
    fixture_start(&fixture, &options);
    static const char line[] = "X-N: 1\r\n";
    int fd = raw_connect(fixture.port);
    raw_send_text(fd, "GET /none HTTP/1.1\r\n" KEY_LINES);
    for (int i = 0; i < HEADERS && raw_try_send(fd, line, sizeof(line) - 1); i++) {
    }
    if (raw_read(fd, &answer)) {
        assert_int_equal(answer.status, 431);
    }
    close(fd);

    /* Still fits into the pool, but leaves no room for an answer. */
    static char value[9 * 1024];
    memset(value, 'x', sizeof(value) - 1);
    fd = raw_connect(fixture.port);
    raw_send_text(fd, "GET /none HTTP/1.1\r\n" KEY_LINES "X-Long: ");
    raw_send(fd, value, sizeof(value) - 1);
    raw_send_text(fd, "\r\n\r\n");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 431);
    assert_true(raw_is_closed(fd));
    close(fd);
    fixture_assert_alive(&fixture);
    fixture_stop(&fixture);
}

static void address_has_its_share_of_connections(void **state)
{
    (void)state;
    struct tr_listener_options options = fixture_options(&fixture);
    options.threads = 2;
    options.per_address_limit = 3;
    fixture_start(&fixture, &options);
    int fds[3];
    for (size_t i = 0; i < 3; i++) {
        fds[i] = raw_connect(fixture.port);
        fixture_get(fds[i], "/none");
        assert_true(raw_read(fds[i], &answer));
    }

    const int fourth = raw_connect(fixture.port);
    assert_true(raw_is_closed(fourth));
    close(fourth);

    /* The place of one that has gone is free once the server has seen it go. */
    close(fds[0]);
    bool is_answered = false;
    while (!is_answered) {
        const int next = raw_connect(fixture.port);
        is_answered =
            raw_try_send(next, "GET /none HTTP/1.0\r\n\r\n", 22) && raw_read(next, &answer);
        close(next);
    }
    close(fds[1]);
    close(fds[2]);
    fixture_stop(&fixture);
}

static void quiet_listener_finishes_and_takes_no_more(void **state)
{
    (void)state;
    char value[16];
    struct tr_listener_options options = fixture_options(&fixture);
    fixture_start(&fixture, &options);
    const int idle = raw_connect(fixture.port);
    const int waiting = raw_connect(fixture.port);
    fixture_get(idle, "/none");
    assert_true(raw_read(idle, &answer));
    fixture_get(waiting, "/later");
    fixture_wait_suspended(&fixture, 1);

    tr_listener_quiesce(fixture.listener);
    tr_listener_quiesce(fixture.listener);

    assert_false(raw_can_connect(fixture.port));
    assert_int_equal(tr_listener_in_flight(fixture.listener), 1);
    fixture_get(idle, "/blob");
    assert_true(raw_read(idle, &answer));
    assert_int_equal(answer.body_length, BLOB_BYTES);
    assert_true(raw_header(&answer, "Connection", value, sizeof(value)));
    assert_string_equal(value, "close");
    assert_true(raw_is_closed(idle));
    fixture_complete(&fixture.suspended[0]);
    assert_true(raw_read(waiting, &answer));
    assert_int_equal(answer.status, 200);
    assert_true(raw_is_closed(waiting));
    while (tr_listener_in_flight(fixture.listener) != 0) {
        /* the library tells the end of a request after its last byte */
    }
    close(idle);
    close(waiting);
    fixture_stop(&fixture);
}

static void stopping_answers_503_to_those_who_wait(void **state)
{
    (void)state;
    enum { WAITING = 20 };
    struct tr_listener_options options = fixture_options(&fixture);
    int fds[WAITING];
    options.threads = 2;
    fixture_start(&fixture, &options);
    for (size_t i = 0; i < WAITING; i++) {
        fds[i] = raw_connect(fixture.port);
        fixture_get(fds[i], "/later");
    }
    fixture_wait_suspended(&fixture, WAITING);

    fixture_stop(&fixture);

    for (size_t i = 0; i < WAITING; i++) {
        assert_true(raw_read(fds[i], &answer));
        assert_int_equal(answer.status, 503);
        assert_true(raw_is_closed(fds[i]));
        close(fds[i]);
    }
}

static void stopping_does_not_wait_for_clients(void **state)
{
    (void)state;
    static const char *const requests[] = {
        "",
        "GET /",
        "POST /echo HTTP/1.1\r\n" KEY_LINES "Content-Length: 5\r\n\r\nhe",
        "GET /none HTTP/1.1\r\n" KEY_LINES "\r\n",
    };
    enum { COUNT = sizeof(requests) / sizeof(requests[0]) };
    struct tr_listener_options options = fixture_options(&fixture);
    int fds[COUNT];
    fixture_start(&fixture, &options);
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = raw_connect(fixture.port);
        raw_send_text(fds[i], requests[i]);
    }
    fixture_assert_alive(&fixture);

    fixture_stop(&fixture);

    for (size_t i = 0; i < COUNT; i++) {
        close(fds[i]);
    }
}

/* Each of the first allocations after a handler's fails once: of its answer, of the next requests,
 * of a connection. Whoever is hit is answered or closed; nobody after him notices. */
static void want_of_memory_costs_one_request_at_most(void **state)
{
    (void)state;
    enum { ALLOCATIONS = 40 };
    struct tr_listener_options options = fixture_options(&fixture);
    options.per_address_limit = 100;
    fixture_start(&fixture, &options);
    for (unsigned nth = 1; nth <= ALLOCATIONS; nth++) {
        char path[32];
        (void)snprintf(path, sizeof(path), "/starve?%u", nth);
        for (int round = 0; round < 2; round++) {
            const int fd = raw_connect(fixture.port);
            fixture_get(fd, round == 0 ? path : "/nothing");
            bool is_open = raw_read(fd, &answer);
            for (int again = 0; is_open && again < 3; again++) {
                raw_send_text(fd, "POST /echo HTTP/1.1\r\n" KEY_LINES
                                  "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
                is_open = raw_read(fd, &answer) && answer.status == 200;
                assert_true(!is_open || strcmp(answer.body, "x") == 0);
            }
            close(fd);
        }
        /* Whatever is left of the famine hits these. */
        for (int round = 0; round < 10; round++) {
            const int fd = raw_connect(fixture.port);
            if (raw_try_send(fd, "GET /starve?0 HTTP/1.0\r\n\r\n", 26)) {
                (void)raw_read(fd, &answer);
            }
            close(fd);
        }
        fixture_assert_alive(&fixture);
    }
    fixture_stop(&fixture);
}

static void listener_that_cannot_start_says_why(void **state)
{
    (void)state;
    char address[32];
    struct tr_fault fault;
    struct tr_listener *second = NULL;
    struct tr_listener_options options = fixture_options(&fixture);
    fixture_start(&fixture, &options);

    (void)snprintf(address, sizeof(address), "127.0.0.1:%d", (int)fixture.port);
    options.address = address;
    assert_int_equal(tr_listener_start(&options, &second, &fault), TR_INTERNAL);
    assert_non_null(strstr(fault.what, address));
    options.address = "nonsense";
    assert_int_equal(tr_listener_start(&options, &second, &fault), TR_INVALID_PARAMETERS);

    assert_null(second);
    fixture_stop(&fixture);
    tr_listener_stop(NULL);
}

static void connection_limit_is_what_was_asked_for(void **state)
{
    (void)state;
    struct tr_listener_options options = fixture_options(&fixture);
    fixture_start(&fixture, &options);

    assert_int_equal(tr_listener_connection_limit(fixture.listener), options.connection_limit);

    fixture_stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(body_that_does_not_come_is_answered_408),
        cmocka_unit_test(body_that_drips_is_cut_off),
        cmocka_unit_test(head_that_does_not_come_ends_the_connection),
        cmocka_unit_test(idle_connection_is_closed),
        cmocka_unit_test(waiting_request_is_not_cut_off),
        cmocka_unit_test(head_that_is_too_large_is_refused),
        cmocka_unit_test(address_has_its_share_of_connections),
        cmocka_unit_test(quiet_listener_finishes_and_takes_no_more),
        cmocka_unit_test(stopping_answers_503_to_those_who_wait),
        cmocka_unit_test(stopping_does_not_wait_for_clients),
        cmocka_unit_test(want_of_memory_costs_one_request_at_most),
        cmocka_unit_test(listener_that_cannot_start_says_why),
        cmocka_unit_test(connection_limit_is_what_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
