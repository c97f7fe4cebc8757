#include "tools/suites/data/civil.h"

enum {
    ERA_YEARS = 400, /* after which the calendar repeats */
    ERA_DAYS = 146097,
    EPOCH_DAYS = 719468, /* from 0000-03-01 to 1970-01-01 */
    EPOCH_WEEKDAY = 4,   /* a Thursday */
};

int64_t tr_floor_divide(int64_t value, int64_t by)
{
    return value / by - (value % by < 0 ? 1 : 0);
}

bool tr_civil_is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int tr_civil_month_days(int64_t year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return month == 2 && tr_civil_is_leap(year) ? 29 : days[month - 1];
}

/* Years are counted from March here, so that the leap day is the last one: from there the months
 * have 31, 30, 31, 30 and 31 days, over and over, which is what 153 days for 5 months say. */
int64_t tr_civil_days(int64_t year, int month, int day)
{
    const int64_t march_year = month <= 2 ? year - 1 : year;
    const int64_t march_month = (month + 9) % 12;
    const int64_t era = tr_floor_divide(march_year, ERA_YEARS);
    const int64_t year_of_era = march_year - era * ERA_YEARS;
    const int64_t day_of_year = (153 * march_month + 2) / 5 + day - 1;
    const int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * ERA_DAYS + day_of_era - EPOCH_DAYS;
}

static struct tr_civil date_of(int64_t days)
{
    const int64_t shifted = days + EPOCH_DAYS;
    const int64_t era = tr_floor_divide(shifted, ERA_DAYS);
    const int64_t day_of_era = shifted - era * ERA_DAYS;
    const int64_t leap_days = day_of_era / 1460 - day_of_era / 36524 + day_of_era / 146096;
    const int64_t year_of_era = (day_of_era - leap_days) / 365;
    const int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t march_month = (5 * day_of_year + 2) / 153;
    const int month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
    return (struct tr_civil){
        .year = era * ERA_YEARS + year_of_era + (month <= 2 ? 1 : 0),
        .month = month,
        .day = (int)(day_of_year - (153 * march_month + 2) / 5 + 1),
    };
}

struct tr_civil tr_civil_of(int64_t seconds)
{
    const int64_t days = tr_floor_divide(seconds, TR_DAY_SECONDS);
    const int of_day = (int)(seconds - days * TR_DAY_SECONDS);
    struct tr_civil civil = date_of(days);
    civil.hour = of_day / 3600;
    civil.minute = of_day / 60 % 60;
    civil.second = of_day % 60;
    return civil;
}

int64_t tr_civil_seconds(const struct tr_civil *civil)
{
    const int64_t days = tr_civil_days(civil->year, civil->month, civil->day);
    const int of_day = civil->hour * 3600 + civil->minute * 60 + civil->second;
    return days * TR_DAY_SECONDS + of_day;
}

int tr_civil_weekday(int64_t days)
{
    const int64_t shifted = days + EPOCH_WEEKDAY;
    return (int)(shifted - tr_floor_divide(shifted, 7) * 7);
}
