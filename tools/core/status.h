/* status.h - every outcome a call can have: its HTTP status, its code and its words, in one list.
 */
#ifndef TR_TOOLS_CORE_STATUS_H
#define TR_TOOLS_CORE_STATUS_H

#include <stdbool.h>

#include "tools/core/compiler.h"

/* id, HTTP status (RFC 9110; 499 is only logged), code, title, what the caller can do,
 * whether the same request may succeed later. `code` is a part of the public contract:
 * GET /problems/{code} explains each row. */
#define TR_STATUS_LIST(X)                                                                          \
    X(OK, 200, "ok", "The call succeeded", "Use the result.", false)                               \
    X(TOOL_FAILED, 200, "tool_failed", "The tool ran and could not do what was asked",             \
      "Read the error: it says what to change.", false)                                            \
    X(MALFORMED_JSON, 400, "malformed_json", "The request body is not valid JSON",                 \
      "Send one JSON object in UTF-8, without duplicate keys, NUL characters or deep nesting.",    \
      false)                                                                                       \
    X(BAD_REQUEST, 400, "bad_request", "The HTTP request is not acceptable",                       \
      "Correct the request line, the headers or the query that the detail names.", false)          \
    X(UNAUTHENTICATED, 401, "unauthenticated", "No valid credential was given",                    \
      "Send a valid key as 'Authorization: Bearer KEY' or 'X-API-Key: KEY', one of them.", false)  \
    X(FORBIDDEN, 403, "forbidden", "The credential does not allow this",                           \
      "Use a tool from GET /tools, or ask the operator for access.", false)                        \
    X(URL_BLOCKED, 403, "url_blocked", "The URL may not be reached from here",                     \
      "Use a public http or https URL, or ask the operator to allow the host.", false)             \
    X(PATH_BLOCKED, 403, "path_blocked", "The path is outside of what may be used",                \
      "Use a path below a mount that has the right you need.", false)                              \
    X(UNKNOWN_TOOL, 404, "unknown_tool", "There is no tool of this name",                          \
      "List the tools with GET /tools.", false)                                                    \
    X(NOT_FOUND, 404, "not_found", "There is nothing at this path", "Start at GET /.", false)      \
    X(METHOD_NOT_ALLOWED, 405, "method_not_allowed", "The path exists, but not with this method",  \
      "Use a method from the Allow header.", false)                                                \
    X(REQUEST_TIMEOUT, 408, "request_timeout", "The request did not arrive in time",               \
      "Send the whole request without long pauses.", true)                                         \
    X(BODY_TOO_LARGE, 413, "body_too_large", "The request is larger than what is accepted",        \
      "Send less, or ask the operator to raise the limit.", false)                                 \
    X(UNSUPPORTED_MEDIA_TYPE, 415, "unsupported_media_type",                                       \
      "The body has a type that is not read",                                                      \
      "Send 'Content-Type: application/json' and no Content-Encoding.", false)                     \
    X(EXPECTATION_FAILED, 417, "expectation_failed", "The Expect header asks for the unknown",     \
      "Send no Expect header, or 'Expect: 100-continue'.", false)                                  \
    X(INVALID_PARAMETERS, 422, "invalid_parameters",                                               \
      "The parameters do not fit the tool's schema",                                               \
      "Correct every entry of 'violations'; GET /tools/{name} has the schema.", false)             \
    X(RATE_LIMITED, 429, "rate_limited", "Too many requests", "Wait as long as Retry-After says.", \
      true)                                                                                        \
    X(HEADERS_TOO_LARGE, 431, "headers_too_large", "The request headers are too large",            \
      "Send fewer or shorter headers.", false)                                                     \
    X(CANCELLED, 499, "cancelled", "The caller left before the answer", "Nothing.", true)          \
    X(INTERNAL, 500, "internal", "The gateway or the tool has a defect",                           \
      "Report it to the operator with the request id.", false)                                     \
    X(BUSY, 503, "busy", "All places are taken", "Wait as long as Retry-After says.", true)        \
    X(NO_MEMORY, 503, "no_memory", "The gateway is out of memory",                                 \
      "Wait as long as Retry-After says.", true)                                                   \
    X(TIMEOUT, 504, "timeout", "The tool did not finish in time",                                  \
      "Ask for less, or try again later.", true)

enum tr_status {
#define TR_STATUS_ENUM(id, http, code, title, advice, retryable) TR_##id,
    TR_STATUS_LIST(TR_STATUS_ENUM)
#undef TR_STATUS_ENUM
};

struct tr_status_info {
    int http;
    const char *code;
    const char *title;  /* a sentence without its full stop */
    const char *advice; /* one sentence: what the caller can do */
    bool retryable;
};

/* The row of `status`; never NULL. */
const struct tr_status_info *tr_status_info(enum tr_status status);

/* The status whose code is `code`, in *ret_status; false when there is none. */
TR_MUST_USE bool tr_status_from_code(const char *code, enum tr_status *ret_status);

/* How many rows there are; every status is below it. */
int tr_status_count(void);

/* The one macro that hides control flow: hand a failure on to the caller. */
#define TR_TRY(expression)                     \
    do {                                       \
        enum tr_status status_ = (expression); \
        if (status_ != TR_OK) {                \
            return status_;                    \
        }                                      \
    } while (0)

#endif
