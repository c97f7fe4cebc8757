/* One of the files of the listener (see listener_parts.h): the request, from its head to its end.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "middleware/chain.h"
#include "middleware/policy.h"
#include "server/listener_parts.h"
#include "tools/core/clock.h"

enum {
    FIRST_BODY_BYTES = 64 * 1024,          /* taken at once for an announced body, at most */
    MAX_DISCARDED_BYTES = 8 * 1024 * 1024, /* of a refused body */
};

/* ---- the head ---- */

/* Big blocks are dear to allocate, and one request is mostly over before the next one begins. */
static struct tr_pending *new_pending(struct tr_event_thread *thread)
{
    struct tr_pending *pending = thread->spare;
    thread->spare = NULL;
    return pending != NULL ? pending : malloc(sizeof(*pending));
}

static void free_pending(struct tr_event_thread *thread, struct tr_pending *pending)
{
    free(thread->spare);
    thread->spare = pending;
}

void *tr_request_begin(void *context, const char *target, struct MHD_Connection *mhd)
{
    (void)context;
    struct tr_connection *connection = tr_connection_of(mhd);
    struct tr_pending *pending = connection != NULL ? new_pending(connection->thread) : NULL;
    if (pending == NULL) {
        return NULL;
    }
    struct tr_exchange *exchange = &pending->exchange;
    tr_exchange_init(exchange, connection->thread->listener->options.policy);
    tr_arena_lend(&exchange->arena, pending->room, sizeof(pending->room));
    connection->pending = pending;
    pending->connection = connection;
    pending->stage = TR_STAGE_NONE;
    pending->is_suspended = false;
    pending->discarded_bytes = 0;
    /* Only now is the target whole: the library is about to cut it at the '?'. */
    exchange->request.target = tr_arena_strndup(&exchange->arena, target != NULL ? target : "",
                                                target != NULL ? strlen(target) : 0);
    exchange->request.path = "";
    exchange->request.query = "";
    exchange->request.peer = connection->peer;
    return pending;
}

static bool has_body(const struct tr_request *request)
{
    return request->is_chunked || request->content_length > 0;
}

/* Let the chain decide on the head; false: the answer is ready. */
static bool admit(struct tr_pending *pending, const char *url)
{
    struct tr_exchange *exchange = &pending->exchange;
    const struct tr_listener *listener = pending->connection->thread->listener;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status = tr_head_check(pending, url, &fault);
    if (status != TR_OK) {
        tr_answer_problem(exchange, status, fault.what[0] != '\0' ? "%s" : NULL, fault.what);
        exchange->answer.must_close = true;
        return false;
    }
    if (atomic_load(&listener->is_stopping)) {
        tr_answer_problem(exchange, TR_BUSY, "The gateway is stopping");
        exchange->answer.must_close = true;
        return false;
    }
    return tr_chain_admit(exchange);
}

/* ---- answers to requests that are refused ---- */

static enum MHD_Result answer(struct tr_pending *pending)
{
    struct tr_exchange *exchange = &pending->exchange;
    if (!exchange->answer.is_ready) {
        tr_answer_problem(exchange, TR_INTERNAL, NULL);
    }
    tr_chain_leave(exchange);
    return tr_answer_queue(pending);
}

/* The library closes a connection that is answered before its request is whole. So a request
 * without a body is answered a little later, when it counts as whole; and the body of any other is
 * read and dropped, for a connection that is closed on unread bytes is reset, and the client may
 * never see why. Who waits for 100 Continue has not sent a body yet. */
static enum MHD_Result refuse_head(struct tr_pending *pending)
{
    const struct tr_exchange *exchange = &pending->exchange;
    const bool expects = tr_exchange_value(exchange, TR_HEADER_EXPECT).bytes != NULL;
    if (exchange->answer.must_close || (has_body(&exchange->request) && expects)) {
        return answer(pending);
    }
    if (has_body(&exchange->request)) {
        tr_answer_write(pending);
    } else {
        pending->stage = TR_STAGE_REFUSED;
    }
    return MHD_YES;
}

static enum MHD_Result take_head(struct tr_pending *pending, const char *url, const char *method,
                                 const char *version)
{
    struct tr_exchange *exchange = &pending->exchange;
    struct tr_request *request = &exchange->request;
    struct tr_connection *connection = pending->connection;
    atomic_fetch_add_explicit(&connection->thread->in_flight, 1, memory_order_relaxed);
    request->method_text = method;
    request->version = version;
    pending->stage = TR_STAGE_BODY;
    if (!admit(pending, url)) {
        return refuse_head(pending);
    }
    if (has_body(request)) {
        const bool is_short = request->content_length < FIRST_BODY_BYTES;
        exchange->body.limit = exchange->body_limit_bytes;
        tr_text_reserve(&exchange->body,
                        is_short && !request->is_chunked ? (size_t)request->content_length : 0);
        (void)tr_watch_due(&connection->item, exchange->body_deadline_ms);
    }
    return MHD_YES;
}

/* ---- the body ---- */

static enum MHD_Result take_body(struct tr_pending *pending, const char *bytes, size_t length)
{
    struct tr_exchange *exchange = &pending->exchange;
    if (pending->stage != TR_STAGE_BODY) {
        pending->discarded_bytes += length;
        return pending->discarded_bytes <= MAX_DISCARDED_BYTES ? MHD_YES : MHD_NO;
    }
    tr_text_add(&exchange->body, bytes, length);
    if (exchange->body.status == TR_BODY_TOO_LARGE) {
        tr_answer_problem(exchange, TR_BODY_TOO_LARGE, "The request body is larger than %zu bytes",
                          exchange->body_limit_bytes);
    } else if (exchange->body.status != TR_OK) {
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
    }
    if (exchange->answer.is_ready) {
        tr_answer_write(pending);
    }
    return MHD_YES;
}

/* ---- the whole request ---- */

/* False: suspended. While this runs, stopping waits; once stopping, it calls nobody. */
static bool call_handler(struct tr_pending *pending)
{
    struct tr_event_thread *thread = pending->connection->thread;
    const struct tr_listener_options *options = &thread->listener->options;
    bool is_answered = true;
    atomic_store(&thread->is_handling, true);
    if (atomic_load(&thread->listener->is_stopping)) {
        tr_answer_problem(&pending->exchange, TR_BUSY, "The gateway is stopping");
    } else {
        is_answered = options->handle(options->context, &pending->exchange, pending);
    }
    atomic_store(&thread->is_handling, false);
    return is_answered;
}

static enum MHD_Result take_whole(struct tr_pending *pending)
{
    struct tr_exchange *exchange = &pending->exchange;
    pending->stage = TR_STAGE_HANDLED;
    exchange->request.body = tr_text_string(&exchange->body);
    exchange->request.body_length = exchange->body.length;
    if (!tr_watch_due(&pending->connection->item, 0)) {
        tr_answer_problem(exchange, TR_REQUEST_TIMEOUT, NULL);
        exchange->answer.must_close = true;
        return answer(pending);
    }
    if (tr_chain_enter(exchange) && !call_handler(pending)) {
        assert(pending->is_suspended);
        return MHD_YES;
    }
    return answer(pending);
}

/* The library calls this once for the head, once for each piece of the body, once for the end, and
 * once more after every suspension. */
/* NOLINTNEXTLINE(readability-function-size): the library's parameters */
enum MHD_Result tr_request_continue(void *context, struct MHD_Connection *mhd, const char *url,
                                    const char *method, const char *version,
                                    const char *upload_data, size_t *upload_data_size,
                                    void **request_context)
{
    (void)context;
    (void)mhd;
    struct tr_pending *pending = *request_context;
    if (pending == NULL) {
        return MHD_NO;
    }
    if (pending->stage == TR_STAGE_NONE) {
        return take_head(pending, url, method, version);
    }
    if (*upload_data_size != 0) {
        const size_t length = *upload_data_size;
        *upload_data_size = 0;
        return take_body(pending, upload_data, length);
    }
    switch (pending->stage) {
    case TR_STAGE_BODY: return take_whole(pending);
    case TR_STAGE_REFUSED:
    case TR_STAGE_HANDLED: return answer(pending);
    case TR_STAGE_DISCARDING: return MHD_NO; /* it has its answer: close */
    case TR_STAGE_NONE:
    case TR_STAGE_ANSWERED: break;
    }
    return MHD_YES;
}

/* ---- the end ---- */

/* What the access log says of a request that the library ended by itself. */
static enum tr_status loss_of(enum MHD_RequestTerminationCode code)
{
    switch (code) {
    case MHD_REQUEST_TERMINATED_TIMEOUT_REACHED: return TR_REQUEST_TIMEOUT;
    case MHD_REQUEST_TERMINATED_WITH_ERROR: return TR_BAD_REQUEST;
    case MHD_REQUEST_TERMINATED_COMPLETED_OK:
    case MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN:
    case MHD_REQUEST_TERMINATED_READ_ERROR:
    case MHD_REQUEST_TERMINATED_CLIENT_ABORT: break;
    }
    return TR_CANCELLED;
}

/* Was it us who lost patience with a body? Then the client may still listen, and nothing was sent.
 */
static bool is_body_overdue(const struct tr_pending *pending, enum MHD_RequestTerminationCode code)
{
    if (pending->stage != TR_STAGE_BODY || code == MHD_REQUEST_TERMINATED_WITH_ERROR) {
        return false;
    }
    return code == MHD_REQUEST_TERMINATED_TIMEOUT_REACHED
           || tr_watch_is_late(&pending->connection->item);
}

/* Ended without an answer. */
static void end_early(struct tr_pending *pending, enum MHD_RequestTerminationCode code)
{
    const bool is_overdue = is_body_overdue(pending, code);
    tr_answer_problem(&pending->exchange, is_overdue ? TR_REQUEST_TIMEOUT : loss_of(code), NULL);
    if (is_overdue) {
        tr_answer_write(pending);
    } else {
        tr_chain_leave(&pending->exchange);
    }
}

static void end_request(struct tr_pending *pending, enum MHD_RequestTerminationCode code)
{
    struct tr_connection *connection = pending->connection;
    if (pending->stage != TR_STAGE_NONE) {
        if (pending->exchange.left_ns == 0) {
            end_early(pending, code);
        }
        atomic_fetch_sub_explicit(&connection->thread->in_flight, 1, memory_order_relaxed);
    }
    connection->pending = NULL;
    tr_exchange_done(&pending->exchange);
    free_pending(connection->thread, pending);
}

void tr_request_end(void *context, struct MHD_Connection *mhd, void **request_context,
                    enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)mhd;
    struct tr_pending *pending = *request_context;
    if (pending == NULL) {
        return;
    }
    struct tr_connection *connection = pending->connection;
    const struct tr_listener_options *options = &connection->thread->listener->options;
    *request_context = NULL;
    end_request(pending, code);
    (void)tr_watch_due(&connection->item,
                       tr_clock_ms() + options->idle_timeout_ms + options->header_timeout_ms);
}

void tr_request_abandon(struct tr_pending *pending)
{
    struct tr_request *request = &pending->exchange.request;
    request->method_text = "";
    request->version = "";
    request->headers = NULL;
    request->header_count = 0;
    request->known = (struct tr_header_index){ .is_made = true };
    end_request(pending, MHD_REQUEST_TERMINATED_WITH_ERROR);
}
