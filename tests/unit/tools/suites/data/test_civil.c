#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/suites/data/civil.h"

static void days_count_on_from_one_date_to_the_next(void **state)
{
    (void)state;
    int64_t days = tr_civil_days(-5, 1, 1);
    int weekday = tr_civil_weekday(days);
    for (int64_t year = -5; year <= 2500; year++) {
        for (int month = 1; month <= 12; month++) {
            for (int day = 1; day <= tr_civil_month_days(year, month); day++, days++) {
                const struct tr_civil civil = tr_civil_of(days * TR_DAY_SECONDS + 86399);

                assert_true(tr_civil_days(year, month, day) == days);
                assert_true(civil.year == year && civil.month == month && civil.day == day);
                assert_true(civil.hour == 23 && civil.minute == 59 && civil.second == 59);
                assert_true(tr_civil_seconds(&civil) == days * TR_DAY_SECONDS + 86399);
                assert_true(tr_civil_weekday(days) == weekday);
                weekday = (weekday + 1) % 7;
            }
        }
    }
}

static void the_epoch_is_a_thursday(void **state)
{
    (void)state;
    assert_int_equal(tr_civil_days(1970, 1, 1), 0);
    assert_int_equal(tr_civil_weekday(0), 4);
    assert_int_equal(tr_civil_days(2000, 2, 29), 11016);
    assert_int_equal(tr_civil_days(9999, 12, 31), 2932896);
}

static void years_leap_by_the_gregorian_rule(void **state)
{
    (void)state;
    assert_true(tr_civil_is_leap(2024));
    assert_false(tr_civil_is_leap(2023));
    assert_false(tr_civil_is_leap(1900));
    assert_true(tr_civil_is_leap(2000));
    assert_true(tr_civil_is_leap(0));
    assert_true(tr_civil_is_leap(-4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_count_on_from_one_date_to_the_next),
        cmocka_unit_test(the_epoch_is_a_thursday),
        cmocka_unit_test(years_leap_by_the_gregorian_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
