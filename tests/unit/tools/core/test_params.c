#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/schema_text.h"
#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/params.h"
#include "tools/core/report.h"
#include "tools/core/violation.h"

/* One call of tr_params_prepare() and what it left behind. */
struct call {
    struct tr_arena arena;
    struct tr_report report;
    struct tr_violations found;
    enum tr_status status;
    json_t *value;
};

static void call_done(struct call *call)
{
    json_decref(call->value);
    tr_arena_done(&call->arena);
}

static void prepare(struct call *call, const struct tr_schema *schema,
                    const struct tr_params_rules *rules, const char *value)
{
    *call = (struct call){ .value = json_of(value) };
    tr_arena_init(&call->arena, TR_CALL_ARENA_BYTES);
    call->report.arena = &call->arena;
    call->found.arena = &call->arena;
    call->status = tr_params_prepare(schema, rules, &call->value, &call->report, &call->found);
}

/* "coerced:/a,/b renamed:/c ignored:/d", leaving out what is empty. */
static void describe_list(const struct tr_strings *list, const char *name, char *room, size_t bytes)
{
    for (size_t i = 0; i < list->count; i++) {
        const size_t length = strlen(room);
        (void)snprintf(room + length, bytes - length, "%s%s%s", i > 0 ? "," : "", i > 0 ? "" : name,
                       list->items[i]);
    }
    if (list->count > 0) {
        const size_t length = strlen(room);
        (void)snprintf(room + length, bytes - length, " ");
    }
}

static void describe_report(const struct tr_report *report, char *room, size_t bytes)
{
    room[0] = '\0';
    describe_list(&report->coerced, "coerced:", room, bytes);
    describe_list(&report->renamed, "renamed:", room, bytes);
    describe_list(&report->ignored, "ignored:", room, bytes);
    const size_t length = strlen(room);
    if (length > 0) {
        room[length - 1] = '\0';
    }
}

struct preparation {
    const char *value;
    const char *expected; /* NULL: it is refused */
    const char *report;   /* as describe_report(); of a refusal: "pointer code" of one violation */
};

static bool has_violation(const struct tr_violations *found, const char *wanted)
{
    for (size_t i = 0; i < found->count; i++) {
        char text[256];
        (void)snprintf(text, sizeof(text), "%s %s", found->items[i].pointer, found->items[i].code);
        if (strcmp(text, wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void assert_prepared(const struct tr_schema *schema, const struct tr_params_rules *rules,
                            const struct preparation *expected)
{
    struct call call;
    prepare(&call, schema, rules, expected->value);
    char report[1024];
    describe_report(&call.report, report, sizeof(report));
    if (expected->expected == NULL) {
        assert_int_equal(call.status, TR_INVALID_PARAMETERS);
        if (!has_violation(&call.found, expected->report)) {
            fail_msg("%s: no violation '%s', but '%s'", expected->value, expected->report,
                     call.found.count > 0 ? call.found.items[0].message : "none");
        }
    } else {
        if (call.status != TR_OK) {
            fail_msg("%s: %s", expected->value, tr_violations_join(&call.found));
        }
        assert_json(call.value, expected->expected);
        assert_string_equal(report, expected->report);
    }
    call_done(&call);
}

static void assert_all(const char *schema, const struct tr_params_rules *rules,
                       const struct preparation *cases, size_t count)
{
    struct tr_schema_document document = schema_of(schema);
    for (size_t i = 0; i < count; i++) {
        assert_prepared(document.root, rules, &cases[i]);
    }
    tr_schema_document_done(&document);
}

#define ASSERT_ALL(schema, rules, cases) \
    assert_all((schema), (rules), (cases), sizeof(cases) / sizeof((cases)[0]))

static const struct tr_params_rules tolerant = { 0 };
static const struct tr_params_rules exact = { .is_exact = true };

static const char open_object[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"max_results\":{\"type\":\"integer\",\"default\":10},\"url2_path\":{\"type\":\"string\"},"
    "\"opts\":{\"type\":\"object\",\"properties\":{\"dry_run\":{\"type\":\"boolean\"}}}}}";

static void keys_take_their_declared_names(void **state)
{
    (void)state;
    static const struct preparation cases[] = {
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
        { "{\"max_results\":1,\"\":2}", "{\"max_results\":1}", "ignored:/" },
        { "{\"max_results\":1,\"a/b~c\":2}", "{\"max_results\":1}", "ignored:/a~1b~0c" },
        { "{\"max_results\":1,\"x\":2,\"opts\":{\"y\":3}}", "{\"max_results\":1,\"opts\":{}}",
          "ignored:/x,/opts/y" },
    };

    ASSERT_ALL(open_object, &tolerant, cases);
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
    struct call call;

    prepare(&call, document.root, &tolerant, value);

    assert_int_equal(call.status, TR_OK);
    assert_int_equal(call.report.ignored.count, 1);
    call_done(&call);
    tr_schema_document_done(&document);
}

static void unknown_keys_are_refused_where_the_schema_is_closed(void **state)
{
    (void)state;
    static const char schema[] = "{\"type\":\"object\",\"properties\":{\"color\":{}},"
                                 "\"additionalProperties\":false}";
    static const struct preparation cases[] = {
        { "{\"color\":1}", "{\"color\":1}", "" },
        { "{\"colour\":1}", NULL, "/colour additionalProperties" },
    };
    struct tr_schema_document document = schema_of(schema);
    struct call call;

    ASSERT_ALL(schema, &tolerant, cases);
    ASSERT_ALL(schema, &exact, cases);
    prepare(&call, document.root, &tolerant, "{\"colour\":1}");

    assert_int_equal(call.found.count, 1);
    assert_non_null(strstr(call.found.items[0].message, "did you mean 'color'?"));
    call_done(&call);
    tr_schema_document_done(&document);
}

static void unknown_keys_are_kept_where_the_schema_is_open(void **state)
{
    (void)state;
    static const struct preparation kept[] = {
        { "{\"b\":\"1\",\"x_1\":\"2\"}", "{\"b\":\"1\",\"x_1\":\"2\"}", "" },
    };
    static const struct preparation numbers[] = {
        { "{\"b\":\"1\",\"x_1\":\"2\"}", "{\"b\":\"1\",\"x_1\":2}", "coerced:/x_1" },
    };

    ASSERT_ALL("{\"type\":\"object\"}", &tolerant, kept);
    ASSERT_ALL("{}", &tolerant, kept);
    ASSERT_ALL("{\"properties\":{\"a\":{}},\"additionalProperties\":true}", &tolerant, kept);
    ASSERT_ALL("{\"properties\":{\"b\":{}},\"additionalProperties\":{\"type\":\"integer\"}}",
               &tolerant, numbers);
    ASSERT_ALL("{\"properties\":{\"b\":{}},\"patternProperties\":{\"^x_\":{\"type\":\"integer\"}}}",
               &tolerant, numbers);
}

static void keys_are_looked_up_in_every_schema_that_may_apply(void **state)
{
    (void)state;
    static const struct preparation cases[] = {
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
        ASSERT_ALL(schemas[i], &tolerant, cases);
    }
}

static void an_open_branch_keeps_unknown_keys(void **state)
{
    (void)state;
    static const struct preparation cases[] = {
        { "{\"a\":1,\"x\":3}", "{\"a\":1,\"x\":3}", "" },
    };

    ASSERT_ALL("{\"anyOf\":[{\"properties\":{\"a\":{}},\"required\":[\"q\"]},"
               "{\"type\":\"object\"}]}",
               &tolerant, cases);
    ASSERT_ALL("{\"if\":{\"properties\":{\"a\":{\"const\":1}}},\"then\":{\"required\":[\"x\"]}}",
               &tolerant, cases);
}

static void a_branch_may_be_closed(void **state)
{
    (void)state;
    static const struct preparation cases[] = {
        { "{\"a\":1}", "{\"a\":1}", "" },
        { "{\"b\":1}", "{\"b\":1}", "" },
    };
    struct tr_schema_document document =
        schema_of("{\"oneOf\":[{\"properties\":{\"a\":{}},\"required\":[\"a\"],"
                  "\"additionalProperties\":false},{\"properties\":{\"b\":{}},"
                  "\"required\":[\"b\"],\"additionalProperties\":false}]}");
    struct call call;
    for (size_t i = 0; i < 2; i++) {
        assert_prepared(document.root, &tolerant, &cases[i]);
    }

    prepare(&call, document.root, &tolerant, "{\"a\":1,\"b\":2}");

    assert_int_equal(call.status, TR_INVALID_PARAMETERS);
    call_done(&call);
    tr_schema_document_done(&document);
}

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
    static const struct preparation cases[] = {
        { "{}", "{\"n\":3,\"r\":5,\"e\":null}", "" },
        { "{\"n\":0,\"r\":0,\"e\":\"\"}", "{\"n\":0,\"r\":0,\"e\":\"\"}", "" },
        { "{\"o\":{}}", "{\"o\":{\"k\":\"v\"},\"n\":3,\"r\":5,\"e\":null}", "" },
        { "{\"l\":[{},{\"b\":true}]}",
          "{\"l\":[{\"b\":false},{\"b\":true}],\"n\":3,\"r\":5,\"e\":null}", "" },
    };

    ASSERT_ALL(schema, &tolerant, cases);
    ASSERT_ALL(schema, &exact, cases);
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
    static const struct preparation cases[] = {
        { "{}", "{\"n\":5,\"s\":\"x\"}", "" },
        { "{\"n\":0,\"s\":\"\"}", "{\"n\":0,\"s\":\"\"}", "" },
        { "{\"o\":{}}", "{\"o\":{},\"n\":5,\"s\":\"x\"}", "" },
        { "\"{}\"", "{\"n\":5,\"s\":\"x\"}", "coerced:" },
    };

    ASSERT_ALL(schema, &rules, cases);
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
    static const struct preparation cases[] = {
        { "{\"q\":\"a\",\"n\":null}", "{\"q\":\"a\",\"n\":3}", "" },
        { "{\"q\":\"a\",\"n\":1,\"o\":null}", "{\"q\":\"a\",\"n\":1}", "" },
        { "{\"q\":\"a\",\"n\":1,\"o\":{\"k\":null}}", "{\"q\":\"a\",\"n\":1,\"o\":{}}", "" },
        { "{\"q\":\"a\",\"n\":1,\"z\":null}", "{\"q\":\"a\",\"n\":1,\"z\":null}", "" },
        { "{\"q\":\"a\",\"n\":1,\"any\":null}", "{\"q\":\"a\",\"n\":1,\"any\":null}", "" },
        { "{\"q\":null}", NULL, "/q type" },
    };
    static const struct preparation refused = { "{\"q\":\"a\",\"n\":null}", NULL, "/n type" };

    ASSERT_ALL(schema, &tolerant, cases);
    assert_all(schema, &exact, &refused, 1);
}

static void a_blank_uri_is_absent_when_it_is_optional(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"u\":{\"type\":\"string\",\"format\":\"uri\"},"
        "\"d\":{\"type\":\"string\",\"format\":\"uri\",\"default\":\"x:y\"},"
        "\"r\":{\"type\":\"string\",\"format\":\"uri\"},\"s\":{\"type\":\"string\"}},"
        "\"required\":[\"r\"]}";
    static const struct preparation cases[] = {
        { "{\"r\":\"a:b\",\"u\":\"\",\"d\":\" \\t\",\"s\":\"\"}",
          "{\"r\":\"a:b\",\"d\":\"x:y\",\"s\":\"\"}", "" },
        { "{\"r\":\"\"}", NULL, "/r format" },
        { "{\"r\":\"a:b\",\"u\":\"x\"}", NULL, "/u format" },
    };
    static const struct preparation refused = { "{\"r\":\"a:b\",\"u\":\"\"}", NULL, "/u format" };

    ASSERT_ALL(schema, &tolerant, cases);
    assert_all(schema, &exact, &refused, 1);
}

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
    static const struct preparation cases[] = {
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
    static const struct preparation refused[] = {
        { "{\"i\":\"5\"}", NULL, "/i type" },
        { "{\"a/b\":1}", NULL, "/a~1b type" },
        { "{\"l\":\"[1]\"}", NULL, "/l type" },
        { "{\"m\":\"FAST\"}", NULL, "/m enum" },
    };

    ASSERT_ALL(schema, &tolerant, cases);
    ASSERT_ALL(schema, &exact, refused);
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
    static const struct preparation cases[] = {
        { "{\"s\":\"a,b\"}", "{\"s\":[\"a,b\"]}", "coerced:/s" },
        { "{\"s\":\"5\"}", "{\"s\":[\"5\"]}", "coerced:/s" },
        { "{\"s\":\"[\\\"a\\\"]\"}", "{\"s\":[\"a\"]}", "coerced:/s" },
        { "{\"e\":\"FAST\"}", "{\"e\":[\"fast\"]}", "coerced:/e,/e/0" },
        { "{\"s\":\"[\\\"a\\\",\"}", NULL, "/s type" },
        { "{\"s\":5}", NULL, "/s type" },
        { "{\"e\":\"x\"}", NULL, "/e type" },
        { "{\"i\":\"5\"}", NULL, "/i type" },
        { "{\"any\":\"a\"}", NULL, "/any type" },
        { "{\"p\":\"a\"}", NULL, "/p type" },
    };

    ASSERT_ALL(schema, &tolerant, cases);
}

static void unfolded_text_goes_through_all_stages(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"o\":{\"type\":\"object\",\"properties\":{"
        "\"dry_run\":{\"type\":\"boolean\"},\"n\":{\"type\":\"integer\",\"default\":1}}}}}";
    static const struct preparation cases[] = {
        { "{\"o\":\"{\\\"dryRun\\\":\\\"yes\\\",\\\"x\\\":1}\"}",
          "{\"o\":{\"dry_run\":true,\"n\":1}}",
          "coerced:/o,/o/dry_run renamed:/o/dryRun ignored:/o/x" },
    };

    ASSERT_ALL(schema, &tolerant, cases);
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
        struct call call;

        prepare(&call, document.root, &tolerant, text);

        assert_int_equal(call.status, levels <= TR_MAX_NESTED_TEXT ? TR_OK : TR_INVALID_PARAMETERS);
        call_done(&call);
        free(text);
    }
    tr_schema_document_done(&document);
}

static void of_several_forms_the_one_that_fits_wins_untouched(void **state)
{
    (void)state;
    static const struct preparation string_or_number[] = {
        { "\"5\"", "\"5\"", "" },
        { "5", "5", "" },
        { "true", NULL, " anyOf" },
    };
    static const struct preparation number_or_null[] = {
        { "\"5\"", "5", "coerced:" },
        { "null", "null", "" },
    };
    static const struct preparation objects[] = {
        { "{\"n\":5}", "{\"n\":5,\"k\":1}", "" },
        { "{\"n\":\"5\"}", "{\"n\":5,\"k\":1}", "coerced:/n" },
        { "{\"b\":\"yes\"}", "{\"b\":true}", "coerced:/b" },
        { "\"{\\\"b\\\":true}\"", "{\"b\":true}", "coerced:" },
    };
    struct tr_schema_document document =
        schema_of("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]}");
    for (size_t i = 0; i < 2; i++) {
        assert_prepared(document.root, &tolerant, &string_or_number[i]);
    }
    tr_schema_document_done(&document);

    ASSERT_ALL("{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"null\"}]}", &tolerant,
               number_or_null);
    ASSERT_ALL("{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},"
               "\"k\":{\"type\":\"integer\",\"default\":1}},\"required\":[\"n\"]},"
               "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"boolean\"}},"
               "\"required\":[\"b\"]}]}",
               &tolerant, objects);
}

static void a_form_that_fails_leaves_no_trace(void **state)
{
    (void)state;
    /* The first form converts both before it fails for want of /q. */
    static const struct preparation cases[] = {
        { "{\"n\":\"5\",\"s\":\"1\"}", "{\"n\":\"5\",\"s\":1}", "coerced:/s" },
    };

    ASSERT_ALL("{\"anyOf\":[{\"properties\":{\"n\":{\"type\":\"integer\"},\"s\":{\"type\":"
               "\"integer\"},\"q\":{}},\"required\":[\"q\"]},"
               "{\"properties\":{\"n\":{\"type\":\"string\"},\"s\":{\"type\":\"integer\"}}}]}",
               &tolerant, cases);
}

static void conditions_direct_coercion(void **state)
{
    (void)state;
    static const struct preparation cases[] = {
        { "{\"kind\":\"n\",\"v\":\"5\"}", "{\"kind\":\"n\",\"v\":5}", "coerced:/v" },
        { "{\"kind\":\"b\",\"v\":\"1\"}", "{\"kind\":\"b\",\"v\":true}", "coerced:/v" },
        { "{\"kind\":\"n\",\"v\":\"x\"}", NULL, "/v type" },
    };

    ASSERT_ALL("{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"v\":{}},"
               "\"if\":{\"properties\":{\"kind\":{\"const\":\"n\"}}},"
               "\"then\":{\"properties\":{\"v\":{\"type\":\"integer\"}}},"
               "\"else\":{\"properties\":{\"v\":{\"type\":\"boolean\"}}}}",
               &tolerant, cases);
}

static void recursive_schemas_go_as_deep_as_the_value(void **state)
{
    (void)state;
    static const struct preparation cases[] = {
        { "{\"v\":\"1\",\"next\":[{\"v\":\"2\",\"next\":[{\"v\":\"3\"}]}]}",
          "{\"v\":1,\"next\":[{\"v\":2,\"next\":[{\"v\":3}]}]}",
          "coerced:/v,/next/0/v,/next/0/next/0/v" },
    };
    ASSERT_ALL(
        "{\"$ref\":\"#/$defs/node\",\"$defs\":{\"node\":{\"type\":\"object\",\"properties\":{"
        "\"v\":{\"type\":\"integer\"},\"next\":{\"type\":\"array\",\"items\":{\"$ref\":"
        "\"#/$defs/node\"}}}}}}",
        &tolerant, cases);
}

static void the_work_has_a_limit(void **state)
{
    (void)state;
    /* Each level has three branches that fail only at the bottom: 3^24 attempts without a limit. */
    struct tr_schema_document document =
        schema_of("{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"anyOf\":["
                  "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"},\"maxItems\":1},"
                  "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"},\"maxItems\":2},"
                  "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"},\"maxItems\":3},"
                  "{\"type\":\"integer\"}]}}}");
    char value[128];
    memset(value, '[', 24);
    memcpy(value + 24, "\"x\"", 3);
    memset(value + 27, ']', 24);
    value[51] = '\0';
    struct call call;

    prepare(&call, document.root, &tolerant, value);

    assert_int_equal(call.status, TR_INVALID_PARAMETERS);
    assert_true(has_violation(&call.found, " complexity"));
    call_done(&call);
    tr_schema_document_done(&document);
}

static void a_full_arena_is_a_refusal(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of("{\"type\":\"integer\"}");
    json_auto_t *value = json_of("\"x\"");
    json_t *slot = json_incref(value);
    struct tr_arena arena;
    tr_arena_init(&arena, 1);
    struct tr_report report = { .arena = &arena };
    struct tr_violations found = { .arena = &arena };

    assert_int_equal(tr_params_prepare(document.root, &tolerant, &slot, &report, &found),
                     TR_BODY_TOO_LARGE);

    json_decref(slot);
    tr_arena_done(&arena);
    tr_schema_document_done(&document);
}

static bool attempt_without_memory(void *context)
{
    const struct tr_schema_document *document = context;
    struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_report report = { .arena = &arena };
    struct tr_violations found = { .arena = &arena };
    json_t *value = json_pack("{s:s,s:s,s:s,s:s,s:{s:s},s:s}", "maxResults", "5", "e", "FAST",
                              "tags", "x", "o", "x", "p", "any", "7", "junk", "j");
    enum tr_status status = TR_NO_MEMORY;
    if (value != NULL) {
        status = tr_params_prepare(document->root, &tolerant, &value, &report, &found);
    }
    const bool is_whole = status == TR_OK && !report.is_incomplete;
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    json_decref(value);
    tr_arena_done(&arena);
    return is_whole;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"type\":\"object\",\"properties\":{\"max_results\":{\"type\":\"integer\"},"
        "\"e\":{\"enum\":[\"fast\"]},\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
        "\"o\":{},"
        "\"p\":{\"type\":\"object\",\"properties\":{\"any\":{\"anyOf\":[{\"type\":\"boolean\"},"
        "{\"type\":\"integer\"}]}}},\"d\":{\"default\":[1,{\"a\":\"b\"}]}}}");

    alloc_fail_each(attempt_without_memory, &document);

    tr_schema_document_done(&document);
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
        cmocka_unit_test(defaults_apply_at_every_level),
        cmocka_unit_test(the_deployment_has_the_first_word_on_defaults),
        cmocka_unit_test(null_is_absent_where_it_cannot_be_meant),
        cmocka_unit_test(a_blank_uri_is_absent_when_it_is_optional),
        cmocka_unit_test(every_conversion_is_reported_at_its_place),
        cmocka_unit_test(a_lone_string_stands_for_an_array_of_strings),
        cmocka_unit_test(unfolded_text_goes_through_all_stages),
        cmocka_unit_test(nested_texts_unfold_to_a_limit),
        cmocka_unit_test(of_several_forms_the_one_that_fits_wins_untouched),
        cmocka_unit_test(a_form_that_fails_leaves_no_trace),
        cmocka_unit_test(conditions_direct_coercion),
        cmocka_unit_test(recursive_schemas_go_as_deep_as_the_value),
        cmocka_unit_test(the_work_has_a_limit),
        cmocka_unit_test(a_full_arena_is_a_refusal),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}
