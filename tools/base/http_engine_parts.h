/* http_engine_parts.h - the insides of the HTTP engine, one file each. For http_engine*.c alone.
 *
 * Everything is the engine thread's own, except what is said to be under the lock.
 *
 *   http_engine.c           the thread, its turns, and the two doors to it: send and cancel
 *   http_engine_queue.c     whose turn it is: bounds, hosts, look-ups
 *   http_engine_handle.c    libcurl's multi handles and the epoll set
 *   http_engine_hop.c       one request on the wire: options and callbacks
 *   http_engine_redirect.c  what follows from a redirect */
#ifndef TR_TOOLS_BASE_HTTP_ENGINE_PARTS_H
#define TR_TOOLS_BASE_HTTP_ENGINE_PARTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <curl/curl.h>

#include "tools/base/http_engine.h"
#include "tools/core/compiler.h"
#include "tools/guard/url_guard.h"

enum {
    TR_HTTP_TRANSFERS_PER_HANDLE = 256, /* a multi handle is linear in its connections */
    TR_HTTP_HOST_BUCKETS = 1024,
    TR_HTTP_SPARE_EASY = 256,  /* easy handles kept for reuse */
    TR_HTTP_LOOKUP_LIMIT = 32, /* names looked up at once: each takes libcurl a thread */
    TR_HTTP_DNS_SECONDS = 60,  /* how long libcurl remembers an address */
    TR_HTTP_MAX_HEAD_BYTES = 64 * 1024,
    TR_HTTP_CHECK_MS = 50, /* how often the deadlines of those who wait are looked at */
    TR_HTTP_CONNECT_TIMEOUT_MS = 10 * 1000,
    TR_HTTP_TRIM_STEP = 64,
    TR_HTTP_IDLE_HANDLE_MS = 60 * 1000, /* after this its kept connections are closed */
};

enum tr_transfer_state {
    TR_TRANSFER_ARRIVING, /* under the lock, in engine->arrivals */
    TR_TRANSFER_WAITING,  /* in the queue of its host, or of the engine */
    TR_TRANSFER_RUNNING,  /* in engine->on_wire */
    TR_TRANSFER_ENDED,    /* in engine->ended */
};

struct tr_http_host;
struct tr_http_handle;

TAILQ_HEAD(tr_transfer_list, tr_transfer);

/* One accepted request, over all of its hops. */
struct tr_transfer {
    struct tr_http_engine *engine;
    struct tr_http_request request;
    int64_t started_ms;
    uint32_t slot;
    enum tr_transfer_state state;
    TAILQ_ENTRY(tr_transfer) link; /* in the list that goes with the state */

    TAILQ_ENTRY(tr_transfer) asked_link; /* under the lock */
    bool is_asked;                       /* under the lock: in engine->asked */

    /* the hop */
    struct tr_url url;
    unsigned redirects;
    bool has_lost_body;             /* a redirect made it a GET */
    bool has_lost_credentials;      /* a redirect led to another origin */
    struct tr_http_host *host;      /* counted there while waiting or running */
    struct tr_transfer_list *queue; /* while waiting; one of three, see http_engine_queue.c */
    TAILQ_ENTRY(tr_transfer) waiting_link; /* in engine->waiting */

    /* the hop on the wire */
    struct tr_http_handle *handle;
    CURL *easy;
    struct curl_slist *headers, *addresses;
    bool is_finder;     /* looks the host's name up, for itself and those who wait */
    bool is_blocked;    /* an address was refused */
    bool is_head_whole; /* the header lines are over; what follows are trailers */
    bool is_redirect;   /* to be followed */
    bool is_over_limit; /* a cap was hit */
    bool is_short;      /* of memory */
    size_t skipped;     /* bytes of a redirect's body */

    size_t held_bytes;     /* of the body, counted in the engine */
    enum tr_status status; /* once it has ended */
};

/* A host and port that transfers are under way to. Exists while there are any. */
struct tr_http_host {
    struct tr_http_host *next; /* in its bucket */
    char name[TR_HOST_BYTES];
    uint16_t port;
    size_t transfers; /* running and waiting */
    size_t running;
    bool has_finder;           /* a running transfer looks the name up */
    int64_t resolved_until_ms; /* libcurl knows the address until then */
    struct tr_transfer_list waiting;
};

/* A multi handle, made when it is needed. */
struct tr_http_handle {
    struct tr_http_engine *engine;
    unsigned index;
    CURLM *multi;
    size_t running;
    int64_t due_ms;        /* when libcurl wants to be called; INT64_MAX: not at all */
    int64_t idle_since_ms; /* while nothing is running */
};

struct tr_slot {
    uint32_t generation;          /* of the ticket; never 0 */
    uint32_t next_free;           /* while it is free */
    struct tr_transfer *transfer; /* NULL: free */
};

struct tr_http_engine {
    struct tr_http_engine_options options;

    pthread_mutex_t lock; /* guards the rest of this block */
    bool is_started, is_stopping, is_woken;
    struct tr_slot *slots; /* transfer_limit + queue_limit */
    uint32_t slot_count, first_free;
    size_t in_flight;
    struct tr_transfer_list arrivals;
    struct tr_transfer_list asked; /* to be cancelled */

    pthread_t thread;
    int epoll_fd, wake_fd;

    struct tr_http_handle *handles;
    size_t handle_count;
    CURLSH *share; /* DNS cache and TLS sessions of all handles */
    CURL *spare[TR_HTTP_SPARE_EASY];
    size_t spare_count;

    struct tr_http_host *hosts[TR_HTTP_HOST_BUCKETS];
    struct tr_transfer_list on_wire; /* those that run */
    struct tr_transfer_list waiting; /* all who wait, wherever, by waiting_link */
    struct tr_transfer_list ready;   /* for a place */
    struct tr_transfer_list unnamed; /* for a place and a look-up */
    size_t running, lookups;
    size_t held_bytes; /* of bodies that are still arriving */
    int64_t next_check_ms;
    size_t most;                   /* in flight since memory was given back */
    struct tr_transfer_list ended; /* to be told at the end of the turn */
};

/* ---- http_engine.c ---- */

/* The transfer is over. Its owner is told at the end of the turn. */
void tr_transfer_end(struct tr_transfer *transfer, enum tr_status status,
                     enum tr_http_failure failure, const char *detail);

/* ---- http_engine_queue.c ---- */

/* Take the hop in transfer->url: begin at once, or wait. */
void tr_queue_enter(struct tr_transfer *transfer);

/* Leave the queue, or give the place up: the hop is over. */
void tr_queue_leave(struct tr_transfer *transfer);

/* The name of the transfer's host has an address: those who wait for it may go on. */
void tr_queue_resolved(struct tr_transfer *transfer);

/* It has none: those who wait for it end with `transfer`. */
void tr_queue_unresolved(struct tr_transfer *transfer);

/* Begin what has found a place. */
void tr_queue_admit(struct tr_http_engine *engine);

/* End what has waited too long; once in a while. */
void tr_queue_expire(struct tr_http_engine *engine, int64_t now_ms);

/* ---- http_engine_handle.c ---- */

/* False when descriptors or memory are used up; what was made is in the engine. */
TR_MUST_USE bool tr_handles_init(struct tr_http_engine *engine);
void tr_handles_done(struct tr_http_engine *engine);

/* Put the transfer's easy handle on the wire. False when out of memory. */
TR_MUST_USE bool tr_handle_add(struct tr_transfer *transfer);
void tr_handle_remove(struct tr_transfer *transfer);

/* Wait for something to happen, but at most until `until_ms`, and let libcurl work on it. */
void tr_handles_turn(struct tr_http_engine *engine, int64_t until_ms);

/* ---- http_engine_hop.c ---- */

/* Put the hop on the wire; on failure the transfer ends. */
void tr_hop_start(struct tr_transfer *transfer);

/* Take it off, whole or not. */
void tr_hop_stop(struct tr_transfer *transfer);

/* libcurl is through with it. */
void tr_hop_finished(struct tr_transfer *transfer, CURLcode code);

/* The bytes that the transfer holds are its owner's now, or gone. */
void tr_hop_release(struct tr_transfer *transfer);

/* ---- http_engine_redirect.c ---- */

/* The value of Location when the transfer's answer is a redirect that is to be followed; NULL
 * otherwise. Not NUL-terminated: *ret_length says how long. */
const char *tr_redirect_target(const struct tr_transfer *transfer, size_t *ret_length);

/* Go there, or end. */
void tr_redirect_follow(struct tr_transfer *transfer, const char *location, size_t length);

/* ---- what a hop sends, which redirects change ---- */

const char *tr_hop_method(const struct tr_transfer *transfer);
bool tr_hop_has_body(const struct tr_transfer *transfer);
bool tr_hop_sends_header(const struct tr_transfer *transfer, const struct tr_out_header *header);

#endif
