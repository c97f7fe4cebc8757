/* test_calls.c - POST /tools/{name} and POST /calls over real sockets. */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/e2e/gateway.h"
#include "tools/core/clock.h"

static struct gateway gateway;

static int start(void **state)
{
    (void)state;
    gateway_start(&gateway, "  workers: 4\n  queue_limit: 4\n  body_timeout_ms: 2000\n", "");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    gateway_stop(&gateway);
    return 0;
}

static struct reply call(const char *tool, const char *body)
{
    char path[100];
    (void)snprintf(path, sizeof(path), "/tools/%s", tool);
    return gateway_send(&gateway, (struct sent){ .path = path, .body = body });
}

static void a_call_gives_the_envelope_and_the_headers_of_the_contract(void **state)
{
    (void)state;
    static const char *const headers[] = { "X-Request-Id: my-id-1", NULL };
    char room[300];
    struct reply reply = gateway_send(
        &gateway,
        (struct sent){ .path = "/tools/echo", .body = "{\"text\":\"hi\"}", .headers = headers });

    assert_int_equal(reply.status, 200);
    assert_true(json_is_true(json_object_get(reply.json, "success")));
    assert_string_equal(reply_text(&reply, "id"), "my-id-1");
    assert_string_equal(reply_text(&reply, "name"), "echo");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(reply.json, "result"), "text")), "hi");
    assert_string_equal(reply_header(&reply, "x-request-id", room, sizeof(room)), "my-id-1");
    assert_string_equal(reply_header(&reply, "content-type", room, sizeof(room)),
                        "application/json");
    assert_non_null(
        strstr(reply_header(&reply, "server-timing", room, sizeof(room)), "parse;dur="));
    assert_string_equal(reply_header(&reply, "x-content-type-options", room, sizeof(room)),
                        "nosniff");
    reply_done(&reply);
}

static void a_refusal_is_a_problem_document(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *body, *code, *error;
        long status;
    } cases[] = {
        { "echo", "{}", "invalid_parameters", "Required parameter 'text' is missing", 422 },
        { "echo", "{\"text\":42}", "invalid_parameters",
          "Parameter 'text' has invalid type. Expected: string", 422 },
        { "reflect", "{\"query\":\"a\",\"color\":\"Purple\"}", "invalid_parameters",
          "Parameter 'color' must be one of: Red, Green, Blue", 422 },
        { "echo", "{\"text\":", "malformed_json", NULL, 400 },
        { "ecko", "{}", "unknown_tool", "Tool 'ecko' not found; did you mean 'echo'?", 404 },
        { "boom", "{}", "internal", "boom", 500 },
        { "checked", "{\"query\":\"\"}", "invalid_parameters", "Query cannot be empty", 422 },
    };
    char room[100];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reply reply = call(cases[i].tool, cases[i].body);
        assert_int_equal(reply.status, cases[i].status);
        assert_string_equal(reply_text(&reply, "code"), cases[i].code);
        assert_true(json_is_false(json_object_get(reply.json, "success")));
        assert_true(strlen(reply_text(&reply, "error")) > 0);
        if (cases[i].error != NULL) {
            assert_string_equal(reply_text(&reply, "error"), cases[i].error);
        }
        assert_string_equal(reply_header(&reply, "content-type", room, sizeof(room)),
                            "application/problem+json");
        assert_string_equal(reply_header(&reply, "x-request-id", room, sizeof(room)),
                            reply_text(&reply, "request_id"));
        reply_done(&reply);
    }
}

static void a_tool_sees_who_calls(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "X-Agent-Id: agent-7",
        "X-Task-Id: task-9",
        "X-User-Id: root",
        "baggage: a=1,b=2",
        "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        NULL,
    };
    struct reply reply = gateway_send(
        &gateway, (struct sent){ .path = "/tools/context", .body = "{}", .headers = headers });
    const json_t *result = json_object_get(reply.json, "result");

    assert_int_equal(reply.status, 200);
    assert_string_equal(json_string_value(json_object_get(result, "user_id")), "all");
    assert_string_equal(json_string_value(json_object_get(result, "agent_id")), "agent-7");
    assert_string_equal(json_string_value(json_object_get(result, "task_id")), "task-9");
    assert_string_equal(json_string_value(json_object_get(result, "baggage")), "a=1,b=2");
    reply_done(&reply);
}

static void a_tool_that_hangs_is_answered_at_its_deadline(void **state)
{
    (void)state;
    const int64_t begin_ms = tr_clock_ms();
    struct reply reply = call("slow", "{}");

    assert_int_equal(reply.status, 504);
    assert_string_equal(reply_text(&reply, "error"),
                        "Tool 'slow' execution timed out after 200 ms");
    /* The tool takes five seconds: what is told apart here is not speed but waiting for it. */
    assert_true(tr_clock_ms() - begin_ms < 4000);
    reply_done(&reply);
}

static void a_body_over_the_limit_is_refused_naming_the_limit(void **state)
{
    (void)state;
    const size_t size = 1024 * 1024 + 1;
    char *body = malloc(size + 1);
    assert_non_null(body);
    memset(body, ' ', size);
    memcpy(body, "{}", 2);
    body[size] = '\0';
    struct reply reply = call("echo", body);

    assert_int_equal(reply.status, 413);
    assert_non_null(strstr(reply_text(&reply, "error"), "1048576"));
    reply_done(&reply);
    body[size - 1] = '\0';
    reply = call("echo", body);
    assert_int_equal(reply.status, 422);
    reply_done(&reply);
    free(body);
}

static void a_large_body_takes_the_way_over_a_worker(void **state)
{
    (void)state;
    static char body[40 * 1000];
    (void)snprintf(body, sizeof(body), "{\"query\":\"a\",\"tags\":[");
    size_t at = strlen(body);
    while (at < sizeof(body) - 20) {
        at += (size_t)snprintf(body + at, sizeof(body) - at, "\"tag\",");
    }
    (void)snprintf(body + at - 1, sizeof(body) - at + 1, "]}");
    struct reply reply = call("reflect", body);

    assert_int_equal(reply.status, 200);
    assert_true(json_array_size(json_object_get(json_object_get(reply.json, "result"), "tags"))
                > 5000);
    reply_done(&reply);
}

static void a_tools_bad_bytes_never_make_a_bad_answer(void **state)
{
    (void)state;
    struct reply reply = call("bad_utf8", "{}");
    assert_int_equal(reply.status, 200);
    assert_non_null(reply.json);
    reply_done(&reply);
    reply = call("greedy", "{}");
    assert_int_equal(reply.status, 500);
    assert_non_null(strstr(reply_text(&reply, "error"), "memory"));
    reply_done(&reply);
}

/* A long batch, which a worker reads, is a short one with blanks behind it. */
static struct reply send_batch(const char *calls, bool is_long)
{
    static char body[32 * 1024];
    (void)snprintf(body, sizeof(body), "%s%*s", calls, is_long ? 20 * 1024 : 0, "");
    return gateway_send(&gateway, (struct sent){ .path = "/calls", .body = body });
}

static void assert_own_outcomes(bool is_long)
{
    struct reply reply =
        send_batch("[{\"id\":\"a\",\"name\":\"echo\",\"parameters\":{\"text\":\"x\"}},"
                   "{\"id\":\"b\",\"name\":\"slow\"},"
                   "{\"id\":\"c\",\"name\":\"nope\"},"
                   "{\"id\":\"d\",\"name\":\"echo\",\"parameters\":{}},"
                   "{\"name\":\"soft_fail\",\"parameters\":{\"kind\":\"error\"}}]",
                   is_long);
    static const char *const ids[] = { "a", "b", "c", "d" };
    static const char *const codes[] = { NULL, "timeout", "unknown_tool", "invalid_parameters",
                                         NULL };

    assert_int_equal(reply.status, 200);
    assert_int_equal(json_array_size(reply.json), 5);
    for (size_t i = 0; i < 5; i++) {
        const json_t *outcome = json_array_get(reply.json, i);
        const char *code = json_string_value(json_object_get(outcome, "code"));
        if (i < 4) {
            assert_string_equal(json_string_value(json_object_get(outcome, "id")), ids[i]);
        }
        if (codes[i] == NULL) {
            assert_null(code);
        } else {
            assert_string_equal(code, codes[i]);
        }
        assert_true(json_is_boolean(json_object_get(outcome, "success")));
    }
    reply_done(&reply);
}

static void a_batch_is_answered_in_order_each_with_its_own_outcome(void **state)
{
    (void)state;
    assert_own_outcomes(false);
    assert_own_outcomes(true);
}

static void a_batch_that_is_none_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        long status;
        const char *pointer;
    } cases[] = {
        { "[]", 422, "" },
        { "{}", 422, "" },
        { "[{}]", 422, "/0/name" },
        { "[{\"name\":\"echo\",\"paramters\":{}}]", 422, "/0/paramters" },
        { "[", 400, NULL },
    };
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const bool is_long = i % 2 == 1;
        struct reply reply = send_batch(cases[i / 2].body, is_long);
        assert_int_equal(reply.status, cases[i / 2].status);
        if (cases[i / 2].pointer != NULL) {
            const json_t *first = json_array_get(json_object_get(reply.json, "violations"), 0);
            assert_string_equal(json_string_value(json_object_get(first, "pointer")),
                                cases[i / 2].pointer);
        }
        reply_done(&reply);
    }
}

static void quick_batches_need_no_worker(void **state)
{
    (void)state;
    struct reply reply = send_batch("[{\"id\":\"1\",\"name\":\"no_params\"}]", false);
    assert_int_equal(reply.status, 200);
    assert_int_equal(json_array_size(reply.json), 1);
    reply_done(&reply);
}

/* ---- under load ---- */

struct burst {
    const char *tool, *body;
    int requests;
    int ok, busy, other;
};

static void *send_burst(void *context)
{
    struct burst *burst = context;
    for (int i = 0; i < burst->requests; i++) {
        struct reply reply = call(burst->tool, burst->body);
        char room[20];
        if (reply.status == 200) {
            burst->ok++;
        } else if (reply.status == 503
                   && atoll(reply_header(&reply, "retry-after", room, sizeof(room))) > 0) {
            burst->busy++;
        } else {
            burst->other++;
        }
        reply_done(&reply);
    }
    return NULL;
}

enum { BURST_THREADS = 24 };

static struct burst send_bursts(const char *tool, const char *body, int requests)
{
    static struct burst bursts[BURST_THREADS];
    pthread_t threads[BURST_THREADS];
    struct burst sum = { 0 };
    for (int i = 0; i < BURST_THREADS; i++) {
        bursts[i] = (struct burst){ .tool = tool, .body = body, .requests = requests };
        assert_int_equal(pthread_create(&threads[i], NULL, send_burst, &bursts[i]), 0);
    }
    for (int i = 0; i < BURST_THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        sum.ok += bursts[i].ok;
        sum.busy += bursts[i].busy;
        sum.other += bursts[i].other;
    }
    return sum;
}

static void many_callers_at_once_all_get_their_own_answer(void **state)
{
    (void)state;
    const struct burst sum = send_bursts("reflect", "{\"query\":\"q\",\"max_results\":\"3\"}", 20);
    assert_int_equal(sum.ok, BURST_THREADS * 20);
}

static void a_full_queue_answers_503_with_retry_after_at_once(void **state)
{
    (void)state;
    const struct burst sum = send_bursts("wait", "{\"ms\":300}", 2);
    assert_int_equal(sum.other, 0);
    assert_true(sum.busy > 0);
    assert_true(sum.ok >= 4);
}

enum { RUNNING = 4, WAITING = 4 };

/* Occupy workers, and places in their queue, for 20 seconds. */
static void occupy(int *sockets, size_t count)
{
    static const char request[] = "POST /tools/wait HTTP/1.1\r\nHost: x\r\nX-API-Key: test-key\r\n"
                                  "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n"
                                  "{\"ms\":20000}";
    char out[16];
    for (size_t i = 0; i < count; i++) {
        sockets[i] = gateway_connect(&gateway);
        (void)gateway_talk(sockets[i], request, sizeof(request) - 1, out, sizeof(out), 20);
    }
}

static void leave(const int *sockets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(close(sockets[i]), 0);
    }
}

static void assert_workers_get_free(void)
{
    long status = 503;
    for (int tries = 0; tries < 100 && status == 503; tries++) {
        struct reply reply = call("wait", "{\"ms\":1}");
        status = reply.status;
        reply_done(&reply);
        (void)poll(NULL, 0, 20);
    }
    assert_int_equal(status, 200);
}

/* Without cancellation nothing else could run for 20 seconds. */
static void a_client_that_leaves_frees_its_worker(void **state)
{
    (void)state;
    int sockets[RUNNING + WAITING];
    occupy(sockets, RUNNING + WAITING);

    leave(sockets, RUNNING + WAITING);

    assert_workers_get_free();
}

static void a_long_batch_that_finds_no_place_is_answered_503_at_once(void **state)
{
    (void)state;
    int sockets[RUNNING + WAITING];
    char room[20];
    occupy(sockets, RUNNING + WAITING);

    struct reply reply = send_batch("[{\"name\":\"no_params\"}]", true);

    assert_int_equal(reply.status, 503);
    assert_string_equal(reply_text(&reply, "code"), "busy");
    assert_string_equal(reply_header(&reply, "retry-after", room, sizeof(room)), "1");
    reply_done(&reply);
    leave(sockets, RUNNING + WAITING);
    assert_workers_get_free();
}

static void a_client_may_leave_while_its_long_batch_waits_to_be_read(void **state)
{
    (void)state;
    static char request[32 * 1024];
    static const char head[] = "POST /calls HTTP/1.1\r\nHost: x\r\nX-API-Key: test-key\r\n"
                               "Content-Type: application/json\r\nContent-Length: 20480\r\n\r\n";
    char out[16];
    int sockets[RUNNING + 1];
    occupy(sockets, RUNNING);
    (void)snprintf(request, sizeof(request), "%s%-20480s", head, "[{\"name\":\"no_params\"}]");

    sockets[RUNNING] = gateway_connect(&gateway);
    (void)gateway_talk(sockets[RUNNING], request, strlen(request), out, sizeof(out), 20);
    leave(sockets + RUNNING, 1);
    leave(sockets, RUNNING);

    assert_workers_get_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_gives_the_envelope_and_the_headers_of_the_contract),
        cmocka_unit_test(a_refusal_is_a_problem_document),
        cmocka_unit_test(a_tool_sees_who_calls),
        cmocka_unit_test(a_tool_that_hangs_is_answered_at_its_deadline),
        cmocka_unit_test(a_body_over_the_limit_is_refused_naming_the_limit),
        cmocka_unit_test(a_large_body_takes_the_way_over_a_worker),
        cmocka_unit_test(a_tools_bad_bytes_never_make_a_bad_answer),
        cmocka_unit_test(a_batch_is_answered_in_order_each_with_its_own_outcome),
        cmocka_unit_test(a_batch_that_is_none_is_refused),
        cmocka_unit_test(quick_batches_need_no_worker),
        cmocka_unit_test(many_callers_at_once_all_get_their_own_answer),
        cmocka_unit_test(a_full_queue_answers_503_with_retry_after_at_once),
        cmocka_unit_test(a_client_that_leaves_frees_its_worker),
        cmocka_unit_test(a_long_batch_that_finds_no_place_is_answered_503_at_once),
        cmocka_unit_test(a_client_may_leave_while_its_long_batch_waits_to_be_read),
    };
    return cmocka_run_group_tests_name("calls", tests, start, stop);
}
