/* listener_parts.h - what the files of the listener share: listener.c (threads, beginning and end),
 * listener_connection.c (one connection), listener_request.c (one request), listener_head.c (its
 * head), listener_answer.c (its answer). These are the only files that know libmicrohttpd, and the
 * only ones that include this.
 */
#ifndef TR_SERVER_LISTENER_PARTS_H
#define TR_SERVER_LISTENER_PARTS_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <microhttpd.h>

#include "middleware/exchange.h"
#include "server/endpoint.h"
#include "server/listener.h"
#include "server/watch.h"

struct tr_peer_table;

/* Below this, what a request looks like on the wire cannot all be seen from inside. */
#define TR_STRICT_MHD_VERSION 0x01000000

/* One thread of the library, with everything that belongs to it. */
struct tr_event_thread {
    struct tr_listener *listener;
    struct MHD_Daemon *daemon;
    struct tr_watch *watch;
    int socket;               /* listening; -1: none */
    atomic_size_t in_flight;  /* requests whose head was read and whose answer is not sent */
    atomic_bool is_handling;  /* options.handle() is running */
    struct tr_pending *spare; /* the last request's memory, for the next one; event thread only */
};

struct tr_listener {
    struct tr_listener_options options;
    struct tr_endpoint endpoint;
    struct tr_peer_table *peers; /* NULL: no limit for each address */
    atomic_bool is_draining;     /* answers close their connection */
    atomic_bool is_stopping;     /* requests are answered 503 */
    size_t thread_count;
    struct tr_event_thread threads[];
};

/* Lives from the library's first to its last word about a connection. Belongs to the event thread.
 */
struct tr_connection {
    struct tr_watch_item item; /* first: the watch hands it back */
    struct tr_event_thread *thread;
    struct MHD_Connection *mhd;
    struct tr_pending *pending;  /* its request; NULL: none */
    const struct sockaddr *peer; /* the library's */
    bool is_counted;             /* in listener->peers */
};

/* What an ordinary request needs of its arena: target, path, headers, the answer's header values.
 */
enum { TR_PENDING_ROOM_BYTES = 3 * 1024 };

enum tr_request_stage {
    TR_STAGE_NONE,       /* only the request line was seen */
    TR_STAGE_REFUSED,    /* refused by its head; the answer waits for the library's next turn */
    TR_STAGE_BODY,       /* let in; bytes of the body may come */
    TR_STAGE_HANDLED,    /* handed to options.handle(), which answers now or later */
    TR_STAGE_DISCARDING, /* answered behind the library's back; the rest of the body is dropped */
    TR_STAGE_ANSWERED,   /* the library has the answer */
};

/* One request, from its request line until its answer is sent or its connection lost. */
struct tr_pending {
    struct tr_exchange exchange;
    struct tr_connection *connection;
    enum tr_request_stage stage;
    bool is_suspended;      /* tr_pending_suspend() was called */
    size_t discarded_bytes; /* of the body */
    alignas(
        max_align_t) unsigned char room[TR_PENDING_ROOM_BYTES]; /* lent to the exchange's arena */
};

/* ---- listener_connection.c: MHD_OPTION_NOTIFY_CONNECTION, and struct tr_watch_options ---- */

void tr_connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
                          enum MHD_ConnectionNotificationCode code);
void tr_connection_resume(struct tr_watch_item *item);

/* NULL when there was no memory for it. */
struct tr_connection *tr_connection_of(struct MHD_Connection *mhd);

/* ---- listener_request.c: MHD_OPTION_URI_LOG_CALLBACK, the access handler, NOTIFY_COMPLETED ----
 */

void *tr_request_begin(void *context, const char *target, struct MHD_Connection *mhd);
enum MHD_Result tr_request_continue(void *context, struct MHD_Connection *mhd, const char *url,
                                    const char *method, const char *version,
                                    const char *upload_data, size_t *upload_data_size,
                                    void **request_context);
void tr_request_end(void *context, struct MHD_Connection *mhd, void **request_context,
                    enum MHD_RequestTerminationCode code);

/* The connection ends, and the library forgot to say that the request does (1.0.1, when the line of
 * a chunk fills its buffer). The memory of the head is gone already. */
void tr_request_abandon(struct tr_pending *pending);

/* ---- listener_head.c ---- */

/* Fill in the request from what the library read, and judge it: everything that has to be right
 * before the chain may look. method_text, version and target are set; `url` is where the library
 * keeps the target. After a refusal the path is still empty. */
TR_MUST_USE enum tr_status tr_head_check(struct tr_pending *pending, const char *url,
                                         struct tr_fault *reterr);

/* ---- listener_answer.c ---- */

/* Give the answer to the library; the chain's leave has run. */
enum MHD_Result tr_answer_queue(struct tr_pending *pending);

/* Write the answer straight to the socket and end the sending side, where the library lets nobody
 * answer: while a body is coming. Runs the chain's leave. */
void tr_answer_write(struct tr_pending *pending);

#endif
