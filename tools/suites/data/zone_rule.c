#include "tools/suites/data/zone_rule.h"

#include <string.h>

#include "tools/suites/data/civil.h"

enum { HOUR_SECONDS = 3600, MAX_OFFSET_HOURS = 24, MAX_RULE_HOURS = 167 };

/* ---- reading ---- */

/* What is left of the text. Each take_ function steps over what it names, or says false. */
struct reader {
    const char *at, *end;
};

static bool take_char(struct reader *in, char wanted)
{
    if (in->at == in->end || *in->at != wanted) {
        return false;
    }
    in->at++;
    return true;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte)
{
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'z';
}

static bool take_number(struct reader *in, int min, int max, int *ret_value)
{
    const char *start = in->at;
    int value = 0;
    while (in->at < in->end && is_digit(*in->at) && value <= max) {
        value = value * 10 + (*in->at - '0');
        in->at++;
    }
    *ret_value = value;
    return in->at > start && value >= min && value <= max;
}

/* "CET", or "<+0330>" where it is not all letters. */
static bool take_name(struct reader *in, char out[TR_ZONE_NAME_BYTES])
{
    const bool is_quoted = take_char(in, '<');
    const char *start = in->at;
    while (in->at < in->end
           && (is_letter(*in->at)
               || (is_quoted && (is_digit(*in->at) || *in->at == '+' || *in->at == '-')))) {
        in->at++;
    }
    const size_t length = (size_t)(in->at - start);
    if (length < 3 || length >= TR_ZONE_NAME_BYTES || (is_quoted && !take_char(in, '>'))) {
        return false;
    }
    memcpy(out, start, length);
    out[length] = '\0';
    return true;
}

/* [+-]h[h[h]][:mm[:ss]] */
static bool take_time(struct reader *in, int max_hours, int32_t *ret_seconds)
{
    const bool is_negative = take_char(in, '-');
    if (!is_negative) {
        (void)take_char(in, '+');
    }
    int hours = 0;
    int minutes = 0;
    int seconds = 0;
    if (!take_number(in, 0, max_hours, &hours)) {
        return false;
    }
    if (take_char(in, ':')) {
        if (!take_number(in, 0, 59, &minutes)
            || (take_char(in, ':') && !take_number(in, 0, 59, &seconds))) {
            return false;
        }
    }
    const int32_t value = hours * HOUR_SECONDS + minutes * 60 + seconds;
    *ret_seconds = is_negative ? -value : value;
    return true;
}

static bool take_date(struct reader *in, struct tr_rule_date *out)
{
    *out = (struct tr_rule_date){ .time_s = 2 * HOUR_SECONDS };
    bool is_fine = false;
    if (take_char(in, 'M')) {
        out->kind = TR_RULE_MONTH;
        is_fine = take_number(in, 1, 12, &out->month) && take_char(in, '.')
                  && take_number(in, 1, 5, &out->week) && take_char(in, '.')
                  && take_number(in, 0, 6, &out->day);
    } else if (take_char(in, 'J')) {
        out->kind = TR_RULE_JULIAN;
        is_fine = take_number(in, 1, 365, &out->day);
    } else {
        out->kind = TR_RULE_DAY_INDEX;
        is_fine = take_number(in, 0, 365, &out->day);
    }
    return is_fine && (!take_char(in, '/') || take_time(in, MAX_RULE_HOURS, &out->time_s));
}

/* POSIX counts offsets west of Greenwich. */
static bool take_standard(struct reader *in, struct tr_zone_rule *rule)
{
    if (!take_name(in, rule->standard.abbreviation)
        || !take_time(in, MAX_OFFSET_HOURS, &rule->standard.offset_s)) {
        return false;
    }
    rule->standard.offset_s = -rule->standard.offset_s;
    return true;
}

/* An hour ahead when it does not say. */
static bool take_daylight(struct reader *in, struct tr_zone_rule *rule)
{
    struct tr_zone_time *daylight = &rule->daylight;
    if (!take_name(in, daylight->abbreviation)) {
        return false;
    }
    daylight->is_dst = true;
    daylight->offset_s = rule->standard.offset_s + HOUR_SECONDS;
    if (in->at < in->end && *in->at != ',') {
        if (!take_time(in, MAX_OFFSET_HOURS, &daylight->offset_s)) {
            return false;
        }
        daylight->offset_s = -daylight->offset_s;
    }
    return take_char(in, ',') && take_date(in, &rule->start) && take_char(in, ',')
           && take_date(in, &rule->end);
}

bool tr_zone_rule_read(const char *text, size_t length, struct tr_zone_rule *ret_rule)
{
    struct reader in = { .at = text, .end = text + length };
    struct tr_zone_rule rule = { .has_daylight = false };
    if (!take_standard(&in, &rule)) {
        return false;
    }
    rule.has_daylight = in.at < in.end;
    if (rule.has_daylight && (!take_daylight(&in, &rule) || in.at < in.end)) {
        return false;
    }
    *ret_rule = rule;
    return true;
}

/* ---- applying ---- */

/* The w-th weekday of the month, or the last one. */
static int64_t month_rule_days(int64_t year, const struct tr_rule_date *date)
{
    const int64_t first = tr_civil_days(year, date->month, 1);
    const int ahead = (date->day - tr_civil_weekday(first) + 7) % 7;
    int day = 1 + ahead + (date->week - 1) * 7;
    if (day > tr_civil_month_days(year, date->month)) {
        day -= 7;
    }
    return first + day - 1;
}

/* When a clock that is `offset_s` ahead of UTC shows the date's time in `year`. */
static int64_t change_at(int64_t year, const struct tr_rule_date *date, int32_t offset_s)
{
    int64_t days = 0;
    switch (date->kind) {
    case TR_RULE_MONTH: days = month_rule_days(year, date); break;
    case TR_RULE_JULIAN:
        days = tr_civil_days(year, 1, 1) + date->day - 1
               + (tr_civil_is_leap(year) && date->day >= 60 ? 1 : 0);
        break;
    case TR_RULE_DAY_INDEX: days = tr_civil_days(year, 1, 1) + date->day; break;
    }
    return days * TR_DAY_SECONDS + date->time_s - offset_s;
}

/* The last change at or before `seconds` decides. A rule's time may lie days beyond its date, so
 * the years before and behind are looked at too. Where an end falls on a start, daylight saving
 * time has no end: that is how a rule says that it lasts all year. */
const struct tr_zone_time *tr_zone_rule_at(const struct tr_zone_rule *rule, int64_t seconds)
{
    if (!rule->has_daylight) {
        return &rule->standard;
    }
    const int64_t year = tr_civil_of(seconds + rule->standard.offset_s).year;
    int64_t last_start = INT64_MIN;
    int64_t last_end = INT64_MIN;
    for (int64_t y = year - 1; y <= year + 1; y++) {
        const int64_t start = change_at(y, &rule->start, rule->standard.offset_s);
        const int64_t end = change_at(y, &rule->end, rule->daylight.offset_s);
        last_start = start <= seconds && start > last_start ? start : last_start;
        last_end = end <= seconds && end > last_end ? end : last_end;
    }
    return last_start >= last_end ? &rule->daylight : &rule->standard;
}
