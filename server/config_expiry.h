/* config_expiry.h - when a key ends: a date or a date-time as milliseconds since 1970. */
#ifndef TR_SERVER_CONFIG_EXPIRY_H
#define TR_SERVER_CONFIG_EXPIRY_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/core/compiler.h"

/* An RFC 3339 date (its first moment in UTC) or date-time, as milliseconds of tr_clock_real_ms();
 * fractions of a second are cut off. False for any other text, and for a moment before 1970. */
TR_MUST_USE bool tr_config_expiry(const char *text, int64_t *ret_ms);

#endif
