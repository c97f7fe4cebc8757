#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/base64.h"
#include "tools/core/descriptor.h"
#include "tools/core/text.h"

/* RFC 4648 section 10, and bytes that need both signs of the alphabet. */
static void base64_encodes_the_vectors_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *wanted;
    } cases[] = {
        { "", 0, "" },
        { "f", 1, "Zg==" },
        { "fo", 2, "Zm8=" },
        { "foo", 3, "Zm9v" },
        { "foob", 4, "Zm9vYg==" },
        { "fooba", 5, "Zm9vYmE=" },
        { "foobar", 6, "Zm9vYmFy" },
        { "\0\xff\xfe\xfb\xef", 5, "AP/+++8=" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_text out;
        tr_text_init(&out, 100);

        tr_base64_add(&out, cases[i].bytes, cases[i].length);

        assert_int_equal(out.status, TR_OK);
        assert_string_equal(tr_text_string(&out), cases[i].wanted);
        tr_text_done(&out);
    }
}

static void base64_stops_at_the_limit_of_the_text(void **state)
{
    (void)state;
    for (size_t limit = 7; limit <= 9; limit++) {
        struct tr_text out;
        tr_text_init(&out, limit);

        tr_base64_add(&out, "foobar", 6);

        assert_int_equal(out.status, limit < 8 ? TR_BODY_TOO_LARGE : TR_OK);
        tr_text_done(&out);
    }
}

static void base64_decodes_what_it_encodes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bytes;
        size_t length;
    } cases[] = {
        { "", "", 0 },        { "Zg==", "f", 1 },         { "Zm8=", "fo", 2 },
        { "Zm9v", "foo", 3 }, { "Zm9vYmE=", "fooba", 5 }, { "AP/+++8=", "\0\xff\xfe\xfb\xef", 5 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_text out;
        tr_text_init(&out, 100);

        assert_true(tr_base64_decode(cases[i].text, strlen(cases[i].text), &out));

        assert_int_equal(out.length, cases[i].length);
        assert_memory_equal(tr_text_string(&out), cases[i].bytes, cases[i].length);
        tr_text_done(&out);
    }
}

static void base64_decodes_nothing_else(void **state)
{
    (void)state;
    static const char *const bad[] = { "Z",     "Zg",   "Zg=",  "Zg===",    "====",
                                       "Z===",  "Zh==", "Zm9=", "Zg==Zg==", "Zm 9",
                                       "Zm9\n", "Zm-_", "=Zg=", "Zm9v\n",   "Zm=v" };
    for (size_t i = 0; i < TR_COUNT_OF(bad); i++) {
        struct tr_text out;
        tr_text_init(&out, 100);
        if (tr_base64_decode(bad[i], strlen(bad[i]), &out)) {
            fail_msg("%s was decoded", bad[i]);
        }
        tr_text_done(&out);
    }
    struct tr_text out;
    tr_text_init(&out, 100);
    assert_false(tr_base64_decode("Zm\0v", 4, &out));
    tr_text_done(&out);
}

static void base64_decodes_up_to_the_limit_of_the_text(void **state)
{
    (void)state;
    for (size_t limit = 2; limit <= 4; limit++) {
        struct tr_text out;
        tr_text_init(&out, limit);
        assert_int_equal(tr_base64_decode("Zm9v", 4, &out), limit >= 3);
        tr_text_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_encodes_the_vectors_of_the_standard),
        cmocka_unit_test(base64_stops_at_the_limit_of_the_text),
        cmocka_unit_test(base64_decodes_what_it_encodes),
        cmocka_unit_test(base64_decodes_nothing_else),
        cmocka_unit_test(base64_decodes_up_to_the_limit_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
