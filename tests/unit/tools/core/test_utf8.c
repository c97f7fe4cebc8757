#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/utf8.h"

static void utf8_next_reads_the_edges_of_every_length(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        uint32_t point;
    } cases[] = {
        { "a", 1, 'a' },
        { "\x7F", 1, 0x7F },
        { "\xC2\x80", 2, 0x80 },
        { "\xDF\xBF", 2, 0x7FF },
        { "\xE0\xA0\x80", 3, 0x800 },
        { "\xED\x9F\xBF", 3, 0xD7FF },
        { "\xEE\x80\x80", 3, 0xE000 },
        { "\xEF\xBF\xBF", 3, 0xFFFF },
        { "\xF0\x90\x80\x80", 4, 0x10000 },
        { "\xF4\x8F\xBF\xBF", 4, 0x10FFFF },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t point = 0;
        assert_int_equal(tr_utf8_next(cases[i].bytes, strlen(cases[i].bytes), &point),
                         cases[i].size);
        assert_int_equal(point, cases[i].point);
    }
}

static void utf8_next_refuses_what_is_ill_formed(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "\x80",             /* a stray continuation */
        "\xC0\x80",         /* overlong */
        "\xC1\xBF",         /* overlong */
        "\xE0\x9F\xBF",     /* overlong */
        "\xF0\x8F\xBF\xBF", /* overlong */
        "\xED\xA0\x80",     /* a surrogate */
        "\xED\xBF\xBF",     /* a surrogate */
        "\xF4\x90\x80\x80", /* beyond U+10FFFF */
        "\xF5\x80\x80\x80", /* no lead byte */
        "\xFF",             /* no lead byte */
        "\xC3",             /* cut off */
        "\xE2\x82",         /* cut off */
        "\xC3(",            /* no continuation */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(tr_utf8_next(cases[i], strlen(cases[i]), NULL), 0);
    }
    assert_int_equal(tr_utf8_next("", 0, NULL), 0);
}

static void utf8_count_counts_code_points_and_ill_formed_bytes(void **state)
{
    (void)state;
    assert_int_equal(tr_utf8_count("", 0), 0);
    assert_int_equal(tr_utf8_count("abc", 3), 3);
    assert_int_equal(tr_utf8_count("a\xC3\xA9\xF0\x9F\x92\xA9", 7), 3);
    assert_int_equal(tr_utf8_count("\xFF\xFE", 2), 2);
}

static void utf8_cut_never_splits_a_character(void **state)
{
    (void)state;
    const char *text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x92\xA9";
    static const size_t kept[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10 };

    for (size_t length = 0; length < sizeof(kept) / sizeof(kept[0]); length++) {
        assert_int_equal(tr_utf8_cut(text, length), kept[length]);
    }
}

static void utf8_cut_keeps_bytes_that_are_no_text(void **state)
{
    (void)state;
    assert_int_equal(tr_utf8_cut("\x80\x80\x80\x80\x80\x80", 6), 6);
    assert_int_equal(tr_utf8_cut("\xFF", 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_next_reads_the_edges_of_every_length),
        cmocka_unit_test(utf8_next_refuses_what_is_ill_formed),
        cmocka_unit_test(utf8_count_counts_code_points_and_ill_formed_bytes),
        cmocka_unit_test(utf8_cut_never_splits_a_character),
        cmocka_unit_test(utf8_cut_keeps_bytes_that_are_no_text),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
