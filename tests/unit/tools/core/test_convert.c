#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/schema_text.h"
#include "tools/core/convert.h"
#include "tools/core/limits.h"

/* Integers are a kind of number everywhere in the stages. */
static const unsigned any_number = TR_TYPE_INTEGER | TR_TYPE_NUMBER;

struct conversion {
    const char *value;
    const char *expected; /* NULL: it stays */
};

static void assert_conversions(unsigned types, const struct conversion *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_auto_t *value = json_of(cases[i].value);
        json_t *converted = NULL;

        assert_int_equal(tr_convert_scalar(types, value, &converted), TR_OK);

        if (cases[i].expected != NULL) {
            assert_json(converted, cases[i].expected);
        } else if (converted != NULL) {
            fail_msg("%s was converted", cases[i].value);
        }
        json_decref(converted);
    }
}

static void booleans_come_from_words_and_from_one_and_zero(void **state)
{
    (void)state;
    static const struct conversion cases[] = {
        { "\"true\"", "true" },
        { "\"false\"", "false" },
        { "\"1\"", "true" },
        { "\"0\"", "false" },
        { "\"yes\"", "true" },
        { "\"no\"", "false" },
        { "\"TRUE\"", "true" },
        { "\"No\"", "false" },
        { "\" Yes\\t\\r\\n\"", "true" },
        { "1", "true" },
        { "0", "false" },
        { "1.0", "true" },
        { "0.0", "false" },
        { "-0.0", "false" },
        { "2", NULL },
        { "-1", NULL },
        { "0.5", NULL },
        { "\"\"", NULL },
        { "\" \"", NULL },
        { "\"on\"", NULL },
        { "\"t\"", NULL },
        { "\"y\"", NULL },
        { "\"tru\"", NULL },
        { "\"truee\"", NULL },
        { "\"true false\"", NULL },
        { "\"1.0\"", NULL },
        { "\"+1\"", NULL },
        { "null", NULL },
        { "[true]", NULL },
        { "{}", NULL },
        { "\"\\u00a0true\"", NULL },
    };

    assert_conversions(TR_TYPE_BOOLEAN, cases, sizeof(cases) / sizeof(cases[0]));
}

static void integers_come_from_decimal_text_and_whole_reals(void **state)
{
    (void)state;
    static const struct conversion cases[] = {
        { "\"42\"", "42" },
        { "\" +5 \"", "5" },
        { "\"-0\"", "0" },
        { "\"007\"", "7" },
        { "\"9007199254740993\"", "9007199254740993" },
        { "\"9223372036854775807\"", "9223372036854775807" },
        { "\"-9223372036854775808\"", "-9223372036854775808" },
        { "20.0", "20" },
        { "-3e0", "-3" },
        { "-0.0", "0" },
        { "9007199254740992.0", "9007199254740992" },
        { "-9223372036854775808.0", "-9223372036854775808" },
        { "9223372036854775808.0", NULL },
        { "1e300", NULL },
        { "2.5", NULL },
        { "\"9223372036854775808\"", NULL },
        { "\"-9223372036854775809\"", NULL },
        { "\"4.2\"", NULL },
        { "\"5.0\"", NULL },
        { "\"1,000\"", NULL },
        { "\"1_000\"", NULL },
        { "\"1e3\"", NULL },
        { "\"0x1f\"", NULL },
        { "\"5 6\"", NULL },
        { "\"\\uff15\"", NULL },
        { "\"\\u0663\"", NULL },
        { "\"\\u22125\"", NULL },
        { "\"NaN\"", NULL },
        { "\"Infinity\"", NULL },
        { "\"\"", NULL },
        { "\"true\"", NULL },
        { "true", NULL },
        { "null", NULL },
        { "[5]", NULL },
    };

    assert_conversions(TR_TYPE_INTEGER, cases, sizeof(cases) / sizeof(cases[0]));
}

static void numbers_come_from_text_and_whole_ones_stay_exact(void **state)
{
    (void)state;
    static const struct conversion cases[] = {
        { "\"3.14\"", "3.14" },
        { "\"1e3\"", "1000.0" },
        { "\" -1.5 \"", "-1.5" },
        { "\"+1.5\"", "1.5" },
        { "\"5\"", "5" },
        { "\"9007199254740993\"", "9007199254740993" },
        { "\"9223372036854775808\"", "9223372036854775808.0" },
        { "\"3,14\"", NULL },
        { "\"1,000\"", NULL },
        { "\".5\"", NULL },
        { "\"1e999\"", NULL },
        { "\"NaN\"", NULL },
        { "\"inf\"", NULL },
        { "\"0x10\"", NULL },
        { "\"50%\"", NULL },
        { "\"\"", NULL },
        { "false", NULL },
    };

    assert_conversions(any_number, cases, sizeof(cases) / sizeof(cases[0]));
}

static void strings_come_from_nothing(void **state)
{
    (void)state;
    static const struct conversion cases[] = {
        { "42", NULL }, { "1.5", NULL }, { "true", NULL }, { "null", NULL }, { "[\"a\"]", NULL },
    };

    assert_conversions(TR_TYPE_STRING, cases, sizeof(cases) / sizeof(cases[0]));
}

static void of_several_types_the_exactest_is_taken(void **state)
{
    (void)state;
    static const struct conversion cases[] = {
        { "\"1\"", "1" },
        { "\"true\"", "true" },
        { "\"1.5\"", NULL },
    };

    assert_conversions(TR_TYPE_INTEGER | TR_TYPE_BOOLEAN, cases, sizeof(cases) / sizeof(cases[0]));
}

static void a_type_is_had_only_as_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        unsigned types;
    } cases[] = {
        { "{}", TR_TYPE_OBJECT }, { "[]", TR_TYPE_ARRAY },      { "\"\"", TR_TYPE_STRING },
        { "1", TR_TYPE_INTEGER }, { "1.0", TR_TYPE_NUMBER },    { "true", TR_TYPE_BOOLEAN },
        { "null", TR_TYPE_NULL }, { "false", TR_TYPE_BOOLEAN },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *value = json_of(cases[i].value);

        assert_true(tr_type_has(cases[i].types, value));
        assert_true(tr_type_has(0, value));
        assert_false(tr_type_has(0x7fu & ~(cases[i].types | any_number), value));
    }
    json_auto_t *whole_real = json_of("2.0");
    assert_false(tr_type_has(TR_TYPE_INTEGER, whole_real));
}

static void json_text_unfolds_to_the_wanted_container(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned types;
        const char *expected;
        size_t level;
    } cases[] = {
        { "\" [1,\\\"a\\\"] \"", TR_TYPE_ARRAY, "[1,\"a\"]", 1 },
        { "\"{\\\"a\\\":1}\"", TR_TYPE_OBJECT, "{\"a\":1}", 1 },
        { "\"\\\"[1]\\\"\"", TR_TYPE_ARRAY, "[1]", 2 },
        { "\"[1]\"", TR_TYPE_OBJECT, NULL, 0 },
        { "\"{}\"", TR_TYPE_ARRAY, NULL, 0 },
        { "\"[1\"", TR_TYPE_ARRAY, NULL, 0 },
        { "\"{\\\"a\\\":1,\\\"a\\\":2}\"", TR_TYPE_OBJECT, NULL, 0 },
        { "\"5\"", TR_TYPE_ARRAY | TR_TYPE_OBJECT, NULL, 0 },
        { "\"null\"", TR_TYPE_ARRAY | TR_TYPE_OBJECT, NULL, 0 },
        { "\"\"", TR_TYPE_ARRAY | TR_TYPE_OBJECT, NULL, 0 },
        { "\"a,b\"", TR_TYPE_ARRAY, NULL, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *value = json_of(cases[i].text);
        json_t *held = NULL;
        size_t level = 0;

        assert_int_equal(tr_convert_text(cases[i].types, value, &level, &held), TR_OK);

        assert_int_equal(level, cases[i].level);
        if (cases[i].expected == NULL) {
            assert_null(held);
        } else {
            assert_json(held, cases[i].expected);
        }
        json_decref(held);
    }
}

static void texts_in_texts_unfold_to_a_limit(void **state)
{
    (void)state;
    for (size_t levels = TR_MAX_NESTED_TEXT - 1; levels <= TR_MAX_NESTED_TEXT + 1; levels++) {
        json_t *value = json_string("[1]");
        for (size_t i = 1; i < levels; i++) {
            char *text = json_dumps(value, JSON_ENCODE_ANY);
            json_decref(value);
            value = json_string(text);
            free(text);
        }
        json_t *held = NULL;
        size_t level = 0;

        assert_int_equal(tr_convert_text(TR_TYPE_ARRAY, value, &level, &held), TR_OK);

        assert_int_equal(held != NULL, levels <= TR_MAX_NESTED_TEXT);
        json_decref(held);
        json_decref(value);
    }
}

static void an_option_is_meant_by_its_letters(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        const char *value;
        const char *expected;
    } cases[] = {
        { "[\"fast\",\"slow\"]", "\"FAST\"", "\"fast\"" },
        { "[\"read_only\"]", "\"Read-Only\"", "\"read_only\"" },
        { "[\"readOnly\"]", "\"read_only\"", "\"readOnly\"" },
        { "[\"read_only\"]", "\"-readonly_\"", "\"read_only\"" },
        { "[\"fast\"]", "\"fas\"", NULL },
        { "[\"fast\"]", "\"faster\"", NULL },
        { "[\"fast\"]", "\" fast\"", NULL },
        { "[\"fast\"]", "\"\"", NULL },
        { "[\"-\",\"\"]", "\"_\"", NULL },
        { "[\"a-b\",\"ab\"]", "\"a_b\"", NULL },
        { "[\"\\u00e9\"]", "\"\\u00c9\"", NULL },
        { "[1,2,3]", "\"2\"", "2" },
        { "[1,2,3]", "\" +2 \"", "2" },
        { "[1,2,3]", "\"4\"", NULL },
        { "[1.5,2.0]", "\"1.5\"", "1.5" },
        { "[1.5,2.0]", "\"2\"", "2.0" },
        { "[1,1.0]", "\"1\"", NULL },
        { "[true,\"other\"]", "\"TRUE\"", "true" },
        { "[true,1]", "\"1\"", NULL },
        { "[null]", "\"null\"", NULL },
        { "[{}]", "\"{}\"", NULL },
        { "[]", "\"a\"", NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *options = json_of(cases[i].options);
        json_auto_t *value = json_of(cases[i].value);

        const json_t *meant = tr_convert_option(options, value);

        if (cases[i].expected != NULL) {
            assert_json(meant, cases[i].expected);
        } else {
            assert_null(meant);
        }
    }
}

static void plain_text_is_neither_blank_nor_json(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_plain;
    } cases[] = {
        { "a", true },    { "a [", true }, { " 5", true },   { "\"a\"", true }, { "", false },
        { " \t", false }, { "[", false },  { " [a", false }, { "{}", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *value = json_string(cases[i].text);

        assert_int_equal(tr_is_plain_text(value), cases[i].is_plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(booleans_come_from_words_and_from_one_and_zero),
        cmocka_unit_test(integers_come_from_decimal_text_and_whole_reals),
        cmocka_unit_test(numbers_come_from_text_and_whole_ones_stay_exact),
        cmocka_unit_test(strings_come_from_nothing),
        cmocka_unit_test(of_several_types_the_exactest_is_taken),
        cmocka_unit_test(a_type_is_had_only_as_it_is),
        cmocka_unit_test(json_text_unfolds_to_the_wanted_container),
        cmocka_unit_test(texts_in_texts_unfold_to_a_limit),
        cmocka_unit_test(an_option_is_meant_by_its_letters),
        cmocka_unit_test(plain_text_is_neither_blank_nor_json),
    };
    return cmocka_run_group_tests_name("convert", tests, NULL, NULL);
}
