#include "tools/core/number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* The exact expansion of the smallest double has some 1,080 characters. */
    MAX_NUMBER_BYTES = 1200,
    /* 10^22 is the largest power of ten that a double holds exactly. */
    MAX_EXACT_POWER = 22,
    MAX_EXACT_DIGITS = 15,
};

static const double power_of_ten[MAX_EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool tr_parse_int64(const char *bytes, size_t length, int64_t *ret_value)
{
    size_t at = 0;
    bool is_negative = false;
    if (length > 0 && (bytes[0] == '-' || bytes[0] == '+')) {
        is_negative = bytes[0] == '-';
        at = 1;
    }
    if (at == length) {
        return false;
    }
    /* Counted downwards: INT64_MIN has no positive twin. */
    int64_t value = 0;
    for (; at < length; at++) {
        if (!is_digit(bytes[at])) {
            return false;
        }
        const int digit = bytes[at] - '0';
        if (value < INT64_MIN / 10 || value * 10 < INT64_MIN + digit) {
            return false;
        }
        value = value * 10 - digit;
    }
    if (!is_negative && value == INT64_MIN) {
        return false;
    }
    *ret_value = is_negative ? value : -value;
    return true;
}

/* A decimal literal taken apart: its value is `digits` * 10^`power`, exactly while
 * `digit_count` is at most MAX_EXACT_DIGITS. */
struct decimal {
    int64_t digits;
    int digit_count; /* without leading zeros */
    int power;
    bool is_negative;
};

static size_t skip_digits(const char *bytes, size_t length, size_t at, struct decimal *decimal)
{
    for (; at < length && is_digit(bytes[at]); at++) {
        if (decimal->digit_count > 0 || bytes[at] != '0') {
            decimal->digit_count++;
        }
        if (decimal->digit_count <= MAX_EXACT_DIGITS) {
            decimal->digits = decimal->digits * 10 + (bytes[at] - '0');
        }
    }
    return at;
}

/* The exponent behind an 'e' at `at`; false when it has no digits. Far exponents are only kept far
 * enough to stay out of the exact path. */
static bool read_exponent(const char *bytes, size_t length, size_t *at, int *ret_exponent)
{
    size_t next = *at + 1;
    bool is_negative = false;
    if (next < length && (bytes[next] == '-' || bytes[next] == '+')) {
        is_negative = bytes[next] == '-';
        next++;
    }
    if (next == length || !is_digit(bytes[next])) {
        return false;
    }
    int exponent = 0;
    for (; next < length && is_digit(bytes[next]); next++) {
        exponent = exponent > 10000 ? exponent : exponent * 10 + (bytes[next] - '0');
    }
    *at = next;
    *ret_exponent = is_negative ? -exponent : exponent;
    return true;
}

static bool read_decimal(const char *bytes, size_t length, struct decimal *ret_decimal)
{
    struct decimal decimal = { 0 };
    size_t at = 0;
    if (length > 0 && (bytes[0] == '-' || bytes[0] == '+')) {
        decimal.is_negative = bytes[0] == '-';
        at = 1;
    }
    const size_t whole_start = at;
    at = skip_digits(bytes, length, at, &decimal);
    if (at == whole_start) {
        return false;
    }
    if (at < length && bytes[at] == '.') {
        const size_t fraction_start = at + 1;
        at = skip_digits(bytes, length, fraction_start, &decimal);
        if (at == fraction_start) {
            return false;
        }
        decimal.power = -(int)(at - fraction_start);
    }
    if (at < length && (bytes[at] == 'e' || bytes[at] == 'E')) {
        int exponent = 0;
        if (!read_exponent(bytes, length, &at, &exponent)) {
            return false;
        }
        decimal.power += exponent;
    }
    *ret_decimal = decimal;
    return at == length;
}

/* strtod() reads the decimal point of the locale, so it runs in the plain one. */
static double read_by_library(const char *bytes, size_t length)
{
    char text[MAX_NUMBER_BYTES + 1];
    memcpy(text, bytes, length);
    text[length] = '\0';

    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    const double value = strtod(text, NULL);
    (void)uselocale(before);
    if (plain != (locale_t)0) {
        freelocale(plain);
    }
    return value;
}

bool tr_parse_double(const char *bytes, size_t length, double *ret_value)
{
    struct decimal decimal;
    if (length > MAX_NUMBER_BYTES || !read_decimal(bytes, length, &decimal)) {
        return false;
    }
    double value = 0.0;
    if (decimal.digit_count <= MAX_EXACT_DIGITS && abs(decimal.power) <= MAX_EXACT_POWER) {
        /* Both operands are exact, so the one operation rounds as strtod() would. */
        const double digits = (double)decimal.digits;
        value = decimal.power < 0 ? digits / power_of_ten[-decimal.power]
                                  : digits * power_of_ten[decimal.power];
        value = decimal.is_negative ? -value : value;
    } else {
        value = read_by_library(bytes, length);
    }
    if (!isfinite(value)) {
        return false;
    }
    *ret_value = value;
    return true;
}
