#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/text.h"
#include "tools/core/trim.h"

static void set(struct tr_text *text, const char *json)
{
    tr_text_reset(text);
    tr_text_add_string(text, json);
}

static void trim_leaves_what_fits_to_the_last_byte(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000);
    set(&text, "{\"a\": 1}");

    assert_int_equal(tr_trim(&text, 8), TR_OK);
    assert_string_equal(tr_text_string(&text), "{\"a\": 1}");
}

static void trim_cuts_the_longest_string_at_a_character(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000);
    set(&text, "{\"short\":\"abc\",\"long\":\"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\"}");

    assert_int_equal(tr_trim(&text, 31), TR_OK);
    assert_string_equal(tr_text_string(&text),
                        "{\"short\":\"abc\",\"long\":\"\xC3\xA9\xC3\xA9\xC3\xA9\"}");
}

static void trim_drops_items_from_the_end_of_a_long_list(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000);
    set(&text, "{\"n\":1,\"list\":[1,2,3,4,5,6,7,8,9,10]}");

    assert_int_equal(tr_trim(&text, 30), TR_OK);
    json_auto_t *value = json_loads(tr_text_string(&text), 0, NULL);
    assert_non_null(value);
    assert_true(text.length <= 30);
    const json_t *list = json_object_get(value, "list");
    assert_true(json_array_size(list) >= 1);
    assert_int_equal(json_integer_value(json_array_get(list, 0)), 1);
}

static void trim_always_ends_below_the_limit(void **state)
{
    (void)state;
    static const char *const documents[] = {
        "\"abcdefghijklmnopqrstuvwxyz\"",
        "[[[[[[\"deep deep deep deep\"]]]]]]",
        "{\"a\":[\"xxxxxxxxxxxxxxxx\",\"yyyyyyyyyyyyyyyyyy\"],\"b\":\"zzzzzzzzzzzzzzzzzzzzzzz\"}",
        "{\"\\u0001\\u0002\":\"\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\"}",
        "{\"a\":1111111111,\"b\":2222222222,\"c\":3333333333}",
        "12345678901234567",
    };
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000);
    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
        for (size_t limit = 4; limit < strlen(documents[i]); limit++) {
            set(&text, documents[i]);
            assert_int_equal(tr_trim(&text, limit), TR_OK);
            assert_true(text.length <= limit);
            json_t *value = json_loads(tr_text_string(&text), JSON_DECODE_ANY, NULL);
            assert_non_null(value);
            json_decref(value);
        }
    }
}

static bool attempt(void *context)
{
    (void)context;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000);
    tr_text_add_string(&text, "{\"a\":\"0123456789012345678901234567890123456789\"}");
    if (text.status != TR_OK || tr_trim(&text, 20) != TR_OK) {
        return false;
    }
    /* Without memory to cut, the result is given up, and that must still be JSON. */
    return text.length <= 20;
}

static void trim_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(attempt, NULL) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trim_leaves_what_fits_to_the_last_byte),
        cmocka_unit_test(trim_cuts_the_longest_string_at_a_character),
        cmocka_unit_test(trim_drops_items_from_the_end_of_a_long_list),
        cmocka_unit_test(trim_always_ends_below_the_limit),
        cmocka_unit_test(trim_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests_name("trim", tests, NULL, NULL);
}
