/* time_text.h - dates, times and offsets as text: RFC 3339, and what people write for it. */
#ifndef TR_TOOLS_SUITES_DATA_TIME_TEXT_H
#define TR_TOOLS_SUITES_DATA_TIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"

/* The years 0000 to 9999, which RFC 3339 can write, in seconds. */
#define TR_TIME_FIRST ((int64_t)-62167219200)
#define TR_TIME_LAST  ((int64_t)253402300799)

enum {
    TR_OFFSET_TEXT_BYTES = 16, /* "+00:53:28" with room */
    TR_TIME_TEXT_BYTES = 48,   /* "2024-02-29T12:00:00.123+00:53:28" with room */
};

/* What a text says. Without an offset it is what a clock shows somewhere. */
struct tr_time_text {
    int64_t local_s; /* since 1970-01-01T00:00:00 on that clock */
    int milliseconds;
    bool has_offset;
    int32_t offset_s;
};

/* Read "2024-02-29T12:00:00.5+02:00", also with a space for the T, without seconds, without a time
 * of day (midnight) or without an offset. NULL, or a clause that says what is wrong. Digits behind
 * the milliseconds are dropped. */
TR_MUST_USE const char *tr_time_read(const char *text, size_t length,
                                     struct tr_time_text *ret_time);

/* "+02:00", "-0530" or "+02"; false for anything else. */
TR_MUST_USE bool tr_time_read_offset(const char *text, size_t length, int32_t *ret_offset_s);

/* "+02:00", with seconds only where there are some. */
void tr_time_write_offset(int32_t offset_s, char out[TR_OFFSET_TEXT_BYTES]);

/* What a clock `offset_s` ahead of UTC shows, with milliseconds only where there are some and with
 * the offset: Z for a `is_utc` clock. Within the years 0000 to 9999. */
void tr_time_write(int64_t unix_ms, int32_t offset_s, bool is_utc, char out[TR_TIME_TEXT_BYTES]);

#endif
