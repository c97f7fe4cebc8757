/* number.h - text to number, whole text or nothing, independent of the locale. */
#ifndef TR_TOOLS_CORE_NUMBER_H
#define TR_TOOLS_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"

/* Decimal int64 with an optional sign and nothing else ("-5", "+5", "007" is 7). False for an
 * empty text, a fraction, an exponent, other characters or a value beyond int64. */
TR_MUST_USE bool tr_parse_int64(const char *bytes, size_t length, int64_t *ret_value);

/* A finite decimal number, JSON's grammar with an optional leading '+' and leading zeros.
 * False for anything else: hex, infinities, commas, 1e999. */
TR_MUST_USE bool tr_parse_double(const char *bytes, size_t length, double *ret_value);

#endif
