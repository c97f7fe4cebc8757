/* minimum, maximum, the exclusive ones and multipleOf. */

#include <stdlib.h>
#include <string.h>

#include "tools/core/checker.h"
#include "tools/core/json.h"
#include "tools/core/number.h"

static const char *write_number(const json_t *number, char room[TR_NUMBER_BYTES])
{
    if (json_is_integer(number)) {
        (void)tr_format_int64(json_integer_value(number), room);
        return room;
    }
    return tr_format_double(json_real_value(number), room) != 0 ? room : "?";
}

/* ---- multipleOf ---- */

/* The decimal number `digits` * 10^`power`, without its sign. */
struct decimal {
    uint64_t digits;
    int power;
};

/* What the shortest text of the number says: 0.0075 is 75 * 10^-4, as its author meant it, and not
 * the double next to it. 17 digits and an exponent at most, so nothing overflows. */
static struct decimal read_decimal(const char *text)
{
    struct decimal decimal = { 0 };
    bool is_behind_point = false;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '.') {
            is_behind_point = true;
        } else if (*text != '-') {
            decimal.digits = decimal.digits * 10 + (uint64_t)(*text - '0');
            decimal.power -= is_behind_point;
        }
    }
    if (*text == 'e') {
        decimal.power += (int)strtol(text + 1, NULL, 10);
    }
    while (decimal.digits != 0 && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.power++;
    }
    return decimal;
}

static struct decimal decimal_of(const json_t *number)
{
    char text[TR_NUMBER_BYTES];
    return read_decimal(write_number(number, text));
}

/* left * right % divisor, by doubling: the product may need 128 bits. The divisor is at most 2^63.
 */
static uint64_t multiply_modulo(uint64_t left, uint64_t right, uint64_t divisor)
{
    uint64_t product = 0;
    left %= divisor;
    for (; right != 0; right >>= 1) {
        if (right & 1) {
            product = (product + left) % divisor;
        }
        left = (left + left) % divisor;
    }
    return product;
}

static uint64_t power_of_ten_modulo(int power, uint64_t divisor)
{
    uint64_t result = 1 % divisor; /* NOLINT: the parser refuses a divisor of 0 */
    uint64_t base = 10 % divisor;
    for (; power != 0; power >>= 1) {
        if (power & 1) {
            result = multiply_modulo(result, base, divisor);
        }
        base = multiply_modulo(base, base, divisor);
    }
    return result;
}

/* Both as decimals without trailing zeros, so a divisor with the larger power never divides. */
static bool is_decimal_multiple(struct decimal value, struct decimal divisor)
{
    if (value.digits == 0) {
        return true;
    }
    const int shift = value.power - divisor.power;
    return shift >= 0
           && multiply_modulo(value.digits, power_of_ten_modulo(shift, divisor.digits),
                              divisor.digits)
                  == 0;
}

/* As decimals, exactly: 0.0075 is a multiple of 0.0001, 0.35 is none of 0.1. */
static bool is_multiple(const json_t *value, const json_t *divisor)
{
    if (json_is_integer(value) && json_is_integer(divisor)) {
        const json_int_t by = json_integer_value(divisor);
        return by == 1 || json_integer_value(value) % by == 0;
    }
    return is_decimal_multiple(decimal_of(value), decimal_of(divisor));
}

/* ---- limits ---- */

bool tr_check_number(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place)
{
    /* The sign that the comparison of value and limit must not have, and whether 0 is as bad. */
    const struct {
        const json_t *limit;
        int bad_sign;
        bool is_exclusive;
        const char *code, *words;
    } limits[] = {
        { schema->minimum, -1, false, "minimum", "at least" },
        { schema->maximum, 1, false, "maximum", "at most" },
        { schema->exclusive_minimum, -1, true, "exclusiveMinimum", "greater than" },
        { schema->exclusive_maximum, 1, true, "exclusiveMaximum", "less than" },
    };
    char text[TR_NUMBER_BYTES];
    bool fits = true;
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        if (limits[i].limit == NULL) {
            continue;
        }
        const int sign = tr_json_number_compare(value, limits[i].limit);
        if (sign == limits[i].bad_sign || (sign == 0 && limits[i].is_exclusive)) {
            fits = tr_check_refuse(checker, place, limits[i].code, "must be %s %s", limits[i].words,
                                   write_number(limits[i].limit, text));
        }
    }
    if (schema->multiple_of != NULL && !is_multiple(value, schema->multiple_of)) {
        fits = tr_check_refuse(checker, place, "multipleOf", "must be a multiple of %s",
                               write_number(schema->multiple_of, text));
    }
    return fits;
}
