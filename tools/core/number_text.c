#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/core/number.h"

enum {
    MAX_EXACT_DIGITS = 15, /* every decimal of up to 15 digits names a double of its own */
    MAX_DIGITS = 17,       /* enough for every double */
    MIN_FIXED_POWER = -5,  /* smaller numbers are written with an exponent */
    MAX_FIXED_POWER = 16,  /* larger ones too */
};

/* The significant digits of a number, the first one standing for 10^`power`. */
struct digits {
    char text[MAX_DIGITS];
    int count; /* at least 1 */
    int power;
    bool is_negative;
};

size_t tr_format_int64(int64_t value, char room[TR_NUMBER_BYTES])
{
    char reversed[TR_NUMBER_BYTES];
    size_t count = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        reversed[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    size_t length = 0;
    if (value < 0) {
        room[length++] = '-';
    }
    while (count > 0) {
        room[length++] = reversed[--count];
    }
    room[length] = '\0';
    return length;
}

/* d.ddde+X */
static size_t write_with_exponent(const struct digits *digits, char *room)
{
    size_t length = 0;
    room[length++] = digits->text[0];
    if (digits->count > 1) {
        room[length++] = '.';
        memcpy(room + length, digits->text + 1, (size_t)digits->count - 1);
        length += (size_t)digits->count - 1;
    }
    room[length++] = 'e';
    if (digits->power >= 0) {
        room[length++] = '+';
    }
    return length + tr_format_int64(digits->power, room + length);
}

/* 0.000ddd, ddd.ddd or ddd000.0 */
static size_t write_fixed(const struct digits *digits, char *room)
{
    size_t length = 0;
    const int decimals = digits->count - 1 > digits->power ? digits->count - 1 - digits->power : 1;
    for (int power = digits->power > 0 ? digits->power : 0; power >= -decimals; power--) {
        if (power == -1) {
            room[length++] = '.';
        }
        const int at = digits->power - power;
        room[length++] = at >= 0 && at < digits->count ? digits->text[at] : '0';
    }
    room[length] = '\0';
    return length;
}

static size_t write_digits(const struct digits *digits, char *room)
{
    size_t length = 0;
    if (digits->is_negative) {
        room[length++] = '-';
    }
    const bool is_fixed = digits->power >= MIN_FIXED_POWER && digits->power < MAX_FIXED_POWER;
    return length
           + (is_fixed ? write_fixed(digits, room + length)
                       : write_with_exponent(digits, room + length));
}

/* Most numbers that people meet have few decimals: find the fewest that name `value`. The division
 * has two exact operands, so it gives what reading the decimal would give. */
static bool find_few_decimals(double value, struct digits *ret_digits)
{
    static const double powers[] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    };
    const double size = fabs(value);
    for (int decimals = 0; decimals < (int)(sizeof(powers) / sizeof(powers[0])); decimals++) {
        const double scaled = size * powers[decimals];
        if (scaled >= 1e15) {
            return false;
        }
        const int64_t whole = (int64_t)(scaled + 0.5);
        if ((double)whole / powers[decimals] != size) {
            continue;
        }
        char text[TR_NUMBER_BYTES];
        const size_t count = tr_format_int64(whole, text);
        memcpy(ret_digits->text, text, count);
        ret_digits->count = (int)count;
        ret_digits->power = (int)count - 1 - decimals;
        return true;
    }
    return false;
}

/* `count` significant digits by the C library. Only digits and the exponent are read, so the
 * decimal point of the locale does not matter. */
static void take_digits(double value, int count, struct digits *digits)
{
    char text[TR_NUMBER_BYTES * 2];
    (void)snprintf(text, sizeof(text), "%.*e", count - 1, fabs(value));
    digits->count = 0;
    const char *at = text;
    for (; *at != '\0' && *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9' && digits->count < MAX_DIGITS) {
            digits->text[digits->count++] = *at;
        }
    }
    digits->power = *at == 'e' ? (int)strtol(at + 1, NULL, 10) : 0;
    while (digits->count > 1 && digits->text[digits->count - 1] == '0') {
        digits->count--;
    }
}

size_t tr_format_double(double value, char room[TR_NUMBER_BYTES])
{
    if (!isfinite(value)) {
        room[0] = '\0';
        return 0;
    }
    struct digits digits = { .is_negative = signbit(value) != 0 };
    if (find_few_decimals(value, &digits)) {
        return write_digits(&digits, room);
    }
    /* A subnormal number has fewer digits than the others. */
    const int fewest = isnormal(value) ? MAX_EXACT_DIGITS : 1;
    size_t length = 0;
    for (int count = fewest; count <= MAX_DIGITS; count++) {
        take_digits(value, count, &digits);
        length = write_digits(&digits, room);
        double back = 0.0;
        if (tr_parse_double(room, length, &back) && back == value) {
            break;
        }
    }
    return length;
}
