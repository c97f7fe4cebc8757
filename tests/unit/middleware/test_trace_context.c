#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "middleware/trace_context.h"

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define SPAN  "b7ad6b7169203331"

static struct tr_value value_of(const char *text)
{
    return (struct tr_value){ text, strlen(text) };
}

static void traceparents_continue_or_restart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *kept; /* NULL: the trace starts anew */
    } cases[] = {
        { "00-" TRACE "-" SPAN "-01", "00-" TRACE "-" SPAN "-01" },
        { "00-" TRACE "-" SPAN "-00", "00-" TRACE "-" SPAN "-00" },
        { "00-" TRACE "-" SPAN "-03", "00-" TRACE "-" SPAN "-03" },
        { "00-" TRACE "-" SPAN "-ff", "00-" TRACE "-" SPAN "-ff" },
        { "cc-" TRACE "-" SPAN "-01", "00-" TRACE "-" SPAN "-01" },
        { "cc-" TRACE "-" SPAN "-ff", "00-" TRACE "-" SPAN "-03" },
        { "cc-" TRACE "-" SPAN "-01-what-ever", "00-" TRACE "-" SPAN "-01" },
        { "cc-" TRACE "-" SPAN "-01.x", NULL },
        { "ff-" TRACE "-" SPAN "-01", NULL },
        { "0G-" TRACE "-" SPAN "-01", NULL },
        { "00-" TRACE "-" SPAN "-01-x", NULL },
        { "00-" TRACE "-" SPAN "-01-", NULL },
        { "00-" TRACE "-" SPAN "-001", NULL },
        { "00-" TRACE "-" SPAN "-0G", NULL },
        { "00-" TRACE "-" SPAN "-0", NULL },
        { "00-" TRACE "-B7AD6B7169203331-01", NULL },
        { "00-" TRACE "0-" SPAN "-01", NULL },
        { "00-" TRACE "-" SPAN "0-01", NULL },
        { "00-" TRACE "--01", NULL },
        { "00-" TRACE, NULL },
        { "00-00000000000000000000000000000000-" SPAN "-01", NULL },
        { "00-" TRACE "-0000000000000000-01", NULL },
        { "00 -" TRACE "-" SPAN "-01", NULL },
        { "00-" TRACE "-" SPAN "-01\xc3\xa9", NULL },
        { "00", NULL },
        { "", NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char out[TR_TRACEPARENT_LENGTH + 1] = "";
        assert_int_equal(tr_traceparent_parse(value_of(cases[i].text), out), cases[i].kept != NULL);
        assert_string_equal(out, cases[i].kept != NULL ? cases[i].kept : "");
    }
    char out[TR_TRACEPARENT_LENGTH + 1];
    assert_false(tr_traceparent_parse((struct tr_value){ .bytes = NULL }, out));
}

static void every_byte_of_a_traceparent_counts(void **state)
{
    (void)state;
    static const char good[] = "00-" TRACE "-" SPAN "-01";
    for (size_t at = 0; at < sizeof(good) - 1; at++) {
        static const char never[] = { '\0', 'g', 'A', ' ', '/', ':', '\x7f', '\xff' };
        for (size_t i = 0; i < sizeof(never); i++) {
            char text[sizeof(good)];
            char out[TR_TRACEPARENT_LENGTH + 1];
            memcpy(text, good, sizeof(good));
            text[at] = never[i];
            assert_false(tr_traceparent_parse((struct tr_value){ text, sizeof(good) - 1 }, out));
        }
    }
}

static void tracestates_are_kept_or_dropped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_valid;
    } cases[] = {
        { "foo=1", true },
        { "foo=1,bar=2", true },
        { "foo=1 \t , \t bar=2", true },
        { "foo=1,,bar=2", true },
        { "foo=1,", true },
        { "foo@bar@baz=1", true },
        { "foo@@bar=1", true },
        { "0a=1", true },
        { "a_-*/=1", true },
        { "a= b", true },
        { "foo=1,foo=2", true },
        { "foo", false },
        { "foo=", false },
        { "foo=,bar=3", false },
        { "foo= ,bar=3", false },
        { "Foo=1", false },
        { "foo =1", false },
        { "@a=1", false },
        { "_a=1", false },
        { "=1", false },
        { "foo=a=b", false },
        { "foo=\xc3\xa9", false },
        { "foo=\x01", false },
        { ",", false },
        { "", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(tr_tracestate_is_valid(value_of(cases[i].text)), cases[i].is_valid);
    }
}

/* `count` times "a=1", with commas. */
static size_t write_members(char *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(out + 4 * i, "a=1,", 4);
    }
    return 4 * count - 1;
}

static void lists_have_a_most_of_members(void **state)
{
    (void)state;
    static char text[4 * (TR_MAX_BAGGAGE_MEMBERS + 1)];
    const size_t states = write_members(text, TR_MAX_TRACESTATE_MEMBERS);
    assert_true(tr_tracestate_is_valid((struct tr_value){ text, states }));
    const size_t one_more = write_members(text, TR_MAX_TRACESTATE_MEMBERS + 1);
    assert_false(tr_tracestate_is_valid((struct tr_value){ text, one_more }));

    const size_t baggage = write_members(text, TR_MAX_BAGGAGE_MEMBERS);
    assert_true(tr_baggage_is_valid((struct tr_value){ text, baggage }));
    const size_t more_baggage = write_members(text, TR_MAX_BAGGAGE_MEMBERS + 1);
    assert_false(tr_baggage_is_valid((struct tr_value){ text, more_baggage }));
}

static void keys_and_values_of_a_tracestate_have_a_longest(void **state)
{
    (void)state;
    char text[600];
    memset(text, 'a', sizeof(text));
    text[1] = '=';
    assert_true(tr_tracestate_is_valid((struct tr_value){ text, 2 + 256 }));
    assert_false(tr_tracestate_is_valid((struct tr_value){ text, 2 + 257 }));

    memset(text, 'a', sizeof(text));
    text[256] = '=';
    assert_true(tr_tracestate_is_valid((struct tr_value){ text, 258 }));
    text[256] = 'a';
    text[257] = '=';
    assert_false(tr_tracestate_is_valid((struct tr_value){ text, 259 }));
}

static void baggage_is_kept_or_dropped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_valid;
    } cases[] = {
        { "k=v", true },
        { "k=", true },
        { "k=v,l=w", true },
        { " k = v , l = w ", true },
        { "k=v;p", true },
        { "k=v;p=1 ; q", true },
        { "k=a%20b", true },
        { "k=a=b", true },
        { "k=v:/?#[]@!$&'()*+", true },
        { "", false },
        { "k", false },
        { "=v", false },
        { "k=v,", false },
        { ",k=v", false },
        { "k=v,,l=w", false },
        { "k=v;", false },
        { "k=a b", false },
        { "k=\"v\"", false },
        { "k=a\\b", false },
        { "k=\xc3\xa9", false },
        { "k\xc3\xa9=v", false },
        { "k=\x7f", false },
        { "k=v\r\nX: y", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(tr_baggage_is_valid(value_of(cases[i].text)), cases[i].is_valid);
    }
}

static void baggage_has_a_longest(void **state)
{
    (void)state;
    static char text[TR_MAX_BAGGAGE_BYTES + 1];
    memset(text, 'a', sizeof(text));
    text[1] = '=';
    assert_true(tr_baggage_is_valid((struct tr_value){ text, TR_MAX_BAGGAGE_BYTES }));
    assert_false(tr_baggage_is_valid((struct tr_value){ text, TR_MAX_BAGGAGE_BYTES + 1 }));
}

/* A small generator of our own, so that every run sees the same texts. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Texts of the bytes that matter to the grammars, in blocks of exactly their size: the sanitizers
 * see a read beyond the end. What is accepted must be printable. */
static void any_text_is_read_within_its_bounds(void **state)
{
    (void)state;
    static const char bytes[] = "0af9-=,;\" \t@gA%\\\x01\xc3\0z";
    uint32_t seed = 7;
    for (int round = 0; round < 200 * 1000; round++) {
        const size_t length = next_random(&seed) % 64;
        char *text = malloc(length + (length == 0 ? 1 : 0));
        assert_non_null(text);
        for (size_t i = 0; i < length; i++) {
            text[i] = bytes[next_random(&seed) % (sizeof(bytes) - 1)];
        }
        const struct tr_value value = { text, length };
        char out[TR_TRACEPARENT_LENGTH + 1];
        const bool is_kept = tr_tracestate_is_valid(value) || tr_baggage_is_valid(value)
                             || tr_traceparent_parse(value, out);
        for (size_t i = 0; is_kept && i < length; i++) {
            assert_true(text[i] == '\t' || (text[i] >= ' ' && text[i] < 0x7f));
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traceparents_continue_or_restart),
        cmocka_unit_test(every_byte_of_a_traceparent_counts),
        cmocka_unit_test(tracestates_are_kept_or_dropped),
        cmocka_unit_test(lists_have_a_most_of_members),
        cmocka_unit_test(keys_and_values_of_a_tracestate_have_a_longest),
        cmocka_unit_test(baggage_is_kept_or_dropped),
        cmocka_unit_test(baggage_has_a_longest),
        cmocka_unit_test(any_text_is_read_within_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
