#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/config_expiry.h"

static void expiry_is_milliseconds_since_1970(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        { "1970-01-01", 0 },
        { "1970-01-02", 86400000 },
        { "1972-02-29", 68169600000 },
        { "2000-02-29", 951782400000 },
        { "2000-03-01", 951868800000 },
        { "2024-12-31", 1735603200000 },
        { "2027-01-01", 1798761600000 },
        { "2100-03-01", 4107542400000 },
        { "9999-12-31", 253402214400000 },
        { "2027-01-01T00:00:00Z", 1798761600000 },
        { "2027-01-01t12:34:56z", 1798806896000 },
        { "2027-01-01T00:00:00+01:00", 1798758000000 },
        { "2027-01-01T00:00:00-05:30", 1798781400000 },
        { "2027-01-01T00:00:00.999Z", 1798761600000 },
        { "1970-01-01T01:00:00+01:00", 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t ms = -1;

        assert_true(tr_config_expiry(cases[i].text, &ms));

        assert_true(ms == cases[i].ms);
    }
}

static void expiry_refuses_other_texts(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "never",
        "2027",
        "2027-1-1",
        "2027-02-29",
        "2100-02-29",
        "2027-13-01",
        "2027-00-01",
        "2027-01-32",
        "2027-01-01T00:00:00",
        "0000-01-01",
        "1969-12-31",
        "2027-01-01 ",
        "2027-01-01T25:00:00Z",
        "1970-01-01T00:00:00+00:01",
        "2027-01-01T00:00Z",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t ms = -1;

        assert_false(tr_config_expiry(cases[i], &ms));

        assert_int_equal(ms, -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expiry_is_milliseconds_since_1970),
        cmocka_unit_test(expiry_refuses_other_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
