/* decimal.h - numbers into a buffer without printf, for what is written on every request. */
#ifndef TR_MIDDLEWARE_DECIMAL_H
#define TR_MIDDLEWARE_DECIMAL_H

#include <stdint.h>

enum {
    TR_DECIMAL_BYTES = 20,      /* the longest uint64 */
    TR_DECIMAL_MILLI_BYTES = 21 /* the same with a point */
};

/* Both return the end of what they wrote; there is no NUL. */
char *tr_write_decimal(char *out, uint64_t value);

/* Thousandths: 12345 is "12.345". */
char *tr_write_decimal_milli(char *out, uint64_t thousandths);

/* Exactly `digits` digits, zeros in front. */
char *tr_write_decimal_padded(char *out, unsigned value, unsigned digits);

#endif
