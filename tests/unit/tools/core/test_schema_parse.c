#include <string.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/schema_text.h"
#include "tools/core/pattern.h"

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
        cmocka_unit_test(values_that_do_not_fit_are_found_when_asked_for),
        cmocka_unit_test(parsing_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
