#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/json.h"
#include "tools/core/text.h"

static void assert_written(const json_t *value, const char *expected)
{
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 65536);

    tr_json_write(&out, value);

    assert_int_equal(out.status, TR_OK);
    assert_string_equal(tr_text_string(&out), expected);
    assert_int_equal(out.length, strlen(expected));
}

static void assert_string_written(const char *bytes, size_t length, const char *expected)
{
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 65536);

    tr_json_write_string(&out, bytes, length);

    assert_int_equal(out.status, TR_OK);
    assert_string_equal(tr_text_string(&out), expected);
}

static void values_are_written_compactly_in_their_order(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "null",
        "true",
        "false",
        "0",
        "-9223372036854775808",
        "21.5",
        "2.0",
        "\"\"",
        "[]",
        "{}",
        "[1,[2,[]],{}]",
        "{\"b\":1,\"a\":{\"z\":null,\"y\":[true,false]}}",
        "\"\xf0\x9f\x98\x80\"",
        "{\"a\\\"b\":\"c\\\\d\"}",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        json_t *value = NULL;
        assert_int_equal(tr_json_parse(texts[i], strlen(texts[i]), &value, NULL), TR_OK);

        assert_written(value, texts[i]);

        json_decref(value);
    }
}

static void strings_are_escaped_where_they_must_be(void **state)
{
    (void)state;
    assert_string_written("", 0, "\"\"");
    assert_string_written("plain text, longer than a word", 30,
                          "\"plain text, longer than a word\"");
    assert_string_written("\"\\/", 3, "\"\\\"\\\\/\"");
    assert_string_written("\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"");
    assert_string_written("\x01\x1f\x7f", 3, "\"\\u0001\\u001f\x7f\"");
    assert_string_written("a\0b", 3, "\"a\\u0000b\"");
    assert_string_written("z\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z", 11,
                          "\"z\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z\"");
}

static void a_special_character_is_found_at_every_place(void **state)
{
    (void)state;
    static const char specials[] = { '"', '\\', '\n', '\x1f', '\x00' };
    for (size_t length = 1; length <= 20; length++) {
        for (size_t at = 0; at < length; at++) {
            for (size_t i = 0; i < sizeof(specials); i++) {
                char bytes[32];
                memset(bytes, '~', length);
                bytes[at] = specials[i];
                tr_auto(text) struct tr_text out;
                tr_text_init(&out, 256);

                tr_json_write_string(&out, bytes, length);

                const size_t escape = specials[i] == '\x1f' || specials[i] == '\0' ? 6 : 2;
                assert_int_equal(out.length, length + 1 + escape);
                assert_int_equal(out.bytes[1 + at], '\\');
            }
        }
    }
}

static void bytes_that_are_no_utf8_become_replacement_characters(void **state)
{
    (void)state;
    assert_string_written("a\xff"
                          "b",
                          3,
                          "\"a\xef\xbf\xbd"
                          "b\"");
    assert_string_written("\xc3", 1, "\"\xef\xbf\xbd\"");
    assert_string_written("\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    assert_string_written("\xc0\xaf", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void what_cannot_be_written_fails_the_text(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 256);

    tr_json_write(&out, NULL);
    assert_int_equal(out.status, TR_INTERNAL);

    tr_text_reset(&out);
    tr_json_write_real(&out, nan(""));
    assert_int_equal(out.status, TR_INTERNAL);

    tr_text_reset(&out);
    tr_json_write_real(&out, HUGE_VAL);
    assert_int_equal(out.status, TR_INTERNAL);
}

static json_t *nested_array(size_t depth)
{
    json_t *value = json_array();
    for (size_t i = 1; i < depth; i++) {
        json_t *outer = json_array();
        assert_int_equal(json_array_append_new(outer, value), 0);
        value = outer;
    }
    return value;
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 65536);
    json_auto_t *deep = nested_array(2048);
    json_auto_t *too_deep = nested_array(2049);

    tr_json_write(&out, deep);
    assert_int_equal(out.status, TR_OK);
    assert_int_equal(out.length, 4096);

    tr_text_reset(&out);
    tr_json_write(&out, too_deep);
    assert_int_equal(out.status, TR_INTERNAL);
}

static void the_limit_of_the_text_holds(void **state)
{
    (void)state;
    json_auto_t *value = json_pack("{s:[i,s]}", "key", 12, "text");
    static const char expected[] = "{\"key\":[12,\"text\"]}";
    for (size_t limit = 0; limit < sizeof(expected) + 1; limit++) {
        tr_auto(text) struct tr_text out;
        tr_text_init(&out, limit);

        tr_json_write(&out, value);

        const bool fits = limit >= sizeof(expected) - 1;
        assert_int_equal(out.status, fits ? TR_OK : TR_BODY_TOO_LARGE);
        assert_true(out.length <= limit);
    }
}

static void numbers_read_back_the_same(void **state)
{
    (void)state;
    json_auto_t *value = json_pack("[f,f,I]", 0.1 + 0.2, 1e300, (json_int_t)9007199254740993);
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 256);

    tr_json_write(&out, value);

    json_t *back = NULL;
    assert_int_equal(tr_json_parse(out.bytes, out.length, &back, NULL), TR_OK);
    assert_true(json_equal(value, back));
    json_decref(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_written_compactly_in_their_order),
        cmocka_unit_test(strings_are_escaped_where_they_must_be),
        cmocka_unit_test(a_special_character_is_found_at_every_place),
        cmocka_unit_test(bytes_that_are_no_utf8_become_replacement_characters),
        cmocka_unit_test(what_cannot_be_written_fails_the_text),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(the_limit_of_the_text_holds),
        cmocka_unit_test(numbers_read_back_the_same),
    };
    return cmocka_run_group_tests_name("json_write", tests, NULL, NULL);
}
