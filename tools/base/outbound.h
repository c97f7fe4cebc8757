/* outbound.h - a request to an upstream and its answer, as the author of a tool writes and reads
 * them. No I/O happens here. Everything lives in the call's arena. */
#ifndef TR_TOOLS_BASE_OUTBOUND_H
#define TR_TOOLS_BASE_OUTBOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_call;

/* A field of a request or an answer; also a pair of a query. */
struct tr_out_header {
    const char *name, *value;
};

/* What to ask. Zeroed: GET, no body, within the call's own deadline, TR_OUTBOUND_MAX_BYTES. */
struct tr_outbound {
    const char *method; /* a token; NULL: GET, or POST with a body */
    const char *url;    /* see tr_outbound_set_url() */
    const struct tr_out_header *headers;
    size_t header_count;
    const char *body; /* NULL: none */
    size_t body_length;
    const char *secret; /* a text that must appear in no error and no URL that is shown (a key) */
    int64_t timeout_ms; /* 0: until the call's deadline */
    size_t max_bytes;   /* of the answer's body, decompressed; 0: TR_OUTBOUND_MAX_BYTES */
    bool follows_redirects;
    bool accepts_truncation; /* a longer answer is cut instead of failing */
};

#define TR_OUTBOUND_MAX_BYTES ((size_t)1024 * 1024)

/* What came back, whatever its status. */
struct tr_inbound {
    int status;
    const struct tr_out_header *headers; /* those that may be shown */
    size_t header_count;
    const char *body; /* NUL-terminated; may hold NULs itself */
    size_t body_length;
    bool is_truncated;
    const char *final_url; /* after redirects; without the secret */
    int64_t duration_ms;
};

/* ---- for prepare() ---- */

/* A URL in parts. A segment and a pair of the query may hold any text: it is percent-encoded. */
struct tr_url_parts {
    const char *base;            /* "https://api.example.com/v1", perhaps with a query of its own */
    const char *const *segments; /* added to the path, one by one */
    size_t segment_count;
    const struct tr_out_header *query; /* added to the query; a pair without value is left out */
    size_t query_count;
};

/* Put the parts together into outbound->url. Fails the call when the base is no URL, or a segment
 * is empty, "." or "..", which would change the path instead of being a part of it. */
TR_MUST_USE enum tr_status tr_outbound_set_url(struct tr_call *call, struct tr_outbound *outbound,
                                               const struct tr_url_parts *parts);

/* Send this field, instead of one of the same name that was set before. Borrows both texts. What
 * the header guard does not let out is removed later, with a warning in the answer. TR_NO_MEMORY,
 * also when there are too many. */
TR_MUST_USE enum tr_status tr_outbound_set_header(struct tr_call *call,
                                                  struct tr_outbound *outbound, const char *name,
                                                  const char *value);

/* Send `value` as the body, with its Content-Type. */
TR_MUST_USE enum tr_status tr_outbound_set_json(struct tr_call *call, struct tr_outbound *outbound,
                                                const json_t *value);

/* ---- for receive() ---- */

/* The first field of this name, in any case; NULL when there is none. */
const char *tr_inbound_header(const struct tr_inbound *inbound, const char *name);

/* Fails the call unless the status is 2xx: "The upstream answered with HTTP status 404". */
TR_MUST_USE enum tr_status tr_inbound_require_success(struct tr_call *call,
                                                      const struct tr_inbound *inbound);

/* The body as JSON, borrowed until the call ends. Fails the call when it is none. */
TR_MUST_USE enum tr_status tr_inbound_json(struct tr_call *call, const struct tr_inbound *inbound,
                                           const json_t **ret_value);

#endif
