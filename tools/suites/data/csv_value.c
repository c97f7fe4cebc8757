#include "tools/suites/data/csv_value.h"

#include <stdbool.h>
#include <stdint.h>
#include <strings.h>

#include "tools/core/number.h"

/* Every decimal number of so many digits comes back from a double unchanged. */
enum { EXACT_DIGITS = 15 };

/* What a number looks like. */
struct shape {
    bool is_number;
    bool is_real;  /* has a fraction or an exponent */
    size_t digits; /* before the exponent */
};

static size_t digits_at(const char *bytes, size_t length, size_t at)
{
    size_t count = 0;
    while (at + count < length && bytes[at + count] >= '0' && bytes[at + count] <= '9') {
        count++;
    }
    return count;
}

static bool is_at(const char *bytes, size_t length, size_t at, const char *set)
{
    for (; *set != '\0'; set++) {
        if (at < length && bytes[at] == *set) {
            return true;
        }
    }
    return false;
}

/* The grammar of JSON (RFC 8259 section 6): no plus sign, no leading zero. */
static struct shape shape_of(const char *bytes, size_t length)
{
    struct shape shape = { .is_number = false };
    size_t at = is_at(bytes, length, 0, "-") ? 1 : 0;
    const size_t whole = digits_at(bytes, length, at);
    if (whole == 0 || (whole > 1 && bytes[at] == '0')) {
        return shape;
    }
    at += whole;
    shape.digits = whole;
    if (is_at(bytes, length, at, ".")) {
        const size_t fraction = digits_at(bytes, length, at + 1);
        if (fraction == 0) {
            return shape;
        }
        at += 1 + fraction;
        shape.digits += fraction;
        shape.is_real = true;
    }
    if (is_at(bytes, length, at, "eE")) {
        at += is_at(bytes, length, at + 1, "+-") ? 2 : 1;
        const size_t exponent = digits_at(bytes, length, at);
        if (exponent == 0) {
            return shape;
        }
        at += exponent;
        shape.is_real = true;
    }
    shape.is_number = at == length;
    return shape;
}

static bool is_word(const char *bytes, size_t length, const char *word, size_t word_length)
{
    return length == word_length && strncasecmp(bytes, word, length) == 0;
}

json_t *tr_csv_value(const char *bytes, size_t length)
{
    if (length == 0 || is_word(bytes, length, "null", 4)) {
        return json_null();
    }
    if (is_word(bytes, length, "true", 4)) {
        return json_true();
    }
    if (is_word(bytes, length, "false", 5)) {
        return json_false();
    }
    const struct shape shape = shape_of(bytes, length);
    int64_t integer = 0;
    if (shape.is_number && !shape.is_real && tr_parse_int64(bytes, length, &integer)) {
        return json_integer(integer);
    }
    double real = 0;
    if (shape.is_number && shape.is_real && shape.digits <= EXACT_DIGITS
        && tr_parse_double(bytes, length, &real)) {
        return json_real(real);
    }
    return json_stringn(bytes, length);
}
