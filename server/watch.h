/* watch.h - the thread beside an event thread that sees to it that nothing lasts for ever: it cuts
 * connections off that are slow, ends pending calls at their deadline or when their client leaves,
 * and resumes suspended connections in bursts. It knows descriptors and moments, not HTTP.
 *
 * libmicrohttpd looks at a connection only when bytes come, and at a suspended one not at all. */
#ifndef TR_SERVER_WATCH_H
#define TR_SERVER_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_watch;

/* One connection, inside of the struct that its owner keeps for it. Everything but `due_ms` and
 * `fd` is under the watch's lock. */
struct tr_watch_item {
    int fd;
    _Atomic int64_t due_ms; /* see tr_watch_due() */
    uint32_t slot;          /* its place in the watch's table */
    bool is_armed;          /* the epoll set knows the descriptor */
    bool is_pending;        /* between tr_watch_pend() and tr_watch_release() */
    bool is_cancelled;      /* `cancel` was called, or is about to be */
    size_t heap_place;      /* 1-based; 0: not in the heap of deadlines */
    int64_t deadline_ms;
    void (*cancel)(void *owner, enum tr_status reason);
    void *owner;
    struct tr_watch_item *next_ready; /* to be resumed with the next burst */
};

struct tr_watch_options {
    size_t limit;       /* connections at once */
    int64_t scan_ms;    /* how often due moments are looked at */
    size_t burst_above; /* suspended connections from which on resumes are gathered */
    void (*resume)(struct tr_watch_item *item); /* any thread; the item may be gone afterwards */
};

/* Starts the thread. NULL when memory, descriptors or threads are used up. */
TR_MALLOC struct tr_watch *tr_watch_new(const struct tr_watch_options *options);

/* Ends the thread. No item may be left. NULL is accepted. */
void tr_watch_free(struct tr_watch *watch);

/* ---- connections ---- */

/* Begin to watch `fd`, with `due_ms` as in tr_watch_due(). False when the table is full. */
TR_MUST_USE bool tr_watch_add(struct tr_watch *watch, struct tr_watch_item *item, int fd,
                              int64_t due_ms);

/* The descriptor is about to be closed: from the return on it is never touched again. */
void tr_watch_remove(struct tr_watch *watch, struct tr_watch_item *item);

/* Set the moment (monotonic; 0: none) by which this has to be called again. When it passes, the
 * descriptor is shut down for reading, and if that does not end the connection, altogether. False
 * when it has passed already: give the connection up. Lock-free. */
bool tr_watch_due(struct tr_watch_item *item, int64_t due_ms);

/* Has the last due moment passed? */
bool tr_watch_is_late(const struct tr_watch_item *item);

/* ---- pending calls; the words are those of tr_pending_suspend() ---- */

/* From now on `cancel(owner, reason)` may be called, once, in the watch's thread and outside of its
 * lock: TR_TIMEOUT at `deadline_ms` (0: none), TR_CANCELLED when the peer closes, TR_BUSY after
 * tr_watch_cancel_all(). */
void tr_watch_pend(struct tr_watch *watch, struct tr_watch_item *item, int64_t deadline_ms,
                   void (*cancel)(void *owner, enum tr_status reason), void *owner);

/* A call that is pending already gets another owner and deadline. What the former owner was told,
 * the new one is told again; if that is happening now, this waits for it to return. */
void tr_watch_hand_over(struct tr_watch *watch, struct tr_watch_item *item, int64_t deadline_ms,
                        void (*cancel)(void *owner, enum tr_status reason), void *owner);

/* From inside of cancel(owner, TR_TIMEOUT) only: the call goes on, and `cancel` may be called once
 * more. */
void tr_watch_rearm(struct tr_watch *watch, struct tr_watch_item *item, int64_t deadline_ms);

/* The call is complete: `cancel` will not be called any more, and if it is running in the watch's
 * thread this waits for it to return (unless it is itself the caller). */
void tr_watch_release(struct tr_watch *watch, struct tr_watch_item *item);

/* Hand a released item to options.resume: at once, or together with others a little later when
 * many are suspended. The item must not be touched afterwards. */
void tr_watch_resume(struct tr_watch *watch, struct tr_watch_item *item);

/* Cancel every pending call with TR_BUSY, those that are still to come too. */
void tr_watch_cancel_all(struct tr_watch *watch);

/* Wait until every pending call has been resumed. */
void tr_watch_drain(struct tr_watch *watch);

#endif
