/* Time zones of this system, judged by what GNU date says about them: see tests/data/zone_times.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/call.h"
#include "tools/core/descriptor.h"
#include "tools/suites/data/time_text.h"
#include "tools/suites/data/zone.h"
#include "tools/suites/data/zone_file.h"
#include "tools/suites/data/zone_local.h"

enum { LINE_BYTES = 256 };

struct row {
    char zone[64], local[32], offset[16], abbreviation[16];
    long long unix_s;
};

static const struct tr_zone *opened(struct tr_call *call, const char *name)
{
    const struct tr_zone *zone = NULL;
    if (tr_zone_open(call, name, &zone) != TR_OK) {
        fail_msg("%s: %s", name, call->failure);
    }
    return zone;
}

/* "+02:00:00", as date writes it. */
static void write_offset(int32_t offset_s, char out[16])
{
    const unsigned size = (unsigned)abs(offset_s);
    (void)snprintf(out, 16, "%c%02u:%02u:%02u", offset_s < 0 ? '-' : '+', size / 3600 % 100,
                   size / 60 % 60, size % 60);
}

static void check_row(const struct row *row, const struct tr_zone *zone)
{
    const struct tr_zone_time *shown = tr_zone_at(zone, row->unix_s);
    char time[TR_TIME_TEXT_BYTES];
    char offset[16];
    tr_time_write(row->unix_s * 1000, shown->offset_s, true, time);
    time[strlen(time) - 1] = '\0'; /* its Z */
    write_offset(shown->offset_s, offset);

    if (strcmp(time, row->local) != 0 || strcmp(offset, row->offset) != 0
        || strcmp(shown->abbreviation, row->abbreviation) != 0) {
        fail_msg("%s at %lld: %s %s %s", row->zone, row->unix_s, time, offset, shown->abbreviation);
    }
}

/* Back from the clock: the moment is one of those that it can be. */
static void check_local(const struct row *row, const struct tr_zone *zone)
{
    struct tr_time_text text;
    assert_null(tr_time_read(row->local, strlen(row->local), &text));

    const struct tr_local local = tr_zone_local(zone, text.local_s);

    if (local.kind == TR_LOCAL_SKIPPED
        || (local.earlier != row->unix_s && local.later != row->unix_s)) {
        fail_msg("%s at %s: %lld or %lld", row->zone, row->local, (long long)local.earlier,
                 (long long)local.later);
    }
    assert_int_equal(local.kind == TR_LOCAL_UNIQUE, local.earlier == local.later);
}

static void zones_show_what_date_says_and_find_the_way_back(void **state)
{
    (void)state;
    FILE *file = fopen(TR_TEST_DATA_DIR "/zone_times.tsv", "r");
    assert_non_null(file);
    struct tr_call call;
    tr_call_init(&call);
    const struct tr_zone *zone = NULL;
    char line[LINE_BYTES];
    size_t rows = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        struct row row;
        assert_int_equal(sscanf(line, "%63s %lld %31s %15s %15s", row.zone, &row.unix_s, row.local,
                                row.offset, row.abbreviation),
                         5);
        if (zone == NULL || strcmp(zone->name, row.zone) != 0) {
            tr_call_done(&call);
            tr_call_init(&call);
            zone = opened(&call, tr_printf(&call, "%s", row.zone));
        }
        check_row(&row, zone);
        check_local(&row, zone);
        rows++;
    }
    assert_true(rows > 1000);
    tr_call_done(&call);
    (void)fclose(file);
}

/* Over every change of these zones, from the first ones by the sun to the last. */
static void every_change_skips_or_repeats_what_lies_between(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Europe/Berlin",   "Europe/Dublin",       "America/New_York",  "America/Nuuk",
        "Africa/Monrovia", "Africa/Casablanca",   "Asia/Gaza",         "Asia/Pyongyang",
        "Pacific/Apia",    "Australia/Lord_Howe", "Antarctica/Troll",  "America/Caracas",
        "Europe/London",   "Pacific/Kiritimati",  "America/Sao_Paulo", "Asia/Manila",
    };
    size_t skips = 0;
    size_t repeats = 0;
    for (size_t i = 0; i < TR_COUNT_OF(names); i++) {
        struct tr_call call;
        tr_call_init(&call);
        const struct tr_zone *zone = opened(&call, names[i]);
        for (size_t change = 0; change < zone->change_count; change++) {
            const int64_t at = zone->changes[change];
            const int32_t before = tr_zone_at(zone, at - 1)->offset_s;
            const int32_t behind = tr_zone_at(zone, at)->offset_s;
            if (at < TR_TIME_FIRST || before == behind) {
                continue;
            }

            const int64_t first = at + (before < behind ? before : behind);
            const struct tr_local local = tr_zone_local(zone, first);

            const bool is_skip = before < behind;
            if (local.kind != (is_skip ? TR_LOCAL_SKIPPED : TR_LOCAL_AMBIGUOUS) || local.later != at
                || local.earlier != at - abs(behind - before)) {
                fail_msg("%s at %lld: %d", names[i], (long long)at, (int)local.kind);
            }
            skips += is_skip;
            repeats += !is_skip;
        }
        tr_call_done(&call);
    }
    assert_true(skips > 100 && repeats > 100);
}

static void a_fixed_zone_is_always_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *name, *shown;
        int32_t offset_s;
    } cases[] = {
        { "UTC", "UTC", 0 },
        { "utc", "UTC", 0 },
        { "Z", "UTC", 0 },
        { "+02:00", "+02:00", 7200 },
        { "+0200", "+02:00", 7200 },
        { "+02", "+02:00", 7200 },
        { "-05:30", "-05:30", -19800 },
        { "+00:00", "+00:00", 0 },
        { "-23:59", "-23:59", -86340 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_call call;
        tr_call_init(&call);

        const struct tr_zone *zone = opened(&call, cases[i].name);

        assert_string_equal(zone->name, cases[i].shown);
        assert_int_equal(tr_zone_at(zone, TR_TIME_FIRST)->offset_s, cases[i].offset_s);
        assert_int_equal(tr_zone_at(zone, TR_TIME_LAST)->offset_s, cases[i].offset_s);
        tr_call_done(&call);
    }
}

/* Nothing outside of the folder is opened, and nothing in it that is no zone. */
static void names_that_are_no_zones_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",
        ".",
        "..",
        "/etc/passwd",
        "../../../etc/passwd",
        "Europe/../../../../etc/passwd",
        "Europe/./Berlin",
        "Europe//Berlin",
        "/Europe/Berlin",
        "Europe/",
        "Europe",
        "Europe/Berlin/",
        "Europe/Berlin\n",
        "Europe\\Berlin",
        "zone.tab",
        "tzdata.zi",
        "leapseconds",
        "localtime",
        "posixrules",
        "posix/Europe/Berlin",
        "right/Europe/Berlin",
        "CET-1CEST,M3.5.0,M10.5.0/3",
        ":Europe/Berlin",
        "A/B/C/D",
        "+2",
        "+24:00",
        "+02:60",
        "+02:00:00",
        "+",
        "Xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    };
    for (size_t i = 0; i < TR_COUNT_OF(names); i++) {
        struct tr_call call;
        tr_call_init(&call);
        const struct tr_zone *zone = NULL;

        const enum tr_status status = tr_zone_open(&call, names[i], &zone);

        if (status != TR_TOOL_FAILED) {
            fail_msg("'%s' was opened", names[i]);
        }
        assert_non_null(strstr(call.failure, "There is no time zone"));
        tr_call_done(&call);
    }
}

static void a_name_that_is_nearly_right_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *name, *meant;
    } cases[] = {
        { "Europe/Berln", "'Europe/Berlin'" },
        { "europe/berlin", "'Europe/Berlin'" },
        { "Berlin", "'Europe/Berlin'" },
        { "new york", "'America/New_York'" },
        { "America/NewYork", "'America/New_York'" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_call call;
        tr_call_init(&call);
        const struct tr_zone *zone = NULL;

        assert_int_equal(tr_zone_open(&call, cases[i].name, &zone), TR_TOOL_FAILED);

        if (strstr(call.failure, cases[i].meant) == NULL) {
            fail_msg("%s", call.failure);
        }
        tr_call_done(&call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_show_what_date_says_and_find_the_way_back),
        cmocka_unit_test(every_change_skips_or_repeats_what_lies_between),
        cmocka_unit_test(a_fixed_zone_is_always_the_same),
        cmocka_unit_test(names_that_are_no_zones_are_refused),
        cmocka_unit_test(a_name_that_is_nearly_right_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
