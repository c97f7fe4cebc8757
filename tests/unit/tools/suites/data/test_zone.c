#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"
#include "tools/core/descriptor.h"
#include "tools/suites/data/zone.h"
#include "tools/suites/data/zone_local.h"

/* A header with counts: leap, changes, times, name bytes. */
#define HEADER(version, leap, changes, times, names) \
    "TZif" version "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"  \
    "\0\0\0\0\0\0\0\0\0\0\0" leap "\0\0\0" changes "\0\0\0" times "\0\0\0" names
#define EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\1") "\0\0\0\0\0\0\0"

/* Two kinds of time, ONE (+1 h) and TWO (+2 h, daylight), and two changes: at 1000000 to TWO, at
 * 2000000 to ONE. */
#define CHANGES "\0\0\0\0\0\x0f\x42\x40\0\0\0\0\0\x1e\x84\x80\1\0"
#define TIMES   "\0\0\x0e\x10\0\0\0\0\x1c\x20\1\4"
#define NAMES   "ONE\0TWO\0"

#define BYTES(text) (const unsigned char *)(text), sizeof(text) - 1

static const char whole[] =
    EMPTY_BLOCK HEADER("2", "\0", "\2", "\2", "\x8") CHANGES TIMES NAMES "\nXXX-3\n";

static enum tr_status parse(struct tr_arena *arena, const unsigned char *bytes, size_t length,
                            struct tr_zone *zone)
{
    tr_arena_init(arena, (size_t)1024 * 1024);
    return tr_zone_parse(arena, bytes, length, zone);
}

static void zone_shows_its_times_between_its_changes(void **state)
{
    (void)state;
    static const struct {
        int64_t at;
        const char *name;
    } cases[] = {
        { INT64_MIN, "ONE" }, { 999999, "ONE" },  { 1000000, "TWO" },
        { 1999999, "TWO" },   { 2000000, "XXX" }, { (int64_t)1 << 40, "XXX" },
    };
    struct tr_arena arena;
    struct tr_zone zone;
    assert_int_equal(parse(&arena, BYTES(whole), &zone), TR_OK);
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_string_equal(tr_zone_at(&zone, cases[i].at)->abbreviation, cases[i].name);
    }
    assert_int_equal(tr_zone_at(&zone, 1500000)->offset_s, 7200);
    assert_true(tr_zone_at(&zone, 1500000)->is_dst);
    tr_arena_done(&arena);
}

static void zone_without_a_rule_stays_at_its_last_time(void **state)
{
    (void)state;
    struct tr_arena arena;
    struct tr_zone zone;
    assert_int_equal(
        parse(&arena,
              BYTES(EMPTY_BLOCK HEADER("3", "\0", "\2", "\2", "\x8") CHANGES TIMES NAMES "\n\n"),
              &zone),
        TR_OK);

    assert_string_equal(tr_zone_at(&zone, 2000000)->abbreviation, "ONE");
    tr_arena_done(&arena);
}

/* Whatever is cut off, and whatever is wrong. */
static void zone_refuses_what_is_no_tzif_file(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
#define CASE(text) { text, sizeof(text) - 1 }
        CASE(""),
        CASE("TZif"),
        CASE("XZif2"),
        /* version 1 */
        CASE(HEADER("\0", "\0", "\0", "\1", "\1") "\0\0\0\0\0\0\0"),
        /* leap seconds */
        CASE(EMPTY_BLOCK HEADER("2", "\1", "\0", "\1", "\4") "\0\0\0\0\0\0ONE\0"
                                                             "\0\0\0\0\0\0\0\0\0\0\0\0\n\n"),
        /* no kind of time */
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\0", "\4") "ONE\0\n\n"),
        /* a change to a kind of time that is not there */
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\1", "\1", "\4") "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0ONE\0"
                                                             "\n\n"),
        /* changes that do not ascend */
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\2", "\1", "\4") "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0"
                                                             "\0\0\0\0\0\0ONE\0\n\n"),
        /* a name that is not there, and one without an end */
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\4") "\0\0\0\0\0\4ONE\0\n\n"),
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\3") "\0\0\0\0\0\0ONE\n\n"),
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\4") "\0\0\0\0\0\0O\nE\0\n\n"),
        /* 26 hours from UTC */
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\4") "\0\1\x6d\xa0\0\0ONE\0\n\n"),
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\4") "\x80\0\0\0\0\0ONE\0\n\n"),
        /* a rule that is none, and one without an end */
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\4") "\0\0\0\0\0\0ONE\0\nXXX\n"),
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\4") "\0\0\0\0\0\0ONE\0\nXXX-3"),
        CASE(EMPTY_BLOCK HEADER("2", "\0", "\0", "\1", "\4") "\0\0\0\0\0\0ONE\0XXX-3\n"),
#undef CASE
    };
    struct tr_arena arena;
    struct tr_zone zone;
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const unsigned char *bytes = (const unsigned char *)cases[i].bytes;
        if (parse(&arena, bytes, cases[i].length, &zone) != TR_INTERNAL) {
            fail_msg("case %zu was accepted", i);
        }
        tr_arena_done(&arena);
    }
    for (size_t length = 0; length < sizeof(whole) - 1; length++) {
        assert_int_equal(parse(&arena, (const unsigned char *)whole, length, &zone), TR_INTERNAL);
        tr_arena_done(&arena);
    }
}

static bool parse_once(void *context)
{
    (void)context;
    struct tr_arena arena;
    struct tr_zone zone;
    const enum tr_status status = parse(&arena, BYTES(whole), &zone);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    tr_arena_done(&arena);
    return status == TR_OK;
}

static void zone_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(parse_once, NULL);
}

/* ---- from the clock to the moment ---- */

/* At 1000000 the clock jumps from 1003600 to 1007200, at 2000000 from 2007200 back to 2003600. */
static void local_times_are_shown_once_twice_or_never(void **state)
{
    (void)state;
    static const char back[] =
        EMPTY_BLOCK HEADER("2", "\0", "\2", "\2", "\x8") CHANGES TIMES NAMES "\nONE-1\n";
    static const struct {
        int64_t local;
        enum tr_local_kind kind;
        int64_t earlier, later;
    } cases[] = {
        { 1003599, TR_LOCAL_UNIQUE, 999999, 999999 },
        { 1003600, TR_LOCAL_SKIPPED, 996400, 1000000 },
        { 1007199, TR_LOCAL_SKIPPED, 999999, 1003599 },
        { 1007200, TR_LOCAL_UNIQUE, 1000000, 1000000 },
        { 2003599, TR_LOCAL_UNIQUE, 1996399, 1996399 },
        { 2003600, TR_LOCAL_AMBIGUOUS, 1996400, 2000000 },
        { 2007199, TR_LOCAL_AMBIGUOUS, 1999999, 2003599 },
        { 2007200, TR_LOCAL_UNIQUE, 2003600, 2003600 },
    };
    struct tr_arena arena;
    struct tr_zone zone;
    assert_int_equal(parse(&arena, BYTES(back), &zone), TR_OK);
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_local local = tr_zone_local(&zone, cases[i].local);

        assert_int_equal(local.kind, cases[i].kind);
        assert_int_equal(local.earlier, cases[i].earlier);
        assert_int_equal(local.later, cases[i].later);
    }
    tr_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zone_shows_its_times_between_its_changes),
        cmocka_unit_test(zone_without_a_rule_stays_at_its_last_time),
        cmocka_unit_test(zone_refuses_what_is_no_tzif_file),
        cmocka_unit_test(zone_survives_every_failing_allocation),
        cmocka_unit_test(local_times_are_shown_once_twice_or_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
