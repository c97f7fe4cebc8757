#include "server/config_expiry.h"

#include <stddef.h>
#include <string.h>

#include "tools/core/format.h"

enum { DATE_LENGTH = 10, TIME_LENGTH = 8, DAYS_BEFORE_1970 = 719162 };

/* The number in two or four digits, which the format check has seen. */
static int64_t digits(const char *text, size_t count)
{
    int64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from 1970-01-01 to "YYYY-MM-DD". */
static int64_t days_of(const char *date)
{
    static const int64_t days_before_month[] = { 0,   31,  59,  90,  120, 151,
                                                 181, 212, 243, 273, 304, 334 };
    const int64_t year = digits(date, 4);
    const int64_t month = digits(date + 5, 2);
    const int64_t day = digits(date + 8, 2);
    const int64_t past = year - 1;
    const int64_t days_of_past_years = past * 365 + past / 4 - past / 100 + past / 400;
    const int64_t leap_day = month > 2 && is_leap(year) ? 1 : 0;
    return days_of_past_years + days_before_month[month - 1] + leap_day + day - 1
           - DAYS_BEFORE_1970;
}

/* Seconds of "HH:MM" or "HH:MM:SS". */
static int64_t seconds_of(const char *time, bool has_seconds)
{
    return digits(time, 2) * 3600 + digits(time + 3, 2) * 60
           + (has_seconds ? digits(time + 6, 2) : 0);
}

/* "Z", "+01:00" or "-01:00". */
static int64_t offset_of(const char *zone)
{
    if (*zone != '+' && *zone != '-') {
        return 0;
    }
    const int64_t seconds = seconds_of(zone + 1, false);
    return *zone == '-' ? -seconds : seconds;
}

static int64_t seconds_of_time(const char *time)
{
    const char *zone = time + TIME_LENGTH + strcspn(time + TIME_LENGTH, "Zz+-");
    return seconds_of(time, true) - offset_of(zone);
}

bool tr_config_expiry(const char *text, int64_t *ret_ms)
{
    const size_t length = strlen(text);
    const bool is_date = tr_format_holds(TR_FORMAT_DATE, text, length);
    if (!is_date && !tr_format_holds(TR_FORMAT_DATE_TIME, text, length)) {
        return false;
    }
    if (digits(text, 4) == 0) {
        return false;
    }
    const int64_t time = is_date ? 0 : seconds_of_time(text + DATE_LENGTH + 1);
    const int64_t seconds = days_of(text) * 24 * 3600 + time;
    if (seconds < 0) {
        return false;
    }
    *ret_ms = seconds * 1000;
    return true;
}
