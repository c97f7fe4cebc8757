/* number.h - text to number and back, whole text or nothing, independent of the locale. */
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
 * False for anything else: hex, infinities, commas, 1e999, more than 1,200 characters. What is
 * nearer to zero than any double is zero. */
TR_MUST_USE bool tr_parse_double(const char *bytes, size_t length, double *ret_value);

enum {
    TR_NUMBER_BYTES = 32, /* room for any number that tr_format_double() writes, with its NUL */
};

/* The shortest decimal text that reads back as the finite `value`: "21.5", "1e+300", an integral
 * one below 2^53 as "2.0". Gives the length; 0 when `value` is not finite. */
size_t tr_format_double(double value, char room[TR_NUMBER_BYTES]);

/* Decimal digits of `value` with a sign when it is negative, and a NUL. Gives the length. */
size_t tr_format_int64(int64_t value, char room[TR_NUMBER_BYTES]);

#endif
