/* url_host.h - the host of a URL in one normal form, so that equal hosts are equal texts. */
#ifndef TR_TOOLS_GUARD_URL_HOST_H
#define TR_TOOLS_GUARD_URL_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

enum { TR_HOST_BYTES = 254 }; /* the longest name of the DNS, and the NUL */

enum tr_host_kind {
    TR_HOST_NONE,
    TR_HOST_NAME,
    TR_HOST_V4,
    TR_HOST_V6,
};

struct tr_host {
    enum tr_host_kind kind;
    char text[TR_HOST_BYTES];  /* lower case, without brackets and trailing dot */
    unsigned char address[16]; /* of the two address kinds, in network order */
};

/* Read a host as it stands in a URL: an IPv6 address in brackets, an IPv4 address as four decimal
 * numbers, or a name of ASCII letters, digits, hyphens and underscores. Everything that some parser
 * would take for an address and another one for a name is refused: "0x7f.1", "127.0.0.1.",
 * "1.2.3.4.5", percent escapes, full-width digits. False with a constant sentence in *ret_reason.
 */
TR_MUST_USE bool tr_host_read(const char *bytes, size_t length, struct tr_host *ret_host,
                              const char **ret_reason);

/* Is it the host that `pattern` names, or, of "*.example.com", any host below example.com? The
 * pattern is in the normal form. */
bool tr_host_matches(const struct tr_host *host, const char *pattern);

#endif
