/* listener.h - HTTP/1.1 by libmicrohttpd: sockets, threads, bounds and deadlines. listener.c and
 * its siblings (listener_parts.h) are the only files that know libmicrohttpd. */
#ifndef TR_SERVER_LISTENER_H
#define TR_SERVER_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "middleware/exchange.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_listener;

/* A request that has been handed to the router and whose answer may come later, from another
 * thread. Opaque; one per exchange. */
struct tr_pending;

struct tr_listener_options {
    const char *address;     /* "127.0.0.1:8080", "[::1]:0", ":8080" (all addresses); port 0: any */
    size_t threads;          /* event threads, 0: one per core */
    size_t connection_limit; /* over all threads */
    size_t per_address_limit;  /* connections of one peer address, 0: no limit */
    size_t pool_bytes;         /* of one connection; 16 KiB */
    int64_t idle_timeout_ms;   /* between bytes, and between requests */
    int64_t header_timeout_ms; /* absolute, for a whole head */
    const struct tr_policy *policy;

    /* Called in an event thread when a request is whole and the chain let it enter. Either answers
     * (exchange->answer is ready on return) and returns true, or returns false after
     * tr_pending_suspend(), and the answer comes by tr_pending_complete(). */
    bool (*handle)(void *context, struct tr_exchange *exchange, struct tr_pending *pending);
    void *context;
};

/* Bind and start. Fails with TR_INVALID_PARAMETERS (an address that does not parse) or TR_INTERNAL
 * (bind, threads); `reterr` names address and reason. */
TR_MUST_USE enum tr_status tr_listener_start(const struct tr_listener_options *options,
                                             struct tr_listener **ret_listener,
                                             struct tr_fault *reterr);

/* The port that is really bound. */
uint16_t tr_listener_port(const struct tr_listener *listener);

/* How many connections are served at once: what was asked for, or what the limit of descriptors,
 * which is raised as far as it goes, allows. */
size_t tr_listener_connection_limit(const struct tr_listener *listener);

/* Is this libmicrohttpd old enough (below 1.0) that a normalising proxy belongs in front? */
bool tr_listener_needs_proxy(void);

/* Of libmicrohttpd, as it runs. */
const char *tr_listener_version(void);

/* Stop accepting; requests that are running go on. */
void tr_listener_quiesce(struct tr_listener *listener);

/* Requests that have not been answered yet. */
size_t tr_listener_in_flight(const struct tr_listener *listener);

/* Cancel what is left (each pending call's `cancel` runs, then it is answered 503), close every
 * connection, free. NULL is accepted. */
void tr_listener_stop(struct tr_listener *listener);

/* ---- a pending request ---- */

/* Suspend the connection before handing the exchange to another thread; afterwards the handler must
 * not touch the exchange. From now on, exactly one of these ends it: tr_pending_complete() by its
 * owner, or the listener, which then calls `cancel(owner, reason)` in its watch thread: TR_TIMEOUT
 * when `deadline_ms` (monotonic; 0: none) passes, TR_CANCELLED when the client leaves, TR_BUSY when
 * the listener stops. `cancel` must not block, and must arrange for tr_pending_complete() to be
 * called soon (it may do so itself).
 *
 * The owner of a request that is suspended may call it again, in any thread, to name another owner
 * and deadline; what it was told before by `cancel`, the new one is told again. */
void tr_pending_suspend(struct tr_pending *pending, int64_t deadline_ms,
                        void (*cancel)(void *owner, enum tr_status reason), void *owner);

/* From inside of cancel(owner, TR_TIMEOUT) only: go on waiting, until `deadline_ms`. A batch of
 * calls does so when only some of them are overdue. */
void tr_pending_rearm(struct tr_pending *pending, int64_t deadline_ms);

/* The answer is in the exchange: run the chain's leave, resume and send. Any thread, exactly once
 * per suspended request. The exchange is the listener's again. When `cancel` happens to be running
 * in the watch thread, this waits for it to return, so that afterwards the owner may be freed: do
 * not hold a lock that `cancel` takes. */
void tr_pending_complete(struct tr_pending *pending);

#endif
