#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/nearest.h"

static const char *nearest_of(const char *wanted, const char *const *candidates)
{
    struct tr_nearest nearest = { .wanted = wanted };
    for (; *candidates != NULL; candidates++) {
        tr_nearest_offer(&nearest, *candidates);
    }
    return nearest.best;
}

static void the_name_that_was_meant_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {
        "max_results", "verbose", "color", "root_path", "k", NULL
    };
    static const struct {
        const char *wanted;
        const char *best;
    } cases[] = {
        { "max_result", "max_results" },   /* one missing */
        { "max_resultss", "max_results" }, /* one too many */
        { "max_rezults", "max_results" },  /* one wrong */
        { "max_reuslts", "max_results" },  /* two swapped: one edit */
        { "MAX_RESULTS", "max_results" },  /* only the case */
        { "colour", "color" },
        { "verbos", "verbose" },
        { "rootpath", "root_path" },
        { "kk", "k" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *best = nearest_of(cases[i].wanted, names);

        assert_non_null(best);
        assert_string_equal(best, cases[i].best);
    }
}

static void a_third_of_the_letters_may_differ_and_no_more(void **state)
{
    (void)state;
    static const char *const six[] = { "abcdef", NULL };

    assert_non_null(nearest_of("xbcdef", six));
    assert_non_null(nearest_of("xxcdef", six));
    assert_null(nearest_of("xxxdef", six));
}

static void one_edit_is_always_near(void **state)
{
    (void)state;
    static const char *const one[] = { "a", NULL };
    static const char *const two[] = { "ab", NULL };

    assert_non_null(nearest_of("b", one));
    assert_non_null(nearest_of("", one));
    assert_null(nearest_of("", two));
    assert_null(nearest_of("cd", two));
}

static void the_first_of_equally_near_names_wins(void **state)
{
    (void)state;
    static const char *const names[] = { "hat", "cat", "bat", NULL };

    assert_string_equal(nearest_of("rat", names), "hat");
    assert_string_equal(nearest_of("cat", names), "cat");
}

static void long_names_are_never_near(void **state)
{
    (void)state;
    char long_name[66];
    memset(long_name, 'a', sizeof(long_name));
    long_name[65] = '\0';
    const char *const long_names[] = { long_name, NULL };
    const char *const full_names[] = { long_name + 1, NULL };

    assert_null(nearest_of(long_name, long_names));
    assert_null(nearest_of(long_name + 1, long_names));
    assert_string_equal(nearest_of(long_name + 1, full_names), long_name + 1);
    assert_string_equal(nearest_of(long_name + 2, full_names), long_name + 1);
}

static void nothing_offered_is_nothing_found(void **state)
{
    (void)state;
    static const char *const none[] = { NULL };

    assert_null(nearest_of("anything", none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_that_was_meant_is_found),
        cmocka_unit_test(a_third_of_the_letters_may_differ_and_no_more),
        cmocka_unit_test(one_edit_is_always_near),
        cmocka_unit_test(the_first_of_equally_near_names_wins),
        cmocka_unit_test(long_names_are_never_near),
        cmocka_unit_test(nothing_offered_is_nothing_found),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
