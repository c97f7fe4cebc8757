#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/preparation.h"
#include "tests/support/schema_text.h"

static void defaults_apply_at_every_level(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"default\":3},"
        "\"o\":{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"string\",\"default\":\"v\"}}}"
        ","
        "\"l\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/item\"}},"
        "\"r\":{\"$ref\":\"#/$defs/"
        "five\"},\"e\":{\"type\":[\"string\",\"null\"],\"default\":null}},"
        "\"$defs\":{\"item\":{\"properties\":{\"b\":{\"type\":\"boolean\",\"default\":false}}},"
        "\"five\":{\"type\":\"integer\",\"default\":5}}}";
    static const struct preparation_case cases[] = {
        { "{}", "{\"n\":3,\"r\":5,\"e\":null}", "" },
        { "{\"n\":0,\"r\":0,\"e\":\"\"}", "{\"n\":0,\"r\":0,\"e\":\"\"}", "" },
        { "{\"o\":{}}", "{\"o\":{\"k\":\"v\"},\"n\":3,\"r\":5,\"e\":null}", "" },
        { "{\"l\":[{},{\"b\":true}]}",
          "{\"l\":[{\"b\":false},{\"b\":true}],\"n\":3,\"r\":5,\"e\":null}", "" },
    };

    ASSERT_PREPARED(schema, &preparation_tolerant, cases);
    ASSERT_PREPARED(schema, &preparation_exact, cases);
}

static void the_deployment_has_the_first_word_on_defaults(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"default\":3},"
        "\"s\":{\"type\":\"string\"},\"o\":{\"type\":\"object\",\"properties\":{\"s\":{}}}},"
        "\"required\":[\"s\"]}";
    json_auto_t *defaults = json_of("{\"n\":5,\"s\":\"x\"}");
    const struct tr_params_rules rules = { .defaults = defaults };
    static const struct preparation_case cases[] = {
        { "{}", "{\"n\":5,\"s\":\"x\"}", "" },
        { "{\"n\":0,\"s\":\"\"}", "{\"n\":0,\"s\":\"\"}", "" },
        { "{\"o\":{}}", "{\"o\":{},\"n\":5,\"s\":\"x\"}", "" },
        { "\"{}\"", "{\"n\":5,\"s\":\"x\"}", "coerced:" },
    };

    ASSERT_PREPARED(schema, &rules, cases);
    assert_json(defaults, "{\"n\":5,\"s\":\"x\"}");
}

static void null_is_absent_where_it_cannot_be_meant(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"default\":3},"
        "\"q\":{\"type\":\"string\"},\"z\":{\"type\":[\"string\",\"null\"]},"
        "\"any\":{},\"o\":{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"string\"}}}},"
        "\"required\":[\"q\"]}";
    static const struct preparation_case cases[] = {
        { "{\"q\":\"a\",\"n\":null}", "{\"q\":\"a\",\"n\":3}", "" },
        { "{\"q\":\"a\",\"n\":1,\"o\":null}", "{\"q\":\"a\",\"n\":1}", "" },
        { "{\"q\":\"a\",\"n\":1,\"o\":{\"k\":null}}", "{\"q\":\"a\",\"n\":1,\"o\":{}}", "" },
        { "{\"q\":\"a\",\"n\":1,\"z\":null}", "{\"q\":\"a\",\"n\":1,\"z\":null}", "" },
        { "{\"q\":\"a\",\"n\":1,\"any\":null}", "{\"q\":\"a\",\"n\":1,\"any\":null}", "" },
        { "{\"q\":null}", NULL, "/q type" },
    };
    static const struct preparation_case refused = { "{\"q\":\"a\",\"n\":null}", NULL, "/n type" };

    ASSERT_PREPARED(schema, &preparation_tolerant, cases);
    assert_all_prepared(schema, &preparation_exact, &refused, 1);
}

static void a_blank_uri_is_absent_when_it_is_optional(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"u\":{\"type\":\"string\",\"format\":\"uri\"},"
        "\"d\":{\"type\":\"string\",\"format\":\"uri\",\"default\":\"x:y\"},"
        "\"r\":{\"type\":\"string\",\"format\":\"uri\"},\"s\":{\"type\":\"string\"}},"
        "\"required\":[\"r\"]}";
    static const struct preparation_case cases[] = {
        { "{\"r\":\"a:b\",\"u\":\"\",\"d\":\" \\t\",\"s\":\"\"}",
          "{\"r\":\"a:b\",\"d\":\"x:y\",\"s\":\"\"}", "" },
        { "{\"r\":\"\"}", NULL, "/r format" },
        { "{\"r\":\"a:b\",\"u\":\"x\"}", NULL, "/u format" },
    };
    static const struct preparation_case refused = { "{\"r\":\"a:b\",\"u\":\"\"}", NULL,
                                                     "/u format" };

    ASSERT_PREPARED(schema, &preparation_tolerant, cases);
    assert_all_prepared(schema, &preparation_exact, &refused, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_apply_at_every_level),
        cmocka_unit_test(the_deployment_has_the_first_word_on_defaults),
        cmocka_unit_test(null_is_absent_where_it_cannot_be_meant),
        cmocka_unit_test(a_blank_uri_is_absent_when_it_is_optional),
    };
    return cmocka_run_group_tests_name("defaults", tests, NULL, NULL);
}
