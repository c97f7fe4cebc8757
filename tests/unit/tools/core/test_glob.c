#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/glob.h"

static void globs_match_whole_names(void **state)
{
    (void)state;
    static const struct {
        const char *glob, *text;
        bool is_match;
    } cases[] = {
        { "weather", "weather", true },
        { "weather", "weathers", false },
        { "weather", "weathe", false },
        { "weather", "Weather", false },
        { "*", "", true },
        { "*", "anything", true },
        { "**", "x", true },
        { "file_*", "file_", true },
        { "file_*", "file_read", true },
        { "file_*", "files", false },
        { "*_read", "file_read", true },
        { "*_read", "file_reader", false },
        { "f*e_*d", "file_read", true },
        { "a*b*c", "aXbXbXc", true },
        { "a*b*c", "aXbXbX", false },
        { "?", "", false },
        { "?", "a", true },
        { "?", "ab", false },
        { "a?c", "abc", true },
        { "?*", "", false },
        { "*?", "a", true },
        { "*ab", "aab", true },
        { "*aab", "aaab", true },
        { "", "", true },
        { "", "a", false },
        { "?", "\xc3\xa9", true },
        { "??", "\xc3\xa9", false },
        { "caf?.txt", "caf\xc3\xa9.txt", true },
        { "*\xc3\xa9", "\xc3\xa9\xc3\xa8\xc3\xa9", true },
        { "?", "\xff", true },
        { "?", "\xc3", true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(tr_glob_match(cases[i].glob, cases[i].text), cases[i].is_match);
    }
}

static void only_globs_that_can_match_a_name_are_valid(void **state)
{
    (void)state;
    static const struct {
        const char *glob;
        bool is_valid;
    } cases[] = {
        { "*", true },
        { "file_*", true },
        { "A-z_09?", true },
        { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true }, /* 64 */
        { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
        { "", false },
        { "a b", false },
        { "[a]", false },
        { "a.b", false },
        { "\xc3\xa9", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(tr_glob_is_valid(cases[i].glob), cases[i].is_valid);
    }
}

static void many_stars_take_no_exponential_time(void **state)
{
    (void)state;
    char text[65];
    memset(text, 'a', 64);
    text[64] = '\0';

    assert_false(tr_glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(globs_match_whole_names),
        cmocka_unit_test(only_globs_that_can_match_a_name_are_valid),
        cmocka_unit_test(many_stars_take_no_exponential_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
