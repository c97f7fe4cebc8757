#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/core/descriptor.h"
#include "tools/core/text.h"
#include "tools/suites/data/data.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tool_registry(&data_suite);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

/* The answer that holds all matches. */
#define WHOLE(matches, count) "{\"matches\":[" matches "],\"count\":" count ",\"truncated\":false}"
#define MATCH(text, start, end, groups) \
    "{\"text\":\"" text "\",\"start\":" start ",\"end\":" end ",\"groups\":[" groups "]}"
#define GROUP(number, text, start, end) \
    "{\"number\":" number ",\"text\":\"" text "\",\"start\":" start ",\"end\":" end "}"

static void regex_extract_answers_matches_with_their_groups(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *result;
    } cases[] = {
        { "\"text\":\"abc\",\"pattern\":\"x\"", WHOLE("", "0") },
        { "\"text\":\"\",\"pattern\":\"x*\"", WHOLE(MATCH("", "0", "0", ""), "1") },
        { "\"text\":\"banana\",\"pattern\":\"an\"",
          WHOLE(MATCH("an", "1", "3", "") "," MATCH("an", "3", "5", ""), "2") },
        { "\"text\":\"a1\",\"pattern\":\"([a-z])(\\\\d)\"",
          WHOLE(MATCH("a1", "0", "2", GROUP("1", "a", "0", "1") "," GROUP("2", "1", "1", "2")),
                "1") },
        { "\"text\":\"a\",\"pattern\":\"a(b)?\"",
          WHOLE(MATCH("a", "0", "1", "{\"number\":1,\"text\":null}"), "1") },
        { "\"text\":\"k=v\",\"pattern\":\"(?<key>\\\\w)=\"",
          WHOLE(MATCH("k=", "0", "2",
                      "{\"number\":1,\"name\":\"key\",\"text\":\"k\",\"start\":0,\"end\":1}"),
                "1") },
        { "\"text\":\"a1\",\"pattern\":\"([a-z])(?<n>\\\\d)\",\"groups\":[\"n\"]",
          WHOLE(MATCH("a1", "0", "2",
                      "{\"number\":2,\"name\":\"n\",\"text\":\"1\",\"start\":1,\"end\":2}"),
                "1") },
        { "\"text\":\"a1\",\"pattern\":\"([a-z])(\\\\d)\",\"groups\":[2,1]",
          WHOLE(MATCH("a1", "0", "2", GROUP("2", "1", "1", "2") "," GROUP("1", "a", "0", "1")),
                "1") },
        { "\"text\":\"\\u00e9\\u20ac\\ud83d\\ude00x\\u00e9x\",\"pattern\":\"x\"",
          WHOLE(MATCH("x", "3", "4", "") "," MATCH("x", "5", "6", ""), "2") },
        { "\"text\":\"\\u00e9ab\",\"pattern\":\"(?<=(.)a)b\"",
          WHOLE(MATCH("b", "2", "3", GROUP("1", "\\u00e9", "0", "1")), "1") },
        { "\"text\":\"aA\",\"pattern\":\"A\",\"flags\":\"i\"",
          WHOLE(MATCH("a", "0", "1", "") "," MATCH("A", "1", "2", ""), "2") },
        { "\"text\":\"a\\r\\nb\",\"pattern\":\"^.$\",\"flags\":\"m\"",
          WHOLE(MATCH("a", "0", "1", "") "," MATCH("b", "3", "4", ""), "2") },
        { "\"text\":\"a\\nB\",\"pattern\":\"a.b\",\"flags\":\"is\"",
          WHOLE(MATCH("a\\nB", "0", "3", ""), "1") },
        { "\"text\":\"ab ab\",\"pattern\":\"\\\\bab\",\"offset\":1",
          WHOLE(MATCH("ab", "3", "5", ""), "1") },
        { "\"text\":\"ab\",\"pattern\":\"(?<=a)b\",\"offset\":1",
          WHOLE(MATCH("b", "1", "2", ""), "1") },
        { "\"text\":\"ab\",\"pattern\":\"b\",\"offset\":99", WHOLE("", "0") },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1000];
        (void)snprintf(body, sizeof(body), "{%s}", cases[i].parameters);

        assert_tool_gives(registry, "regex_extract", body, cases[i].result);
    }
}

static void regex_extract_goes_on_at_the_next_offset(void **state)
{
    (void)state;
    assert_tool_gives(registry, "regex_extract",
                      "{\"text\":\"\\u00e91 2 3\",\"pattern\":\"\\\\d\",\"limit\":2}",
                      "{\"matches\":[" MATCH("1", "1", "2", "") "," MATCH(
                          "2", "3", "4", "") "],\"count\":2,\"truncated\":true,\"next_offset\":5}");
    assert_tool_gives(registry, "regex_extract",
                      "{\"text\":\"\\u00e91 2 3\",\"pattern\":\"\\\\d\",\"limit\":2,\"offset\":5}",
                      WHOLE(MATCH("3", "5", "6", ""), "1"));
}

static void regex_extract_refuses_patterns_and_groups_that_make_no_sense(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *error;
    } cases[] = {
        { "\"pattern\":\"a(b\"",
          "The pattern does not compile at offset 3: missing closing parenthesis" },
        { "\"pattern\":\"ab++\"",
          "The pattern does not compile at offset 3: there is nothing to repeat" },
        { "\"pattern\":\"(a)\",\"groups\":[2]", "The pattern has no group 2; it has 1" },
        { "\"pattern\":\"(?<year>a)\",\"groups\":[\"yaer\"]",
          "The pattern has no group 'yaer'; did you mean 'year'?" },
        { "\"pattern\":\"(a)\",\"groups\":[\"day\"]",
          "The pattern has no group 'day'; name one as in (?<day>...)" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1000];
        (void)snprintf(body, sizeof(body), "{\"text\":\"\",%s}", cases[i].parameters);

        assert_tool_refuses(registry, "regex_extract", body, TR_INVALID_PARAMETERS, cases[i].error);
    }
    assert_tool_refuses(registry, "regex_extract",
                        "{\"text\":\"\",\"pattern\":\"a\",\"flags\":\"g\"}", TR_INVALID_PARAMETERS,
                        "Parameter 'flags' must match the pattern ^[ims]*$");
}

static void regex_extract_gives_up_on_catastrophic_patterns(void **state)
{
    (void)state;
    static const char *const patterns[] = { "(a+)+b$", "(a|a)*b$", "(a*)*b$", "(.*)*b$",
                                            "((a|b)?)*?(a+)+(a+)+b$" };
    for (size_t i = 0; i < TR_COUNT_OF(patterns); i++) {
        char body[1000];
        (void)snprintf(body, sizeof(body),
                       "{\"text\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacb!\","
                       "\"pattern\":\"%s\"}",
                       patterns[i]);

        assert_tool_refuses(
            registry, "regex_extract", body, TR_TOOL_FAILED,
            "The pattern takes too many steps on this text (after 0 matches); avoid repeats inside "
            "of repeats such as (a+)+, say what must not match, as in [^\"]* for .*, or send a "
            "shorter text");
    }
}

static char *many_letters(size_t count, const char *rest)
{
    struct tr_text body;
    tr_text_init(&body, (size_t)4 * 1024 * 1024);
    tr_text_add_string(&body, "{\"text\":\"");
    for (size_t i = 0; i < count; i++) {
        tr_text_add_char(&body, 'x');
    }
    tr_text_printf(&body, "\",%s}", rest);
    char *taken = tr_text_take(&body, NULL);
    assert_non_null(taken);
    return taken;
}

static void regex_extract_stops_at_a_whole_match_when_the_answer_is_large(void **state)
{
    (void)state;
    char *body = many_letters(900000, "\"pattern\":\".{1000}\",\"limit\":1000");
    enum tr_status status = TR_INTERNAL;

    json_t *answer = tool_call(registry, "regex_extract", body, &status);

    const json_t *result = json_object_get(answer, "result");
    const json_int_t count = json_integer_value(json_object_get(result, "count"));
    assert_int_equal(status, TR_OK);
    assert_in_range(count, 600, 700);
    assert_int_equal(json_integer_value(json_object_get(result, "next_offset")), count * 1000);
    assert_null(json_object_get(answer, "metadata"));
    json_decref(answer);
    free(body);
}

static void regex_extract_takes_a_limit_from_1_to_1000(void **state)
{
    (void)state;
    for (int limit = 999; limit <= 1001; limit++) {
        char rest[64];
        (void)snprintf(rest, sizeof(rest), "\"pattern\":\"x\",\"limit\":%d", limit);
        char *body = many_letters(2000, rest);
        enum tr_status status = TR_INTERNAL;

        json_t *answer = tool_call(registry, "regex_extract", body, &status);

        const json_t *result = json_object_get(answer, "result");
        assert_int_equal(status, limit <= 1000 ? TR_OK : TR_INVALID_PARAMETERS);
        assert_int_equal(json_array_size(json_object_get(result, "matches")),
                         limit <= 1000 ? limit : 0);
        json_decref(answer);
        free(body);
    }
}

static void regex_extract_survives_failing_allocations(void **state)
{
    (void)state;
    assert_tool_survives_failing_allocations(
        registry, "regex_extract",
        "{\"text\":\"ab ab\",\"pattern\":\"(?<n>a)(b)\",\"groups\":[\"n\"]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regex_extract_answers_matches_with_their_groups),
        cmocka_unit_test(regex_extract_goes_on_at_the_next_offset),
        cmocka_unit_test(regex_extract_refuses_patterns_and_groups_that_make_no_sense),
        cmocka_unit_test(regex_extract_gives_up_on_catastrophic_patterns),
        cmocka_unit_test(regex_extract_stops_at_a_whole_match_when_the_answer_is_large),
        cmocka_unit_test(regex_extract_takes_a_limit_from_1_to_1000),
        cmocka_unit_test(regex_extract_survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
