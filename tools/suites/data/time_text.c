#include "tools/suites/data/time_text.h"

#include <stdio.h>

#include "tools/suites/data/civil.h"

_Static_assert(TR_TIME_LAST - TR_TIME_FIRST == (int64_t)3652425 * TR_DAY_SECONDS - 1,
               "10,000 years");

/* ---- reading ---- */

/* What is left of the text. Each take_ function steps over what it names, or says false. */
struct reader {
    const char *at, *end;
};

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_digit_at(const struct reader *in)
{
    return in->at < in->end && is_digit(*in->at);
}

static bool take_char(struct reader *in, char wanted)
{
    if (in->at == in->end || *in->at != wanted) {
        return false;
    }
    in->at++;
    return true;
}

/* Exactly `digits` digits. */
static bool take_number(struct reader *in, size_t digits, int *ret_value)
{
    int value = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!is_digit_at(in)) {
            return false;
        }
        value = value * 10 + (*in->at++ - '0');
    }
    *ret_value = value;
    return true;
}

/* The first three digits of a fraction. */
static bool take_fraction(struct reader *in, int *ret_milliseconds)
{
    int value = 0;
    size_t digits = 0;
    for (; is_digit_at(in); digits++, in->at++) {
        value = digits < 3 ? value * 10 + (*in->at - '0') : value;
    }
    for (size_t i = digits; i < 3; i++) {
        value *= 10;
    }
    *ret_milliseconds = value;
    return digits != 0;
}

static const char *take_date(struct reader *in, struct tr_civil *civil)
{
    int year = 0;
    if (!take_number(in, 4, &year) || !take_char(in, '-') || !take_number(in, 2, &civil->month)
        || !take_char(in, '-') || !take_number(in, 2, &civil->day)) {
        return "a date is written as in 2024-02-29";
    }
    civil->year = year;
    if (civil->month < 1 || civil->month > 12) {
        return "there are the months 01 to 12";
    }
    if (civil->day < 1 || civil->day > tr_civil_month_days(year, civil->month)) {
        return "the month has no such day";
    }
    return NULL;
}

static const char *take_clock(struct reader *in, struct tr_civil *civil, int *ret_milliseconds)
{
    bool is_fine = take_number(in, 2, &civil->hour) && take_char(in, ':')
                   && take_number(in, 2, &civil->minute);
    if (is_fine && take_char(in, ':')) {
        is_fine = take_number(in, 2, &civil->second)
                  && (!take_char(in, '.') || take_fraction(in, ret_milliseconds));
    }
    if (!is_fine) {
        return "a time of day is written as in 12:00, 12:00:00 or 12:00:00.123";
    }
    if (civil->second == 60) {
        return "a leap second has no Unix time; write second 59";
    }
    return civil->hour > 23 || civil->minute > 59 || civil->second > 59
               ? "times of day go from 00:00:00 to 23:59:59"
               : NULL;
}

/* +02:00, +0200 or +02 */
static bool take_offset(struct reader *in, int32_t *ret_offset_s)
{
    const bool is_west = take_char(in, '-');
    int hours = 0;
    int minutes = 0;
    if ((!is_west && !take_char(in, '+')) || !take_number(in, 2, &hours)) {
        return false;
    }
    if ((take_char(in, ':') || is_digit_at(in)) && !take_number(in, 2, &minutes)) {
        return false;
    }
    const int32_t offset_s = hours * 3600 + minutes * 60;
    *ret_offset_s = is_west ? -offset_s : offset_s;
    return hours <= 23 && minutes <= 59;
}

bool tr_time_read_offset(const char *text, size_t length, int32_t *ret_offset_s)
{
    struct reader in = { .at = text, .end = text + length };
    return take_offset(&in, ret_offset_s) && in.at == in.end;
}

static const char *take_rest(struct reader *in, struct tr_time_text *time)
{
    (void)take_char(in, ' ');
    if (in->at == in->end) {
        return NULL;
    }
    time->has_offset = true;
    if (!take_char(in, 'Z') && !take_char(in, 'z') && !take_offset(in, &time->offset_s)) {
        return "an offset is written as in Z, +02:00 or -0530; a zone's name belongs in 'from'";
    }
    return in->at == in->end ? NULL : "there is more text behind the offset";
}

const char *tr_time_read(const char *text, size_t length, struct tr_time_text *ret_time)
{
    struct reader in = { .at = text, .end = text + length };
    struct tr_civil civil = { .hour = 0 };
    struct tr_time_text time = { .has_offset = false };
    const char *reason = take_date(&in, &civil);
    if (reason != NULL) {
        return reason;
    }
    const bool has_space = in.end - in.at > 1 && in.at[0] == ' ' && is_digit(in.at[1]);
    if (take_char(&in, 'T') || take_char(&in, 't') || (has_space && take_char(&in, ' '))) {
        reason = take_clock(&in, &civil, &time.milliseconds);
    }
    if (reason == NULL) {
        reason = take_rest(&in, &time);
    }
    time.local_s = tr_civil_seconds(&civil);
    *ret_time = time;
    return reason;
}

/* ---- writing ---- */

void tr_time_write_offset(int32_t offset_s, char out[TR_OFFSET_TEXT_BYTES])
{
    const unsigned size = (unsigned)(offset_s < 0 ? -offset_s : offset_s) % (100 * 3600);
    const char sign = offset_s < 0 ? '-' : '+';
    const unsigned seconds = size % 60;
    if (seconds != 0) {
        (void)snprintf(out, TR_OFFSET_TEXT_BYTES, "%c%02u:%02u:%02u", sign, size / 3600,
                       size / 60 % 60, seconds);
    } else {
        (void)snprintf(out, TR_OFFSET_TEXT_BYTES, "%c%02u:%02u", sign, size / 3600, size / 60 % 60);
    }
}

void tr_time_write(int64_t unix_ms, int32_t offset_s, bool is_utc, char out[TR_TIME_TEXT_BYTES])
{
    const int64_t unix_s = tr_floor_divide(unix_ms, 1000);
    const int milliseconds = (int)(unix_ms - unix_s * 1000);
    const struct tr_civil civil = tr_civil_of(unix_s + offset_s);
    char offset[TR_OFFSET_TEXT_BYTES] = "Z";
    if (!is_utc) {
        tr_time_write_offset(offset_s, offset);
    }
    char fraction[8] = "";
    if (milliseconds != 0) {
        (void)snprintf(fraction, sizeof(fraction), ".%03d", milliseconds % 1000);
    }
    (void)snprintf(out, TR_TIME_TEXT_BYTES, "%04d-%02d-%02dT%02d:%02d:%02d%s%s",
                   (int)(civil.year % 10000), civil.month, civil.day, civil.hour, civil.minute,
                   civil.second, fraction, offset);
}
