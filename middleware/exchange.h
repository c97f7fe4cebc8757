/* exchange.h - one HTTP request and its answer, as the middleware chain and the routes see it. The
 * listener makes it, a tool never sees it. */
#ifndef TR_MIDDLEWARE_EXCHANGE_H
#define TR_MIDDLEWARE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/pipeline.h"
#include "tools/core/status.h"
#include "tools/core/text.h"

struct tr_blob;
struct tr_policy;
struct tr_principal;

enum tr_method {
    TR_METHOD_OTHER,
    TR_METHOD_GET,
    TR_METHOD_HEAD,
    TR_METHOD_POST,
    TR_METHOD_OPTIONS,
};

/* Borrowed from the connection until the exchange ends. Not NUL-terminated for certain: use the
 * lengths (a NUL inside a value must be seen, not obeyed). */
struct tr_header {
    const char *name, *value;
    size_t name_length, value_length;
};

struct tr_request {
    enum tr_method method;
    const char *method_text;
    const char *target;  /* the raw request target */
    const char *path;    /* strictly decoded, without query and trailing slash; "/" for the root */
    const char *query;   /* raw, after '?'; "" when there is none */
    const char *version; /* "HTTP/1.1" */
    const struct tr_header *headers; /* as received, in order, repetitions included */
    size_t header_count;
    size_t header_bytes;         /* size of the head as it came in */
    const struct sockaddr *peer; /* of the socket; NULL in tests and the CLI */
    const char *body;            /* whole, once enter runs; never NULL then */
    size_t body_length;
    int64_t content_length; /* -1: not given */
    bool is_chunked;
};

/* Values are copied by whoever adds them (into the arena) or constant. */
struct tr_answer_header {
    const char *name, *value;
};

enum { TR_MAX_ANSWER_HEADERS = 24 };

struct tr_answer {
    bool is_ready;
    enum tr_status status;    /* decides the log's code */
    int http_status;          /* usually tr_status_info(status)->http; 204, 304, 302 differ */
    const char *content_type; /* constant */
    struct tr_text body;      /* owned; unused when `blob` is set */
    struct tr_blob *blob;     /* a shared, immutable body; one reference is owned */
    struct tr_answer_header headers[TR_MAX_ANSWER_HEADERS];
    size_t header_count;
    bool must_close; /* Connection: close */
};

/* Which links ran their admit or enter, so that exactly those get their leave. */
struct tr_exchange {
    struct tr_arena arena;          /* everything that lives as long as this exchange */
    const struct tr_policy *policy; /* borrowed; immutable; lives longer than any exchange */
    struct tr_request request;
    struct tr_text body; /* owns the bytes of request.body; a route may move it away */
    struct tr_answer answer;

    /* Filled in by links. */
    char request_id[40];
    const struct tr_principal
        *principal;             /* NULL: not authenticated (only public routes allow it) */
    const char *client_address; /* of the caller, behind trusted proxies too */
    const char *scheme;         /* "http" or "https" as the caller used it */
    const char *agent_id, *task_id, *baggage, *traceparent; /* NULL: not given */
    size_t body_limit_bytes;
    int64_t body_deadline_ms; /* monotonic; the listener enforces it */

    /* Filled in by routes, for the access log and Server-Timing. */
    const char *route;     /* pattern: "/tools/{name}" */
    const char *tool_name; /* NULL: no tool */
    struct tr_run_timings timings;
    int64_t started_ns;

    size_t links_passed; /* of the chain; leave runs for these, in reverse */
};

void tr_exchange_init(struct tr_exchange *exchange, const struct tr_policy *policy);
void tr_exchange_done(struct tr_exchange *exchange);

/* The first header named `name` (any case), NULL when there is none. */
const struct tr_header *tr_exchange_header(const struct tr_exchange *exchange, const char *name);

/* Its value as a C string in the arena; NULL when absent, when it holds a NUL, or without memory.
 */
const char *tr_exchange_header_string(struct tr_exchange *exchange, const char *name);

/* The percent-decoded query parameter `name`, NULL when absent or malformed. */
const char *tr_exchange_query(struct tr_exchange *exchange, const char *name);

/* ---- answering: the first answer stays, later ones are ignored ---- */

/* The body is what was written to exchange->answer.body. */
void tr_answer_ready(struct tr_exchange *exchange, enum tr_status status, const char *content_type);

/* A problem document; `format` NULL: the title of `status`. Sets Retry-After where it belongs. */
TR_PRINTF(3, 4)
void tr_answer_problem(struct tr_exchange *exchange, enum tr_status status, const char *format,
                       ...);

/* A shared body; takes one reference of `blob`. Answers 304 when If-None-Match has its ETag. */
void tr_answer_blob(struct tr_exchange *exchange, struct tr_blob *blob, const char *content_type);

/* Add a header. `name` is constant; `value` is copied into the arena. More than
 * TR_MAX_ANSWER_HEADERS are dropped (a bug; an assert says so in debug builds). */
void tr_answer_header(struct tr_exchange *exchange, const char *name, const char *value);

#endif
