/* test_outbound.c - thousands of calls that wait for an upstream, in a gateway of its own process.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/e2e/gateway.h"
#include "tests/e2e/program.h"
#include "tests/peer/peer.h"
#include "tests/support/descriptors.h"
#include "tests/support/raw_client.h"
#include "tools/core/clock.h"

enum { CALLS = 2000, OTHER_CALLS = 200, DESCRIPTORS = 5000 };

enum { MAX_KIB_ABOVE_IDLE = 64 * 1024 };

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) \
    || HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)
#define IS_MEASURABLE false
#else
#define IS_MEASURABLE true
#endif

static struct {
    struct peer *peer;
    struct running program;
    uint16_t port;
    char config[64];
} scene;

static struct raw_answer answer;

/* ---- the scene ---- */

static void write_config(void)
{
    (void)snprintf(scene.config, sizeof(scene.config), "/tmp/toolrest-outbound-XXXXXX");
    const int fd = mkstemp(scene.config);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert_non_null(file);
    (void)fprintf(file,
                  "server: {listen: '127.0.0.1:0', access_log: false}\n"
                  "auth:\n%splugins: [%s/fixtures.so]\n"
                  "suites: {web: {network: {allow_private: true}}}\n",
                  gateway_keys, TR_TEST_PLUGIN_DIR);
    assert_int_equal(fclose(file), 0);
}

static int start_all(void **state)
{
    (void)state;
    char said[512];
    write_config();
    scene.peer = peer_start(&(struct peer_options){ .port = 0 });
    const char *const arguments[] = { "serve", "--config", scene.config, "--json", NULL };
    scene.program = program_start(arguments);
    program_wait_for(&scene.program, "\"url\"", said, sizeof(said));
    scene.port = (uint16_t)strtoul(strrchr(said, ':') + 1, NULL, 10);
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    const int code = program_stop(&scene.program, SIGTERM);
    peer_stop(scene.peer);
    (void)unlink(scene.config);
    return code;
}

/* ---- the gateway, seen from outside ---- */

/* A number of /proc/PID/status, as "VmRSS:" in KiB or "Threads:"; 0 when it is not there. */
static long status_number(const char *name)
{
    char path[64];
    char line[256];
    long number = 0;
    (void)snprintf(path, sizeof(path), "/proc/%d/status", (int)scene.program.pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            number = strtol(line + strlen(name), NULL, 10);
        }
    }
    assert_int_equal(fclose(file), 0);
    return number;
}

static void send_call(int fd, const char *tool, const char *body)
{
    char request[1024];
    const int length =
        snprintf(request, sizeof(request),
                 "POST /tools/%s HTTP/1.1\r\nHost: a\r\nX-API-Key: " KEY_ALL
                 "\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 tool, strlen(body), body);
    raw_send(fd, request, (size_t)length);
}

static void call_upstream(int fd, const char *path)
{
    char body[256];
    (void)snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%u%s\"}",
                   (unsigned)peer_port(scene.peer), path);
    send_call(fd, "http_request", body);
}

static void assert_succeeds(int fd)
{
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 200);
    if (strstr(answer.body, "\"success\":true") == NULL) {
        fail_msg("%s", answer.body);
    }
}

/* ---- other tools, meanwhile ---- */

static int compare(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Reported, not asserted: it depends on what else this machine does. */
static int64_t p99_of_others_us(void)
{
    static int64_t spent_ns[OTHER_CALLS];
    const int fd = raw_connect(scene.port);
    for (size_t i = 0; i < OTHER_CALLS; i++) {
        const int64_t start_ns = tr_clock_ns();
        send_call(fd, "echo", "{\"text\":\"meanwhile\"}");
        assert_succeeds(fd);
        spent_ns[i] = tr_clock_ns() - start_ns;
    }
    close(fd);
    qsort(spent_ns, OTHER_CALLS, sizeof(spent_ns[0]), compare);
    return spent_ns[OTHER_CALLS * 99 / 100] / 1000;
}

/* ---- the tests ---- */

/* None is answered before the upstream has all of them. The times and the peak are reported, not
 * asserted. */
static void two_thousand_calls_wait_at_once(void **state)
{
    (void)state;
    static int fds[CALLS];
    descriptors_allow(DESCRIPTORS);
    const long idle_kib = status_number("VmRSS:");
    const long idle_threads = status_number("Threads:");
    const size_t before = peer_requests(scene.peer);
    const int64_t start_ms = tr_clock_ms();

    for (size_t i = 0; i < CALLS; i++) {
        fds[i] = raw_connect(scene.port);
        call_upstream(fds[i], "/held");
    }
    const int64_t sent_ms = tr_clock_ms() - start_ms;
    assert_true(peer_wait_for_requests(scene.peer, before + CALLS));
    const int64_t p99_us = p99_of_others_us();
    const long threads = status_number("Threads:");
    const long waiting_kib = status_number("VmRSS:");
    const int64_t release_ms = tr_clock_ms();
    peer_release(scene.peer);
    for (size_t i = 0; i < CALLS; i++) {
        assert_succeeds(fds[i]);
        close(fds[i]);
    }

    const int64_t answered_ms = tr_clock_ms() - release_ms;
    const long peak_kib = status_number("VmHWM:");
    print_message(
        "%d calls: sent in %lld ms, answered in %lld ms; %ld KiB above idle (%ld), at most "
        "%ld; %ld threads, idle %ld; other tools meanwhile p99 %lld us\n",
        CALLS, (long long)sent_ms, (long long)answered_ms, waiting_kib - idle_kib, idle_kib,
        peak_kib - idle_kib, threads, idle_threads, (long long)p99_us);
    assert_true(threads <= idle_threads + 1);
    if (IS_MEASURABLE) {
        assert_true(waiting_kib - idle_kib <= MAX_KIB_ABOVE_IDLE);
    }
}

static void a_client_that_leaves_ends_the_request_to_the_upstream(void **state)
{
    (void)state;
    const size_t before = peer_requests(scene.peer);
    const int fd = raw_connect(scene.port);
    call_upstream(fd, "/hang");
    assert_true(peer_wait_for_requests(scene.peer, before + 1));
    const size_t open = peer_open(scene.peer);

    close(fd);

    assert_true(peer_wait_for_open(scene.peer, open - 1));
}

static void a_batch_waits_for_all_of_its_upstreams(void **state)
{
    (void)state;
    char body[1024];
    char request[2048];
    const unsigned port = peer_port(scene.peer);
    (void)snprintf(body, sizeof(body),
                   "[{\"id\":\"a\",\"name\":\"http_request\",\"parameters\":{\"url\":"
                   "\"http://127.0.0.1:%u/slow?ms=20\"}},"
                   "{\"id\":\"b\",\"name\":\"http_request\",\"parameters\":{\"url\":"
                   "\"http://127.0.0.1:%u/nothing\"}},"
                   "{\"id\":\"c\",\"name\":\"http_request\",\"parameters\":{\"url\":"
                   "\"http://169.254.169.254/\"}},"
                   "{\"id\":\"d\",\"name\":\"echo\",\"parameters\":{\"text\":\"x\"}}]",
                   port, port);
    const int length =
        snprintf(request, sizeof(request),
                 "POST /calls HTTP/1.1\r\nHost: a\r\nX-API-Key: " KEY_ALL
                 "\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 strlen(body), body);
    const int fd = raw_connect(scene.port);
    raw_send(fd, request, (size_t)length);
    assert_true(raw_read(fd, &answer));
    close(fd);

    assert_int_equal(answer.status, 200);
    json_auto_t *outcomes = json_loads(answer.body, 0, NULL);
    assert_int_equal(json_array_size(outcomes), 4);
    assert_true(json_is_true(json_object_get(json_array_get(outcomes, 0), "success")));
    assert_true(json_is_false(json_object_get(json_array_get(outcomes, 1), "success")));
    assert_string_equal(json_string_value(json_object_get(json_array_get(outcomes, 2), "code")),
                        "url_blocked");
    assert_true(json_is_true(json_object_get(json_array_get(outcomes, 3), "success")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_thousand_calls_wait_at_once),
        cmocka_unit_test(a_client_that_leaves_ends_the_request_to_the_upstream),
        cmocka_unit_test(a_batch_waits_for_all_of_its_upstreams),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
