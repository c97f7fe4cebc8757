/* Any bytes as a TZif file: what is read can be asked about any moment and any local time, and a
 * moment that a local time is said to be does show that time. */
#include "tests/fuzz/fuzz.h"
#include "tools/core/arena.h"
#include "tools/suites/data/time_text.h"
#include "tools/suites/data/zone.h"
#include "tools/suites/data/zone_local.h"

static void check_local(const struct tr_zone *zone, int64_t local_s)
{
    const struct tr_local local = tr_zone_local(zone, local_s);
    FUZZ_REQUIRE(local.earlier <= local.later);
    if (local.kind != TR_LOCAL_SKIPPED) {
        FUZZ_REQUIRE(local.earlier + tr_zone_at(zone, local.earlier)->offset_s == local_s);
        FUZZ_REQUIRE(local.later + tr_zone_at(zone, local.later)->offset_s == local_s);
        FUZZ_REQUIRE((local.kind == TR_LOCAL_UNIQUE) == (local.earlier == local.later));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_arena arena;
    tr_arena_init(&arena, (size_t)16 * 1024 * 1024);
    struct tr_zone zone;
    if (tr_zone_parse(&arena, data, size, &zone) == TR_OK) {
        for (int64_t year = 0; year < 10000; year += 97) {
            check_local(&zone, TR_TIME_FIRST + year * 31556952);
        }
        for (size_t i = 0; i < zone.change_count && i < 50; i++) {
            const int64_t change = zone.changes[i];
            FUZZ_REQUIRE(tr_zone_at(&zone, change) != NULL);
            if (change >= TR_TIME_FIRST && change <= TR_TIME_LAST) {
                check_local(&zone, change);
            }
        }
    }
    tr_arena_done(&arena);
    return 0;
}
