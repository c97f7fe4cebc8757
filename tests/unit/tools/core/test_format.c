#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/format.h"

/* What each format takes and refuses is in tests/data/json_schema_more.jsonl; here is what no JSON
 * can bring, and what is the same for all. */

#define SAMPLE(id, name) { TR_FORMAT_##id, (name) },
static const struct {
    enum tr_format format;
    const char *name;
} formats[] = { TR_FORMAT_LIST(SAMPLE) };
#undef SAMPLE

enum { FORMAT_COUNT = sizeof(formats) / sizeof(formats[0]) };

static const char *const good[FORMAT_COUNT + 1] = {
    [TR_FORMAT_DATE_TIME] = "2024-02-29T12:00:00.5+01:00",
    [TR_FORMAT_DATE] = "2024-02-29",
    [TR_FORMAT_TIME] = "12:00:00Z",
    [TR_FORMAT_DURATION] = "P1Y2M3DT4H5M6S",
    [TR_FORMAT_UUID] = "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    [TR_FORMAT_URI] = "https://u:p@[2001:db8::1]:8080/a%20b?c=d#e",
    [TR_FORMAT_EMAIL] = "\"a b\"@[IPv6:::1]",
    [TR_FORMAT_HOSTNAME] = "www.example.com",
    [TR_FORMAT_IPV4] = "192.0.2.1",
    [TR_FORMAT_IPV6] = "2001:db8::192.0.2.1",
    [TR_FORMAT_BYTE] = "aGVsbG8=",
};

static void every_name_is_known_and_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        assert_int_equal(tr_format_from_name(formats[i].name), formats[i].format);
        assert_true(strlen(tr_format_description(formats[i].format)) > 5);
    }
    assert_int_equal(tr_format_from_name("int32"), TR_FORMAT_NONE);
    assert_int_equal(tr_format_from_name(""), TR_FORMAT_NONE);
    assert_int_equal(tr_format_from_name("DATE"), TR_FORMAT_NONE);
}

static void no_format_holds_for_everything(void **state)
{
    (void)state;

    assert_true(tr_format_holds(TR_FORMAT_NONE, "\xff\0", 2));
}

/* The text is not read behind its end: each is in a buffer of just its size. */
static void every_part_of_a_good_text_is_read_within_its_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const enum tr_format format = formats[i].format;
        const size_t length = strlen(good[format]);

        assert_true(tr_format_holds(format, good[format], length));

        for (size_t cut = 0; cut < length; cut++) {
            char *part = test_malloc(cut + (cut == 0));
            memcpy(part, good[format], cut);
            (void)tr_format_holds(format, part, cut);
            test_free(part);
        }
    }
}

static void a_byte_more_is_refused(void **state)
{
    (void)state;
    static const char tails[] = { '\0', '\n', ' ', '\x7f', '\xc3' };
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const enum tr_format format = formats[i].format;
        char text[80];
        const size_t length = strlen(good[format]);
        for (size_t j = 0; j < sizeof(tails); j++) {
            memcpy(text, good[format], length);
            text[length] = tails[j];

            assert_false(tr_format_holds(format, text, length + 1));

            memmove(text + 1, text, length);
            text[0] = tails[j];
            assert_false(tr_format_holds(format, text, length + 1));
        }
    }
}

/* Every byte replaced by every other one: nothing is read out of bounds, and no NUL is taken. */
static void no_text_with_a_nul_is_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const enum tr_format format = formats[i].format;
        char text[80];
        const size_t length = strlen(good[format]);
        for (size_t at = 0; at < length; at++) {
            memcpy(text, good[format], length);
            for (int byte = 0; byte < 256; byte++) {
                text[at] = (char)(unsigned char)byte;
                const bool holds = tr_format_holds(format, text, length);
                assert_false(byte == 0 && holds);
            }
        }
    }
}

static void long_names_are_taken_up_to_their_limits(void **state)
{
    (void)state;
    static const struct {
        enum tr_format format;
        size_t head; /* bytes of 'a' before the tail */
        const char *tail;
        bool holds;
    } cases[] = {
        { TR_FORMAT_HOSTNAME, 62, ".b", true },      { TR_FORMAT_HOSTNAME, 63, ".b", true },
        { TR_FORMAT_HOSTNAME, 64, ".b", false },     { TR_FORMAT_EMAIL, 63, "@b.example", true },
        { TR_FORMAT_EMAIL, 64, "@b.example", true }, { TR_FORMAT_EMAIL, 65, "@b.example", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[128];
        memset(text, 'a', cases[i].head);
        const size_t tail = strlen(cases[i].tail);
        memcpy(text + cases[i].head, cases[i].tail, tail);

        assert_int_equal(tr_format_holds(cases[i].format, text, cases[i].head + tail),
                         cases[i].holds);
    }
}

static void whole_names_are_taken_up_to_their_limits(void **state)
{
    (void)state;
    enum { MOST = 260 };
    char text[MOST];
    for (size_t i = 0; i < MOST; i++) {
        text[i] = i % 2 == 0 ? 'a' : '.';
    }
    assert_true(tr_format_holds(TR_FORMAT_HOSTNAME, text, 251));
    assert_true(tr_format_holds(TR_FORMAT_HOSTNAME, text, 253));
    assert_false(tr_format_holds(TR_FORMAT_HOSTNAME, text, 255));
    text[1] = '@';
    text[253] = 'b';
    assert_true(tr_format_holds(TR_FORMAT_EMAIL, text, 253));
    assert_true(tr_format_holds(TR_FORMAT_EMAIL, text, 254));
    assert_false(tr_format_holds(TR_FORMAT_EMAIL, text, 255));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_known_and_described),
        cmocka_unit_test(no_format_holds_for_everything),
        cmocka_unit_test(every_part_of_a_good_text_is_read_within_its_bounds),
        cmocka_unit_test(a_byte_more_is_refused),
        cmocka_unit_test(no_text_with_a_nul_is_taken),
        cmocka_unit_test(long_names_are_taken_up_to_their_limits),
        cmocka_unit_test(whole_names_are_taken_up_to_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
