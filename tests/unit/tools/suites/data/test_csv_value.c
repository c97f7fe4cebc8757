#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/core/json.h"
#include "tools/core/text.h"
#include "tools/suites/data/csv_value.h"

static void value_is_what_the_text_says_or_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        { "", "null" },
        { "null", "null" },
        { "NULL", "null" },
        { "true", "true" },
        { "False", "false" },
        { "yes", "\"yes\"" },
        { "0", "0" },
        { "-0", "0" },
        { "42", "42" },
        { "-7", "-7" },
        { "9223372036854775807", "9223372036854775807" },
        { "9223372036854775808", "\"9223372036854775808\"" },
        { "-9223372036854775808", "-9223372036854775808" },
        { "1.5", "1.5" },
        { "-0.25", "-0.25" },
        { "1e3", "1000.0" },
        { "1E-2", "0.01" },
        { "1e+2", "100.0" },
        { "0.12345678901234", "0.12345678901234" },
        { "0.123456789012345", "\"0.123456789012345\"" },
        { "1e999", "\"1e999\"" },
        { "007", "\"007\"" },
        { "+5", "\"+5\"" },
        { "1,5", "\"1,5\"" },
        { "1.", "\"1.\"" },
        { ".5", "\".5\"" },
        { "-", "\"-\"" },
        { "1e", "\"1e\"" },
        { "1e+", "\"1e+\"" },
        { "0x10", "\"0x10\"" },
        { " 1", "\" 1\"" },
        { "1 ", "\"1 \"" },
        { "NaN", "\"NaN\"" },
        { "Infinity", "\"Infinity\"" },
        { "nul", "\"nul\"" },
        { "trueish", "\"trueish\"" },
        { "2024-02-29", "\"2024-02-29\"" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        json_t *value = tr_csv_value(cases[i].text, strlen(cases[i].text));
        struct tr_text written;
        tr_text_init(&written, 1000);
        tr_json_write(&written, value);

        assert_string_equal(tr_text_string(&written), cases[i].json);

        tr_text_done(&written);
        json_decref(value);
    }
}

/* The text is a part of a larger one: what follows it must not be looked at. */
static void value_ends_where_its_length_says(void **state)
{
    (void)state;
    json_auto_t *value = tr_csv_value("12345", 2);

    assert_int_equal(json_integer_value(value), 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_is_what_the_text_says_or_the_text),
        cmocka_unit_test(value_ends_where_its_length_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
