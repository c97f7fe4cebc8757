/* charset.h - bytes in any encoding that the web uses, as UTF-8. */
#ifndef TR_TOOLS_SUITES_WEB_CHARSET_H
#define TR_TOOLS_SUITES_WEB_CHARSET_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_text;

/* What is known about a text before it is decoded. */
struct tr_charset_clues {
    const char *label;  /* the charset that the Content-Type names; NULL or empty: none */
    bool may_have_meta; /* it is HTML, which may name its charset itself */
};

/* The name of the encoding, for tr_charset_decode(); static. In this order: a byte order mark, the
 * label, a <meta> in the first 1,024 bytes, UTF-8 when the bytes are that, windows-1252. Labels
 * mean what the Encoding standard of the WHATWG says; a label that is not known is no clue. */
const char *tr_charset_find(const char *bytes, size_t length, const struct tr_charset_clues *clues);

/* Append the text to `out` as UTF-8 without its byte order mark. What is ill-formed, and NUL,
 * becomes U+FFFD. TR_NO_MEMORY, or the status of `out`. */
TR_MUST_USE enum tr_status tr_charset_decode(struct tr_text *out, const char *bytes, size_t length,
                                             const char *charset);

/* Is all of it UTF-8 without NUL? */
bool tr_charset_is_plain(const char *bytes, size_t length);

#endif
