/* header_guard.h - the meaning of header fields at our borders: what may go out to an upstream,
 * what may be shown of its answer. Used by the HTTP base. On what comes in the middleware looks
 * from the other side: it knows the few fields that mean something, and nobody sees the others. */
#ifndef TR_TOOLS_GUARD_HEADER_GUARD_H
#define TR_TOOLS_GUARD_HEADER_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

enum tr_header_verdict {
    TR_HEADER_PASS,
    TR_HEADER_WARN,   /* goes on, and the caller is told: a credential leaves the house */
    TR_HEADER_REMOVE, /* is left out, and the caller is told why */
    TR_HEADER_REFUSE, /* is malformed, by mistake or on purpose: never goes on */
};

/* A field; neither text needs a NUL at its end. */
struct tr_header_field {
    const char *name, *value;
    size_t name_length, value_length;
};

/* How much one outbound request may have. */
enum {
    TR_MAX_OUT_HEADERS = 64,
    TR_MAX_OUT_HEADER_BYTES = 16 * 1024, /* of all names and values */
    TR_MAX_HEADER_NAME_BYTES = 128,
    TR_MAX_HEADER_VALUE_BYTES = 8 * 1024,
};

/* May the field go out to an upstream? Refuses a name that is no token, a value with other bytes
 * than printable ASCII and tabs, CR, LF and NUL also percent-encoded, and both beyond their size.
 * Removes fields for one hop only (RFC 9110 section 7.6.1), those that the client library manages
 * (Host, Content-Length, Accept-Encoding ...), those that tr_header_guard_is_spoofable() names and
 * those that open the metadata services of clouds. Warns of credentials. An underscore counts as a
 * hyphen, as it does for servers behind CGI. `ret_reason` (may be NULL) gets a constant sentence
 * unless the field passes. */
enum tr_header_verdict tr_header_guard_out(const struct tr_header_field *field,
                                           const char **ret_reason);

/* The same for all fields of a request: the first one to be refused, or too many, too large, or two
 * of one name. TR_HEADER_PASS when each can be judged on its own. */
enum tr_header_verdict tr_header_guard_out_all(const struct tr_header_field *fields, size_t count,
                                               const char **ret_reason);

/* May a caller's field of this name be passed on to an upstream, if the operator wants it? Only one
 * that tr_header_guard_out() would let pass without a warning, and none that speaks of the call
 * itself rather than of the upstream's request: its body, its trace. */
bool tr_header_guard_may_forward(const char *name, const char **ret_reason);

/* Could a server take the names for the same one? Case does not count, and an underscore is a
 * hyphen. */
bool tr_header_guard_is_same_name(const char *left, const char *right);

/* May a field of an upstream's answer be shown to the caller, as a part of a result? It never
 * becomes a field of our own answer. Removes cookies, fields for one hop only, those that would
 * steer a proxy in front of us (X-Accel-Redirect, X-Sendfile ...), and what is no text. */
enum tr_header_verdict tr_header_guard_back(const struct tr_header_field *field,
                                            const char **ret_reason);

/* Is this a field by which a caller could pretend to be somebody or to come from somewhere, or
 * change what the request means (X-Forwarded-*, X-Real-IP, X-User-*, X-HTTP-Method-Override ...)?
 */
bool tr_header_guard_is_spoofable(const char *name, size_t name_length);

#endif
