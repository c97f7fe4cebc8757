#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/middleware/fixture.h"

static void every_known_header_is_found_in_any_case(void **state)
{
    (void)state;
    for (int known = TR_HEADER_UNKNOWN + 1; known < TR_HEADER_COUNT; known++) {
        const char *name = tr_known_header_name((enum tr_known_header)known);
        char upper[64];
        size_t length = 0;
        for (; name[length] != '\0'; length++) {
            const char byte = name[length];
            upper[length] = byte >= 'a' && byte <= 'z' ? (char)(byte - 32) : byte;
        }
        assert_int_equal(tr_known_header_find(name, length), known);
        assert_int_equal(tr_known_header_find(upper, length), known);
    }
}

static void one_wrong_byte_makes_a_header_unknown(void **state)
{
    (void)state;
    for (int known = TR_HEADER_UNKNOWN + 1; known < TR_HEADER_COUNT; known++) {
        const char *name = tr_known_header_name((enum tr_known_header)known);
        const size_t length = strlen(name);
        for (size_t at = 0; at < length; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                char wrong[64];
                memcpy(wrong, name, length);
                wrong[at] = (char)byte;
                const bool is_case = name[at] >= 'a' && (char)(byte | 0x20) == name[at]
                                     && (byte & 0x40) != 0 && byte < 0x80;
                const enum tr_known_header expected = is_case || (char)byte == name[at]
                                                          ? (enum tr_known_header)known
                                                          : TR_HEADER_UNKNOWN;
                assert_int_equal(tr_known_header_find(wrong, length), expected);
            }
        }
    }
}

static void other_names_are_unknown(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",
        "x",
        "X_API_Key",
        "X-API-Key2",
        "X-Api",
        "User-Agent",
        "Remote-User",
        "X-User-Id",
        "X_Forwarded_For",
        "Cookie",
        "X-Original-URL",
        "Keep-Alive",
        "Proxy-Authorization",
        "access-control-request-methods-and-more",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_int_equal(tr_known_header_find(names[i], strlen(names[i])), TR_HEADER_UNKNOWN);
    }
}

static void index_keeps_the_first_value_trimmed_and_marks_repetition(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "ORIGIN", " \t first \t");
    fixture_header(&fixture, "origin", "second");
    fixture_header(&fixture, "Accept", "");

    tr_exchange_index(&fixture.exchange);

    const struct tr_value origin = tr_exchange_value(&fixture.exchange, TR_HEADER_ORIGIN);
    assert_int_equal(origin.length, 5);
    assert_memory_equal(origin.bytes, "first", 5);
    const struct tr_header_index *known = &fixture.exchange.request.known;
    assert_true(tr_header_index_is_repeated(known, TR_HEADER_ORIGIN));
    assert_false(tr_header_index_is_repeated(known, TR_HEADER_ACCEPT));
    assert_non_null(tr_exchange_value(&fixture.exchange, TR_HEADER_ACCEPT).bytes);
    assert_null(tr_exchange_value(&fixture.exchange, TR_HEADER_HOST).bytes);
}

static void index_forgets_what_is_dropped(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "Origin", "a");
    fixture_header(&fixture, "Origin", "b");
    tr_exchange_index(&fixture.exchange);

    tr_header_index_drop(&fixture.exchange.request.known, TR_HEADER_ORIGIN);

    assert_null(tr_exchange_value(&fixture.exchange, TR_HEADER_ORIGIN).bytes);
    assert_false(tr_header_index_is_repeated(&fixture.exchange.request.known, TR_HEADER_ORIGIN));
    assert_null(tr_exchange_header(&fixture.exchange, "origin"));
}

static void values_compare_in_any_case_and_in_full(void **state)
{
    (void)state;
    static const struct {
        const char *value, *lower;
        bool is_same;
    } cases[] = {
        { "application/json", "application/json", true },
        { "Application/JSON", "application/json", true },
        { "application/jsom", "application/json", false },
        { "application/jso", "application/json", false },
        { "application/jsonx", "application/json", false },
        { "application\x0fjson", "application/json", false },
        { "100-Continue", "100-continue", true },
        { "100\rcontinue", "100-continue", false },
        { "", "", true },
        { "utf-8", "utf-8", true },
        { "UTF-8", "utf-8", true },
        { "UTF\r8", "utf-8", false },
        { "UTF-\x18", "utf-8", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct tr_value value = { cases[i].value, strlen(cases[i].value) };
        assert_int_equal(tr_value_is(value, cases[i].lower), cases[i].is_same);
    }
    assert_false(tr_value_is((struct tr_value){ .bytes = NULL }, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_known_header_is_found_in_any_case),
        cmocka_unit_test(one_wrong_byte_makes_a_header_unknown),
        cmocka_unit_test(other_names_are_unknown),
        cmocka_unit_test(index_keeps_the_first_value_trimmed_and_marks_repetition),
        cmocka_unit_test(index_forgets_what_is_dropped),
        cmocka_unit_test(values_compare_in_any_case_and_in_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
