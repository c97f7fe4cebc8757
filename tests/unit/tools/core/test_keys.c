#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/preparation.h"
#include "tests/support/schema_text.h"
#include "tools/core/scope.h"

static const char open_object[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"max_results\":{\"type\":\"integer\",\"default\":10},\"url2_path\":{\"type\":\"string\"},"
    "\"opts\":{\"type\":\"object\",\"properties\":{\"dry_run\":{\"type\":\"boolean\"}}}}}";

static void keys_take_their_declared_names(void **state)
{
    (void)state;
    static const struct preparation_case cases[] = {
        { "{\"max_results\":5}", "{\"max_results\":5}", "" },
        { "{\"maxResults\":5}", "{\"max_results\":5}", "renamed:/maxResults" },
        { "{\"MaxResults\":5}", "{\"max_results\":5}", "renamed:/MaxResults" },
        { "{\"max_results\":5,\"URL2Path\":\"x\"}", "{\"max_results\":5,\"url2_path\":\"x\"}",
          "renamed:/URL2Path" },
        { "{\"max_results\":5,\"opts\":{\"dryRun\":true}}",
          "{\"max_results\":5,\"opts\":{\"dry_run\":true}}", "renamed:/opts/dryRun" },
        { "{\"max_results\":5,\"Opts\":{\"dryRun\":\"yes\"}}",
          "{\"max_results\":5,\"opts\":{\"dry_run\":true}}",
          "coerced:/opts/dry_run renamed:/Opts,/opts/dryRun" },
        { "{\"maxResults\":5,\"max_results\":6}", NULL, "/maxResults duplicate" },
        { "{\"maxResults\":5,\"MaxResults\":6}", NULL, "/MaxResults duplicate" },
        { "{\"max_results\":1,\"max-results\":2}", "{\"max_results\":1}", "ignored:/max-results" },
        { "{\"max_results\":1,\"MAX_RESULTS\":2}", "{\"max_results\":1}", "ignored:/MAX_RESULTS" },
        { "{\"max_results\":1,\"OPTS\":2}", "{\"max_results\":1}", "ignored:/OPTS" },
        { "{\"max_results\":1,\"\":2}", "{\"max_results\":1}", "ignored:/" },
        { "{\"max_results\":1,\"a/b~c\":2}", "{\"max_results\":1}", "ignored:/a~1b~0c" },
        { "{\"max_results\":1,\"x\":2,\"opts\":{\"y\":3}}", "{\"max_results\":1,\"opts\":{}}",
          "ignored:/x,/opts/y" },
    };

    ASSERT_PREPARED(open_object, &preparation_tolerant, cases);
}

static void very_long_keys_are_only_unknown(void **state)
{
    (void)state;
    char value[512];
    char key[300];
    memset(key, 'A', sizeof(key));
    key[sizeof(key) - 1] = '\0';
    (void)snprintf(value, sizeof(value), "{\"max_results\":1,\"%s\":2}", key);
    struct tr_schema_document document = schema_of(open_object);
    struct preparation run;

    preparation_run(&run, document.root, &preparation_tolerant, value);

    assert_int_equal(run.status, TR_OK);
    assert_int_equal(run.report.ignored.count, 1);
    preparation_done(&run);
    tr_schema_document_done(&document);
}

static void unknown_keys_are_refused_where_the_schema_is_closed(void **state)
{
    (void)state;
    static const char schema[] = "{\"type\":\"object\",\"properties\":{\"color\":{}},"
                                 "\"additionalProperties\":false}";
    static const struct preparation_case cases[] = {
        { "{\"color\":1}", "{\"color\":1}", "" },
        { "{\"colour\":1}", NULL, "/colour additionalProperties" },
    };
    struct tr_schema_document document = schema_of(schema);
    struct preparation run;

    ASSERT_PREPARED(schema, &preparation_tolerant, cases);
    ASSERT_PREPARED(schema, &preparation_exact, cases);
    preparation_run(&run, document.root, &preparation_tolerant, "{\"colour\":1}");

    assert_int_equal(run.found.count, 1);
    assert_non_null(strstr(run.found.items[0].message, "did you mean 'color'?"));
    preparation_done(&run);
    tr_schema_document_done(&document);
}

static void unknown_keys_are_kept_where_the_schema_is_open(void **state)
{
    (void)state;
    static const struct preparation_case kept[] = {
        { "{\"b\":\"1\",\"x_1\":\"2\"}", "{\"b\":\"1\",\"x_1\":\"2\"}", "" },
    };
    static const struct preparation_case numbers[] = {
        { "{\"b\":\"1\",\"x_1\":\"2\"}", "{\"b\":\"1\",\"x_1\":2}", "coerced:/x_1" },
    };

    ASSERT_PREPARED("{\"type\":\"object\"}", &preparation_tolerant, kept);
    ASSERT_PREPARED("{}", &preparation_tolerant, kept);
    ASSERT_PREPARED("{\"properties\":{\"a\":{}},\"additionalProperties\":true}",
                    &preparation_tolerant, kept);
    ASSERT_PREPARED("{\"properties\":{\"b\":{}},\"additionalProperties\":{\"type\":\"integer\"}}",
                    &preparation_tolerant, numbers);
    ASSERT_PREPARED(
        "{\"properties\":{\"b\":{}},\"patternProperties\":{\"^x_\":{\"type\":\"integer\"}}}",
        &preparation_tolerant, numbers);
}

static void keys_are_looked_up_in_every_schema_that_may_apply(void **state)
{
    (void)state;
    static const struct preparation_case cases[] = {
        { "{\"a_b\":1,\"c_d\":2,\"x\":3}", "{\"a_b\":1,\"c_d\":2}", "ignored:/x" },
        { "{\"aB\":1,\"cD\":2}", "{\"a_b\":1,\"c_d\":2}", "renamed:/aB,/cD" },
    };
    static const char *const schemas[] = {
        "{\"allOf\":[{\"properties\":{\"a_b\":{}}},{\"properties\":{\"c_d\":{}}}]}",
        "{\"$ref\":\"#/$defs/base\",\"properties\":{\"a_b\":{}},"
        "\"$defs\":{\"base\":{\"properties\":{\"c_d\":{}}}}}",
        "{\"anyOf\":[{\"properties\":{\"a_b\":{}}},{\"properties\":{\"c_d\":{}}}]}",
        "{\"oneOf\":[{\"properties\":{\"a_b\":{},\"c_d\":{}}},{\"type\":\"string\"}]}",
        "{\"properties\":{\"a_b\":{}},\"if\":{\"required\":[\"a_b\"]},"
        "\"then\":{\"properties\":{\"c_d\":{}}}}",
        "{\"properties\":{\"a_b\":{},\"c_d\":{}},\"anyOf\":[{\"required\":[\"a_b\"]},"
        "{\"required\":[\"c_d\"]}]}",
        "{\"properties\":{\"a_b\":{}},\"required\":[\"c_d\"],\"allOf\":[{\"properties\":{"
        "\"c_d\":{}}}]}",
    };
    for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++) {
        ASSERT_PREPARED(schemas[i], &preparation_tolerant, cases);
    }
}

static void an_open_branch_keeps_unknown_keys(void **state)
{
    (void)state;
    static const struct preparation_case cases[] = {
        { "{\"a\":1,\"x\":3}", "{\"a\":1,\"x\":3}", "" },
    };

    ASSERT_PREPARED("{\"anyOf\":[{\"properties\":{\"a\":{}},\"required\":[\"q\"]},"
                    "{\"type\":\"object\"}]}",
                    &preparation_tolerant, cases);
    ASSERT_PREPARED(
        "{\"if\":{\"properties\":{\"a\":{\"const\":1}}},\"then\":{\"required\":[\"x\"]}}",
        &preparation_tolerant, cases);
}

static void a_branch_may_be_closed(void **state)
{
    (void)state;
    static const struct preparation_case cases[] = {
        { "{\"a\":1}", "{\"a\":1}", "" },
        { "{\"b\":1}", "{\"b\":1}", "" },
    };
    struct tr_schema_document document =
        schema_of("{\"oneOf\":[{\"properties\":{\"a\":{}},\"required\":[\"a\"],"
                  "\"additionalProperties\":false},{\"properties\":{\"b\":{}},"
                  "\"required\":[\"b\"],\"additionalProperties\":false}]}");
    struct preparation run;
    for (size_t i = 0; i < 2; i++) {
        assert_prepared(document.root, &preparation_tolerant, &cases[i]);
    }

    preparation_run(&run, document.root, &preparation_tolerant, "{\"a\":1,\"b\":2}");

    assert_int_equal(run.status, TR_INVALID_PARAMETERS);
    preparation_done(&run);
    tr_schema_document_done(&document);
}

/* allOf of `count` schemas with one property each. */
static char *many_schemas(size_t count)
{
    char *text = calloc(count + 1, 64);
    assert_non_null(text);
    (void)snprintf(text, 64, "{\"allOf\":[");
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(text + strlen(text), 64, "%s{\"properties\":{\"p%zu\":{}}}",
                       i > 0 ? "," : "", i);
    }
    (void)snprintf(text + strlen(text), 64, "]}");
    return text;
}

static void a_place_with_too_many_schemas_keeps_unknown_keys(void **state)
{
    (void)state;
    static const struct preparation_case dropped[] = { { "{\"x\":1}", "{}", "ignored:/x" } };
    static const struct preparation_case kept[] = { { "{\"x\":1}", "{\"x\":1}", "" } };
    char *most = many_schemas(TR_MAX_SCOPE - 1);
    char *too_many = many_schemas(TR_MAX_SCOPE);

    ASSERT_PREPARED(most, &preparation_tolerant, dropped);
    ASSERT_PREPARED(too_many, &preparation_tolerant, kept);

    free(most);
    free(too_many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_take_their_declared_names),
        cmocka_unit_test(very_long_keys_are_only_unknown),
        cmocka_unit_test(unknown_keys_are_refused_where_the_schema_is_closed),
        cmocka_unit_test(unknown_keys_are_kept_where_the_schema_is_open),
        cmocka_unit_test(keys_are_looked_up_in_every_schema_that_may_apply),
        cmocka_unit_test(an_open_branch_keeps_unknown_keys),
        cmocka_unit_test(a_branch_may_be_closed),
        cmocka_unit_test(a_place_with_too_many_schemas_keeps_unknown_keys),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
