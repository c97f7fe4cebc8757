/* date-time, date, time and duration: RFC 3339, section 5.6 and appendix A. */

#include "tools/core/format_rules.h"
#include "tools/core/format_text.h"

enum { MINUTES_A_DAY = 24 * 60 };

/* What is left of the text. Each take_ function steps over what it names, or says false. */
struct reader {
    const char *bytes;
    size_t length;
};

static bool take_char(struct reader *in, char wanted)
{
    if (in->length == 0 || in->bytes[0] != wanted) {
        return false;
    }
    in->bytes++;
    in->length--;
    return true;
}

static bool take_letter(struct reader *in, char upper)
{
    return take_char(in, upper) || take_char(in, (char)(upper | 0x20));
}

/* Exactly `digits` digits, with a value up to `max`. */
static bool take_number(struct reader *in, size_t digits, int max, int *ret_value)
{
    if (in->length < digits) {
        return false;
    }
    int value = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!tr_ascii_is_digit(in->bytes[i])) {
            return false;
        }
        value = value * 10 + (in->bytes[i] - '0');
    }
    in->bytes += digits;
    in->length -= digits;
    *ret_value = value;
    return value <= max;
}

/* How many digits there were. */
static size_t take_digits(struct reader *in)
{
    size_t count = 0;
    while (in->length > 0 && tr_ascii_is_digit(in->bytes[0])) {
        in->bytes++;
        in->length--;
        count++;
    }
    return count;
}

static int days_in(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && is_leap ? 29 : days[month - 1];
}

static bool take_date(struct reader *in)
{
    int year = 0;
    int month = 0;
    int day = 0;
    return take_number(in, 4, 9999, &year) && take_char(in, '-') && take_number(in, 2, 12, &month)
           && take_char(in, '-') && month >= 1 && take_number(in, 2, days_in(year, month), &day)
           && day >= 1;
}

/* "Z", or a distance from UTC, in minutes. */
static bool take_offset(struct reader *in, int *ret_minutes)
{
    *ret_minutes = 0;
    if (take_letter(in, 'Z')) {
        return true;
    }
    const bool is_west = take_char(in, '-');
    int hour = 0;
    int minute = 0;
    if ((!is_west && !take_char(in, '+')) || !take_number(in, 2, 23, &hour) || !take_char(in, ':')
        || !take_number(in, 2, 59, &minute)) {
        return false;
    }
    const int minutes = hour * 60 + minute;
    *ret_minutes = is_west ? -minutes : minutes;
    return true;
}

/* The second 60 exists where it is 23:59 in UTC, and nowhere else. */
static bool take_time(struct reader *in)
{
    int hour = 0;
    int minute = 0;
    int second = 0;
    int offset = 0;
    if (!take_number(in, 2, 23, &hour) || !take_char(in, ':') || !take_number(in, 2, 59, &minute)
        || !take_char(in, ':') || !take_number(in, 2, 60, &second)) {
        return false;
    }
    if (take_char(in, '.') && take_digits(in) == 0) {
        return false;
    }
    if (!take_offset(in, &offset)) {
        return false;
    }
    const int utc = (hour * 60 + minute - offset + 2 * MINUTES_A_DAY) % MINUTES_A_DAY;
    return second < 60 || utc == MINUTES_A_DAY - 1;
}

bool tr_is_date_time(const char *bytes, size_t length)
{
    struct reader in = { .bytes = bytes, .length = length };
    return take_date(&in) && take_letter(&in, 'T') && take_time(&in) && in.length == 0;
}

bool tr_is_date(const char *bytes, size_t length)
{
    struct reader in = { .bytes = bytes, .length = length };
    return take_date(&in) && in.length == 0;
}

bool tr_is_time(const char *bytes, size_t length)
{
    struct reader in = { .bytes = bytes, .length = length };
    return take_time(&in) && in.length == 0;
}

/* Numbers with the letters of `units`, in their order and without a gap, from any of them to any
 * other: of "HMS" so "1H2M3S", "2M" and "1H2M", but not "1H3S". At least one. */
static bool take_amounts(struct reader *in, const char *units)
{
    const char *next = NULL;
    while (in->length > 0 && tr_ascii_is_digit(in->bytes[0])) {
        (void)take_digits(in);
        const char unit = in->length > 0 ? in->bytes[0] : '\0';
        const char *found = tr_ascii_is_in(unit, units) ? strchr(units, unit) : NULL;
        if (found == NULL || (next != NULL && found != next)) {
            return false;
        }
        (void)take_char(in, unit);
        next = found + 1;
    }
    return next != NULL;
}

static bool take_duration_time(struct reader *in)
{
    return take_char(in, 'T') && take_amounts(in, "HMS") && in->length == 0;
}

/* Weeks stand alone. */
bool tr_is_duration(const char *bytes, size_t length)
{
    struct reader in = { .bytes = bytes, .length = length };
    if (!take_char(&in, 'P')) {
        return false;
    }
    struct reader weeks = in;
    if (take_amounts(&weeks, "W") && weeks.length == 0) {
        return true;
    }
    struct reader time = in;
    if (take_duration_time(&time)) {
        return true;
    }
    return take_amounts(&in, "YMD") && (in.length == 0 || take_duration_time(&in));
}
