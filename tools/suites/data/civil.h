/* civil.h - the Gregorian calendar, also before it was introduced: seconds since
 * 1970-01-01T00:00:00 as date and time of day and back. No zone, no leap seconds. */
#ifndef TR_TOOLS_SUITES_DATA_CIVIL_H
#define TR_TOOLS_SUITES_DATA_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

enum { TR_DAY_SECONDS = 24 * 60 * 60 };

struct tr_civil {
    int64_t year;
    int month, day;           /* from 1 */
    int hour, minute, second; /* from 0 */
};

/* Any year within a million of now. */
struct tr_civil tr_civil_of(int64_t seconds);
int64_t tr_civil_seconds(const struct tr_civil *civil);

/* Days from 1970-01-01 to a date. */
int64_t tr_civil_days(int64_t year, int month, int day);

bool tr_civil_is_leap(int64_t year);
int tr_civil_month_days(int64_t year, int month);

/* 0 is Sunday. */
int tr_civil_weekday(int64_t days);

/* Rounds towards the past, also before 1970. */
int64_t tr_floor_divide(int64_t value, int64_t by);

#endif
