#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "middleware/header_list.h"

static struct tr_cursor cursor_at(const char *text)
{
    return tr_cursor_at((struct tr_value){ text, strlen(text) });
}

static void token_bytes_are_those_of_rfc_9110(void **state)
{
    (void)state;
    static const char punctuation[] = "!#$%&'*+-.^_`|~";
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool is_expected = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
                                 || (byte >= '0' && byte <= '9')
                                 || (byte != 0 && strchr(punctuation, (int)byte) != NULL);
        assert_int_equal(tr_is_token_byte((unsigned char)byte), is_expected);
    }
}

static void an_absent_value_is_an_empty_place(void **state)
{
    (void)state;
    struct tr_cursor cursor = tr_cursor_at((struct tr_value){ .bytes = NULL });

    assert_true(tr_cursor_is_done(&cursor));
    tr_cursor_skip_blanks(&cursor);
    assert_false(tr_cursor_skip(&cursor, ','));
    assert_int_equal(tr_cursor_token(&cursor).length, 0);
    struct tr_value value;
    assert_false(tr_cursor_token_or_quoted(&cursor, &value));
}

static void tokens_end_where_other_bytes_begin(void **state)
{
    (void)state;
    struct tr_cursor cursor = cursor_at("for=a;b");

    assert_int_equal(tr_cursor_token(&cursor).length, 3);
    assert_true(tr_cursor_skip(&cursor, '='));
    assert_int_equal(tr_cursor_token(&cursor).length, 1);
    assert_int_equal(tr_cursor_token(&cursor).length, 0);
    assert_false(tr_cursor_skip(&cursor, ','));
    assert_true(tr_cursor_skip(&cursor, ';'));
    assert_int_equal(tr_cursor_token(&cursor).length, 1);
    assert_true(tr_cursor_is_done(&cursor));
}

static void quoted_strings_end_at_their_quote(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *value; /* NULL: refused */
        const char *rest;
    } cases[] = {
        { "\"\"", "", "" },
        { "\"a b\";c", "a b", ";c" },
        { "\"a\\\"b\"", "a\\\"b", "" },
        { "\"a\\\\\"x", "a\\\\", "x" },
        { "\"", NULL, "" },
        { "\"a", NULL, "" },
        { "\"a\\", NULL, "" },
        { "\"a\x01\"", NULL, "" },
        { "\"a\\\x01\"", NULL, "" },
        { "\"a\x7f\"", NULL, "" },
        { "token", "token", "" },
        { "(", NULL, "" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_cursor cursor = cursor_at(cases[i].text);
        struct tr_value value = { .bytes = NULL };
        const bool is_read = tr_cursor_token_or_quoted(&cursor, &value);
        assert_int_equal(is_read, cases[i].value != NULL);
        if (is_read) {
            assert_int_equal(value.length, strlen(cases[i].value));
            assert_memory_equal(value.bytes, cases[i].value, value.length);
            assert_string_equal(cursor.at, cases[i].rest);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_bytes_are_those_of_rfc_9110),
        cmocka_unit_test(an_absent_value_is_an_empty_place),
        cmocka_unit_test(tokens_end_where_other_bytes_begin),
        cmocka_unit_test(quoted_strings_end_at_their_quote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
