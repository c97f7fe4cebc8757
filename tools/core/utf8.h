/* utf8.h - just enough UTF-8 (RFC 3629): counting, validating and cutting at characters. */
#ifndef TR_TOOLS_CORE_UTF8_H
#define TR_TOOLS_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed character at `bytes` (1 to 4), 0 when there is none: a stray
 * continuation, an overlong form, a surrogate, beyond U+10FFFF, cut off, or length 0.
 * When `ret_point` is not NULL it gets the code point. */
size_t tr_utf8_next(const char *bytes, size_t length, uint32_t *ret_point);

/* Code points in `bytes`; every ill-formed byte counts as one. */
size_t tr_utf8_count(const char *bytes, size_t length);

/* The largest length up to `length` that does not cut a character in two. */
size_t tr_utf8_cut(const char *bytes, size_t length);

#endif
