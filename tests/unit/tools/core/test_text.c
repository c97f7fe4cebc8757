#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/text.h"

static void text_is_empty_before_the_first_addition(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 10);

    assert_string_equal(tr_text_string(&text), "");
    assert_null(text.bytes);
}

static void text_is_still_empty_when_room_is_reserved(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 10);

    tr_text_reserve(&text, 0);

    assert_non_null(text.bytes);
    assert_string_equal(tr_text_string(&text), "");
}

static void text_grows_and_stays_terminated(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 100 * 1000);

    for (int i = 0; i < 10 * 1000; i++) {
        tr_text_add_char(&text, 'x');
        assert_int_equal(text.bytes[text.length], '\0');
    }
    tr_text_printf(&text, "%s-%d", "y", 7);

    assert_int_equal(text.status, TR_OK);
    assert_int_equal(text.length, 10 * 1000 + 3);
    assert_string_equal(text.bytes + 10 * 1000, "y-7");
}

static void text_takes_exactly_its_limit(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 4);

    tr_text_add(&text, "abcd", 4);
    assert_int_equal(text.status, TR_OK);
    tr_text_add_char(&text, 'e');

    assert_int_equal(text.status, TR_BODY_TOO_LARGE);
    assert_string_equal(text.bytes, "abcd");
}

static void text_remembers_its_failure(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 4);

    tr_text_add_string(&text, "too long");
    tr_text_add_string(&text, "ok");

    assert_int_equal(text.length, 0);
    assert_null(tr_text_take(&text, NULL));
    tr_text_reset(&text);
    tr_text_add_string(&text, "ok");
    assert_string_equal(tr_text_string(&text), "ok");
}

static void text_says_out_of_memory(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 4);

    alloc_fail_at(1);
    tr_text_add_string(&text, "a");

    assert_true(alloc_fail_stop());
    assert_int_equal(text.status, TR_NO_MEMORY);
}

static void text_writes_every_integer(void **state)
{
    (void)state;
    static const struct {
        int64_t value;
        const char *written;
    } cases[] = {
        { 0, "0" },
        { 7, "7" },
        { -1, "-1" },
        { 1234567890, "1234567890" },
        { INT64_MAX, "9223372036854775807" },
        { INT64_MIN, "-9223372036854775808" },
    };
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 100);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_text_reset(&text);
        tr_text_add_integer(&text, cases[i].value);
        assert_string_equal(tr_text_string(&text), cases[i].written);
    }
}

static void text_gives_its_bytes_away(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 100);

    tr_text_add_string(&text, "gift");
    size_t length = 0;
    char *bytes = tr_text_take(&text, &length);

    assert_string_equal(bytes, "gift");
    assert_int_equal(length, 4);
    assert_null(text.bytes);
    free(bytes);
    bytes = tr_text_take(&text, &length);
    assert_string_equal(bytes, "");
    free(bytes);
}

static void text_is_cut_but_never_lengthened(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 100);

    tr_text_add_string(&text, "abcdef");
    tr_text_cut(&text, 3);
    tr_text_cut(&text, 5);

    assert_string_equal(tr_text_string(&text), "abc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_empty_before_the_first_addition),
        cmocka_unit_test(text_is_still_empty_when_room_is_reserved),
        cmocka_unit_test(text_grows_and_stays_terminated),
        cmocka_unit_test(text_takes_exactly_its_limit),
        cmocka_unit_test(text_remembers_its_failure),
        cmocka_unit_test(text_says_out_of_memory),
        cmocka_unit_test(text_writes_every_integer),
        cmocka_unit_test(text_gives_its_bytes_away),
        cmocka_unit_test(text_is_cut_but_never_lengthened),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
