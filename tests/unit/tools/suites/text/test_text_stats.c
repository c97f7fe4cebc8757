#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/core/descriptor.h"
#include "tools/suites/text/text.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tool_registry(&text_suite);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

/* `text` is written as JSON. */
struct stats_case {
    const char *text;
    int characters, bytes, words, lines, sentences;
};

static void assert_counts(const struct stats_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct stats_case *one = &cases[i];
        char body[512];
        char wanted[512];
        (void)snprintf(body, sizeof(body), "{\"text\":\"%s\"}", one->text);
        (void)snprintf(
            wanted, sizeof(wanted),
            "{\"characters\":%d,\"bytes\":%d,\"words\":%d,\"lines\":%d,\"sentences\":%d}",
            one->characters, one->bytes, one->words, one->lines, one->sentences);

        assert_tool_gives(registry, "text_stats", body, wanted);
    }
}

static void text_stats_counts_plain_texts(void **state)
{
    (void)state;
    static const struct stats_case cases[] = {
        { "", 0, 0, 0, 0, 0 },
        { " ", 1, 1, 0, 1, 0 },
        { "a", 1, 1, 1, 1, 1 },
        { "One line. Two sentences.", 24, 24, 4, 1, 2 },
        { "  spaces   around  ", 19, 19, 2, 1, 1 },
    };
    assert_counts(cases, TR_COUNT_OF(cases));
}

static void text_stats_counts_characters_and_not_bytes(void **state)
{
    (void)state;
    static const struct stats_case cases[] = {
        { "caf\xc3\xa9", 4, 5, 1, 1, 1 },
        { "\\ud83d\\ude00", 1, 4, 1, 1, 1 },
        { "e\\u0301", 2, 3, 1, 1, 1 },
        { "\\u65e5\\u672c\\u8a9e", 3, 9, 1, 1, 1 },
    };
    assert_counts(cases, TR_COUNT_OF(cases));
}

static void text_stats_separates_words_by_unicode_white_space(void **state)
{
    (void)state;
    static const struct stats_case cases[] = {
        { "a\\tb\\u00a0c\\u2003d\\u3000e", 9, 14, 5, 1, 1 },
        { "no\\u200bbreak", 8, 10, 1, 1, 1 },
        { "state-of-the-art don't", 22, 22, 2, 1, 1 },
    };
    assert_counts(cases, TR_COUNT_OF(cases));
}

static void text_stats_counts_lines_by_their_ends(void **state)
{
    (void)state;
    static const struct stats_case cases[] = {
        { "a\\n", 2, 2, 1, 1, 1 },
        { "a\\nb", 3, 3, 2, 2, 1 },
        { "a\\r\\nb\\r\\n", 6, 6, 2, 2, 1 },
        { "a\\rb", 3, 3, 2, 2, 1 },
        { "\\n\\n\\n", 3, 3, 0, 3, 0 },
        { "\\r\\n\\n", 3, 3, 0, 2, 0 },
        { "\\n\\r", 2, 2, 0, 2, 0 },
        { "a\\u2028b\\u2029c\\u0085d", 7, 12, 4, 4, 1 },
        { "a\\u000bb\\u000cc", 5, 5, 3, 1, 1 },
    };
    assert_counts(cases, TR_COUNT_OF(cases));
}

static void text_stats_ends_sentences_at_stops(void **state)
{
    (void)state;
    static const struct stats_case cases[] = {
        { "Really?! Yes...", 15, 15, 2, 1, 2 },
        { "Pi is 3.14, or so.", 18, 18, 5, 1, 1 },
        { "He said \\\"Go.\\\" Then he left.", 27, 27, 6, 1, 2 },
        { "A. B. And a rest", 16, 16, 5, 1, 3 },
        { "...", 3, 3, 1, 1, 0 },
        { "Stop\\u2026 or not", 12, 14, 3, 1, 2 },
        { "\\u3053\\u308c\\u3002\\u305d\\u308c\\u3002", 6, 18, 1, 1, 2 },
    };
    assert_counts(cases, TR_COUNT_OF(cases));
}

static void text_stats_takes_a_million_characters_and_no_more(void **state)
{
    (void)state;
    enum { LIMIT = 1000000 };
    static char body[LIMIT + 32];
    for (size_t length = LIMIT - 1; length <= LIMIT + 1; length++) {
        const int head = snprintf(body, sizeof(body), "{\"text\":\"");
        memset(body + head, 'a', length);
        (void)snprintf(body + head + length, sizeof(body) - (size_t)head - length, "\"}");
        enum tr_status status = TR_OK;

        json_t *answer = tool_call(registry, "text_stats", body, &status);

        assert_int_equal(status, length <= LIMIT ? TR_OK : TR_INVALID_PARAMETERS);
        json_decref(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_stats_counts_plain_texts),
        cmocka_unit_test(text_stats_counts_characters_and_not_bytes),
        cmocka_unit_test(text_stats_separates_words_by_unicode_white_space),
        cmocka_unit_test(text_stats_counts_lines_by_their_ends),
        cmocka_unit_test(text_stats_ends_sentences_at_stops),
        cmocka_unit_test(text_stats_takes_a_million_characters_and_no_more),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
