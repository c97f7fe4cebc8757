/* hex.h - bytes as pairs of hexadecimal digits (RFC 4648 section 8). */
#ifndef TR_TOOLS_SUITES_DATA_HEX_H
#define TR_TOOLS_SUITES_DATA_HEX_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

/* Write 2 * `length` lower-case digits and a NUL. */
void tr_hex_write(const unsigned char *bytes, size_t length, char *out);

/* Read `length` digits of either case into `length` / 2 bytes; false when they are not all digits
 * or one is left over. */
TR_MUST_USE bool tr_hex_read(const char *digits, size_t length, unsigned char *out);

#endif
