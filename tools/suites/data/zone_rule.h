/* zone_rule.h - the rule by which a time zone goes on for ever, as POSIX writes TZ: the footer of a
 * TZif file (RFC 9636 section 3.3). */
#ifndef TR_TOOLS_SUITES_DATA_ZONE_RULE_H
#define TR_TOOLS_SUITES_DATA_ZONE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"

enum { TR_ZONE_NAME_BYTES = 16 };

/* What clocks show during some time. */
struct tr_zone_time {
    int32_t offset_s; /* east of UTC */
    bool is_dst;
    char abbreviation[TR_ZONE_NAME_BYTES];
};

enum tr_rule_kind {
    TR_RULE_MONTH,     /* Mm.w.d: the w-th weekday d of the month, 5 is the last */
    TR_RULE_JULIAN,    /* Jn: from 1, February 29 is never counted */
    TR_RULE_DAY_INDEX, /* n: from 0, with February 29 */
};

struct tr_rule_date {
    enum tr_rule_kind kind;
    int month, week, day;
    int32_t time_s; /* of the clock before the change; may be negative or beyond the day */
};

struct tr_zone_rule {
    struct tr_zone_time standard, daylight;
    bool has_daylight;
    struct tr_rule_date start, end; /* of daylight saving time */
};

/* Read "CET-1CEST,M3.5.0,M10.5.0/3"; false when it is no such text. */
TR_MUST_USE bool tr_zone_rule_read(const char *text, size_t length, struct tr_zone_rule *ret_rule);

/* What clocks show at the Unix time `seconds`; borrowed from the rule. */
const struct tr_zone_time *tr_zone_rule_at(const struct tr_zone_rule *rule, int64_t seconds);

#endif
