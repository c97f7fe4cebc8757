/* engine_fixture.h - asks the HTTP engine and waits for what it says. */
#ifndef TR_TESTS_UNIT_TOOLS_BASE_ENGINE_FIXTURE_H
#define TR_TESTS_UNIT_TOOLS_BASE_ENGINE_FIXTURE_H

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/peer/peer.h"
#include "tools/base/http_engine.h"
#include "tools/core/clock.h"
#include "tools/guard/url_guard.h"

enum { URL_BYTES = 4096 };

static const struct tr_url_policy strict = { .allow_private = false };
static const struct tr_url_policy open_policy = { .allow_private = true };

/* One request. Zeroed: GET, open_policy, no deadline. */
struct ask {
    struct tr_outbound outbound;
    const struct tr_url_policy *policy;
    int64_t timeout_ms;
    const atomic_bool *is_cancelled;
    char url[URL_BYTES];

    enum tr_status status; /* of sending, then of the answer */
    struct tr_fault fault;
    struct tr_http_answer answer;
    _Atomic uint64_t ticket;
    bool has_ended;
    pthread_t told_by;
};

static pthread_mutex_t ask_lock = PTHREAD_MUTEX_INITIALIZER; /* guards has_ended */
static pthread_cond_t ask_ended = PTHREAD_COND_INITIALIZER;

static inline void ask_done(void *context, enum tr_status status)
{
    struct ask *ask = context;
    pthread_mutex_lock(&ask_lock);
    assert_false(ask->has_ended);
    ask->status = status;
    ask->told_by = pthread_self();
    ask->has_ended = true;
    pthread_cond_broadcast(&ask_ended);
    pthread_mutex_unlock(&ask_lock);
}

__attribute__((format(printf, 2, 3))) static inline void ask_url(struct ask *ask,
                                                                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(ask->url, sizeof(ask->url), format, arguments);
    va_end(arguments);
}

/* Send; false with ask->status when it is refused. */
static inline bool ask_send(struct tr_http_engine *engine, struct ask *ask)
{
    ask->outbound.url = ask->url;
    const struct tr_http_request request = {
        .outbound = &ask->outbound,
        .policy = ask->policy != NULL ? ask->policy : &open_policy,
        .deadline_ms = ask->timeout_ms != 0 ? tr_clock_ms() + ask->timeout_ms : 0,
        .is_cancelled = ask->is_cancelled,
        .answer = &ask->answer,
        .done = ask_done,
        .context = ask,
    };
    const enum tr_status status = tr_http_send(engine, &request, &ask->ticket, &ask->fault);
    if (status != TR_OK) {
        ask->status = status;
        ask->has_ended = true;
    }
    return status == TR_OK;
}

static inline void ask_wait(struct ask *ask)
{
    pthread_mutex_lock(&ask_lock);
    while (!ask->has_ended) {
        pthread_cond_wait(&ask_ended, &ask_lock);
    }
    pthread_mutex_unlock(&ask_lock);
}

static inline enum tr_status ask_now(struct tr_http_engine *engine, struct ask *ask)
{
    if (ask_send(engine, ask)) {
        ask_wait(ask);
    }
    return ask->status;
}

/* Forget the answer; what was asked stays. */
static inline void ask_reset(struct ask *ask)
{
    tr_http_answer_done(&ask->answer);
    ask->has_ended = false;
}

static inline struct tr_http_engine *engine_new(const struct tr_http_engine_options *options)
{
    struct tr_http_engine *engine = tr_http_engine_new(options);
    assert_non_null(engine);
    return engine;
}

/* Fill in the URL of a redirect to `target`. */
static inline void ask_redirect(struct ask *ask, const struct peer *peer, int status,
                                const char *target)
{
    size_t length = (size_t)snprintf(
        ask->url, sizeof(ask->url),
        "http://127.0.0.1:%u/redirect?status=%d&to=", (unsigned)peer_port(peer), status);
    for (; *target != '\0'; target++) {
        length += (size_t)snprintf(ask->url + length, sizeof(ask->url) - length,
                                   isalnum((unsigned char)*target) ? "%c" : "%%%02X",
                                   (unsigned char)*target);
    }
    ask->outbound.follows_redirects = true;
}

/* ---- a socket that must never be reached ---- */

struct trap {
    int fd;
    unsigned port;
};

static inline struct trap trap_set(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t length = sizeof(address);
    struct trap trap = { .fd = socket(AF_INET, SOCK_STREAM, 0) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(trap.fd, (const struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(trap.fd, 8), 0);
    assert_int_equal(getsockname(trap.fd, (struct sockaddr *)&address, &length), 0);
    trap.port = ntohs(address.sin_port);
    return trap;
}

/* On loopback a connection is there for accept() before connect() returns. */
static inline void trap_was_not_touched(const struct trap *trap)
{
    struct pollfd poller = { .fd = trap->fd, .events = POLLIN };
    assert_int_equal(poll(&poller, 1, 0), 0);
    close(trap->fd);
}

#endif
