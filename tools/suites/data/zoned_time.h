/* zoned_time.h - a moment as the clocks of one zone show it: what the tools for times answer. */
#ifndef TR_TOOLS_SUITES_DATA_ZONED_TIME_H
#define TR_TOOLS_SUITES_DATA_ZONED_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/status.h"

struct tr_call;
struct tr_zone;

struct zoned_time {
    const char *time;
    int64_t unix_seconds;
    int64_t unix_ms;
    const char *timezone;
    const char *utc_offset;
    const char *abbreviation;
    bool is_dst;
    const char *weekday;
};
extern const struct tr_type zoned_time_type;

/* Describe the moment; borrows from the zone. Fails by tr_fail() when its year is not one of 0000
 * to 9999 there. */
TR_MUST_USE enum tr_status tr_zoned_time_make(struct tr_call *call, int64_t unix_ms,
                                              const struct tr_zone *zone,
                                              struct zoned_time *ret_time);

#endif
