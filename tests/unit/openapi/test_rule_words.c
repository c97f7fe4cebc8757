#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "openapi/rule_words.h"
#include "tools/core/text.h"

struct words_case {
    const char *keyword;
    const char *value; /* JSON */
    const char *words; /* "" when it demands nothing */
};

static const struct words_case cases[] = {
    { .keyword = "minimum", .value = "1", .words = "at least 1" },
    { .keyword = "maximum", .value = "2.5", .words = "at most 2.5" },
    { .keyword = "exclusiveMinimum", .value = "0", .words = "more than 0" },
    { .keyword = "exclusiveMaximum", .value = "9", .words = "less than 9" },
    { .keyword = "multipleOf", .value = "5", .words = "a multiple of 5" },
    { .keyword = "minLength", .value = "1", .words = "at least 1 characters" },
    { .keyword = "maxLength", .value = "8", .words = "at most 8 characters" },
    { .keyword = "minItems", .value = "1", .words = "at least 1 items" },
    { .keyword = "maxItems", .value = "2", .words = "at most 2 items" },
    { .keyword = "uniqueItems", .value = "true", .words = "no two items are equal" },
    { .keyword = "uniqueItems", .value = "false", .words = "" },
    { .keyword = "minProperties", .value = "1", .words = "at least 1 members" },
    { .keyword = "maxProperties", .value = "2", .words = "at most 2 members" },
    { .keyword = "pattern", .value = "\"^a\"", .words = "matches the regular expression ^a" },
    { .keyword = "format", .value = "\"uri\"", .words = "format uri" },
    { .keyword = "const", .value = "{\"a\":null}", .words = "always {\"a\":null}" },
    { .keyword = "default", .value = "\"metric\"", .words = "default metric" },
    { .keyword = "examples", .value = "[[1],2]", .words = "for example [1]" },
    { .keyword = "deprecated", .value = "true", .words = "deprecated" },
    { .keyword = "readOnly", .value = "true", .words = "read only" },
    { .keyword = "writeOnly", .value = "true", .words = "write only" },
    { .keyword = "x-secret", .value = "true", .words = "secret" },
    { .keyword = "additionalProperties", .value = "false", .words = "no further members" },
    { .keyword = "additionalProperties", .value = "true", .words = "" },
    { .keyword = "not", .value = "{\"type\":\"null\"}", .words = "not: {\"type\":\"null\"}" },
    { .keyword = "x-anything", .value = "3", .words = "x-anything: 3" },
};

static void each_keyword_has_its_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *value = json_loads(cases[i].value, JSON_DECODE_ANY, NULL);
        tr_auto(text) struct tr_text words;
        tr_text_init(&words, 1000);

        const bool is_said = tr_rule_words_add(&words, cases[i].keyword, value);

        assert_string_equal(tr_text_string(&words), cases[i].words);
        assert_int_equal(is_said, cases[i].words[0] != '\0');
    }
}

static void several_rules_are_told_one_after_the_other(void **state)
{
    (void)state;
    json_auto_t *one = json_integer(1);
    json_auto_t *yes = json_true();
    tr_auto(text) struct tr_text words;
    tr_text_init(&words, 1000);

    assert_true(tr_rule_words_add(&words, "minimum", one));
    assert_false(tr_rule_words_add(&words, "additionalProperties", yes));
    assert_true(tr_rule_words_add(&words, "multipleOf", one));

    assert_string_equal(tr_text_string(&words), "at least 1; a multiple of 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_keyword_has_its_words),
        cmocka_unit_test(several_rules_are_told_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
