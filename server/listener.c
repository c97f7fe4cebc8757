#include "server/listener.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "middleware/policy.h"
#include "server/library_log.h"
#include "server/listen_socket.h"
#include "server/listener_parts.h"
#include "server/peer_table.h"
#include "tools/core/clock.h"

enum {
    SCAN_MS = 1000, /* how exact the absolute deadlines of connections are, at best */
    SHORTEST_SCAN_MS = 20,
    BURST_ABOVE = 1000,      /* suspended connections of one thread */
    SPARE_DESCRIPTORS = 200, /* beside the connections: logs, engines, files of tools */
    FEWEST_CONNECTIONS = 16,
    FLUSH_MS = 1000, /* for the last answers to leave when stopping */
};

bool tr_listener_needs_proxy(void)
{
    return MHD_VERSION < TR_STRICT_MHD_VERSION;
}

const char *tr_listener_version(void)
{
    return MHD_get_version();
}

uint16_t tr_listener_port(const struct tr_listener *listener)
{
    return tr_endpoint_port(&listener->endpoint);
}

size_t tr_listener_connection_limit(const struct tr_listener *listener)
{
    return listener->options.connection_limit;
}

size_t tr_listener_in_flight(const struct tr_listener *listener)
{
    size_t count = 0;
    for (size_t at = 0; at < listener->thread_count; at++) {
        count += atomic_load(&listener->threads[at].in_flight);
    }
    return count;
}

/* ---- starting ---- */

static size_t thread_count_of(const struct tr_listener_options *options)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return options->threads != 0 ? options->threads : (size_t)(cores > 0 ? cores : 1);
}

/* A request may need a second descriptor for an upstream. */
static size_t affordable_connections(size_t wanted)
{
    const size_t descriptors = tr_raise_descriptor_limit();
    const size_t most = descriptors > SPARE_DESCRIPTORS ? (descriptors - SPARE_DESCRIPTORS) / 2 : 0;
    const size_t limit = most < FEWEST_CONNECTIONS ? FEWEST_CONNECTIONS : most;
    return wanted < limit ? wanted : limit;
}

static int64_t shorter(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* Often enough to be within a quarter of the shortest time-out. */
static int64_t scan_interval(const struct tr_listener_options *options)
{
    const int64_t body_ms = options->policy->body_timeout_ms;
    int64_t interval_ms = shorter(SCAN_MS, options->header_timeout_ms / 4);
    if (body_ms > 0) {
        interval_ms = shorter(interval_ms, body_ms / 4);
    }
    return interval_ms > SHORTEST_SCAN_MS ? interval_ms : SHORTEST_SCAN_MS;
}

/* The target is decoded by us, strictly; the library must leave it alone. */
static size_t leave_escaped(void *context, struct MHD_Connection *mhd, char *text)
{
    (void)context;
    (void)mhd;
    return strlen(text);
}

static unsigned whole_seconds(int64_t duration_ms)
{
    return (unsigned)((duration_ms + 999) / 1000);
}

#if MHD_VERSION < TR_STRICT_MHD_VERSION
enum { STRICTNESS = MHD_OPTION_STRICT_FOR_CLIENT };
#else
enum { STRICTNESS = MHD_OPTION_CLIENT_DISCIPLINE_LVL };
#endif

static struct MHD_Daemon *start_daemon(struct tr_event_thread *thread, size_t connection_limit)
{
    const struct tr_listener_options *options = &thread->listener->options;
    const unsigned flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, tr_request_continue, NULL,         /* each request */
        MHD_OPTION_EXTERNAL_LOGGER, tr_library_log, NULL,        /* first: it hears of the others */
        MHD_OPTION_LISTEN_SOCKET, thread->socket,                /* for this thread alone */
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->pool_bytes, /* head and answer's head */
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)connection_limit, /* further ones wait */
        MHD_OPTION_CONNECTION_TIMEOUT, whole_seconds(options->idle_timeout_ms), /* without a byte */
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,          /* we decode, strictly */
        MHD_OPTION_URI_LOG_CALLBACK, tr_request_begin, NULL,        /* sees the target as it came */
        MHD_OPTION_NOTIFY_COMPLETED, tr_request_end, NULL,          /* whatever happened */
        MHD_OPTION_NOTIFY_CONNECTION, tr_connection_notify, thread, /* the descriptor's life */
        STRICTNESS, 1, MHD_OPTION_END);
}

static enum tr_status start_thread(struct tr_listener *listener, size_t index,
                                   struct tr_fault *reterr)
{
    struct tr_event_thread *thread = &listener->threads[index];
    const struct tr_listener_options *options = &listener->options;
    const size_t share =
        (options->connection_limit + listener->thread_count - 1) / listener->thread_count;
    const struct tr_watch_options watch_options = {
        .limit = share,
        .scan_ms = scan_interval(options),
        .burst_above = BURST_ABOVE,
        .resume = tr_connection_resume,
    };
    TR_TRY(tr_listen_socket_open(&listener->endpoint, index == 0, &thread->socket, reterr));
    thread->watch = tr_watch_new(&watch_options);
    thread->daemon = thread->watch != NULL ? start_daemon(thread, share) : NULL;
    return thread->daemon != NULL ? TR_OK
                                  : tr_refuse(TR_INTERNAL, reterr, "server.threads",
                                              "event thread %zu cannot be started", index + 1);
}

static enum tr_status start_all(struct tr_listener *listener, struct tr_fault *reterr)
{
    const struct tr_listener_options *options = &listener->options;
    TR_TRY(tr_endpoint_parse(options->address, &listener->endpoint, reterr));
    if (options->per_address_limit != 0) {
        listener->peers = tr_peer_table_new(options->per_address_limit);
        if (listener->peers == NULL) {
            return tr_refuse(TR_NO_MEMORY, reterr, "start", "out of memory");
        }
    }
    for (size_t at = 0; at < listener->thread_count; at++) {
        TR_TRY(start_thread(listener, at, reterr));
    }
    return TR_OK;
}

enum tr_status tr_listener_start(const struct tr_listener_options *options,
                                 struct tr_listener **ret_listener, struct tr_fault *reterr)
{
    const size_t threads = thread_count_of(options);
    struct tr_listener *listener =
        calloc(1, sizeof(*listener) + threads * sizeof(listener->threads[0]));
    if (listener == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, "start", "out of memory");
    }
    listener->options = *options;
    listener->options.connection_limit = affordable_connections(options->connection_limit);
    listener->thread_count = threads;
    for (size_t at = 0; at < threads; at++) {
        listener->threads[at].listener = listener;
        listener->threads[at].socket = -1;
    }
    const enum tr_status status = start_all(listener, reterr);
    if (status != TR_OK) {
        tr_listener_stop(listener);
        return status;
    }
    *ret_listener = listener;
    return TR_OK;
}

/* ---- stopping ---- */

/* The socket may only be closed once its thread has ended, but clients must be turned away now. */
void tr_listener_quiesce(struct tr_listener *listener)
{
    if (atomic_exchange(&listener->is_draining, true)) {
        return;
    }
    for (size_t at = 0; at < listener->thread_count; at++) {
        struct tr_event_thread *thread = &listener->threads[at];
        if (thread->daemon != NULL) {
            (void)MHD_quiesce_daemon(thread->daemon);
            (void)shutdown(thread->socket, SHUT_RDWR);
        }
    }
}

static void sleep_a_little(void)
{
    const struct timespec slice = { .tv_nsec = 1000L * 1000L };
    (void)nanosleep(&slice, NULL);
}

/* From here on no handler is called any more, and every suspended request has been resumed. */
static void end_calls(struct tr_event_thread *thread)
{
    tr_watch_cancel_all(thread->watch);
    while (atomic_load(&thread->is_handling)) {
        sleep_a_little();
    }
    tr_watch_drain(thread->watch);
}

static void flush_answers(const struct tr_listener *listener)
{
    const int64_t end_ms = tr_clock_ms() + FLUSH_MS;
    while (tr_listener_in_flight(listener) != 0 && tr_clock_ms() < end_ms) {
        sleep_a_little();
    }
}

void tr_listener_stop(struct tr_listener *listener)
{
    if (listener == NULL) {
        return;
    }
    tr_listener_quiesce(listener);
    atomic_store(&listener->is_stopping, true);
    for (size_t at = 0; at < listener->thread_count; at++) {
        if (listener->threads[at].daemon != NULL) {
            end_calls(&listener->threads[at]);
        }
    }
    flush_answers(listener);
    for (size_t at = 0; at < listener->thread_count; at++) {
        struct tr_event_thread *thread = &listener->threads[at];
        MHD_stop_daemon(thread->daemon);
        tr_watch_free(thread->watch);
        free(thread->spare);
        if (thread->socket >= 0) {
            (void)close(thread->socket);
        }
    }
    tr_peer_table_free(listener->peers);
    free(listener);
}
