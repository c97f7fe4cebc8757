/* zone.h - a time zone: what its clocks showed and will show at any moment. It is read from the
 * system's TZif files (RFC 9636, version 2 and later) by ourselves: the C library knows one zone
 * for the whole process (TZ), and setting that is not safe while other threads run. */
#ifndef TR_TOOLS_SUITES_DATA_ZONE_H
#define TR_TOOLS_SUITES_DATA_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"
#include "tools/suites/data/zone_rule.h"

struct tr_arena;

/* In an arena. Immutable once made. */
struct tr_zone {
    const char *name;
    const struct tr_zone_time *times; /* every kind of time that it has had; the first one is that
                                         before all changes */
    size_t time_count;
    const int64_t *changes;     /* Unix times, ascending */
    const unsigned char *shows; /* the index in `times` from each change on */
    size_t change_count;
    bool has_rule; /* for what comes behind the last change */
    struct tr_zone_rule rule;
};

/* Read the bytes of a TZif file. TR_INTERNAL when they are none (also version 1, which has no times
 * beyond 2038, and files that count leap seconds); otherwise the arena's status. The name is left
 * NULL. */
TR_MUST_USE enum tr_status tr_zone_parse(struct tr_arena *arena, const unsigned char *bytes,
                                         size_t length, struct tr_zone *ret_zone);

/* What clocks show at the Unix time `seconds`. Never NULL; borrowed from the zone. */
const struct tr_zone_time *tr_zone_at(const struct tr_zone *zone, int64_t seconds);

#endif
