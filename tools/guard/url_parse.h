/* url_parse.h - URLs taken apart and joined by libcurl's parser, the one that dials them. */
#ifndef TR_TOOLS_GUARD_URL_PARSE_H
#define TR_TOOLS_GUARD_URL_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"
#include "tools/guard/url_host.h"

enum { TR_MAX_URL_BYTES = 16 * 1024 };

struct tr_url {
    char *normal; /* owned; the URL as libcurl spells it: hand this to libcurl, not the text */
    struct tr_host host;
    uint16_t port;
    bool is_https;
};

/* Take `text` apart. Refuses (TR_URL_BLOCKED) what libcurl cannot parse, other schemes than http
 * and https, user info, a zone id and a host that tr_host_read() refuses; `reterr` repeats nothing
 * of the text. TR_NO_MEMORY. It does not ask whether the URL may be reached: url_guard.h. */
TR_MUST_USE enum tr_status tr_url_parse(const char *text, struct tr_url *ret_url,
                                        struct tr_fault *reterr);
void tr_url_done(struct tr_url *url);

/* Where the Location of an answer from `base` (tr_url's `normal`) leads, as a URL; free() it.
 * Spaces and non-ASCII bytes are percent-encoded, as browsers do. The result has been asked for
 * nothing yet: it must pass tr_url_guard_check() as any other. TR_URL_BLOCKED for what libcurl
 * cannot resolve, control bytes, other schemes; TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_url_resolve(const char *base, const char *location, size_t length,
                                          char **ret_url, struct tr_fault *reterr);

/* `length` bytes as a string; free() it. NULL without memory. Not strndup(), which the sanitizers'
 * strict checks of strings refuse bytes without a terminator. */
TR_MALLOC char *tr_url_copy(const char *bytes, size_t length);

/* Same scheme, host and port: only then do credentials go along with a redirect. */
bool tr_url_is_same_origin(const struct tr_url *left, const struct tr_url *right);

static inline void tr_url_drop(struct tr_url *url)
{
    tr_url_done(url);
}

#endif
