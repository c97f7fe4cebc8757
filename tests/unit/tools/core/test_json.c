#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/arena.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"

static json_t *parsed(const char *text)
{
    json_t *value = NULL;
    assert_int_equal(tr_json_parse(text, strlen(text), &value, NULL), TR_OK);
    assert_non_null(value);
    return value;
}

static void assert_refused(const char *bytes, size_t length, const char *what)
{
    json_t *value = NULL;
    struct tr_fault fault = { .what = "" };

    const enum tr_status status = tr_json_parse(bytes, length, &value, &fault);

    assert_int_equal(status, TR_MALFORMED_JSON);
    assert_null(value);
    if (strstr(fault.what, what) == NULL) {
        fail_msg("'%s' does not say '%s'", fault.what, what);
    }
}

static void every_kind_of_value_is_read(void **state)
{
    (void)state;
    json_auto_t *object = parsed(" {\"a\": [1, 2.5, \"x\", true, false, null]} \r\n\t");
    json_auto_t *text = parsed("\"\\u00e9\\ud83d\\ude00\\n\"");
    json_auto_t *number = parsed("-0");

    assert_int_equal(json_array_size(json_object_get(object, "a")), 6);
    assert_string_equal(json_string_value(text), "\xc3\xa9\xf0\x9f\x98\x80\n");
    assert_int_equal(json_integer_value(number), 0);
}

static void what_is_not_json_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *what;
    } cases[] = {
        { "", "line 1" },
        { " ", "line 1" },
        { "\n", "line 2" },
        { "{", "line 1, column 2" },
        { "{\"a\":1,}", "line 1" },
        { "{\"a\":1}x", "something behind the value" },
        { "{'a':1}", "line 1" },
        { "[01]", "line 1" },
        { "[+1]", "line 1" },
        { "[NaN]", "line 1" },
        { "[.5]", "line 1" },
        { "[1e]", "line 1" },
        { "TRUE", "line 1" },
        { "\"a", "line 1" },
        { "\"\\x41\"", "line 1" },
        { "\"\\ud83d\"", "line 1" },
        { "\"\\ude00\\ud83d\"", "line 1" },
        { "\"a\x01\"", "line 1" },
        { "\"\xc3\"", "UTF-8" },
        { "\"\xed\xa0\x80\"", "UTF-8" },
        { "\"\xc0\xaf\"", "UTF-8" },
        { "\xc2\xa0{}", "line 1" },
        { "{\"a\":\n1,\n\"a\":2}", "line 3" },
        { "{\"a\":1,\"\\u0061\":2}", "the key 'a' is there twice" },
        { "9223372036854775808", "an integer beyond 64 bits" },
        { "-9223372036854775809", "an integer beyond 64 bits" },
        { "1e400", "a number that is too large" },
        { "-1e400", "a number that is too large" },
        { "\xef\xbb\xbf{}", "byte order mark" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_refused(cases[i].text, strlen(cases[i].text), cases[i].what);
    }
}

static void nul_is_refused_raw_and_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
        { "\0", 1 },
        { "{\"a\":1\0}", 8 },
        { "{\"a\":true\0}", 11 },
        { "{\"a\0\":1}", 8 },
        { "{}\0", 3 },
        { "{\"\\u0000\":1}", 12 },
        { "\"\\u0000\"", 8 },
        { "\"\\\\\\u0000\"", 10 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_refused(cases[i].bytes, cases[i].length, "line 1");
    }
}

static void what_only_looks_like_an_escaped_nul_is_read(void **state)
{
    (void)state;
    json_auto_t *text = parsed("\"\\\\u0000\"");

    assert_string_equal(json_string_value(text), "\\u0000");
}

static char *nested(size_t depth, char open, char close)
{
    char *text = malloc(depth * 2 + 1);
    assert_non_null(text);
    memset(text, open, depth);
    memset(text + depth, close, depth);
    text[depth * 2] = '\0';
    return text;
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    for (size_t depth = TR_MAX_JSON_DEPTH - 1; depth <= TR_MAX_JSON_DEPTH; depth++) {
        char *text = nested(depth, '[', ']');
        json_auto_t *value = parsed(text);
        assert_true(json_is_array(value));
        free(text);
    }
    static const size_t too_deep[] = { TR_MAX_JSON_DEPTH + 1, 2048, 500000 };
    for (size_t i = 0; i < sizeof(too_deep) / sizeof(too_deep[0]); i++) {
        char *text = nested(too_deep[i], '[', ']');
        assert_refused(text, strlen(text), "line 1, column 33: nested too deeply");
        free(text);
    }
}

static void brackets_in_strings_are_not_depth(void **state)
{
    (void)state;
    json_auto_t *value = parsed("\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"{{{{{\"");

    assert_true(json_is_string(value));
}

static void a_refusal_does_not_repeat_values(void **state)
{
    (void)state;
    struct tr_fault fault = { .what = "" };
    json_t *value = NULL;
    const char *text = "{\"key\":hunter2}";

    assert_int_equal(tr_json_parse(text, strlen(text), &value, &fault), TR_MALFORMED_JSON);

    assert_null(strstr(fault.what, "hunter2"));
}

static void equality_is_that_of_json_schema(void **state)
{
    (void)state;
    static const struct {
        const char *left, *right;
        bool is_equal;
    } cases[] = {
        { "1", "1.0", true },
        { "0", "-0.0", true },
        { "1", "true", false },
        { "0", "false", false },
        { "0", "null", false },
        { "\"1\"", "1", false },
        { "\"\"", "null", false },
        { "\"a\"", "\"a\"", true },
        { "\"a\"", "\"A\"", false },
        { "\"a\"", "\"aa\"", false },
        { "[1,2]", "[1.0,2]", true },
        { "[1,2]", "[2,1]", false },
        { "[1]", "[1,1]", false },
        { "[]", "{}", false },
        { "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true },
        { "{\"a\":1}", "{\"a\":1,\"b\":2}", false },
        { "{\"a\":1}", "{\"b\":1}", false },
        { "{\"a\":null}", "{\"b\":null}", false },
        { "{\"a\":[{\"b\":1}]}", "{\"a\":[{\"b\":1.0}]}", true },
        { "9007199254740993", "9007199254740992.0", false },
        { "9223372036854775807", "9223372036854775808.0", false },
        { "true", "true", true },
        { "true", "false", false },
        { "null", "null", true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *left = parsed(cases[i].left);
        json_auto_t *right = parsed(cases[i].right);

        assert_int_equal(tr_json_equal(left, right), cases[i].is_equal);
        assert_int_equal(tr_json_equal(right, left), cases[i].is_equal);
        assert_true(tr_json_equal(left, left));
    }
}

static void nothing_equals_nothing_else(void **state)
{
    (void)state;
    json_auto_t *null = json_null();

    assert_false(tr_json_equal(NULL, null));
    assert_false(tr_json_equal(null, NULL));
}

static void numbers_are_compared_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *left, *right;
        int order;
    } cases[] = {
        { "1", "2", -1 },
        { "1", "1.0", 0 },
        { "1", "1.5", -1 },
        { "2", "1.5", 1 },
        { "-1", "-1.5", 1 },
        { "-2", "-1.5", -1 },
        { "0", "5e-324", -1 },
        { "0", "-5e-324", 1 },
        { "1.5", "2.5", -1 },
        { "2.5", "2.5", 0 },
        { "9007199254740993", "9007199254740992.0", 1 },
        { "9007199254740993", "9007199254740994.0", -1 },
        { "9223372036854775807", "9223372036854775808.0", -1 },
        { "-9223372036854775808", "-9223372036854775808.0", 0 },
        { "-9223372036854775808", "-9223372036854777856.0", 1 },
        { "9223372036854775807", "1e300", -1 },
        { "-9223372036854775808", "-1e300", 1 },
        { "-9223372036854775808", "9223372036854775807", -1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *left = parsed(cases[i].left);
        json_auto_t *right = parsed(cases[i].right);

        assert_int_equal(tr_json_number_compare(left, right), cases[i].order);
        assert_int_equal(tr_json_number_compare(right, left), -cases[i].order);
    }
}

static void integral_reals_are_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_integral;
    } cases[] = {
        { "2", true },     { "2.0", true },   { "2e0", true },  { "20e-1", true },
        { "-0.0", true },  { "1e300", true }, { "2.5", false }, { "\"2\"", false },
        { "true", false }, { "null", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *value = parsed(cases[i].text);

        assert_int_equal(tr_json_is_integral(value), cases[i].is_integral);
    }
}

static void an_arena_keeps_a_value_until_its_end(void **state)
{
    (void)state;
    struct tr_arena arena;
    tr_arena_init(&arena, 4096);
    json_t *value = json_string("kept");

    const bool is_kept = tr_arena_adopt_json(&arena, value);

    assert_true(is_kept);
    assert_false(tr_arena_adopt_json(&arena, NULL));
    assert_string_equal(json_string_value(value), "kept");
    tr_arena_done(&arena);
}

static void an_arena_without_room_drops_the_value(void **state)
{
    (void)state;
    struct tr_arena arena;
    tr_arena_init(&arena, 1);
    json_auto_t *value = json_string("kept by us");

    assert_false(tr_arena_adopt_json(&arena, json_incref(value)));

    assert_int_equal(value->refcount, 1);
    tr_arena_done(&arena);
}

static void a_taken_value_leaves_nothing(void **state)
{
    (void)state;
    json_t *value = json_integer(1);

    json_auto_t *taken = tr_json_take(&value);

    assert_null(value);
    assert_int_equal(json_integer_value(taken), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value_is_read),
        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(nul_is_refused_raw_and_escaped),
        cmocka_unit_test(what_only_looks_like_an_escaped_nul_is_read),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(brackets_in_strings_are_not_depth),
        cmocka_unit_test(a_refusal_does_not_repeat_values),
        cmocka_unit_test(equality_is_that_of_json_schema),
        cmocka_unit_test(nothing_equals_nothing_else),
        cmocka_unit_test(numbers_are_compared_exactly),
        cmocka_unit_test(integral_reals_are_integers),
        cmocka_unit_test(an_arena_keeps_a_value_until_its_end),
        cmocka_unit_test(an_arena_without_room_drops_the_value),
        cmocka_unit_test(a_taken_value_leaves_nothing),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
