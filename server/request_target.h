/* request_target.h - the request target of HTTP (RFC 9112 section 3.2), taken apart strictly: what
 * two readers could understand differently is refused. Pure functions. */
#ifndef TR_SERVER_REQUEST_TARGET_H
#define TR_SERVER_REQUEST_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_target {
    const char *path;  /* percent-decoded UTF-8 without trailing slash; "/" for the root, or "*" */
    const char *query; /* raw, after '?'; "" when there is none */
};

/* Take `raw` apart. `path` lives in the arena, `query` borrows from `raw`.
 *
 * Accepted: the origin form; the absolute form of http and https, whose path counts (RFC 9112
 * section 3.2.2) and whose authority is checked and dropped; and "*" where `allows_asterisk`
 * (OPTIONS). Refused with TR_BAD_REQUEST, anywhere in the target: control bytes, spaces, bytes
 * above 0x7E, a '#', a '%' without two hex digits, %00. Refused in the path: a percent-encoded '/'
 * (it must not make or hide a segment), percent-encoded control bytes, what does not decode to
 * UTF-8, the segments "." and
 * ".." spelled in any way, and empty segments (one slash at the end is dropped). TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_target_parse(struct tr_arena *arena, const char *raw,
                                           bool allows_asterisk, struct tr_target *ret_target,
                                           struct tr_fault *reterr);

/* Is this a host with an optional port, as in Host: a name, an IPv4 address, or an IPv6 address in
 * brackets? No user info, nothing that needs percent-encoding. */
bool tr_authority_is_valid(const char *text, size_t length);

#endif
