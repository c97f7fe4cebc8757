/* zone_local.h - from what a clock shows to the moments when it does: one, two or none. */
#ifndef TR_TOOLS_SUITES_DATA_ZONE_LOCAL_H
#define TR_TOOLS_SUITES_DATA_ZONE_LOCAL_H

#include <stdint.h>

struct tr_zone;

enum tr_local_kind {
    TR_LOCAL_UNIQUE,
    TR_LOCAL_AMBIGUOUS, /* the clock was set back and showed it twice */
    TR_LOCAL_SKIPPED,   /* the clock was set forward over it */
};

/* Unix times. For a unique one both are the same. For a skipped one they are what it would be by
 * the offset behind the change, and by the one before it. */
struct tr_local {
    enum tr_local_kind kind;
    int64_t earlier, later;
};

/* When the zone's clock shows `local_s`, seconds since 1970-01-01T00:00:00 on that clock. */
struct tr_local tr_zone_local(const struct tr_zone *zone, int64_t local_s);

#endif
