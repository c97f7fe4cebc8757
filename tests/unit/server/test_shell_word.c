#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/shell_word.h"
#include "tools/core/text.h"

static void shell_word_is_quoted_where_a_shell_would_see_more(void **state)
{
    (void)state;
    static const struct {
        const char *word, *written;
    } cases[] = {
        { "plain", "plain" },
        { "key=value", "key=value" },
        { "http://127.0.0.1:8080/a,b", "http://127.0.0.1:8080/a,b" },
        { "", "''" },
        { "two words", "'two words'" },
        { "$HOME", "'$HOME'" },
        { "~", "'~'" },
        { "it's", "'it'\\''s'" },
        { "{\"a\": 1}", "'{\"a\": 1}'" },
        { "a\nb", "'a\nb'" },
        { "\xc3\xa9", "'\xc3\xa9'" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(text) struct tr_text out;
        tr_text_init(&out, 100);

        tr_shell_word(&out, cases[i].word);

        assert_string_equal(tr_text_string(&out), cases[i].written);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shell_word_is_quoted_where_a_shell_would_see_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
