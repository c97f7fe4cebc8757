#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "middleware/json_escape.h"

static void expect(const char *value, size_t length, size_t room, const char *text)
{
    char out[64];
    memset(out, '#', sizeof(out));
    char *end = tr_write_json_escaped(out, room, value, length);
    assert_int_equal(end - out, strlen(text));
    assert_memory_equal(out, text, strlen(text));
    for (size_t i = room; i < sizeof(out); i++) {
        assert_int_equal(out[i], '#');
    }
}

static void texts_become_printable_ascii(void **state)
{
    (void)state;
    static const struct {
        const char *value, *text;
    } cases[] = {
        { "", "" },
        { "/tools/echo", "/tools/echo" },
        { "a\"b", "a\\u0022b" },
        { "a\\", "a\\u005c" },
        { "\r\n", "\\u000d\\u000a" },
        { "\x1b[31m", "\\u001b[31m" },
        { "\x7f", "\\u007f" },
        { "\xc3\xa9", "\\u00e9" },
        { "\xe2\x80\xa8", "\\u2028" },
        { "\xf0\x9f\x98\x80", "\\ud83d\\ude00" },
        { "\xff", "\\ufffd" },
        { "\xc3", "\\ufffd" },
        { "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" },
        { "ok\xc0\xaf", "ok\\ufffd\\ufffd" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(cases[i].value, strlen(cases[i].value), 60, cases[i].text);
    }
    expect("a\0b", 3, 60, "a\\u0000b");
}

static void what_does_not_fit_is_cut_at_a_character(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        size_t room;
        const char *text;
    } cases[] = {
        { "abc", 0, "" },
        { "abc", 2, "ab" },
        { "abc", 3, "abc" },
        { "ab\n", 7, "ab" },
        { "ab\n", 8, "ab\\u000a" },
        { "ab\nc", 8, "ab\\u000a" },
        { "ab\nc", 9, "ab\\u000ac" },
        { "\xf0\x9f\x98\x80", 11, "" },
        { "\xf0\x9f\x98\x80", 12, "\\ud83d\\ude00" },
        { "\n\n", 11, "\\u000a" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(cases[i].value, strlen(cases[i].value), cases[i].room, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_printable_ascii),
        cmocka_unit_test(what_does_not_fit_is_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
