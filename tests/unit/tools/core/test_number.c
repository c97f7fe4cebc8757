#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/number.h"

static void int64_is_read_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        { "0", 0 },
        { "-0", 0 },
        { "42", 42 },
        { "+5", 5 },
        { "-5", -5 },
        { "007", 7 },
        { "9007199254740993", 9007199254740993 },
        { "9223372036854775806", INT64_MAX - 1 },
        { "9223372036854775807", INT64_MAX },
        { "-9223372036854775807", -INT64_MAX },
        { "-9223372036854775808", INT64_MIN },
        { "00000000000000000000000000000000012", 12 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t value = 99;

        const bool is_read = tr_parse_int64(cases[i].text, strlen(cases[i].text), &value);

        assert_true(is_read);
        assert_int_equal(value, cases[i].value);
    }
}

static void int64_refuses_everything_else(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "-",
        "+",
        "--5",
        "+-5",
        " 5",
        "5 ",
        "5.0",
        "5e0",
        "1e3",
        "0x1f",
        "1_000",
        "1,000",
        "five",
        "\xd9\xa3",         /* an Arabic digit */
        "\xef\xbc\x95",     /* a full-width digit */
        "\xe2\x88\x92\x35", /* a typographic minus */
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999999",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t value = 99;

        const bool is_read = tr_parse_int64(cases[i], strlen(cases[i]), &value);

        assert_false(is_read);
        assert_int_equal(value, 99);
    }
}

static void int64_looks_at_its_length_only(void **state)
{
    (void)state;
    int64_t value = 0;

    assert_true(tr_parse_int64("1234", 2, &value));
    assert_int_equal(value, 12);
    assert_false(tr_parse_int64("12\0", 3, &value));
}

static void double_is_read_as_the_c_library_reads_it(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "0",
        "-0",
        "0.0",
        "3.14",
        "+1.5",
        "-1.5",
        "007.25",
        "1e3",
        "1E+3",
        "1e-3",
        "1e22",
        "1e23",
        "0.1",
        "0.3",
        "123456789012345678901234567890",
        "9007199254740993",
        "9007199254740992.5",
        "1.7976931348623157e308",
        "4.9e-324",
        "5e-325",
        "2.2250738585072011e-308",
        "1e-400",
        "0.000000000000000000000000000000000000001",
        "100000000000000000000000000000000e-30",
        "123456789012345e22",
        "1234567890123456e22",
        "1e0000000000000000000000000000000000001",
        "0e999999999999999999",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double value = nan("");

        const bool is_read = tr_parse_double(cases[i], strlen(cases[i]), &value);

        assert_true(is_read);
        const double expected = strtod(cases[i], NULL);
        assert_memory_equal(&value, &expected, sizeof(value));
    }
}

static void double_refuses_everything_else(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",      "-",      "+",     ".",     ".5",       "5.",  "-.5",
        "1e",    "1e+",    "1.5f",  "1d",    "1 2",      " 1",  "1 ",
        "3,14",  "1,000",  "0x1p3", "inf",   "INFINITY", "nan", "NAN(1)",
        "1e999", "-1e999", "1..2",  "1.2.3", "50%",      "1/2", "\xd9\xa3",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double value = 99.0;

        const bool is_read = tr_parse_double(cases[i], strlen(cases[i]), &value);

        assert_false(is_read);
        assert_true(value == 99.0);
    }
}

static void double_is_refused_beyond_1200_characters(void **state)
{
    (void)state;
    char digits[1202];
    memset(digits, '0', sizeof(digits));
    digits[0] = '1';
    digits[1] = '.';
    double value = 0.0;

    assert_true(tr_parse_double(digits, 1199, &value));
    assert_true(tr_parse_double(digits, 1200, &value));
    assert_true(value == 1.0);
    assert_false(tr_parse_double(digits, 1201, &value));
}

static void doubles_are_written_as_short_as_can_be(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        { 0.0, "0.0" },
        { -0.0, "-0.0" },
        { 1.0, "1.0" },
        { 2.0, "2.0" },
        { -3.0, "-3.0" },
        { 21.5, "21.5" },
        { 0.1, "0.1" },
        { 0.3, "0.3" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 1.0 / 3.0, "0.3333333333333333" },
        { 2.0 / 3.0, "0.6666666666666666" },
        { 1e-5, "0.00001" },
        { 1.5e-5, "0.000015" },
        { 1e-6, "1e-6" },
        { 1.25e-7, "1.25e-7" },
        { 5e-324, "5e-324" },
        { 123456.789, "123456.789" },
        { 999999999999999.0, "999999999999999.0" },
        { 1e15, "1000000000000000.0" },
        { 9007199254740992.0, "9007199254740992.0" },
        { 1e16, "1e+16" },
        { 123456789012345680.0, "1.2345678901234568e+17" },
        { 1e22, "1e+22" },
        { 1e300, "1e+300" },
        { 1.7976931348623157e308, "1.7976931348623157e+308" },
        { -2.2250738585072014e-308, "-2.2250738585072014e-308" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char room[TR_NUMBER_BYTES];

        const size_t length = tr_format_double(cases[i].value, room);

        assert_string_equal(room, cases[i].text);
        assert_int_equal(length, strlen(cases[i].text));
    }
}

static void no_text_is_given_for_what_is_not_finite(void **state)
{
    (void)state;
    char room[TR_NUMBER_BYTES];

    assert_int_equal(tr_format_double(nan(""), room), 0);
    assert_int_equal(tr_format_double(HUGE_VAL, room), 0);
    assert_int_equal(tr_format_double(-HUGE_VAL, room), 0);
}

/* A fixed sequence (xorshift) of bit patterns, so that a failure can be repeated. */
static uint64_t next_bits(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void assert_reads_back(double value)
{
    char room[TR_NUMBER_BYTES];
    double back = 0.0;

    const size_t length = tr_format_double(value, room);

    assert_in_range(length, 1, TR_NUMBER_BYTES - 1);
    assert_true(tr_parse_double(room, length, &back));
    assert_memory_equal(&back, &value, sizeof(value));
    const double by_library = strtod(room, NULL);
    assert_memory_equal(&by_library, &value, sizeof(value));
}

static void every_double_reads_back_the_same(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        const uint64_t bits = next_bits(&seed);
        double any = 0.0;
        memcpy(&any, &bits, sizeof(any));
        if (isfinite(any)) {
            assert_reads_back(any);
        }
        assert_reads_back((double)(int64_t)(bits >> 40) / 1000.0);
        assert_reads_back((double)(int64_t)(bits >> 12) / 64.0);
    }
}

static void no_shorter_text_would_read_back(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = next_bits(&seed);
        double value = 0.0;
        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value)) {
            continue;
        }
        char room[TR_NUMBER_BYTES];
        const size_t length = tr_format_double(value, room);
        int digits = 0;
        for (size_t at = 0; at < length && room[at] != 'e'; at++) {
            digits += room[at] >= '0' && room[at] <= '9';
        }
        char shorter[64];
        (void)snprintf(shorter, sizeof(shorter), "%.*e", digits >= 2 ? digits - 2 : 0, value);

        assert_true(digits == 1 || strtod(shorter, NULL) != value || strchr(room, 'e') == NULL);
    }
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "pl_PL.UTF-8" };
    const char *chosen = NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && chosen == NULL; i++) {
        chosen = setlocale(LC_ALL, names[i]);
    }
    if (chosen == NULL) {
        skip();
    }
    char room[TR_NUMBER_BYTES];
    double value = 0.0;

    assert_int_equal(tr_format_double(0.1 + 0.2, room), 19);
    assert_string_equal(room, "0.30000000000000004");
    assert_true(tr_parse_double("1.2345678901234567e-300", 23, &value));
    assert_true(value == 1.2345678901234567e-300);
    assert_false(tr_parse_double("1,5", 3, &value));

    (void)setlocale(LC_ALL, "C");
}

static void int64_is_written_in_full(void **state)
{
    (void)state;
    static const struct {
        int64_t value;
        const char *text;
    } cases[] = {
        { 0, "0" },
        { 7, "7" },
        { -7, "-7" },
        { 1234567890, "1234567890" },
        { INT64_MAX, "9223372036854775807" },
        { INT64_MIN, "-9223372036854775808" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char room[TR_NUMBER_BYTES];

        const size_t length = tr_format_int64(cases[i].value, room);

        assert_string_equal(room, cases[i].text);
        assert_int_equal(length, strlen(cases[i].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(int64_is_read_whole),
        cmocka_unit_test(int64_refuses_everything_else),
        cmocka_unit_test(int64_looks_at_its_length_only),
        cmocka_unit_test(double_is_read_as_the_c_library_reads_it),
        cmocka_unit_test(double_refuses_everything_else),
        cmocka_unit_test(double_is_refused_beyond_1200_characters),
        cmocka_unit_test(doubles_are_written_as_short_as_can_be),
        cmocka_unit_test(no_text_is_given_for_what_is_not_finite),
        cmocka_unit_test(every_double_reads_back_the_same),
        cmocka_unit_test(no_shorter_text_would_read_back),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(int64_is_written_in_full),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
