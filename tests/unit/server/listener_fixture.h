/* listener_fixture.h - a listener with a handler of a few paths, for the tests of the listener.
 *
 *   POST /echo     answers the body
 *   GET  /blob     a shared body of 100,000 bytes
 *   GET  /none     204
 *   GET  /evil     tries to add a header with a line end in its value
 *   any  /later    suspends, without a deadline, until fixture_complete() or a cancellation
 *   any  /brief    the same with a deadline of a millisecond
 *   any  /spawn    suspends and completes in a thread of its own at once
 *   GET  /lazy     says that it answered, and did not
 *   GET  /starve?N refuses its thread's Nth allocation from then on, and answers
 */
#ifndef TR_TESTS_UNIT_SERVER_LISTENER_FIXTURE_H
#define TR_TESTS_UNIT_SERVER_LISTENER_FIXTURE_H

#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "middleware/blob.h"
#include "middleware/policy.h"
#include "server/listener.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/raw_client.h"
#include "tools/core/clock.h"

enum { BLOB_BYTES = 100 * 1000, BODY_LIMIT = 200 * 1000, MAX_SUSPENDED = 64, LONG_MS = 60 * 1000 };

#define KEY_LINES "Host: 127.0.0.1\r\nX-API-Key: test-key\r\n"

struct fixture;

/* A request that waits. */
struct suspended {
    struct fixture *fixture;
    struct tr_exchange *exchange;
    struct tr_pending *pending;
    bool is_over;
    enum tr_status reason; /* of its cancellation */
    pthread_t thread;      /* of /spawn */
    bool has_thread;
};

struct fixture {
    struct tr_policy policy;
    struct tr_keyring *keyring;
    struct tr_blob *blob;
    struct tr_listener *listener;
    uint16_t port;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    struct suspended suspended[MAX_SUSPENDED];
    size_t taken_count; /* of `suspended` */
    size_t suspended_count, cancelled_count;
};

static inline void fixture_answer(struct tr_exchange *exchange, const char *text)
{
    tr_text_add_string(&exchange->answer.body, text);
    tr_answer_ready(exchange, TR_OK, "text/plain");
}

/* Whoever is first to end it does; true for him. */
static inline bool fixture_claim(struct suspended *suspended)
{
    pthread_mutex_lock(&suspended->fixture->lock);
    const bool is_first = !suspended->is_over;
    suspended->is_over = true;
    pthread_mutex_unlock(&suspended->fixture->lock);
    return is_first;
}

static inline void fixture_cancel(void *owner, enum tr_status reason)
{
    struct suspended *suspended = owner;
    struct fixture *fixture = suspended->fixture;
    if (!fixture_claim(suspended)) {
        return;
    }
    tr_answer_problem(suspended->exchange, reason, NULL);
    tr_pending_complete(suspended->pending);
    pthread_mutex_lock(&fixture->lock);
    suspended->reason = reason;
    fixture->cancelled_count++;
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->lock);
}

static inline struct suspended *fixture_suspend(struct fixture *fixture,
                                                struct tr_exchange *exchange,
                                                struct tr_pending *pending, int64_t deadline_ms)
{
    pthread_mutex_lock(&fixture->lock);
    assert(fixture->taken_count < MAX_SUSPENDED);
    struct suspended *suspended = &fixture->suspended[fixture->taken_count++];
    *suspended = (struct suspended){ .fixture = fixture, .exchange = exchange, .pending = pending };
    pthread_mutex_unlock(&fixture->lock);
    tr_pending_suspend(pending, deadline_ms, fixture_cancel, suspended);
    pthread_mutex_lock(&fixture->lock);
    fixture->suspended_count++;
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->lock);
    return suspended;
}

/* Answer a suspended request; nothing happens when it was cancelled. */
static inline void fixture_complete(struct suspended *suspended)
{
    if (fixture_claim(suspended)) {
        fixture_answer(suspended->exchange, "later");
        tr_pending_complete(suspended->pending);
    }
}

static inline void *fixture_thread(void *context)
{
    fixture_complete(context);
    return NULL;
}

static inline bool fixture_handle(void *context, struct tr_exchange *exchange,
                                  struct tr_pending *pending)
{
    struct fixture *fixture = context;
    const struct tr_request *request = &exchange->request;
    if (strcmp(request->path, "/echo") == 0) {
        tr_text_add(&exchange->answer.body, request->body, request->body_length);
        tr_answer_ready(exchange, TR_OK, "text/plain");
    } else if (strcmp(request->path, "/blob") == 0) {
        tr_answer_blob(exchange, tr_blob_ref(fixture->blob), "text/plain");
    } else if (strcmp(request->path, "/none") == 0) {
        tr_answer_empty(exchange, 204);
    } else if (strcmp(request->path, "/evil") == 0) {
        tr_answer_header(exchange, "X-Evil", "a\r\nX-Injected: b");
        fixture_answer(exchange, "evil");
    } else if (strcmp(request->path, "/later") == 0) {
        (void)fixture_suspend(fixture, exchange, pending, 0);
        return false;
    } else if (strcmp(request->path, "/brief") == 0) {
        (void)fixture_suspend(fixture, exchange, pending, tr_clock_ms() + 1);
        return false;
    } else if (strcmp(request->path, "/spawn") == 0) {
        struct suspended *suspended = fixture_suspend(fixture, exchange, pending, 0);
        suspended->has_thread =
            pthread_create(&suspended->thread, NULL, fixture_thread, suspended) == 0;
        assert(suspended->has_thread);
        return false;
    } else if (strcmp(request->path, "/starve") == 0) {
        alloc_fail_at((size_t)strtoul(request->query, NULL, 10));
        fixture_answer(exchange, "hungry");
    } else if (strcmp(request->path, "/lazy") != 0) {
        tr_answer_problem(exchange, TR_NOT_FOUND, NULL);
    }
    return true;
}

/* Options to be changed by a test before fixture_start(); one event thread, long time-outs. */
static inline struct tr_listener_options fixture_options(struct fixture *fixture)
{
    *fixture = (struct fixture){
        .policy = { .body_limit_bytes = BODY_LIMIT,
                    .header_limit_bytes = 8 * 1024,
                    .body_timeout_ms = LONG_MS },
    };
    return (struct tr_listener_options){
        .address = "127.0.0.1:0",
        .threads = 1,
        .connection_limit = 200,
        .pool_bytes = 16 * 1024,
        .idle_timeout_ms = LONG_MS,
        .header_timeout_ms = LONG_MS,
        .policy = &fixture->policy,
        .handle = fixture_handle,
        .context = fixture,
    };
}

static inline void fixture_start(struct fixture *fixture, const struct tr_listener_options *options)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, BLOB_BYTES);
    while (text.length < BLOB_BYTES) {
        tr_text_add_string(&text, "0123456789");
    }
    fixture->blob = tr_blob_new(&text);
    assert_non_null(fixture->blob);
    pthread_mutex_init(&fixture->lock, NULL);
    pthread_cond_init(&fixture->changed, NULL);
    struct tr_fault fault = { .what = "" };
    if (tr_listener_start(options, &fixture->listener, &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
    fixture->port = tr_listener_port(fixture->listener);
}

static inline void fixture_stop(struct fixture *fixture)
{
    tr_listener_stop(fixture->listener);
    for (size_t i = 0; i < fixture->taken_count; i++) {
        if (fixture->suspended[i].has_thread) {
            pthread_join(fixture->suspended[i].thread, NULL);
        }
    }
    tr_blob_unref(fixture->blob);
    pthread_cond_destroy(&fixture->changed);
    pthread_mutex_destroy(&fixture->lock);
}

/* Wait until `count` requests have been suspended, or cancelled. */
static inline void fixture_wait_suspended(struct fixture *fixture, size_t count)
{
    pthread_mutex_lock(&fixture->lock);
    while (fixture->suspended_count < count) {
        pthread_cond_wait(&fixture->changed, &fixture->lock);
    }
    pthread_mutex_unlock(&fixture->lock);
}

static inline void fixture_wait_cancelled(struct fixture *fixture, size_t count)
{
    pthread_mutex_lock(&fixture->lock);
    while (fixture->cancelled_count < count) {
        pthread_cond_wait(&fixture->changed, &fixture->lock);
    }
    pthread_mutex_unlock(&fixture->lock);
}

/* A request without a body. */
static inline void fixture_get(int fd, const char *path)
{
    char text[256];
    (void)snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\n" KEY_LINES "\r\n", path);
    raw_send_text(fd, text);
}

/* The server still answers a new connection. */
static inline void fixture_assert_alive(struct fixture *fixture)
{
    static struct raw_answer answer;
    const int fd = raw_connect(fixture->port);
    fixture_get(fd, "/none");
    assert_true(raw_read(fd, &answer));
    assert_int_equal(answer.status, 204);
    close(fd);
}

#endif
