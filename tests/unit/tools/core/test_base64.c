#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_encodes_the_vectors_of_the_standard),
        cmocka_unit_test(base64_stops_at_the_limit_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
