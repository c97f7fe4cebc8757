#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "middleware/decimal.h"

static void decimals_are_written_in_full(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *text, *milli;
    } cases[] = {
        { 0, "0", "0.000" },
        { 9, "9", "0.009" },
        { 10, "10", "0.010" },
        { 999, "999", "0.999" },
        { 1000, "1000", "1.000" },
        { 12345, "12345", "12.345" },
        { UINT64_MAX, "18446744073709551615", "18446744073709551.615" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char out[TR_DECIMAL_MILLI_BYTES + 1];
        *tr_write_decimal(out, cases[i].value) = '\0';
        assert_string_equal(out, cases[i].text);
        *tr_write_decimal_milli(out, cases[i].value) = '\0';
        assert_string_equal(out, cases[i].milli);
    }
}

static void padded_decimals_have_their_width(void **state)
{
    (void)state;
    char out[8];
    *tr_write_decimal_padded(out, 7, 3) = '\0';
    assert_string_equal(out, "007");
    *tr_write_decimal_padded(out, 2027, 4) = '\0';
    assert_string_equal(out, "2027");
    *tr_write_decimal_padded(out, 12, 1) = '\0'; /* the width wins */
    assert_string_equal(out, "2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_written_in_full),
        cmocka_unit_test(padded_decimals_have_their_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
