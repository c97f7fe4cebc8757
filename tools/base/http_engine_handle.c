/* One of the files of the HTTP engine (see http_engine_parts.h): libcurl's multi handles, their
 * sockets and their moments. One epoll set for all of them. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tools/base/http_engine_parts.h"
#include "tools/core/clock.h"

enum { MAX_EVENTS = 256, HANDLE_SHIFT = 32 };

/* What epoll gives back for a socket: it and the number of its multi handle. */
static uint64_t tag_of(const struct tr_http_handle *handle, curl_socket_t fd)
{
    return (uint64_t)handle->index << HANDLE_SHIFT | (uint32_t)fd;
}

#define WAKE_TAG UINT64_MAX

/* ---- what libcurl asks for ---- */

/* A socket that cannot be watched ends its transfer by its timeout. */
static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *known)
{
    struct tr_http_handle *handle = context;
    const int epoll_fd = handle->engine->epoll_fd;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        (void)epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    struct epoll_event event = { .data.u64 = tag_of(handle, fd) };
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (known == NULL) {
        (void)epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
        (void)curl_multi_assign(handle->multi, fd, handle);
    } else {
        (void)epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event);
    }
    return 0;
}

static int set_timer(CURLM *multi, long timeout_ms, void *context)
{
    struct tr_http_handle *handle = context;
    (void)multi;
    handle->due_ms = timeout_ms < 0 ? INT64_MAX : tr_clock_ms() + timeout_ms;
    return 0;
}

/* ---- life ---- */

static bool make_share(struct tr_http_engine *engine)
{
    engine->share = curl_share_init();
    return engine->share != NULL
           && curl_share_setopt(engine->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS) == CURLSHE_OK
           && curl_share_setopt(engine->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION)
                  == CURLSHE_OK;
}

static bool make_descriptors(struct tr_http_engine *engine)
{
    struct epoll_event event = { .events = EPOLLIN, .data.u64 = WAKE_TAG };
    return engine->epoll_fd >= 0 && engine->wake_fd >= 0
           && epoll_ctl(engine->epoll_fd, EPOLL_CTL_ADD, engine->wake_fd, &event) == 0;
}

bool tr_handles_init(struct tr_http_engine *engine)
{
    const size_t limit = engine->options.transfer_limit;
    engine->handle_count =
        (limit + TR_HTTP_TRANSFERS_PER_HANDLE - 1) / TR_HTTP_TRANSFERS_PER_HANDLE;
    engine->handles = calloc(engine->handle_count, sizeof(*engine->handles));
    engine->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    engine->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (engine->handles == NULL || !make_share(engine) || !make_descriptors(engine)) {
        return false;
    }
    for (size_t i = 0; i < engine->handle_count; i++) {
        engine->handles[i] = (struct tr_http_handle){
            .engine = engine,
            .index = (unsigned)i,
            .due_ms = INT64_MAX,
        };
    }
    return true;
}

static void close_handle(struct tr_http_handle *handle)
{
    (void)curl_multi_cleanup(handle->multi);
    handle->multi = NULL;
    handle->due_ms = INT64_MAX;
}

static void close_descriptor(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
    }
    *fd = -1;
}

void tr_handles_done(struct tr_http_engine *engine)
{
    for (size_t i = 0; i < engine->handle_count && engine->handles != NULL; i++) {
        close_handle(&engine->handles[i]);
    }
    while (engine->spare_count > 0) {
        curl_easy_cleanup(engine->spare[--engine->spare_count]);
    }
    (void)curl_share_cleanup(engine->share);
    engine->share = NULL;
    free(engine->handles);
    engine->handles = NULL;
    close_descriptor(&engine->epoll_fd);
    close_descriptor(&engine->wake_fd);
}

static bool open_handle(struct tr_http_handle *handle)
{
    CURLM *multi = curl_multi_init();
    if (multi == NULL) {
        return false;
    }
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, handle);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERDATA, handle);
    (void)curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)TR_HTTP_TRANSFERS_PER_HANDLE);
    handle->multi = multi;
    return true;
}

/* ---- transfers ---- */

/* The first handle with room: while few calls run they share one handle, and so its kept
 * connections. There is one, because as many handles as needed for the limit are there. */
static struct tr_http_handle *choose_handle(struct tr_http_engine *engine)
{
    struct tr_http_handle *handle = engine->handles;
    while (handle->running >= TR_HTTP_TRANSFERS_PER_HANDLE) {
        handle++;
    }
    return handle;
}

bool tr_handle_add(struct tr_transfer *transfer)
{
    struct tr_http_handle *handle = choose_handle(transfer->engine);
    if (handle->multi == NULL && !open_handle(handle)) {
        return false;
    }
    if (curl_multi_add_handle(handle->multi, transfer->easy) != CURLM_OK) {
        return false;
    }
    handle->running++;
    transfer->handle = handle;
    return true;
}

void tr_handle_remove(struct tr_transfer *transfer)
{
    struct tr_http_handle *handle = transfer->handle;
    (void)curl_multi_remove_handle(handle->multi, transfer->easy);
    transfer->handle = NULL;
    handle->running--;
    handle->idle_since_ms = tr_clock_ms();
}

/* ---- a turn ---- */

static int64_t first_due_ms(const struct tr_http_engine *engine, int64_t until_ms)
{
    for (size_t i = 0; i < engine->handle_count; i++) {
        const struct tr_http_handle *handle = &engine->handles[i];
        until_ms = handle->due_ms < until_ms ? handle->due_ms : until_ms;
        if (handle->multi != NULL && handle->running == 0) {
            const int64_t idle_ms = handle->idle_since_ms + TR_HTTP_IDLE_HANDLE_MS;
            until_ms = idle_ms < until_ms ? idle_ms : until_ms;
        }
    }
    return until_ms;
}

static int wait_ms(const struct tr_http_engine *engine, int64_t until_ms)
{
    const int64_t due_ms = first_due_ms(engine, until_ms);
    if (due_ms == INT64_MAX) {
        return -1;
    }
    const int64_t left_ms = due_ms - tr_clock_ms();
    if (left_ms <= 0) {
        return 0;
    }
    return left_ms < TR_HTTP_IDLE_HANDLE_MS ? (int)left_ms : TR_HTTP_IDLE_HANDLE_MS;
}

/* After an error libcurl reads and writes, and finds out by itself what it was. */
static int work_for(uint32_t events)
{
    const bool is_broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
    return (is_broken || (events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0)
           | (is_broken || (events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0);
}

static void handle_event(struct tr_http_engine *engine, const struct epoll_event *event)
{
    int still_running = 0;
    if (event->data.u64 == WAKE_TAG) {
        uint64_t count = 0;
        (void)!read(engine->wake_fd, &count, sizeof(count));
        return;
    }
    struct tr_http_handle *handle = &engine->handles[event->data.u64 >> HANDLE_SHIFT];
    const curl_socket_t fd = (curl_socket_t)(uint32_t)event->data.u64;
    if (handle->multi != NULL) {
        (void)curl_multi_socket_action(handle->multi, fd, work_for(event->events), &still_running);
    }
}

static void reap(struct tr_http_handle *handle)
{
    int left = 0;
    for (CURLMsg *message = curl_multi_info_read(handle->multi, &left); message != NULL;
         message = curl_multi_info_read(handle->multi, &left)) {
        struct tr_transfer *transfer = NULL;
        const CURLcode code = message->data.result;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        tr_hop_finished(transfer, code);
    }
}

static void handle_moments(struct tr_http_engine *engine, int64_t now_ms)
{
    int still_running = 0;
    for (size_t i = 0; i < engine->handle_count; i++) {
        struct tr_http_handle *handle = &engine->handles[i];
        if (handle->multi == NULL) {
            continue;
        }
        if (handle->due_ms <= now_ms) {
            handle->due_ms = INT64_MAX;
            (void)curl_multi_socket_action(handle->multi, CURL_SOCKET_TIMEOUT, 0, &still_running);
        }
        reap(handle);
        if (handle->running == 0 && handle->idle_since_ms + TR_HTTP_IDLE_HANDLE_MS <= now_ms) {
            close_handle(handle);
        }
    }
}

void tr_handles_turn(struct tr_http_engine *engine, int64_t until_ms)
{
    struct epoll_event events[MAX_EVENTS];
    const int count = epoll_wait(engine->epoll_fd, events, MAX_EVENTS, wait_ms(engine, until_ms));
    for (int i = 0; i < count; i++) {
        handle_event(engine, &events[i]);
    }
    handle_moments(engine, tr_clock_ms());
}
