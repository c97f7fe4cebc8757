#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/schema_text.h"
#include "tools/core/limits.h"
#include "tools/core/pattern.h"
#include "tools/core/text.h"

/* ---- what is accepted ---- */

static void every_keyword_reaches_its_member(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"title\": \"T\", \"description\": \"D\", \"deprecated\": true, \"readOnly\": true,"
        " \"writeOnly\": true, \"x-secret\": true, \"enum\": [1, \"a\"], \"const\": 1,"
        " \"minimum\": 1, \"maximum\": 2.5, \"exclusiveMinimum\": 0, \"exclusiveMaximum\": 3,"
        " \"multipleOf\": 0.5, \"minLength\": 0, \"maxLength\": 2.0, \"pattern\": \"^a\","
        " \"format\": \"date\", \"minItems\": 1, \"maxItems\": 1, \"uniqueItems\": true,"
        " \"prefixItems\": [{}, true], \"items\": false, \"contains\": {}, \"minContains\": 2,"
        " \"maxContains\": 1, \"minProperties\": 3, \"maxProperties\": 3,"
        " \"default\": null, \"examples\": [], \"$comment\": 5}");
    const struct tr_schema *node = document.root;

    assert_string_equal(node->title, "T");
    assert_string_equal(node->description, "D");
    assert_true(node->is_deprecated && node->is_read_only && node->is_write_only);
    assert_true(node->is_secret);
    assert_int_equal(json_array_size(node->enum_values), 2);
    assert_int_equal(json_integer_value(node->const_value), 1);
    assert_int_equal(json_integer_value(node->minimum), 1);
    assert_true(json_real_value(node->maximum) == 2.5);
    assert_int_equal(json_integer_value(node->exclusive_minimum), 0);
    assert_int_equal(json_integer_value(node->exclusive_maximum), 3);
    assert_true(json_real_value(node->multiple_of) == 0.5);
    assert_true(node->min_length.has && node->min_length.value == 0);
    assert_true(node->max_length.has && node->max_length.value == 2);
    assert_string_equal(tr_pattern_source(node->pattern), "^a");
    assert_string_equal(node->format_name, "date");
    assert_int_equal(node->format, TR_FORMAT_DATE);
    assert_true(node->min_items.value == 1 && node->max_items.value == 1);
    assert_true(node->has_unique_items);
    assert_int_equal(node->prefix_items.count, 2);
    assert_true(node->items->is_false);
    assert_non_null(node->contains);
    assert_true(node->min_contains.value == 2 && node->max_contains.value == 1);
    assert_true(node->min_properties.value == 3 && node->max_properties.value == 3);
    assert_true(json_is_null(node->default_value));
    assert_int_equal(json_array_size(node->examples), 0);
    assert_int_equal(node->types, 0);
    tr_schema_document_done(&document);
}

static void object_keywords_reach_their_members(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"type\": \"object\", \"properties\": {\"b\": {\"type\": \"string\"}, \"a\": {}},"
        " \"required\": [\"a\", \"z\"], \"additionalProperties\": false,"
        " \"patternProperties\": {\"^x\": {\"type\": \"null\"}},"
        " \"propertyNames\": {\"maxLength\": 3},"
        " \"dependentRequired\": {\"a\": [\"b\", \"c\"], \"d\": []}}");
    const struct tr_schema *node = document.root;

    assert_int_equal(node->types, TR_TYPE_OBJECT);
    assert_int_equal(node->properties.count, 2);
    assert_string_equal(node->properties.items[0].name, "b");
    assert_false(node->properties.items[0].is_required);
    assert_true(node->properties.items[1].is_required);
    assert_ptr_equal(tr_schema_property(node, "a"), &node->properties.items[1]);
    assert_null(tr_schema_property(node, "z"));
    assert_int_equal(node->required_count, 2);
    assert_string_equal(node->required[1], "z");
    assert_true(node->additional->is_false);
    assert_int_equal(node->pattern_property_count, 1);
    assert_int_equal(node->pattern_properties[0].schema->types, TR_TYPE_NULL);
    assert_non_null(node->property_names);
    assert_int_equal(node->dependent_required_count, 2);
    assert_string_equal(node->dependent_required[0].requires[1], "c");
    assert_int_equal(node->dependent_required[1].count, 0);
    tr_schema_document_done(&document);
}

static void applicators_reach_their_members(void **state)
{
    (void)state;
    struct tr_schema_document document =
        schema_of("{\"anyOf\": [{}], \"oneOf\": [{}, {}], \"allOf\": [{}, {}, {}], \"not\": false,"
                  " \"if\": {}, \"then\": {}, \"else\": {}}");
    const struct tr_schema *node = document.root;

    assert_int_equal(node->any_of.count, 1);
    assert_int_equal(node->one_of.count, 2);
    assert_int_equal(node->all_of.count, 3);
    assert_true(node->not_schema->is_false);
    assert_non_null(node->if_schema);
    assert_non_null(node->then_schema);
    assert_non_null(node->else_schema);
    tr_schema_document_done(&document);
}

static void nullable_becomes_a_type(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of("{\"nullable\": true, \"type\": \"string\"}");

    assert_int_equal(document.root->types, TR_TYPE_STRING | TR_TYPE_NULL);
    assert_true(document.root->is_nullable);
    tr_schema_document_done(&document);
}

static void document_does_not_borrow_what_it_was_made_from(void **state)
{
    (void)state;
    json_t *json = json_of("{\"description\": \"kept\", \"enum\": [\"kept\"]}");
    struct tr_schema_document document;
    assert_int_equal(tr_schema_parse(json, &document, NULL), TR_OK);
    json_string_set(json_object_get(json, "description"), "changed");
    json_array_clear(json_object_get(json, "enum"));
    json_decref(json);

    assert_string_equal(document.root->description, "kept");
    assert_int_equal(json_array_size(document.root->enum_values), 1);
    tr_schema_document_done(&document);
}

static void known_dialects_are_accepted(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"}",
        "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema#\"}",
        "{\"$schema\": \"http://json-schema.org/draft-07/schema#\"}",
        "{\"$id\": \"https://example.com/a\", \"$comment\": \"c\"}",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_schema_document document = schema_of(cases[i]);
        tr_schema_document_done(&document);
    }
}

/* ---- $ref ---- */

static void refs_lead_to_the_very_node(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"$defs\": {\"a b\": {\"type\": \"string\"}, \"c/d~\": {\"items\": {\"$ref\": \"#\"}}},"
        " \"properties\": {\"x\": {\"$ref\": \"#/$defs/a%20b\"},"
        " \"y\": {\"$ref\": \"#/$defs/c~1d~0/items\"}, \"z\": {\"$ref\": \"#/allOf/1/not\"},"
        " \"p\": {\"$ref\": \"#/patternProperties/%5Ea\"}},"
        " \"patternProperties\": {\"^a\": {}}, \"allOf\": [{}, {\"not\": {\"const\": 1}}]}");
    const struct tr_schema *root = document.root;
    const struct tr_schema *items = root->definitions.items[1].schema->items;

    assert_ptr_equal(tr_schema_property(root, "x")->schema->ref, root->definitions.items[0].schema);
    assert_ptr_equal(tr_schema_property(root, "y")->schema->ref, items);
    assert_ptr_equal(items->ref, root);
    assert_ptr_equal(tr_schema_property(root, "z")->schema->ref, root->all_of.items[1]->not_schema);
    assert_ptr_equal(tr_schema_property(root, "p")->schema->ref,
                     root->pattern_properties[0].schema);
    assert_string_equal(tr_schema_property(root, "x")->schema->ref_name, "#/$defs/a%20b");
    tr_schema_document_done(&document);
}

static void resolve_follows_refs_that_say_nothing_else(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"$defs\": {\"a\": {\"$ref\": \"#/$defs/b\", \"description\": \"d\"},"
        " \"b\": {\"type\": \"string\"}, \"c\": {\"$ref\": \"#/$defs/b\", \"minLength\": 1}}}");
    const struct tr_schema_property *definitions = document.root->definitions.items;

    assert_ptr_equal(tr_schema_resolve(definitions[0].schema), definitions[1].schema);
    assert_ptr_equal(tr_schema_resolve(definitions[1].schema), definitions[1].schema);
    assert_ptr_equal(tr_schema_resolve(definitions[2].schema), definitions[2].schema);
    tr_schema_document_done(&document);
}

static void resolve_gives_up_on_a_circle(void **state)
{
    (void)state;
    struct tr_schema nodes[2] = { { .ref = NULL } };
    nodes[0].ref = &nodes[1];
    nodes[1].ref = &nodes[0];

    assert_null(tr_schema_resolve(&nodes[0]));
}

/* ---- what is refused ---- */

static void bad_schemas_are_refused_with_place_and_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *what;
    } cases[] = {
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
        { "{\"$id\": \"http://a/b\", \"$ref\": \"http://a/bc#\"}", "/$ref",
          "out of this document" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *json = json_of(cases[i].text);
        struct tr_schema_document document;
        memset(&document, 0xff, sizeof(document));
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_schema_parse(json, &document, &fault);

        if (status != TR_INVALID_PARAMETERS || strcmp(fault.where, cases[i].where) != 0
            || strstr(fault.what, cases[i].what) == NULL) {
            fail_msg("%s: %d, '%s': %s", cases[i].text, (int)status, fault.where, fault.what);
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
        "{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"$ref\": \"#/$defs/b\"},"
        " \"b\": {\"$ref\": \"#/$defs/a\"}}}",
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

/* ---- defaults and examples ---- */

static void values_that_do_not_fit_are_found_when_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where;
    } cases[] = {
        { "{\"type\": \"string\", \"default\": 1}", "/default" },
        { "{\"properties\": {\"a\": {\"minimum\": 3, \"examples\": [3, 2]}}}",
          "/properties/a/examples/1" },
        { "{\"anyOf\": [{}, {\"items\": {\"type\": \"null\", \"default\": 0}}]}",
          "/anyOf/1/items/default" },
        { "{\"$defs\": {\"a\": {\"not\": {\"const\": 1, \"default\": 2}}}}",
          "/$defs/a/not/default" },
        { "{\"patternProperties\": {\"^a\": {\"maxLength\": 1, \"default\": \"ab\"}}}",
          "/patternProperties/^a/default" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_schema_document document = schema_of(cases[i].text);
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_schema_verify_values(&document, &fault);

        assert_int_equal(status, TR_INVALID_PARAMETERS);
        assert_string_equal(fault.where, cases[i].where);
        tr_schema_document_done(&document);
    }
    struct tr_schema_document document =
        schema_of("{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\","
                  " \"default\": 1, \"examples\": [1, 2]}, \"b\": {\"$ref\": \"#\"}}}");
    assert_int_equal(tr_schema_verify_values(&document, NULL), TR_OK);
    tr_schema_document_done(&document);
}

/* ---- memory ---- */

static bool attempt_to_parse(void *context)
{
    const json_t *json = context;
    struct tr_schema_document document;
    struct tr_fault fault;

    const enum tr_status status = tr_schema_parse(json, &document, &fault);

    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    if (status != TR_OK) {
        assert_null(document.root);
    }
    tr_schema_document_done(&document);
    return status == TR_OK;
}

static void parsing_survives_every_failed_allocation(void **state)
{
    (void)state;
    json_auto_t *json = json_of(
        "{\"type\": [\"object\", \"null\"], \"properties\": {\"a\": {\"pattern\": \"^\\\\s\"},"
        " \"b\": {\"$ref\": \"#/$defs/n\"}}, \"required\": [\"a\"], \"enum\": [1, {\"x\": []}],"
        " \"patternProperties\": {\"^x\": true}, \"dependentRequired\": {\"a\": [\"b\"]},"
        " \"anyOf\": [{}, false], \"$defs\": {\"n\": {\"items\": {\"$ref\": \"#\"}}}}");

    alloc_fail_each(attempt_to_parse, json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_keyword_reaches_its_member),
        cmocka_unit_test(object_keywords_reach_their_members),
        cmocka_unit_test(applicators_reach_their_members),
        cmocka_unit_test(nullable_becomes_a_type),
        cmocka_unit_test(document_does_not_borrow_what_it_was_made_from),
        cmocka_unit_test(known_dialects_are_accepted),
        cmocka_unit_test(refs_lead_to_the_very_node),
        cmocka_unit_test(resolve_follows_refs_that_say_nothing_else),
        cmocka_unit_test(resolve_gives_up_on_a_circle),
        cmocka_unit_test(bad_schemas_are_refused_with_place_and_reason),
        cmocka_unit_test(circles_for_one_value_are_refused),
        cmocka_unit_test(circles_through_members_and_items_are_accepted),
        cmocka_unit_test(long_chains_of_refs_are_refused),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(nodes_are_limited),
        cmocka_unit_test(counts_beyond_every_size_are_the_largest),
        cmocka_unit_test(values_that_do_not_fit_are_found_when_asked_for),
        cmocka_unit_test(parsing_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
