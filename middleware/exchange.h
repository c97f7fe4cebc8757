/* exchange.h - one HTTP request and its answer, as the middleware chain and the routes see it. The
 * listener makes it, a tool never sees it. */
#ifndef TR_MIDDLEWARE_EXCHANGE_H
#define TR_MIDDLEWARE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "middleware/known_header.h"
#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/pipeline.h"
#include "tools/core/status.h"
#include "tools/core/text.h"

struct tr_blob;
struct tr_policy;
struct tr_principal;

enum {
    TR_MAX_ANSWER_HEADERS = 24,
    TR_REQUEST_ID_BYTES = 65,   /* up to 64 characters and the NUL */
    TR_ADDRESS_TEXT_BYTES = 46, /* the longest IPv6 address in text, and the NUL */
    TR_SERVER_TIMING_BYTES = 256,
};

#define TR_EXCHANGE_ARENA_BYTES ((size_t)256 * 1024)
#define TR_ANSWER_BODY_BYTES    ((size_t)64 * 1024 * 1024)

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
    struct tr_header_index known; /* see tr_exchange_index() */
    size_t header_bytes;          /* size of the head as it came in */
    const struct sockaddr *peer;  /* of the socket; NULL in tests and the CLI */
    const char *body;             /* whole, once enter runs; never NULL then */
    size_t body_length;
    int64_t content_length; /* -1: not given */
    bool is_chunked;
};

/* Both texts live as long as the exchange, or for ever. */
struct tr_answer_header {
    const char *name, *value;
};

struct tr_answer {
    bool is_ready;
    enum tr_status status;    /* decides the log's code */
    int http_status;          /* usually tr_status_info(status)->http; 204, 304, 302 differ */
    const char *content_type; /* constant; NULL: no body */
    struct tr_text body;      /* owned; unused when `blob` or `constant` is set */
    struct tr_blob *blob;     /* a shared, immutable body; one reference is owned */
    const char *constant;     /* a body that lives for ever; NULL: none */
    struct tr_answer_header headers[TR_MAX_ANSWER_HEADERS];
    size_t header_count;
    bool must_close; /* Connection: close */
};

struct tr_exchange {
    struct tr_arena arena;          /* everything that lives as long as this exchange */
    const struct tr_policy *policy; /* borrowed; immutable; lives longer than any exchange */
    struct tr_request request;
    struct tr_text body; /* owns the bytes of request.body; a route may move it away */
    struct tr_answer answer;

    /* Filled in by links. */
    char request_id[TR_REQUEST_ID_BYTES];
    const struct tr_principal
        *principal;             /* NULL: not authenticated (only public routes allow it) */
    const char *client_address; /* of the caller, behind trusted proxies too; NULL: no peer */
    const char *scheme;         /* "http" or "https" as the caller used it */
    const char *agent_id, *task_id, *baggage, *traceparent, *tracestate; /* NULL: not given */
    size_t body_limit_bytes;
    int64_t body_deadline_ms; /* monotonic, 0: none; the listener enforces it */

    /* Filled in by routes, for the access log and Server-Timing. */
    const char *route;     /* pattern: "/tools/{name}" */
    const char *tool_name; /* NULL: no tool */
    struct tr_run_timings timings;

    /* Set by tr_exchange_init(). */
    int64_t started_ns; /* monotonic */
    int64_t started_real_ms;

    /* The chain's own. */
    size_t links_passed; /* how many links admitted; those get their leave, in reverse */
    int64_t left_ns;     /* when leave began, monotonic; 0: not yet */
    char address_text[TR_ADDRESS_TEXT_BYTES];
    char timing_text[TR_SERVER_TIMING_BYTES];
};

/* An empty exchange whose clock runs; the caller fills in the request. Nothing is allocated. */
void tr_exchange_init(struct tr_exchange *exchange, const struct tr_policy *policy);
void tr_exchange_done(struct tr_exchange *exchange);

/* Index the known headers of request.headers, once: later calls do nothing. The chain's admit calls
 * it; whoever must look earlier calls it before. */
void tr_exchange_index(struct tr_exchange *exchange);

/* The first value of a known header; its `bytes` are NULL when there is none. */
static inline struct tr_value tr_exchange_value(const struct tr_exchange *exchange,
                                                enum tr_known_header known)
{
    return exchange->request.known.values[known];
}

/* The first header named `name` (any case), as received; NULL when there is none, or when it is not
 * one of known_header.h: the gateway does not look at headers that it has no use for. */
const struct tr_header *tr_exchange_header(const struct tr_exchange *exchange, const char *name);

/* Its value, without blanks around it, as a C string in the arena; NULL when absent, when it holds
 * a NUL, or without memory. */
const char *tr_exchange_header_string(struct tr_exchange *exchange, const char *name);

/* The first query parameter `name`, decoded ('+' is a space, %XX a byte). NULL when absent, when it
 * is no UTF-8, holds a NUL or a broken escape, or without memory. Without '=' it is "". */
const char *tr_exchange_query(struct tr_exchange *exchange, const char *name);

/* ---- answering: the first answer stays, later ones are ignored ---- */

/* The body is what was written to exchange->answer.body. When that text failed, the answer is the
 * problem document of its failure. */
void tr_answer_ready(struct tr_exchange *exchange, enum tr_status status, const char *content_type);

/* An answer without a body and with an HTTP status of its own, such as 204 or 302. */
void tr_answer_empty(struct tr_exchange *exchange, int http_status);

/* A problem document; `format` NULL: the title of `status`. Replaces what was written to
 * answer.body. Sets Retry-After for 503 and Accept for 415. Makes a request id when there is none
 * yet. Never fails: without memory the body is a constant document. */
TR_PRINTF(3, 4)
void tr_answer_problem(struct tr_exchange *exchange, enum tr_status status, const char *format,
                       ...);

/* A shared body; takes one reference of `blob` (NULL: out of memory, and answered so). Adds the
 * ETag and, when the caller has said nothing, "Cache-Control: private, no-cache". Answers 304 when
 * GET or HEAD came with its ETag in If-None-Match. */
void tr_answer_blob(struct tr_exchange *exchange, struct tr_blob *blob, const char *content_type);

/* Add a header. `name` is constant; `value` is copied into the arena. More than
 * TR_MAX_ANSWER_HEADERS are dropped (a bug; an assert says so in debug builds). */
void tr_answer_header(struct tr_exchange *exchange, const char *name, const char *value);

/* The same without the copy: `value` lives as long as the exchange, or for ever. */
void tr_answer_header_constant(struct tr_exchange *exchange, const char *name, const char *value);

/* Is a header of that name among the first `count`? `name` as it is always written: the case
 * counts.
 */
bool tr_answer_has_header(const struct tr_answer *answer, size_t count, const char *name);

/* The body, wherever it is. Borrowed until the exchange ends; "" when there is none, as with 304,
 * whose blob is there for its length alone. */
const char *tr_answer_bytes(const struct tr_answer *answer, size_t *ret_length);

#endif
