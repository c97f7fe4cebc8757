#include "server/watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/watch_heap.h"
#include "tools/core/clock.h"

enum { EVENTS_AT_ONCE = 64, BURST_MS = 2 };

/* Between the two cuts. */
enum { GRACE_MS = 500 };

/* A negative due_ms: late, to be cut off at its opposite, or cut off already. */
static const int64_t due_cut = INT64_MIN;

/* The epoll datum of the eventfd; that of a connection is its slot and the slot's generation. */
static const uint64_t woken = UINT64_MAX;

struct slot {
    struct tr_watch_item *item; /* NULL: free */
    uint32_t generation;        /* tells a late event of a closed connection from its successor's */
    uint32_t next_free;
};

struct tr_watch {
    struct tr_watch_options options;
    pthread_t thread;
    int epoll_fd, wake_fd;

    pthread_mutex_t lock;             /* guards everything below, and the items' members */
    pthread_cond_t changed;           /* `cancelling` became NULL, or `pending_count` 0 */
    struct slot *slots;               /* options.limit of them */
    uint32_t free_slot;               /* head of the free list; options.limit: none */
    uint32_t used_slots;              /* slots beyond were never used */
    struct tr_watch_heap heap;        /* of pending items with a deadline */
    struct tr_watch_item *cancelling; /* whose `cancel` is running */
    struct tr_watch_item *ready;      /* to be resumed at burst_ms */
    int64_t burst_ms, scan_ms;        /* next moments; burst_ms 0: none */
    int64_t sleeps_until_ms;          /* when the thread wakes by itself */
    size_t pending_count;             /* from tr_watch_pend() until resumed */
    bool is_cancelling_all, is_ending;
};

static void wake(struct tr_watch *watch)
{
    const uint64_t one = 1;
    while (write(watch->wake_fd, &one, sizeof(one)) < 0 && errno == EINTR) {
    }
}

/* Under the lock: make sure that the thread is awake at `moment_ms`. */
static void wake_at(struct tr_watch *watch, int64_t moment_ms)
{
    if (moment_ms < watch->sleeps_until_ms) {
        watch->sleeps_until_ms = moment_ms;
        wake(watch);
    }
}

/* ---- connections ---- */

bool tr_watch_add(struct tr_watch *watch, struct tr_watch_item *item, int fd, int64_t due_ms)
{
    *item = (struct tr_watch_item){ .fd = fd };
    atomic_store(&item->due_ms, due_ms);
    pthread_mutex_lock(&watch->lock);
    const bool has_room = watch->free_slot < watch->options.limit;
    if (has_room) {
        item->slot = watch->free_slot;
        struct slot *slot = &watch->slots[item->slot];
        const bool is_new = item->slot == watch->used_slots;
        watch->used_slots += is_new;
        watch->free_slot = is_new ? watch->used_slots : slot->next_free;
        slot->item = item;
    }
    pthread_mutex_unlock(&watch->lock);
    return has_room;
}

void tr_watch_remove(struct tr_watch *watch, struct tr_watch_item *item)
{
    pthread_mutex_lock(&watch->lock);
    struct slot *slot = &watch->slots[item->slot];
    slot->item = NULL;
    slot->generation++;
    slot->next_free = watch->free_slot;
    watch->free_slot = item->slot;
    pthread_mutex_unlock(&watch->lock);
}

bool tr_watch_due(struct tr_watch_item *item, int64_t due_ms)
{
    int64_t before = atomic_load_explicit(&item->due_ms, memory_order_relaxed);
    while (before >= 0) {
        if (atomic_compare_exchange_weak(&item->due_ms, &before, due_ms)) {
            return true;
        }
    }
    return false;
}

bool tr_watch_is_late(const struct tr_watch_item *item)
{
    return atomic_load_explicit(&item->due_ms, memory_order_relaxed) < 0;
}

/* Under the lock, so that the descriptor cannot be closed meanwhile. Reading is shut first, which
 * lets the event thread still answer 408, however busy it is; who has not gone after a while is cut
 * off. */
static void cut_if_due(struct tr_watch_item *item, int64_t now_ms)
{
    int64_t due_ms = atomic_load(&item->due_ms);
    if (due_ms > 0 && due_ms <= now_ms
        && atomic_compare_exchange_strong(&item->due_ms, &due_ms, -(now_ms + GRACE_MS))) {
        (void)shutdown(item->fd, SHUT_RD);
    } else if (due_ms < 0 && due_ms != due_cut && -due_ms <= now_ms) {
        atomic_store(&item->due_ms, due_cut);
        (void)shutdown(item->fd, SHUT_RDWR);
    }
}

static void scan(struct tr_watch *watch, int64_t now_ms)
{
    if (now_ms < watch->scan_ms) {
        return;
    }
    watch->scan_ms = now_ms + watch->options.scan_ms;
    for (uint32_t at = 0; at < watch->used_slots; at++) {
        if (watch->slots[at].item != NULL) {
            cut_if_due(watch->slots[at].item, now_ms);
        }
    }
}

/* ---- pending calls ---- */

/* Edge-triggered and for one event: a closed peer is told once, whether it closed before or after.
 */
static bool arm(struct tr_watch *watch, struct tr_watch_item *item)
{
    const uint64_t datum = (uint64_t)watch->slots[item->slot].generation << 32 | item->slot;
    struct epoll_event event = {
        .events = EPOLLRDHUP | EPOLLET | EPOLLONESHOT,
        .data = { .u64 = datum },
    };
    const int operation = item->is_armed ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    item->is_armed = epoll_ctl(watch->epoll_fd, operation, item->fd, &event) == 0;
    return item->is_armed;
}

/* Under the lock, which is open while this waits. */
static void await_cancel(struct tr_watch *watch, const struct tr_watch_item *item)
{
    const bool is_watch_thread = pthread_equal(pthread_self(), watch->thread) != 0;
    while (watch->cancelling == item && !is_watch_thread) {
        pthread_cond_wait(&watch->changed, &watch->lock);
    }
}

/* Under the lock: who is told, and of what. */
static void tell(struct tr_watch *watch, struct tr_watch_item *item, int64_t deadline_ms,
                 void (*cancel)(void *owner, enum tr_status reason), void *owner)
{
    item->is_cancelled = false;
    item->cancel = cancel;
    item->owner = owner;
    item->deadline_ms = deadline_ms;
    if (deadline_ms != 0) {
        tr_watch_heap_add(&watch->heap, item);
        wake_at(watch, deadline_ms);
    }
    (void)arm(watch, item); /* without it the call just runs to its end */
    if (watch->is_cancelling_all) {
        wake(watch);
    }
}

void tr_watch_pend(struct tr_watch *watch, struct tr_watch_item *item, int64_t deadline_ms,
                   void (*cancel)(void *owner, enum tr_status reason), void *owner)
{
    pthread_mutex_lock(&watch->lock);
    item->is_pending = true;
    watch->pending_count++;
    tell(watch, item, deadline_ms, cancel, owner);
    pthread_mutex_unlock(&watch->lock);
}

void tr_watch_hand_over(struct tr_watch *watch, struct tr_watch_item *item, int64_t deadline_ms,
                        void (*cancel)(void *owner, enum tr_status reason), void *owner)
{
    pthread_mutex_lock(&watch->lock);
    await_cancel(watch, item);
    tr_watch_heap_remove(&watch->heap, item);
    tell(watch, item, deadline_ms, cancel, owner);
    pthread_mutex_unlock(&watch->lock);
}

void tr_watch_rearm(struct tr_watch *watch, struct tr_watch_item *item, int64_t deadline_ms)
{
    pthread_mutex_lock(&watch->lock);
    if (item->is_pending) {
        item->is_cancelled = false;
        item->deadline_ms = deadline_ms;
        tr_watch_heap_add(&watch->heap, item);
        wake_at(watch, deadline_ms);
    }
    pthread_mutex_unlock(&watch->lock);
}

void tr_watch_release(struct tr_watch *watch, struct tr_watch_item *item)
{
    pthread_mutex_lock(&watch->lock);
    await_cancel(watch, item);
    item->is_pending = false;
    tr_watch_heap_remove(&watch->heap, item);
    pthread_mutex_unlock(&watch->lock);
}

/* The connection has been resumed, so that it may be gone already. */
static void count_resumed(struct tr_watch *watch, size_t count)
{
    pthread_mutex_lock(&watch->lock);
    watch->pending_count -= count;
    if (watch->pending_count == 0) {
        pthread_cond_broadcast(&watch->changed);
    }
    pthread_mutex_unlock(&watch->lock);
}

void tr_watch_resume(struct tr_watch *watch, struct tr_watch_item *item)
{
    pthread_mutex_lock(&watch->lock);
    const bool is_gathered = watch->pending_count > watch->options.burst_above;
    if (is_gathered) {
        item->next_ready = watch->ready;
        watch->ready = item;
        if (watch->burst_ms == 0) {
            watch->burst_ms = tr_clock_ms() + BURST_MS;
            wake_at(watch, watch->burst_ms);
        }
    }
    pthread_mutex_unlock(&watch->lock);
    if (!is_gathered) {
        watch->options.resume(item);
        count_resumed(watch, 1);
    }
}

/* Called and returning without the lock. */
static void resume_burst(struct tr_watch *watch, int64_t now_ms)
{
    pthread_mutex_lock(&watch->lock);
    struct tr_watch_item *item = NULL;
    if (watch->burst_ms != 0 && watch->burst_ms <= now_ms) {
        item = watch->ready;
        watch->ready = NULL;
        watch->burst_ms = 0;
    }
    pthread_mutex_unlock(&watch->lock);
    size_t count = 0;
    while (item != NULL) {
        struct tr_watch_item *next = item->next_ready;
        watch->options.resume(item);
        item = next;
        count++;
    }
    if (count != 0) {
        count_resumed(watch, count);
    }
}

/* Called and returning with the lock, which is open while the owner's function runs. The item may
 * be gone when that returns. */
static void cancel(struct tr_watch *watch, struct tr_watch_item *item, enum tr_status reason)
{
    tr_watch_heap_remove(&watch->heap, item);
    if (!item->is_pending || item->is_cancelled) {
        return;
    }
    item->is_cancelled = true;
    watch->cancelling = item;
    pthread_mutex_unlock(&watch->lock);
    item->cancel(item->owner, reason);
    pthread_mutex_lock(&watch->lock);
    watch->cancelling = NULL;
    pthread_cond_broadcast(&watch->changed);
}

static void cancel_overdue(struct tr_watch *watch, int64_t now_ms)
{
    struct tr_watch_item *first = tr_watch_heap_first(&watch->heap);
    while (first != NULL && first->deadline_ms <= now_ms) {
        cancel(watch, first, TR_TIMEOUT);
        first = tr_watch_heap_first(&watch->heap);
    }
}

static void cancel_all(struct tr_watch *watch)
{
    for (uint32_t at = 0; watch->is_cancelling_all && at < watch->used_slots; at++) {
        if (watch->slots[at].item != NULL) {
            cancel(watch, watch->slots[at].item, TR_BUSY);
        }
    }
}

/* The peer of a suspended connection has closed, at least its sending side. */
static void peer_closed(struct tr_watch *watch, uint64_t datum)
{
    const struct slot *slot = &watch->slots[(uint32_t)datum];
    if (slot->item != NULL && slot->generation == (uint32_t)(datum >> 32)) {
        cancel(watch, slot->item, TR_CANCELLED);
    }
}

void tr_watch_cancel_all(struct tr_watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    watch->is_cancelling_all = true;
    wake(watch);
    pthread_mutex_unlock(&watch->lock);
}

void tr_watch_drain(struct tr_watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    while (watch->pending_count != 0) {
        pthread_cond_wait(&watch->changed, &watch->lock);
    }
    pthread_mutex_unlock(&watch->lock);
}

/* ---- the thread ---- */

static int64_t earlier(int64_t left_ms, int64_t right_ms)
{
    return left_ms < right_ms ? left_ms : right_ms;
}

/* Under the lock: decide when to wake next. Gives the milliseconds until then. */
static int plan_sleep(struct tr_watch *watch)
{
    int64_t until_ms = watch->scan_ms;
    const struct tr_watch_item *first = tr_watch_heap_first(&watch->heap);
    if (first != NULL) {
        until_ms = earlier(until_ms, first->deadline_ms);
    }
    if (watch->burst_ms != 0) {
        until_ms = earlier(until_ms, watch->burst_ms);
    }
    watch->sleeps_until_ms = until_ms;
    const int64_t left_ms = until_ms - tr_clock_ms();
    return left_ms > 0 ? (int)left_ms : 0;
}

static void take_events(struct tr_watch *watch, const struct epoll_event *events, int count)
{
    for (int at = 0; at < count; at++) {
        uint64_t wakes;
        if (events[at].data.u64 != woken) {
            peer_closed(watch, events[at].data.u64);
        } else if (read(watch->wake_fd, &wakes, sizeof(wakes)) < 0) {
            continue; /* somebody else's wake-up was taken with the last one */
        }
    }
}

static void *run(void *context)
{
    struct tr_watch *watch = context;
    struct epoll_event events[EVENTS_AT_ONCE];
    pthread_mutex_lock(&watch->lock);
    while (!watch->is_ending) {
        const int timeout_ms = plan_sleep(watch);
        pthread_mutex_unlock(&watch->lock);
        const int count = epoll_wait(watch->epoll_fd, events, EVENTS_AT_ONCE, timeout_ms);
        const int64_t now_ms = tr_clock_ms();
        resume_burst(watch, now_ms);
        pthread_mutex_lock(&watch->lock);
        watch->sleeps_until_ms = 0;
        take_events(watch, events, count);
        cancel_overdue(watch, now_ms);
        cancel_all(watch);
        scan(watch, now_ms);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* ---- beginning and end ---- */

static void close_all(struct tr_watch *watch)
{
    if (watch->epoll_fd >= 0) {
        (void)close(watch->epoll_fd);
    }
    if (watch->wake_fd >= 0) {
        (void)close(watch->wake_fd);
    }
    tr_watch_heap_done(&watch->heap);
    free(watch->slots);
    free(watch);
}

static bool open_all(struct tr_watch *watch)
{
    struct epoll_event event = { .events = EPOLLIN, .data = { .u64 = woken } };
    watch->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    watch->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    watch->slots = calloc(watch->options.limit, sizeof(*watch->slots));
    return watch->epoll_fd >= 0 && watch->wake_fd >= 0 && watch->slots != NULL
           && tr_watch_heap_init(&watch->heap, watch->options.limit)
           && epoll_ctl(watch->epoll_fd, EPOLL_CTL_ADD, watch->wake_fd, &event) == 0;
}

struct tr_watch *tr_watch_new(const struct tr_watch_options *options)
{
    struct tr_watch *watch = malloc(sizeof(*watch));
    if (watch == NULL) {
        return NULL;
    }
    *watch = (struct tr_watch){ .options = *options, .epoll_fd = -1, .wake_fd = -1 };
    if (!open_all(watch)) {
        close_all(watch);
        return NULL;
    }
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->changed, NULL);
    watch->scan_ms = tr_clock_ms() + options->scan_ms;
    if (pthread_create(&watch->thread, NULL, run, watch) != 0) {
        close_all(watch);
        return NULL;
    }
    return watch;
}

void tr_watch_free(struct tr_watch *watch)
{
    if (watch == NULL) {
        return;
    }
    pthread_mutex_lock(&watch->lock);
    watch->is_ending = true;
    wake(watch);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
    close_all(watch);
}
