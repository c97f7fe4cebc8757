#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/preparation.h"
#include "tests/support/schema_text.h"
#include "tools/core/limits.h"

static void every_conversion_is_reported_at_its_place(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"i\":{\"type\":\"integer\"},"
        "\"a/b\":{\"type\":\"boolean\"},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},"
        "\"t\":{\"type\":\"array\",\"prefixItems\":[{\"type\":\"integer\"}],"
        "\"items\":{\"type\":\"boolean\"}},\"m\":{\"enum\":[\"fast\",\"slow\"]},"
        "\"o\":{\"type\":\"object\",\"properties\":{\"i\":{\"type\":\"integer\"}}},"
        "\"s\":{\"type\":\"string\"}}}";
    static const struct preparation_case cases[] = {
        { "{\"i\":5}", "{\"i\":5}", "" },
        { "{\"i\":\" 5 \",\"a/b\":\"no\"}", "{\"i\":5,\"a/b\":false}", "coerced:/i,/a~1b" },
        { "{\"i\":20.0}", "{\"i\":20}", "coerced:/i" },
        { "{\"l\":[1,\"2\",3.5]}", "{\"l\":[1,2,3.5]}", "coerced:/l/1" },
        { "{\"l\":\"[1,\\\"2\\\"]\"}", "{\"l\":[1,2]}", "coerced:/l,/l/1" },
        { "{\"t\":[\"1\",\"yes\"]}", "{\"t\":[1,true]}", "coerced:/t/0,/t/1" },
        { "{\"m\":\"FAST\"}", "{\"m\":\"fast\"}", "coerced:/m" },
        { "{\"o\":\"{\\\"i\\\":\\\"1\\\"}\"}", "{\"o\":{\"i\":1}}", "coerced:/o,/o/i" },
        { "{\"s\":\"{\\\"i\\\":1}\"}", "{\"s\":\"{\\\"i\\\":1}\"}", "" },
        { "{\"i\":\"x\"}", NULL, "/i type" },
        { "{\"l\":[\"x\"]}", NULL, "/l/0 type" },
        { "{\"s\":5}", NULL, "/s type" },
        { "{\"o\":\"[1]\"}", NULL, "/o type" },
        { "{\"m\":\"FASTER\"}", NULL, "/m enum" },
    };
    static const struct preparation_case refused[] = {
        { "{\"i\":\"5\"}", NULL, "/i type" },
        { "{\"a/b\":1}", NULL, "/a~1b type" },
        { "{\"l\":\"[1]\"}", NULL, "/l type" },
        { "{\"m\":\"FAST\"}", NULL, "/m enum" },
    };

    ASSERT_PREPARED(schema, &preparation_tolerant, cases);
    ASSERT_PREPARED(schema, &preparation_exact, refused);
}

static void a_lone_string_stands_for_an_array_of_strings(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{"
        "\"s\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
        "\"e\":{\"type\":\"array\",\"items\":{\"enum\":[\"fast\",\"slow\"]}},"
        "\"i\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
        "\"any\":{\"type\":\"array\"},"
        "\"p\":{\"type\":\"array\",\"prefixItems\":[{\"type\":\"string\"}],"
        "\"items\":{\"type\":\"string\"}}}}";
    static const struct preparation_case cases[] = {
        { "{\"s\":\"a,b\"}", "{\"s\":[\"a,b\"]}", "coerced:/s" },
        { "{\"s\":\"5\"}", "{\"s\":[\"5\"]}", "coerced:/s" },
        { "{\"s\":\"[\\\"a\\\"]\"}", "{\"s\":[\"a\"]}", "coerced:/s" },
        { "{\"e\":\"FAST\"}", "{\"e\":[\"fast\"]}", "coerced:/e,/e/0" },
        { "{\"s\":\"[\\\"a\\\",\"}", NULL, "/s type" },
        { "{\"s\":\"{}\"}", NULL, "/s type" },
        { "{\"s\":\" \"}", NULL, "/s type" },
        { "{\"s\":5}", NULL, "/s type" },
        { "{\"e\":\"x\"}", NULL, "/e type" },
        { "{\"i\":\"5\"}", NULL, "/i type" },
        { "{\"any\":\"a\"}", NULL, "/any type" },
        { "{\"p\":\"a\"}", NULL, "/p type" },
    };

    ASSERT_PREPARED(schema, &preparation_tolerant, cases);
}

static void unfolded_text_goes_through_all_stages(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"o\":{\"type\":\"object\",\"properties\":{"
        "\"dry_run\":{\"type\":\"boolean\"},\"n\":{\"type\":\"integer\",\"default\":1}}}}}";
    static const struct preparation_case cases[] = {
        { "{\"o\":\"{\\\"dryRun\\\":\\\"yes\\\",\\\"x\\\":1}\"}",
          "{\"o\":{\"dry_run\":true,\"n\":1}}",
          "coerced:/o,/o/dry_run renamed:/o/dryRun ignored:/o/x" },
    };

    ASSERT_PREPARED(schema, &preparation_tolerant, cases);
}

/* {"o": "{\"o\": \"...\"}"}: text in text, `levels` times. */
static json_t *texts_in_texts(size_t levels)
{
    json_t *value = json_object();
    for (size_t i = 0; i < levels; i++) {
        char *text = json_dumps(value, JSON_COMPACT);
        json_decref(value);
        value = json_object();
        assert_int_equal(json_object_set_new(value, "o", json_string(text)), 0);
        free(text);
    }
    return value;
}

static void nested_texts_unfold_to_a_limit(void **state)
{
    (void)state;
    struct tr_schema_document document =
        schema_of("{\"type\":\"object\",\"properties\":{\"o\":{\"$ref\":\"#\"}}}");
    for (size_t levels = TR_MAX_NESTED_TEXT - 1; levels <= TR_MAX_NESTED_TEXT + 1; levels++) {
        json_auto_t *value = texts_in_texts(levels);
        char *text = json_dumps(value, JSON_COMPACT);
        struct preparation run;

        preparation_run(&run, document.root, &preparation_tolerant, text);

        assert_int_equal(run.status, levels <= TR_MAX_NESTED_TEXT ? TR_OK : TR_INVALID_PARAMETERS);
        preparation_done(&run);
        free(text);
    }
    tr_schema_document_done(&document);
}

static void what_unfolds_is_nested_no_deeper_than_a_body(void **state)
{
    (void)state;
    for (size_t depth = TR_MAX_JSON_DEPTH - 2; depth <= TR_MAX_JSON_DEPTH; depth++) {
        char value[128] = "{\"l\":\"";
        memset(value + 6, '[', depth);
        memset(value + 6 + depth, ']', depth);
        memcpy(value + 6 + 2 * depth, "\"}", 3);
        struct tr_schema_document document =
            schema_of("{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\"}}}");
        struct preparation run;

        preparation_run(&run, document.root, &preparation_tolerant, value);

        assert_int_equal(run.status,
                         depth + 1 <= TR_MAX_JSON_DEPTH ? TR_OK : TR_INVALID_PARAMETERS);
        preparation_done(&run);
        tr_schema_document_done(&document);
    }
}

static void of_several_forms_the_one_that_fits_wins_untouched(void **state)
{
    (void)state;
    static const struct preparation_case string_or_number[] = {
        { "\"5\"", "\"5\"", "" },
        { "5", "5", "" },
        { "true", NULL, " anyOf" },
    };
    static const struct preparation_case number_or_null[] = {
        { "\"5\"", "5", "coerced:" },
        { "null", "null", "" },
    };
    static const struct preparation_case objects[] = {
        { "{\"n\":5}", "{\"n\":5,\"k\":1}", "" },
        { "{\"n\":\"5\"}", "{\"n\":5,\"k\":1}", "coerced:/n" },
        { "{\"b\":\"yes\"}", "{\"b\":true}", "coerced:/b" },
        { "\"{\\\"b\\\":true}\"", "{\"b\":true}", "coerced:" },
    };
    struct tr_schema_document document =
        schema_of("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]}");
    for (size_t i = 0; i < 2; i++) {
        assert_prepared(document.root, &preparation_tolerant, &string_or_number[i]);
    }
    tr_schema_document_done(&document);

    ASSERT_PREPARED("{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"null\"}]}",
                    &preparation_tolerant, number_or_null);
    ASSERT_PREPARED("{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},"
                    "\"k\":{\"type\":\"integer\",\"default\":1}},\"required\":[\"n\"]},"
                    "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"boolean\"}},"
                    "\"required\":[\"b\"]}]}",
                    &preparation_tolerant, objects);
}

static void a_form_that_fails_leaves_no_trace(void **state)
{
    (void)state;
    /* The first form converts both before it fails for want of /q. */
    static const struct preparation_case cases[] = {
        { "{\"n\":\"5\",\"s\":\"1\"}", "{\"n\":\"5\",\"s\":1}", "coerced:/s" },
    };

    ASSERT_PREPARED("{\"anyOf\":[{\"properties\":{\"n\":{\"type\":\"integer\"},\"s\":{\"type\":"
                    "\"integer\"},\"q\":{}},\"required\":[\"q\"]},"
                    "{\"properties\":{\"n\":{\"type\":\"string\"},\"s\":{\"type\":\"integer\"}}}]}",
                    &preparation_tolerant, cases);
}

static void conditions_direct_coercion(void **state)
{
    (void)state;
    static const struct preparation_case cases[] = {
        { "{\"kind\":\"n\",\"v\":\"5\"}", "{\"kind\":\"n\",\"v\":5}", "coerced:/v" },
        { "{\"kind\":\"b\",\"v\":\"1\"}", "{\"kind\":\"b\",\"v\":true}", "coerced:/v" },
        { "{\"kind\":\"n\",\"v\":\"x\"}", NULL, "/v type" },
    };

    ASSERT_PREPARED("{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"v\":{}},"
                    "\"if\":{\"properties\":{\"kind\":{\"const\":\"n\"}}},"
                    "\"then\":{\"properties\":{\"v\":{\"type\":\"integer\"}}},"
                    "\"else\":{\"properties\":{\"v\":{\"type\":\"boolean\"}}}}",
                    &preparation_tolerant, cases);
}

static void recursive_schemas_go_as_deep_as_the_value(void **state)
{
    (void)state;
    static const struct preparation_case cases[] = {
        { "{\"v\":\"1\",\"next\":[{\"v\":\"2\",\"next\":[{\"v\":\"3\"}]}]}",
          "{\"v\":1,\"next\":[{\"v\":2,\"next\":[{\"v\":3}]}]}",
          "coerced:/v,/next/0/v,/next/0/next/0/v" },
    };
    ASSERT_PREPARED(
        "{\"$ref\":\"#/$defs/node\",\"$defs\":{\"node\":{\"type\":\"object\",\"properties\":{"
        "\"v\":{\"type\":\"integer\"},\"next\":{\"type\":\"array\",\"items\":{\"$ref\":"
        "\"#/$defs/node\"}}}}}}",
        &preparation_tolerant, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_conversion_is_reported_at_its_place),
        cmocka_unit_test(a_lone_string_stands_for_an_array_of_strings),
        cmocka_unit_test(unfolded_text_goes_through_all_stages),
        cmocka_unit_test(nested_texts_unfold_to_a_limit),
        cmocka_unit_test(what_unfolds_is_nested_no_deeper_than_a_body),
        cmocka_unit_test(of_several_forms_the_one_that_fits_wins_untouched),
        cmocka_unit_test(a_form_that_fails_leaves_no_trace),
        cmocka_unit_test(conditions_direct_coercion),
        cmocka_unit_test(recursive_schemas_go_as_deep_as_the_value),
    };
    return cmocka_run_group_tests_name("coerce", tests, NULL, NULL);
}
