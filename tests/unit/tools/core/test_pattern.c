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
#include "tools/core/text.h"

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

static enum tr_status search_for(struct fixture *it, const struct tr_pattern *pattern,
                                 struct tr_search_text text, uint64_t steps,
                                 struct tr_search **ret_search)
{
    return tr_search_new(&it->arena, pattern, &text, steps, ret_search);
}

/* The captures of every match, as "start-end", groups behind commas, matches behind spaces. */
static void list_matches(const char *source, unsigned flags, const char *text, struct tr_text *out)
{
    struct fixture it = made();
    const struct tr_pattern *pattern = NULL;
    assert_int_equal(tr_pattern_compile_with(&it.arena, source, flags, &pattern, &it.fault), TR_OK);
    struct tr_search *search = NULL;
    assert_int_equal(search_for(&it, pattern, (struct tr_search_text){ text, strlen(text), 0 },
                                UINT64_MAX, &search),
                     TR_OK);
    const struct tr_capture *captures = NULL;
    while (tr_search_next(search, &captures) == TR_MATCH_YES) {
        for (size_t i = 0; i <= tr_pattern_group_count(pattern); i++) {
            tr_text_add_string(out, i != 0 ? "," : out->length != 0 ? " " : "");
            if (captures[i].is_set) {
                tr_text_printf(out, "%zu-%zu", captures[i].start, captures[i].end);
            }
        }
    }
    tr_arena_done(&it.arena);
}

static void search_finds_every_match_with_its_groups(void **state)
{
    (void)state;
    enum { I = TR_PATTERN_IGNORE_CASE, M = TR_PATTERN_MULTILINE, S = TR_PATTERN_DOT_ALL };
    static const struct {
        const char *source;
        unsigned flags;
        const char *text, *found;
    } cases[] = {
        { "a", 0, "banana", "1-2 3-4 5-6" },
        { "ana", 0, "banana", "1-4" },
        { "x", 0, "banana", "" },
        { "(\\w)(\\d)?", 0, "a1b", "0-2,0-1,1-2 2-3,2-3," },
        { "", 0, "\xc3\xa9z", "0-0 2-2 3-3" },
        { "z*", 0, "zaz", "0-1 1-1 2-3 3-3" },
        { "(?<=(.))b", 0, "abb", "1-2,0-1 2-3,1-2" },
        { "^a", 0, "a\na", "0-1" },
        { "^a$", M, "a\na\r\na\rab", "0-1 2-3 5-6" },
        { "a.b", 0, "a\nb a\rb axb", "8-11" },
        { "a.b", S, "a\nb a\rb axb", "0-3 4-7 8-11" },
        { "k", I, "kK\xe2\x84\xaa", "0-1 1-2 2-5" },
        { "\xc3\xa9", I, "\xc3\x89", "0-2" },
        { "[\\W]", I, "sSkK-", "4-5" },
        { "[\\W]", 0, "s\xc5\xbf", "1-3" },
        { "a", I, "Aa", "0-1 1-2" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_text found;
        tr_text_init(&found, 1000);

        list_matches(cases[i].source, cases[i].flags, cases[i].text, &found);

        if (strcmp(tr_text_string(&found), cases[i].found) != 0) {
            fail_msg("%s in %s: %s", cases[i].source, cases[i].text, tr_text_string(&found));
        }
        tr_text_done(&found);
    }
}

static void search_starts_where_it_is_told_and_sees_what_is_before(void **state)
{
    (void)state;
    struct fixture it = made();
    const struct tr_pattern *pattern = compiled(&it, "\\ba");
    struct tr_search *search = NULL;
    assert_int_equal(
        search_for(&it, pattern, (struct tr_search_text){ "a aaa a", 7, 3 }, UINT64_MAX, &search),
        TR_OK);
    const struct tr_capture *captures = NULL;

    assert_int_equal(tr_search_next(search, &captures), TR_MATCH_YES);
    assert_int_equal(captures[0].start, 6);
    assert_int_equal(tr_search_next(search, &captures), TR_MATCH_NO);
    tr_arena_done(&it.arena);
}

static void search_gives_up_on_a_runaway_pattern_and_when_its_steps_are_used_up(void **state)
{
    (void)state;
    struct fixture it = made();
    const struct tr_capture *captures = NULL;
    struct tr_search *search = NULL;
    const struct tr_pattern *runaway = compiled(&it, "(a+)+b");
    static const char text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacb";
    assert_int_equal(search_for(&it, runaway, (struct tr_search_text){ text, strlen(text), 0 },
                                UINT64_MAX, &search),
                     TR_OK);
    assert_int_equal(tr_search_next(search, &captures), TR_MATCH_GAVE_UP);

    const struct tr_pattern *easy = compiled(&it, "c");
    assert_int_equal(search_for(&it, easy, (struct tr_search_text){ "cccc", 4, 0 }, 12, &search),
                     TR_OK);
    assert_int_equal(tr_search_next(search, &captures), TR_MATCH_YES);
    enum tr_match last = TR_MATCH_YES;
    while (last == TR_MATCH_YES) {
        last = tr_search_next(search, &captures);
    }
    assert_int_equal(last, TR_MATCH_GAVE_UP);
    tr_arena_done(&it.arena);
}

static void pattern_knows_the_names_of_its_groups(void **state)
{
    (void)state;
    struct fixture it = made();
    const struct tr_pattern *pattern = compiled(&it, "(?<year>\\d+)-(\\d+)-(?<day>\\d+)");

    assert_int_equal(tr_pattern_group_count(pattern), 3);
    assert_string_equal(tr_pattern_group_name(pattern, 1), "year");
    assert_null(tr_pattern_group_name(pattern, 2));
    assert_string_equal(tr_pattern_group_name(pattern, 3), "day");
    assert_null(tr_pattern_group_name(pattern, 4));
    assert_null(tr_pattern_group_name(compiled(&it, "(a)"), 1));
    tr_arena_done(&it.arena);
}

static bool search_once(void *context)
{
    (void)context;
    struct fixture it = made();
    const struct tr_pattern *pattern = NULL;
    struct tr_search *search = NULL;
    const struct tr_capture *captures = NULL;
    enum tr_status status = tr_pattern_compile_with(&it.arena, "(?<n>b)", 0, &pattern, &it.fault);
    if (status == TR_OK) {
        status =
            search_for(&it, pattern, (struct tr_search_text){ "abc", 3, 0 }, UINT64_MAX, &search);
    }
    const bool is_fine = status == TR_OK && tr_search_next(search, &captures) == TR_MATCH_YES;
    assert_true(is_fine || status == TR_NO_MEMORY || status == TR_OK);
    tr_arena_done(&it.arena);
    return is_fine;
}

static void search_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(search_once, NULL);
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
        cmocka_unit_test(search_finds_every_match_with_its_groups),
        cmocka_unit_test(search_starts_where_it_is_told_and_sees_what_is_before),
        cmocka_unit_test(search_gives_up_on_a_runaway_pattern_and_when_its_steps_are_used_up),
        cmocka_unit_test(pattern_knows_the_names_of_its_groups),
        cmocka_unit_test(search_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
