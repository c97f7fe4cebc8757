/* framing.h - may this head be answered at all? What libmicrohttpd lets through although two
 * servers in a row could read it differently (RFC 9112 section 11.2, request smuggling) is refused
 * here, in one pass over the headers. Pure functions. */
#ifndef TR_SERVER_FRAMING_H
#define TR_SERVER_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "middleware/exchange.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

/* How the body is delimited. */
struct tr_framing {
    int64_t content_length; /* -1: not given */
    bool is_chunked;
};

/* Judge method, version and headers; `request->known` must be made (tr_exchange_index()). Refuses
 * - TR_HEADERS_TOO_LARGE: a head of more than `header_limit_bytes`;
 * - TR_BODY_TOO_LARGE: a Content-Length that no int64 holds;
 * - TR_BAD_REQUEST: a version other than HTTP/1.0 and 1.1; a method or a header name that is no
 * token; control bytes in a value; no Host on HTTP/1.1, or one that is no authority; Host,
 * Content-Length, Transfer-Encoding, Authorization, X-API-Key, Content-Type or Expect more than
 * once; a Content-Length that is not all digits; a Transfer-Encoding other than exactly "chunked",
 * on HTTP/1.0, or together with Content-Length. After a refusal the connection must be closed:
 * where the next request begins is unknown. */
TR_MUST_USE enum tr_status tr_framing_check(const struct tr_request *request,
                                            size_t header_limit_bytes,
                                            struct tr_framing *ret_framing,
                                            struct tr_fault *reterr);

/* ---- the head as it lies in memory ---- */

/* libmicrohttpd below 1.0 cuts a value at a NUL, splices folded lines and takes a bare LF for a
 * line end, and says nothing. But it takes the head apart in place, so that a head of plain lines
 * still lies there in one piece, and one of those does not. */
struct tr_head_layout {
    const char *method, *target, *version; /* where each begins */
    size_t target_length;                  /* before the target was taken apart */
    const struct tr_header *headers;
    size_t header_count;
    size_t head_bytes; /* from the method to the end of the empty line */
};

/* Is every byte of the head accounted for: one space between the parts of the request line, CRLF at
 * the end of each line, the next line right behind it? */
bool tr_head_is_plain(const struct tr_head_layout *layout);

#endif
