#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/pattern.h"

struct fixture {
    struct tr_arena arena;
    struct tr_fault fault;
};

static struct fixture made(void)
{
    struct fixture it = { .fault = { .what = "" } };
    tr_arena_init(&it.arena, TR_LOAD_ARENA_BYTES);
    return it;
}

static const struct tr_pattern *compiled(struct fixture *it, const char *source)
{
    const struct tr_pattern *pattern = NULL;
    const enum tr_status status = tr_pattern_compile(&it->arena, source, &pattern, &it->fault);
    if (status != TR_OK) {
        print_error("%s: %s\n", source, it->fault.what);
    }
    assert_int_equal(status, TR_OK);
    return pattern;
}

/* What matches is in tests/data/json_schema_more.jsonl. */
static void pattern_keeps_its_source(void **state)
{
    (void)state;
    struct fixture it = made();
    char source[] = "^[\\s\\d]\\v.$";

    const struct tr_pattern *pattern = compiled(&it, source);
    source[0] = 'x';

    assert_string_equal(tr_pattern_source(pattern), "^[\\s\\d]\\v.$");
    tr_arena_done(&it.arena);
}

static void pattern_refuses_what_is_not_ecma(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "\\A",        "\\Z",      "\\z",       "\\G",          "\\K",         "\\Q.\\E",
        "\\R",        "\\X",      "\\h",       "\\N",          "\\C",         "\\a",
        "\\e",        "\\o{12}",  "\\g1",      "\\g{1}",       "\\00",        "\\c1",
        "\\x1",       "\\u12",    "\\u{}",     "\\u{1",        "\\u{110000}", "\\u{0000041}",
        "\\ud83d",    "\\p",      "\\pL",      "\\p{^L}",      "\\p{L&}",     "\\p{}",
        "\\p{gc=X}",  "\\p{x=L}", "\\p{Nope}", "\\p{sc=Nope}", "\\k'a'",      "\\k",
        "\\1",        "(a)\\2",   "\\",        "[\\B]",        "[\\1]",       "[\\A]",
        "[a",         "[z-a]",    "(?i)a",     "(?i:a)",       "(?>a)",       "(?|a)",
        "(?#a)",      "(?P<n>a)", "(?P>n)",    "(?'n'a)",      "(?<1>a)",     "(?R)",
        "(?1)",       "(?C1)",    "(*ACCEPT)", "(*UTF)a",      "(a",          "a)",
        "*",          "+a",       "a++",       "a*+",          "a?+",         "a{2}+",
        "a{2}{3}",    "a??*",     "a{3,2}",    "a|*",          "\\p{Lu",      "(?<n>a)(?<n>b)",
        "\\\xc3\xa9", "a{99999}", "(?",        "(?<",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture it = made();
        const struct tr_pattern *pattern = NULL;

        const enum tr_status status = tr_pattern_compile(&it.arena, cases[i], &pattern, &it.fault);

        if (status != TR_INVALID_PARAMETERS) {
            print_error("%s was accepted\n", cases[i]);
        }
        assert_int_equal(status, TR_INVALID_PARAMETERS);
        assert_null(pattern);
        assert_non_null(strstr(it.fault.what, "does not compile at offset "));
        tr_arena_done(&it.arena);
    }
}

static void refusal_names_the_offset_in_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *source, *offset;
    } cases[] = {
        { "ab\\Qc", "offset 2:" },
        { "\\s\\s.(a", "offset 7:" }, /* found by pcre2, in a longer text */
        { "\\s[z-a]\\s", "offset 2:" },
        { "a++", "offset 2:" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture it = made();
        const struct tr_pattern *pattern = NULL;

        const enum tr_status status =
            tr_pattern_compile(&it.arena, cases[i].source, &pattern, &it.fault);

        assert_int_equal(status, TR_INVALID_PARAMETERS);
        if (strstr(it.fault.what, cases[i].offset) == NULL) {
            print_error("%s: %s\n", cases[i].source, it.fault.what);
        }
        assert_non_null(strstr(it.fault.what, cases[i].offset));
        tr_arena_done(&it.arena);
    }
}

static void pattern_is_accepted_up_to_its_limit(void **state)
{
    (void)state;
    static char source[TR_MAX_PATTERN_BYTES + 2];
    for (size_t length = TR_MAX_PATTERN_BYTES - 1; length <= TR_MAX_PATTERN_BYTES + 1; length++) {
        struct fixture it = made();
        const struct tr_pattern *pattern = NULL;
        memset(source, 'a', length);
        source[length] = '\0';

        const enum tr_status status = tr_pattern_compile(&it.arena, source, &pattern, &it.fault);

        assert_int_equal(status, length <= TR_MAX_PATTERN_BYTES ? TR_OK : TR_INVALID_PARAMETERS);
        tr_arena_done(&it.arena);
    }
}

static void deep_groups_are_refused_and_not_recursed_into(void **state)
{
    (void)state;
    struct fixture it = made();
    static char source[2001];
    memset(source, '(', 1000);
    memset(source + 1000, ')', 1000);
    const struct tr_pattern *pattern = NULL;

    const enum tr_status status = tr_pattern_compile(&it.arena, source, &pattern, &it.fault);

    assert_int_equal(status, TR_INVALID_PARAMETERS);
    tr_arena_done(&it.arena);
}

static void match_takes_any_bytes(void **state)
{
    (void)state;
    struct fixture it = made();
    const struct tr_pattern *pattern = compiled(&it, "a[^]b");

    assert_int_equal(tr_pattern_match(pattern, "a\0b", 3), TR_MATCH_YES);
    assert_int_equal(tr_pattern_match(pattern, "a\0b", 2), TR_MATCH_NO);
    assert_int_equal(tr_pattern_match(pattern, "", 0), TR_MATCH_NO);
    assert_int_equal(tr_pattern_match(pattern, "axb\xff", 4), TR_MATCH_NO);
    assert_int_equal(tr_pattern_match(pattern,
                                      "a\xed\xa0\x80"
                                      "b",
                                      5),
                     TR_MATCH_NO);
    tr_arena_done(&it.arena);
}

/* Each of them would take seconds to centuries. */
static void hostile_pairs_of_pattern_and_text_are_given_up(void **state)
{
    (void)state;
    enum { LENGTH = 200 * 1000 };
    static const struct {
        const char *source;
        size_t length;
    } cases[] = {
        { "^(a+)+$", 60 },
        { "^(a|a)*$", 60 },
        { "^(a|aa)+$", 200 },
        { "(a*)*[bc]", 60 },
        { "^(([a-z])+.)+[A-Z]([a-z])+$", 60 },
        { "[ab]*[cd]", LENGTH }, /* quadratic: from every position to the end */
        { "(?:a?){100}a{100}$", 99 },
        { "a*a*a*a*[cd]", 2000 },
    };
    static char text[LENGTH + 1];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture it = made();
        const struct tr_pattern *pattern = compiled(&it, cases[i].source);
        memset(text, 'a', cases[i].length);
        text[cases[i].length] = '!';

        const enum tr_match match = tr_pattern_match(pattern, text, cases[i].length + 1);

        if (match != TR_MATCH_GAVE_UP) {
            print_error("%s: %d\n", cases[i].source, (int)match);
        }
        assert_int_equal(match, TR_MATCH_GAVE_UP);
        tr_arena_done(&it.arena);
    }
}

static void long_honest_texts_are_matched(void **state)
{
    (void)state;
    enum { LENGTH = 40 * 1000 };
    static char text[LENGTH];
    memset(text, 'a', LENGTH);
    static const char *const sources[] = { "^[a-z]+$", "^(?:a|b)*$", "^(?:[a-z]{4})*$", "a$" };
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        struct fixture it = made();

        const enum tr_match match = tr_pattern_match(compiled(&it, sources[i]), text, LENGTH);

        assert_int_equal(match, TR_MATCH_YES);
        tr_arena_done(&it.arena);
    }
}

static void shared_steps_are_used_up(void **state)
{
    (void)state;
    struct fixture it = made();
    const struct tr_pattern *pattern = compiled(&it, "^a+b?c");
    uint64_t needed = 1000;
    assert_int_equal(tr_pattern_match_within(pattern, "aaac", 4, &needed), TR_MATCH_YES);
    needed = 1000 - needed;
    assert_in_range(needed, 4, 20);

    for (uint64_t given = needed - 1; given <= needed + 1; given++) {
        uint64_t steps = given;

        const enum tr_match match = tr_pattern_match_within(pattern, "aaac", 4, &steps);

        assert_int_equal(match, given < needed ? TR_MATCH_GAVE_UP : TR_MATCH_YES);
        assert_int_equal(steps, given < needed ? 0 : given - needed);
    }
    tr_arena_done(&it.arena);
}

static void *match_many(void *argument)
{
    const struct tr_pattern *pattern = argument;
    for (int i = 0; i < 200; i++) {
        if (tr_pattern_match(pattern, "xxabab", 6) != TR_MATCH_YES
            || tr_pattern_match(pattern, "xxba", 4) != TR_MATCH_NO) {
            return argument;
        }
    }
    return NULL;
}

static void threads_share_a_pattern(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct fixture it = made();
    const struct tr_pattern *pattern = compiled(&it, "(ab){2}$");
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, match_many, (void *)(uintptr_t)pattern),
                         0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    tr_arena_done(&it.arena);
}

static bool attempt_to_compile(void *context)
{
    (void)context;
    struct fixture it = made();
    const struct tr_pattern *pattern = NULL;

    const enum tr_status status =
        tr_pattern_compile(&it.arena, "^\\s[\\S]+(?:a|b)$", &pattern, &it.fault);

    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    tr_arena_done(&it.arena);
    return status == TR_OK;
}

static void compiling_survives_every_failed_allocation(void **state)
{
    (void)state;
    alloc_fail_each(attempt_to_compile, NULL);
}

static void pattern_says_when_the_arena_is_full(void **state)
{
    (void)state;
    struct fixture it = made();
    tr_arena_init(&it.arena, 8);
    const struct tr_pattern *pattern = NULL;

    const enum tr_status status = tr_pattern_compile(&it.arena, "a", &pattern, &it.fault);

    assert_int_equal(status, TR_BODY_TOO_LARGE);
    tr_arena_done(&it.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pattern_keeps_its_source),
        cmocka_unit_test(pattern_refuses_what_is_not_ecma),
        cmocka_unit_test(refusal_names_the_offset_in_the_source),
        cmocka_unit_test(pattern_is_accepted_up_to_its_limit),
        cmocka_unit_test(deep_groups_are_refused_and_not_recursed_into),
        cmocka_unit_test(match_takes_any_bytes),
        cmocka_unit_test(hostile_pairs_of_pattern_and_text_are_given_up),
        cmocka_unit_test(long_honest_texts_are_matched),
        cmocka_unit_test(shared_steps_are_used_up),
        cmocka_unit_test(threads_share_a_pattern),
        cmocka_unit_test(compiling_survives_every_failed_allocation),
        cmocka_unit_test(pattern_says_when_the_arena_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
