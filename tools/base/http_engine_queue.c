/* One of the files of the HTTP engine (see http_engine_parts.h): whose turn it is.
 *
 * A transfer waits in one of three queues: of its host, while that is at its limit or while another
 * transfer looks its name up; of the engine, for a place; or of the engine, for a look-up too. What
 * leaves a host moves the next one of that host to the engine's queue. */
#include <stdlib.h>
#include <string.h>

#include "tools/base/http_engine_parts.h"
#include "tools/core/clock.h"

/* ---- hosts ---- */

static struct tr_http_host **host_link(struct tr_http_engine *engine, const struct tr_url *url)
{
    uint32_t hash = 2166136261u ^ url->port;
    for (const char *at = url->host.text; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    }
    struct tr_http_host **link = &engine->hosts[hash % TR_HTTP_HOST_BUCKETS];
    while (*link != NULL
           && ((*link)->port != url->port || strcmp((*link)->name, url->host.text) != 0)) {
        link = &(*link)->next;
    }
    return link;
}

/* NULL when out of memory. */
static struct tr_http_host *join_host(struct tr_http_engine *engine, const struct tr_url *url)
{
    struct tr_http_host **link = host_link(engine, url);
    if (*link == NULL) {
        struct tr_http_host *host = calloc(1, sizeof(*host));
        if (host == NULL) {
            return NULL;
        }
        memcpy(host->name, url->host.text, sizeof(host->name));
        host->port = url->port;
        TAILQ_INIT(&host->waiting);
        *link = host;
    }
    (*link)->transfers++;
    return *link;
}

static void leave_host(struct tr_transfer *transfer)
{
    struct tr_http_host *host = transfer->host;
    transfer->host = NULL;
    if (--host->transfers == 0) {
        *host_link(transfer->engine, &transfer->url) = host->next;
        free(host);
    }
}

static bool is_full(const struct tr_http_engine *engine, const struct tr_http_host *host)
{
    return engine->options.per_host_limit != 0 && host->running >= engine->options.per_host_limit;
}

static bool needs_lookup(const struct tr_transfer *transfer)
{
    return transfer->url.host.kind == TR_HOST_NAME
           && transfer->host->resolved_until_ms <= tr_clock_ms();
}

/* ---- the queues ---- */

static void append(struct tr_transfer_list *queue, struct tr_transfer *transfer)
{
    TAILQ_INSERT_TAIL(queue, transfer, link);
    transfer->queue = queue;
}

static void take_out(struct tr_transfer *transfer)
{
    TAILQ_REMOVE(transfer->queue, transfer, link);
    transfer->queue = NULL;
}

static void wake_next(struct tr_http_engine *engine, struct tr_http_host *host)
{
    struct tr_transfer *next = TAILQ_FIRST(&host->waiting);
    if (next != NULL) {
        take_out(next);
        append(&engine->ready, next);
    }
}

static void wake_all(struct tr_http_engine *engine, struct tr_http_host *host)
{
    while (!TAILQ_EMPTY(&host->waiting)) {
        wake_next(engine, host);
    }
}

/* ---- looking names up ---- */

/* One transfer looks a name up, and libcurl remembers the address for the others: else a burst of
 * calls to a new host would start as many threads. */
static void become_finder(struct tr_transfer *transfer)
{
    transfer->is_finder = true;
    transfer->host->has_finder = true;
    transfer->engine->lookups++;
}

static void stop_finding(struct tr_transfer *transfer)
{
    transfer->is_finder = false;
    transfer->host->has_finder = false;
    transfer->engine->lookups--;
}

void tr_queue_resolved(struct tr_transfer *transfer)
{
    if (transfer->is_finder) {
        stop_finding(transfer);
        transfer->host->resolved_until_ms = tr_clock_ms() + (int64_t)TR_HTTP_DNS_SECONDS * 1000;
        wake_all(transfer->engine, transfer->host);
    }
}

void tr_queue_unresolved(struct tr_transfer *transfer)
{
    struct tr_transfer_list *waiting = &transfer->host->waiting;
    while (transfer->is_finder && !TAILQ_EMPTY(waiting)) {
        struct tr_transfer *other = TAILQ_FIRST(waiting);
        tr_queue_leave(other);
        tr_transfer_end(other, TR_TOOL_FAILED, TR_HTTP_FAILURE_DNS, NULL);
    }
}

/* ---- places ---- */

static void begin(struct tr_transfer *transfer)
{
    struct tr_http_engine *engine = transfer->engine;
    TAILQ_REMOVE(&engine->waiting, transfer, waiting_link);
    TAILQ_INSERT_TAIL(&engine->on_wire, transfer, link);
    engine->running++;
    transfer->host->running++;
    transfer->state = TR_TRANSFER_RUNNING;
    if (needs_lookup(transfer)) {
        become_finder(transfer);
    }
    tr_hop_start(transfer);
}

static void place(struct tr_transfer *transfer)
{
    struct tr_http_engine *engine = transfer->engine;
    struct tr_http_host *host = transfer->host;
    if (is_full(engine, host) || host->has_finder) {
        append(&host->waiting, transfer);
    } else if (engine->running >= engine->options.transfer_limit) {
        append(&engine->ready, transfer);
    } else if (needs_lookup(transfer) && engine->lookups >= TR_HTTP_LOOKUP_LIMIT) {
        append(&engine->unnamed, transfer);
    } else {
        begin(transfer);
    }
}

void tr_queue_enter(struct tr_transfer *transfer)
{
    struct tr_http_engine *engine = transfer->engine;
    transfer->host = join_host(engine, &transfer->url);
    if (transfer->host == NULL) {
        tr_transfer_end(transfer, TR_NO_MEMORY, TR_HTTP_FAILURE_MEMORY, NULL);
        return;
    }
    transfer->state = TR_TRANSFER_WAITING;
    TAILQ_INSERT_TAIL(&engine->waiting, transfer, waiting_link);
    if (TAILQ_EMPTY(&engine->ready)) {
        place(transfer);
    } else {
        append(&engine->ready, transfer);
    }
}

void tr_queue_leave(struct tr_transfer *transfer)
{
    struct tr_http_engine *engine = transfer->engine;
    struct tr_http_host *host = transfer->host;
    if (transfer->state == TR_TRANSFER_WAITING) {
        take_out(transfer);
        TAILQ_REMOVE(&engine->waiting, transfer, waiting_link);
    } else {
        TAILQ_REMOVE(&engine->on_wire, transfer, link);
        engine->running--;
        host->running--;
    }
    if (transfer->is_finder) {
        stop_finding(transfer);
        wake_all(engine, host);
    } else if (!host->has_finder) {
        wake_next(engine, host);
    }
    leave_host(transfer);
}

void tr_queue_admit(struct tr_http_engine *engine)
{
    const size_t limit = engine->options.transfer_limit;
    while (engine->running < limit && !TAILQ_EMPTY(&engine->ready)) {
        struct tr_transfer *transfer = TAILQ_FIRST(&engine->ready);
        take_out(transfer);
        place(transfer);
    }
    while (engine->running < limit && engine->lookups < TR_HTTP_LOOKUP_LIMIT
           && !TAILQ_EMPTY(&engine->unnamed)) {
        struct tr_transfer *transfer = TAILQ_FIRST(&engine->unnamed);
        take_out(transfer);
        place(transfer);
    }
}

/* ---- those who wait ---- */

void tr_queue_expire(struct tr_http_engine *engine, int64_t now_ms)
{
    if (TAILQ_EMPTY(&engine->waiting) || now_ms < engine->next_check_ms) {
        return;
    }
    engine->next_check_ms = now_ms + TR_HTTP_CHECK_MS;
    struct tr_transfer *next = NULL;
    for (struct tr_transfer *at = TAILQ_FIRST(&engine->waiting); at != NULL; at = next) {
        next = TAILQ_NEXT(at, waiting_link);
        if (at->request.deadline_ms != 0 && at->request.deadline_ms <= now_ms) {
            tr_queue_leave(at);
            tr_transfer_end(at, TR_TOOL_FAILED, TR_HTTP_FAILURE_TIMEOUT, NULL);
        }
    }
}
