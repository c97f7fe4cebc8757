#include "tools/base/http_engine.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/http_engine_parts.h"
#include "tools/core/clock.h"

#define DEFAULT_TRANSFER_LIMIT ((size_t)8192)
#define DEFAULT_MEMORY_LIMIT   ((size_t)256 * 1024 * 1024)

enum { TICKET_SHIFT = 32 };

void tr_http_answer_done(struct tr_http_answer *answer)
{
    tr_text_done(&answer->head);
    tr_text_done(&answer->body);
    free(answer->url);
    *answer = (struct tr_http_answer){ 0 };
}

/* ---- tickets: a slot and how often it was used; under the lock ---- */

static uint64_t ticket_of(const struct tr_http_engine *engine, uint32_t slot)
{
    return (uint64_t)engine->slots[slot].generation << TICKET_SHIFT | slot;
}

/* There is a free slot. */
static void take_slot(struct tr_http_engine *engine, struct tr_transfer *transfer)
{
    struct tr_slot *slot = &engine->slots[engine->first_free];
    transfer->slot = engine->first_free;
    engine->first_free = slot->next_free;
    slot->transfer = transfer;
    engine->in_flight++;
}

static void give_slot(struct tr_http_engine *engine, struct tr_transfer *transfer)
{
    struct tr_slot *slot = &engine->slots[transfer->slot];
    slot->transfer = NULL;
    slot->generation = slot->generation == UINT32_MAX ? 1 : slot->generation + 1;
    slot->next_free = engine->first_free;
    engine->first_free = transfer->slot;
    engine->in_flight--;
}

static struct tr_transfer *find_ticket(const struct tr_http_engine *engine, uint64_t ticket)
{
    const uint32_t slot = (uint32_t)ticket;
    return ticket != 0 && slot < engine->slot_count && ticket_of(engine, slot) == ticket
               ? engine->slots[slot].transfer
               : NULL;
}

/* ---- the turns of the thread ---- */

void tr_transfer_end(struct tr_transfer *transfer, enum tr_status status,
                     enum tr_http_failure failure, const char *detail)
{
    struct tr_http_answer *answer = transfer->request.answer;
    transfer->state = TR_TRANSFER_ENDED;
    transfer->status = status;
    answer->failure = failure;
    (void)snprintf(answer->detail, sizeof(answer->detail), "%s", detail != NULL ? detail : "");
    answer->duration_ms = tr_clock_ms() - transfer->started_ms;
    answer->url = transfer->url.normal;
    transfer->url.normal = NULL;
    TAILQ_INSERT_TAIL(&transfer->engine->ended, transfer, link);
}

static void cancel_now(struct tr_transfer *transfer)
{
    if (transfer->state == TR_TRANSFER_ENDED) {
        return;
    }
    if (transfer->state == TR_TRANSFER_RUNNING) {
        tr_hop_stop(transfer);
    }
    tr_queue_leave(transfer);
    tr_transfer_end(transfer, TR_CANCELLED, TR_HTTP_FAILURE_CANCELLED, NULL);
}

static bool is_unwanted(const struct tr_transfer *transfer)
{
    const atomic_bool *is_cancelled = transfer->request.is_cancelled;
    return is_cancelled != NULL && atomic_load(is_cancelled);
}

static void accept_arrival(struct tr_transfer *transfer)
{
    const int64_t deadline_ms = transfer->request.deadline_ms;
    if (is_unwanted(transfer)) {
        tr_transfer_end(transfer, TR_CANCELLED, TR_HTTP_FAILURE_CANCELLED, NULL);
    } else if (deadline_ms != 0 && deadline_ms <= tr_clock_ms()) {
        tr_transfer_end(transfer, TR_TOOL_FAILED, TR_HTTP_FAILURE_TIMEOUT, NULL);
    } else {
        tr_queue_enter(transfer);
    }
}

/* Everything that other threads asked for since the last turn. Arrivals first: one of those who are
 * to be cancelled may be among them. False at the end of the engine. */
static bool take_orders(struct tr_http_engine *engine)
{
    struct tr_transfer_list arrivals = TAILQ_HEAD_INITIALIZER(arrivals);
    struct tr_transfer_list asked = TAILQ_HEAD_INITIALIZER(asked);
    pthread_mutex_lock(&engine->lock);
    TAILQ_CONCAT(&arrivals, &engine->arrivals, link);
    while (!TAILQ_EMPTY(&engine->asked)) {
        struct tr_transfer *transfer = TAILQ_FIRST(&engine->asked);
        TAILQ_REMOVE(&engine->asked, transfer, asked_link);
        TAILQ_INSERT_TAIL(&asked, transfer, asked_link);
        transfer->is_asked = false;
    }
    const bool is_stopping = engine->is_stopping;
    engine->is_woken = false;
    pthread_mutex_unlock(&engine->lock);
    while (!TAILQ_EMPTY(&arrivals)) {
        struct tr_transfer *transfer = TAILQ_FIRST(&arrivals);
        TAILQ_REMOVE(&arrivals, transfer, link);
        accept_arrival(transfer);
    }
    while (!TAILQ_EMPTY(&asked)) {
        struct tr_transfer *transfer = TAILQ_FIRST(&asked);
        TAILQ_REMOVE(&asked, transfer, asked_link);
        cancel_now(transfer);
    }
    return !is_stopping;
}

static void tell_owner(struct tr_http_engine *engine, struct tr_transfer *transfer)
{
    pthread_mutex_lock(&engine->lock);
    if (transfer->is_asked) {
        TAILQ_REMOVE(&engine->asked, transfer, asked_link);
    }
    give_slot(engine, transfer);
    pthread_mutex_unlock(&engine->lock);
    tr_hop_release(transfer);
    transfer->request.done(transfer->request.context, transfer->status);
    tr_url_done(&transfer->url);
    free(transfer);
}

/* After a burst the memory of its calls goes back to the system: the C library would keep it, and
 * what else an answer needs would come on top. */
static void give_memory_back(struct tr_http_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    const size_t in_flight = engine->in_flight;
    pthread_mutex_unlock(&engine->lock);
    if (in_flight > engine->most) {
        engine->most = in_flight;
    } else if (engine->most - in_flight >= TR_HTTP_TRIM_STEP + engine->most / 8) {
        engine->most = in_flight;
        (void)malloc_trim(0);
    }
}

/* All that ended in this turn, together, so that what they wake up works in bursts. */
static void tell_owners(struct tr_http_engine *engine)
{
    while (!TAILQ_EMPTY(&engine->ended)) {
        struct tr_transfer *transfer = TAILQ_FIRST(&engine->ended);
        TAILQ_REMOVE(&engine->ended, transfer, link);
        tell_owner(engine, transfer);
    }
    give_memory_back(engine);
}

static void cancel_all(struct tr_http_engine *engine)
{
    while (!TAILQ_EMPTY(&engine->waiting)) {
        cancel_now(TAILQ_FIRST(&engine->waiting));
    }
    while (!TAILQ_EMPTY(&engine->on_wire)) {
        cancel_now(TAILQ_FIRST(&engine->on_wire));
    }
}

static void *run(void *context)
{
    struct tr_http_engine *engine = context;
    while (take_orders(engine)) {
        tr_queue_expire(engine, tr_clock_ms());
        tr_queue_admit(engine);
        tell_owners(engine);
        tr_handles_turn(engine, TAILQ_EMPTY(&engine->waiting) ? INT64_MAX : engine->next_check_ms);
    }
    cancel_all(engine);
    tell_owners(engine);
    return NULL;
}

/* ---- life ---- */

static void init_library(void)
{
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

struct tr_http_engine *tr_http_engine_new(const struct tr_http_engine_options *options)
{
    struct tr_http_engine *engine = calloc(1, sizeof(*engine));
    if (engine == NULL) {
        return NULL;
    }
    engine->options = *options;
    if (engine->options.transfer_limit == 0) {
        engine->options.transfer_limit = DEFAULT_TRANSFER_LIMIT;
    }
    if (engine->options.memory_limit == 0) {
        engine->options.memory_limit = DEFAULT_MEMORY_LIMIT;
    }
    engine->epoll_fd = -1;
    engine->wake_fd = -1;
    pthread_mutex_init(&engine->lock, NULL);
    TAILQ_INIT(&engine->arrivals);
    TAILQ_INIT(&engine->asked);
    TAILQ_INIT(&engine->waiting);
    TAILQ_INIT(&engine->ready);
    TAILQ_INIT(&engine->unnamed);
    TAILQ_INIT(&engine->on_wire);
    TAILQ_INIT(&engine->ended);
    return engine;
}

static bool make_slots(struct tr_http_engine *engine)
{
    const size_t count = engine->options.transfer_limit + engine->options.queue_limit;
    engine->slots = calloc(count, sizeof(*engine->slots));
    if (engine->slots == NULL) {
        return false;
    }
    engine->slot_count = (uint32_t)count;
    for (uint32_t i = 0; i < engine->slot_count; i++) {
        engine->slots[i].generation = 1;
        engine->slots[i].next_free = i + 1;
    }
    return true;
}

/* The thread takes no signals: they are for the program, and a broken pipe is seen as an error. */
static bool start_thread(struct tr_http_engine *engine)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(&engine->thread, NULL, run, engine) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

static void release(struct tr_http_engine *engine)
{
    tr_handles_done(engine);
    free(engine->slots);
    engine->slots = NULL;
    engine->slot_count = 0;
}

/* Under the lock. */
static bool start(struct tr_http_engine *engine)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (engine->is_started) {
        return true;
    }
    (void)pthread_once(&once, init_library);
    if (make_slots(engine) && tr_handles_init(engine) && start_thread(engine)) {
        engine->is_started = true;
        return true;
    }
    release(engine);
    return false;
}

/* Under the lock. */
static void wake(struct tr_http_engine *engine)
{
    const uint64_t one = 1;
    if (!engine->is_woken) {
        engine->is_woken = true;
        (void)!write(engine->wake_fd, &one, sizeof(one));
    }
}

void tr_http_engine_stop(struct tr_http_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    const bool has_thread = engine->is_started && !engine->is_stopping;
    engine->is_stopping = true;
    if (has_thread) {
        wake(engine);
    }
    pthread_mutex_unlock(&engine->lock);
    if (has_thread) {
        pthread_join(engine->thread, NULL);
    }
}

void tr_http_engine_free(struct tr_http_engine *engine)
{
    if (engine == NULL) {
        return;
    }
    tr_http_engine_stop(engine);
    release(engine);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

/* ---- the doors ---- */

/* Under the lock. The transfer belongs to the thread once this was TR_OK. */
static enum tr_status enqueue(struct tr_http_engine *engine, struct tr_transfer *transfer,
                              _Atomic uint64_t *ret_ticket, struct tr_fault *reterr)
{
    if (engine->is_stopping) {
        return tr_refuse(TR_BUSY, reterr, NULL, "The gateway is stopping");
    }
    if (!start(engine)) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL,
                         "No memory, descriptors or threads are left for outbound requests");
    }
    if (engine->in_flight == engine->slot_count) {
        return tr_refuse(TR_BUSY, reterr, NULL, "Too many outbound requests are under way");
    }
    take_slot(engine, transfer);
    atomic_store(ret_ticket, ticket_of(engine, transfer->slot));
    TAILQ_INSERT_TAIL(&engine->arrivals, transfer, link);
    wake(engine);
    return TR_OK;
}

enum tr_status tr_http_send(struct tr_http_engine *engine, const struct tr_http_request *request,
                            _Atomic uint64_t *ret_ticket, struct tr_fault *reterr)
{
    struct tr_transfer *transfer = calloc(1, sizeof(*transfer));
    if (transfer == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "Out of memory");
    }
    transfer->engine = engine;
    transfer->request = *request;
    transfer->started_ms = tr_clock_ms();
    enum tr_status status =
        tr_url_guard_check(request->policy, request->outbound->url, strlen(request->outbound->url),
                           &transfer->url, reterr);
    if (status == TR_OK) {
        pthread_mutex_lock(&engine->lock);
        status = enqueue(engine, transfer, ret_ticket, reterr);
        pthread_mutex_unlock(&engine->lock);
    }
    if (status != TR_OK) {
        tr_url_done(&transfer->url);
        free(transfer);
    }
    return status;
}

void tr_http_cancel(struct tr_http_engine *engine, uint64_t ticket)
{
    pthread_mutex_lock(&engine->lock);
    struct tr_transfer *transfer = find_ticket(engine, ticket);
    if (transfer != NULL && !transfer->is_asked) {
        transfer->is_asked = true;
        TAILQ_INSERT_TAIL(&engine->asked, transfer, asked_link);
        wake(engine);
    }
    pthread_mutex_unlock(&engine->lock);
}

size_t tr_http_in_flight(struct tr_http_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    const size_t in_flight = engine->in_flight;
    pthread_mutex_unlock(&engine->lock);
    return in_flight;
}
