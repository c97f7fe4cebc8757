/* What the parser refuses, and its limits. */
#include <string.h>

#include "tests/support/schema_text.h"
#include "tools/core/limits.h"
#include "tools/core/text.h"

static const struct {
    const char *text, *where, *what;
} bad_schemas[] = {
    /* no schema */
    { "5", "", "an object or a boolean" },
    { "{\"items\": 5}", "/items", "an object or a boolean" },
    { "{\"items\": [{}]}", "/items", "an object or a boolean" },
    { "{\"properties\": {\"a/b\": null}}", "/properties/a~1b", "an object or a boolean" },
    { "{\"anyOf\": [{}, 1]}", "/anyOf/1", "an object or a boolean" },
    /* keywords that are not honoured */
    { "{\"unevaluatedProperties\": false}", "/unevaluatedProperties", "not supported" },
    { "{\"properties\": {\"a\": {\"$anchor\": \"x\"}}}", "/properties/a/$anchor",
      "The keyword '$anchor' is not supported" },
    { "{\"$dynamicRef\": \"#x\"}", "/$dynamicRef", "not supported" },
    { "{\"dependentSchemas\": {}}", "/dependentSchemas", "not supported" },
    { "{\"dependencies\": {}}", "/dependencies", "not supported" },
    { "{\"contentEncoding\": \"base64\"}", "/contentEncoding", "not supported" },
    { "{\"minlength\": 1}", "/minlength", "not supported" },
    { "{\"x-other\": 1}", "/x-other", "not supported" },
    { "{\"\": 1}", "/", "not supported" },
    /* values of the wrong form */
    { "{\"$schema\": \"http://json-schema.org/draft-04/schema#\"}", "/$schema", "not known" },
    { "{\"$schema\": 7}", "/$schema", "string" },
    { "{\"items\": {\"$id\": \"x\"}}", "/items/$id", "root only" },
    { "{\"$ref\": 1}", "/$ref", "string" },
    { "{\"type\": \"text\"}", "/type", "no type 'text'" },
    { "{\"type\": []}", "/type", "at least one" },
    { "{\"type\": {}}", "/type", "at least one" },
    { "{\"type\": [\"null\", \"null\"]}", "/type/1", "twice" },
    { "{\"type\": [\"null\", 3]}", "/type/1", "string" },
    { "{\"nullable\": 1, \"type\": \"null\"}", "/nullable", "true or false" },
    { "{\"nullable\": true}", "", "needs a 'type'" },
    { "{\"description\": 1}", "/description", "string" },
    { "{\"title\": \"a\\u0000b\"}", "/title", "NUL" },
    { "{\"uniqueItems\": \"true\"}", "/uniqueItems", "true or false" },
    { "{\"enum\": {}}", "/enum", "array" },
    { "{\"enum\": []}", "/enum", "at least one" },
    { "{\"examples\": 1}", "/examples", "array" },
    { "{\"minimum\": \"1\"}", "/minimum", "number" },
    { "{\"exclusiveMaximum\": true}", "/exclusiveMaximum", "number" },
    { "{\"multipleOf\": 0}", "/multipleOf", "greater than 0" },
    { "{\"multipleOf\": -0.1}", "/multipleOf", "greater than 0" },
    { "{\"minLength\": -1}", "/minLength", "whole number" },
    { "{\"minLength\": 1.5}", "/minLength", "whole number" },
    { "{\"maxItems\": \"3\"}", "/maxItems", "whole number" },
    { "{\"pattern\": \"(\"}", "/pattern", "does not compile" },
    { "{\"pattern\": 1}", "/pattern", "string" },
    { "{\"patternProperties\": {\"[\": {}}}", "/patternProperties/[", "does not compile" },
    { "{\"patternProperties\": []}", "/patternProperties", "object" },
    { "{\"format\": 1}", "/format", "string" },
    { "{\"properties\": []}", "/properties", "object" },
    { "{\"required\": true}", "/required", "array of strings" },
    { "{\"required\": [\"a\", 1]}", "/required/1", "string" },
    { "{\"required\": [\"a\\u0000\"]}", "/required/0", "NUL" },
    { "{\"dependentRequired\": []}", "/dependentRequired", "object" },
    { "{\"dependentRequired\": {\"a\": \"b\"}}", "/dependentRequired/a", "array of strings" },
    { "{\"allOf\": []}", "/allOf", "at least one" },
    { "{\"oneOf\": {}}", "/oneOf", "at least one" },
    { "{\"prefixItems\": {}}", "/prefixItems", "at least one" },
    { "{\"$defs\": {}, \"definitions\": {}}", "/$defs", "beside each other" },
    /* limits that cross */
    { "{\"items\": {\"minLength\": 2, \"maxLength\": 1}}", "/items", "'minLength' is above" },
    { "{\"minItems\": 2, \"maxItems\": 1}", "", "'minItems' is above" },
    { "{\"minProperties\": 2, \"maxProperties\": 1}", "", "'minProperties' is above" },
    { "{\"minimum\": 2, \"maximum\": 1.5}", "", "above the maximum" },
    { "{\"exclusiveMinimum\": 2, \"maximum\": 1}", "", "above the maximum" },
    /* $ref */
    { "{\"$ref\": \"#/$defs/a\"}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/$defs\", \"$defs\": {}}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/required/0\", \"required\": [\"a\"]}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/default\", \"default\": {}}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/allOf/1\", \"allOf\": [{}]}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/allOf/00\", \"allOf\": [{}]}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/allOf/-\", \"allOf\": [{}]}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/allOf\", \"allOf\": [{}]}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/\"}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/%zz\"}", "/$ref", "leads to no schema" },
    { "{\"$ref\": \"#/$defs/a%00\", \"$defs\": {\"a\": {}}}", "/$ref", "leads to no schema" },
    { "{\"items\": {\"$ref\": \"#name\"}}", "/items/$ref", "anchors are not supported" },
    { "{\"$ref\": \"other.json\"}", "/$ref", "out of this document" },
    { "{\"$ref\": \"https://json-schema.org/draft/2020-12/schema\"}", "/$ref",
      "out of this document" },
    { "{\"$id\": \"http://a/b\", \"$ref\": \"http://a/bc#\"}", "/$ref", "out of this document" },
};

static void bad_schemas_are_refused_with_place_and_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad_schemas) / sizeof(bad_schemas[0]); i++) {
        json_auto_t *json = json_of(bad_schemas[i].text);
        struct tr_schema_document document;
        memset(&document, 0xff, sizeof(document));
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_schema_parse(json, &document, &fault);

        if (status != TR_INVALID_PARAMETERS || strcmp(fault.where, bad_schemas[i].where) != 0
            || strstr(fault.what, bad_schemas[i].what) == NULL) {
            fail_msg("%s: %d, '%s': %s", bad_schemas[i].text, (int)status, fault.where, fault.what);
        }
        assert_null(document.root);
        assert_null(document.arena.blocks);
    }
}

static void circles_for_one_value_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"$ref\": \"#\"}",
        "{\"$defs\": {\"a\": {\"$ref\": \"#/$defs/b\"}, \"b\": {\"$ref\": \"#/$defs/a\"}}}",
        "{\"$defs\": {\"a\": {\"$ref\": \"#/$defs/a\"}}}",
        "{\"allOf\": [{\"$ref\": \"#\"}]}",
        "{\"anyOf\": [{}, {\"not\": {\"$ref\": \"#\"}}]}",
        "{\"oneOf\": [{\"if\": {\"$ref\": \"#\"}}]}",
        "{\"if\": {}, \"then\": {\"$ref\": \"#\"}}",
        "{\"if\": {}, \"else\": {\"$ref\": \"#\"}}",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *json = json_of(cases[i]);
        struct tr_schema_document document;
        struct tr_fault fault = { .what = "" };

        assert_int_equal(tr_schema_parse(json, &document, &fault), TR_INVALID_PARAMETERS);

        assert_non_null(strstr(fault.what, "comes back to itself"));
    }
}

static void circles_through_members_and_items_are_accepted(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"items\": {\"$ref\": \"#\"}}",
        "{\"properties\": {\"a\": {\"$ref\": \"#\"}}}",
        "{\"allOf\": [{\"additionalProperties\": {\"$ref\": \"#\"}}]}",
        "{\"contains\": {\"$ref\": \"#\"}, \"prefixItems\": [{\"$ref\": \"#\"}]}",
        "{\"propertyNames\": {\"$ref\": \"#\"}}",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_schema_document document = schema_of(cases[i]);
        tr_schema_document_done(&document);
    }
}

/* ---- limits ---- */

/* A chain of `count` definitions: d0 refers to d1, and so on; the last one is {}. */
static enum tr_status parse_chain(int count)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000 * 1000);
    tr_text_add_string(&text, "{\"$defs\": {");
    for (int i = 0; i < count; i++) {
        tr_text_printf(&text, "\"d%d\": {\"$ref\": \"#/$defs/d%d\"}, ", i, i + 1);
    }
    tr_text_printf(&text, "\"d%d\": {}}}", count);
    json_auto_t *json = json_of(tr_text_string(&text));
    struct tr_schema_document document;
    const enum tr_status status = tr_schema_parse(json, &document, NULL);
    tr_schema_document_done(&document);
    return status;
}

static void long_chains_of_refs_are_refused(void **state)
{
    (void)state;

    assert_int_equal(parse_chain(TR_MAX_SCHEMA_DEPTH), TR_OK);
    assert_int_equal(parse_chain(20 * TR_MAX_SCHEMA_DEPTH), TR_INVALID_PARAMETERS);
}

static enum tr_status parse_nested(int levels)
{
    json_t *json = json_object();
    for (int i = 1; i < levels; i++) {
        json = json_pack("{so}", "items", json);
    }
    struct tr_schema_document document;
    const enum tr_status status = tr_schema_parse(json, &document, NULL);
    tr_schema_document_done(&document);
    json_decref(json);
    return status;
}

static void depth_is_limited(void **state)
{
    (void)state;

    assert_int_equal(parse_nested(TR_MAX_SCHEMA_DEPTH - 1), TR_OK);
    assert_int_equal(parse_nested(TR_MAX_SCHEMA_DEPTH), TR_OK);
    assert_int_equal(parse_nested(TR_MAX_SCHEMA_DEPTH + 1), TR_INVALID_PARAMETERS);
}

static enum tr_status parse_wide(size_t nodes)
{
    json_auto_t *json = json_pack("{s[]}", "anyOf");
    for (size_t i = 1; i < nodes; i++) {
        json_array_append_new(json_object_get(json, "anyOf"), json_object());
    }
    struct tr_schema_document document;
    const enum tr_status status = tr_schema_parse(json, &document, NULL);
    tr_schema_document_done(&document);
    return status;
}

static void nodes_are_limited(void **state)
{
    (void)state;

    assert_int_equal(parse_wide(TR_MAX_SCHEMA_NODES - 1), TR_OK);
    assert_int_equal(parse_wide(TR_MAX_SCHEMA_NODES), TR_OK);
    assert_int_equal(parse_wide(TR_MAX_SCHEMA_NODES + 1), TR_INVALID_PARAMETERS);
}

static void counts_beyond_every_size_are_the_largest(void **state)
{
    (void)state;
    struct tr_schema_document document =
        schema_of("{\"maxLength\": 1e300, \"maxItems\": 9223372036854775807}");

    assert_int_equal(document.root->max_length.value, INT64_MAX);
    assert_int_equal(document.root->max_items.value, INT64_MAX);
    tr_schema_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_schemas_are_refused_with_place_and_reason),
        cmocka_unit_test(circles_for_one_value_are_refused),
        cmocka_unit_test(circles_through_members_and_items_are_accepted),
        cmocka_unit_test(long_chains_of_refs_are_refused),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(nodes_are_limited),
        cmocka_unit_test(counts_beyond_every_size_are_the_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
