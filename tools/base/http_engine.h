/* http_engine.h - outbound HTTP for thousands of calls at once: one thread, one epoll set, several
 * curl multi handles. It dials only what the URL guard allows, hop by hop. http_engine*.c are the
 * only files that know libcurl's transfers. */
#ifndef TR_TOOLS_BASE_HTTP_ENGINE_H
#define TR_TOOLS_BASE_HTTP_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/http_failure.h"
#include "tools/base/outbound.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"
#include "tools/core/text.h"

struct tr_http_engine;
struct tr_url_policy;

/* Zeroed: the defaults. */
struct tr_http_engine_options {
    size_t transfer_limit; /* at once; 0: 8,192 */
    size_t queue_limit;    /* more that wait for their turn; after that TR_BUSY */
    size_t per_host_limit; /* at once to one host and port; 0: no limit */
    size_t memory_limit;   /* bytes of answers that are still arriving; 0: 256 MiB */
    const char *ca_file;   /* borrowed until the engine ends; NULL: the system's */

    /* For tests, instead of DNS: the addresses of `host` with commas between them, NULL when there
     * are none. Called in the engine's thread, once a hop. */
    const char *(*resolve)(void *context, const char *host);
    void *resolve_context;
};

/* What came back. Zero it before use. */
struct tr_http_answer {
    int status;
    struct tr_text head; /* the header lines of the last hop, each with its '\n', without '\r' */
    struct tr_text body; /* decompressed */
    bool is_truncated;
    char *url; /* of the last hop; owned */
    enum tr_http_failure failure;
    char detail[TR_FAULT_WHAT_BYTES]; /* a word more about the failure, without secrets; or "" */
    int64_t duration_ms;
};
void tr_http_answer_done(struct tr_http_answer *answer);

/* One request; copied by tr_http_send(). What it points to must live until `done` was called. */
struct tr_http_request {
    const struct tr_outbound *outbound; /* its headers are sent as they are */
    const struct tr_url_policy *policy;
    int64_t deadline_ms;             /* on the monotonic clock; waiting counts; 0: none */
    const atomic_bool *is_cancelled; /* looked at before anything is sent; NULL: never cancelled */
    struct tr_http_answer *answer;
    void (*done)(void *context, enum tr_status status);
    void *context;
};

/* The thread starts with the first request. NULL when out of memory. */
TR_MALLOC struct tr_http_engine *tr_http_engine_new(const struct tr_http_engine_options *options);

/* End every request with TR_CANCELLED and the thread; whatever is sent later is refused with
 * TR_BUSY. Once, and not from within `done`. */
void tr_http_engine_stop(struct tr_http_engine *engine);

/* Stop, and free. NULL is accepted. */
void tr_http_engine_free(struct tr_http_engine *engine);

/* Send the request. TR_OK: `done(context, status)` will be called exactly once, in the engine's
 * thread and perhaps before this returns, when the answer is whole or will not come: TR_OK;
 * TR_TOOL_FAILED or TR_URL_BLOCKED with answer->failure; TR_NO_MEMORY; TR_CANCELLED. *ret_ticket,
 * for tr_http_cancel(), is written before that can happen. Anything else: nothing was sent and
 * `done` will not be called: TR_URL_BLOCKED, TR_BUSY when the queue is full, TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_http_send(struct tr_http_engine *engine,
                                        const struct tr_http_request *request,
                                        _Atomic uint64_t *ret_ticket, struct tr_fault *reterr);

/* Ask for an early end with TR_CANCELLED. A ticket that has ended already, or is 0, is ignored.
 * Never blocks, any thread. */
void tr_http_cancel(struct tr_http_engine *engine, uint64_t ticket);

/* Requests that were accepted and have not ended. */
size_t tr_http_in_flight(struct tr_http_engine *engine);

#endif
