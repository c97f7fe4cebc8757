#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/suites/data/zone_rule.h"

static void rule_shows_what_it_says(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        int64_t at;
        int32_t offset_s;
        const char *name;
    } cases[] = {
        { "CET-1", 0, 3600, "CET" },
        { "EST5", 0, -18000, "EST" },
        { "<+0530>-5:30", 0, 19800, "+0530" },
        { "<-03>3", 0, -10800, "-03" },
        { "LMT0:01:15", 0, -75, "LMT" },
        /* 2024-03-31 01:00 and 2024-10-27 01:00 in UTC */
        { "CET-1CEST,M3.5.0,M10.5.0/3", 1711846799, 3600, "CET" },
        { "CET-1CEST,M3.5.0,M10.5.0/3", 1711846800, 7200, "CEST" },
        { "CET-1CEST,M3.5.0,M10.5.0/3", 1729990799, 7200, "CEST" },
        { "CET-1CEST,M3.5.0,M10.5.0/3", 1729990800, 3600, "CET" },
        /* south of the equator, over the turn of the year */
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", 1704067200, 39600, "AEDT" },
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", 1719792000, 36000, "AEST" },
        /* half an hour */
        { "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1704067200, 39600, "+11" },
        /* winter is the exception: the rule's daylight time is behind */
        { "IST-1GMT0,M10.5.0,M3.5.0/1", 1704067200, 0, "GMT" },
        { "IST-1GMT0,M10.5.0,M3.5.0/1", 1719792000, 3600, "IST" },
        /* a time before the day: Saturday 22:00 is Sunday -2 */
        { "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1711846799, -7200, "-02" },
        { "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1711846800, -3600, "-01" },
        /* days of the year: J60 is March 1 in every year, 59 is February 29 in a leap year */
        { "AAA0BBB,J60/0,J61/1", 1709251199, 0, "AAA" },
        { "AAA0BBB,J60/0,J61/1", 1709251200, 3600, "BBB" },
        { "AAA0BBB,J60/0,J61/1", 1677628800, 3600, "BBB" },
        { "AAA0BBB,59/0,60/1", 1709164799, 0, "AAA" },
        { "AAA0BBB,59/0,60/1", 1709164800, 3600, "BBB" },
        /* all year */
        { "XXX3EDT4,0/0,J365/23", 1704067200, -14400, "EDT" },
        { "XXX3EDT4,0/0,J365/23", 1704078000, -14400, "EDT" },
        { "XXX3EDT4,0/0,J365/23", 1719792000, -14400, "EDT" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_zone_rule rule;
        assert_true(tr_zone_rule_read(cases[i].rule, strlen(cases[i].rule), &rule));

        const struct tr_zone_time *shown = tr_zone_rule_at(&rule, cases[i].at);

        if (shown->offset_s != cases[i].offset_s
            || strcmp(shown->abbreviation, cases[i].name) != 0) {
            fail_msg("%s at %lld: %d %s", cases[i].rule, (long long)cases[i].at,
                     (int)shown->offset_s, shown->abbreviation);
        }
    }
}

static void rule_refuses_what_is_none(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "",
        "CET",
        "CE-1",
        "-1",
        "<CET-1",
        "<>-1",
        "C1T-1",
        "CET-25",
        "CET-1:60",
        "CET-1:00:60",
        "CET-1 ",
        "CET-1CEST",
        "CET-1CEST,",
        "CET-1CEST,M3.5.0",
        "CET-1CEST,M3.5.0,",
        "CET-1CEST,M3.5.0,M10.5.0/3x",
        "CET-1CEST,M0.5.0,M10.5.0",
        "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.0.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M3.5,M10.5.0",
        "CET-1CEST,J0,J1",
        "CET-1CEST,J366,J1",
        "CET-1CEST,366,1",
        "CET-1CEST,M3.5.0/168,M10.5.0",
        "CET-1CEST,M3.5.0/,M10.5.0",
        "CET-1CEST-,M3.5.0,M10.5.0",
        "ABCDEFGHIJKLMNOP-1",
        "CET-99999999999999999999",
    };
    for (size_t i = 0; i < TR_COUNT_OF(rules); i++) {
        struct tr_zone_rule rule;
        if (tr_zone_rule_read(rules[i], strlen(rules[i]), &rule)) {
            fail_msg("%s was accepted", rules[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_shows_what_it_says),
        cmocka_unit_test(rule_refuses_what_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
