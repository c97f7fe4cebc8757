#include "tools/suites/data/zone_local.h"

#include <stdbool.h>
#include <stddef.h>

#include "tools/suites/data/zone.h"

enum {
    REACH_S = 26 * 3600, /* no clock is farther from UTC */
    STEP_S = 1800,       /* no zone kept an offset for less than an hour */
};

/* Does the clock show `local_s` at the moment that the offset says? */
static bool is_shown(const struct tr_zone *zone, int64_t local_s, int32_t offset_s)
{
    return tr_zone_at(zone, local_s - offset_s)->offset_s == offset_s;
}

/* The moment `at` is one when the clock shows it. They come in no order. */
static void add(struct tr_local *local, size_t *count, int64_t at)
{
    if (*count == 0 || at < local->earlier) {
        local->earlier = at;
    }
    if (*count == 0 || at > local->later) {
        local->later = at;
    }
    *count += 1;
}

/* Between the two offsets that follow each other the clock jumped over `local_s`. */
static bool is_jumped_over(const struct tr_zone *zone, int64_t local_s, int32_t before,
                           int32_t behind)
{
    return before < behind && tr_zone_at(zone, local_s - before)->offset_s == behind
           && tr_zone_at(zone, local_s - behind)->offset_s == before;
}

/* Every offset that was in force around that time is tried. */
struct tr_local tr_zone_local(const struct tr_zone *zone, int64_t local_s)
{
    struct tr_local local = { .kind = TR_LOCAL_SKIPPED, .earlier = local_s, .later = local_s };
    struct tr_local gap = local;
    size_t count = 0;
    int32_t before = tr_zone_at(zone, local_s - REACH_S)->offset_s;
    if (is_shown(zone, local_s, before)) {
        add(&local, &count, local_s - before);
    }
    for (int64_t at = -REACH_S + STEP_S; at <= REACH_S; at += STEP_S) {
        const int32_t offset = tr_zone_at(zone, local_s + at)->offset_s;
        if (offset == before) {
            continue;
        }
        if (is_shown(zone, local_s, offset)) {
            add(&local, &count, local_s - offset);
        }
        if (is_jumped_over(zone, local_s, before, offset)) {
            gap.earlier = local_s - offset;
            gap.later = local_s - before;
        }
        before = offset;
    }
    if (count == 0) {
        return gap;
    }
    local.kind = local.earlier == local.later ? TR_LOCAL_UNIQUE : TR_LOCAL_AMBIGUOUS;
    return local;
}
