#include <string.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/schema_text.h"
#include "tools/core/json.h"
#include "tools/core/text.h"

static void types_are_named_for_people(void **state)
{
    (void)state;
    static const struct {
        unsigned types;
        const char *name;
    } cases[] = {
        { 0, "any" },
        { TR_TYPE_STRING, "string" },
        { TR_TYPE_INTEGER | TR_TYPE_NULL, "integer or null" },
        { TR_TYPE_INTEGER | TR_TYPE_NUMBER, "number" },
        { TR_TYPE_NULL | TR_TYPE_STRING | TR_TYPE_NUMBER, "number, string or null" },
        { 0x7f, "boolean, number, string, array, object or null" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char room[TR_TYPE_NAMES_BYTES];

        assert_string_equal(tr_schema_type_name(cases[i].types, room, sizeof(room)), cases[i].name);
    }
}

static void names_of_types_are_cut_where_the_room_ends(void **state)
{
    (void)state;
    char room[9];

    assert_string_equal(tr_schema_type_name(TR_TYPE_STRING | TR_TYPE_NULL, room, 9), "string o");
    assert_string_equal(tr_schema_type_name(TR_TYPE_STRING, room, 1), "");
    assert_string_equal(tr_schema_type_name(TR_TYPE_STRING, room, 0), "");
}

/* ---- emitting; that every keyword comes back is in test_json_schema_corpus.c ---- */

static void assert_emitted(const char *schema, const char *expected)
{
    struct tr_schema_document document = schema_of(schema);
    json_auto_t *emitted = tr_schema_emit(&document);
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 100 * 1000);
    tr_json_write(&text, emitted);
    assert_string_equal(tr_text_string(&text), expected);
    tr_schema_document_done(&document);
}

static void keywords_are_emitted_in_one_order(void **state)
{
    (void)state;

    assert_emitted(
        "{\"examples\": [1], \"default\": 1, \"minimum\": 0, \"const\": 1, \"enum\": [1],"
        " \"description\": \"D\", \"title\": \"T\", \"type\": \"integer\","
        " \"x-secret\": true, \"deprecated\": true, \"readOnly\": true,"
        " \"writeOnly\": true}",
        "{\"type\":\"integer\",\"title\":\"T\",\"description\":\"D\",\"deprecated\":true,"
        "\"readOnly\":true,\"writeOnly\":true,\"x-secret\":true,\"enum\":[1],\"const\":1,"
        "\"minimum\":0,\"default\":1,\"examples\":[1]}");
    assert_emitted("{\"$defs\": {\"z\": {}, \"a\": {}}, \"required\": [\"z\", \"a\"],"
                   " \"properties\": {\"z\": {}, \"a\": {\"$ref\": \"#/$defs/a\"}},"
                   " \"type\": \"object\"}",
                   "{\"type\":\"object\",\"properties\":{\"z\":{},\"a\":{\"$ref\":\"#/$defs/a\"}},"
                   "\"required\":[\"z\",\"a\"],\"$defs\":{\"z\":{},\"a\":{}}}");
}

static void what_clients_look_for_is_always_there(void **state)
{
    (void)state;

    assert_emitted("{\"type\": \"object\"}", "{\"type\":\"object\",\"properties\":{}}");
    assert_emitted("{\"type\": \"array\"}", "{\"type\":\"array\",\"items\":{}}");
    assert_emitted("{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"object\"},"
                   " \"b\": {\"type\": [\"array\", \"null\"]}}}",
                   "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\"},"
                   "\"b\":{\"type\":[\"array\",\"null\"],\"items\":{}}}}");
    assert_emitted("{}", "{}");
}

static void what_can_be_said_in_two_ways_is_emitted_in_one(void **state)
{
    (void)state;

    assert_emitted("{\"type\": \"string\", \"nullable\": true}",
                   "{\"type\":[\"string\",\"null\"]}");
    assert_emitted("{\"type\": [\"string\"]}", "{\"type\":\"string\"}");
    assert_emitted("{\"additionalProperties\": {}}", "{\"additionalProperties\":true}");
    assert_emitted("{\"additionalProperties\": false}", "{\"additionalProperties\":false}");
    assert_emitted("{\"not\": true}", "{\"not\":{}}");
    assert_emitted("{\"uniqueItems\": false, \"x-secret\": false}", "{}");
    assert_emitted("{\"maxLength\": 2.0}", "{\"maxLength\":2}");
    assert_emitted("false", "false");
    assert_emitted(
        "{\"$id\": \"u:x\", \"items\": {\"$ref\": \"u:x#/$defs/a\"}, \"$defs\": {\"a\": {}}}",
        "{\"items\":{\"$ref\":\"#/$defs/a\"},\"$defs\":{\"a\":{}}}");
    assert_emitted("{\"definitions\": {\"a\": {}}, \"items\": {\"$ref\": \"#/definitions/a\"}}",
                   "{\"items\":{\"$ref\":\"#/definitions/a\"},\"definitions\":{\"a\":{}}}");
}

static void one_node_can_be_emitted_alone(void **state)
{
    (void)state;
    struct tr_schema_document document =
        schema_of("{\"properties\": {\"a\": {\"type\": \"object\", \"minProperties\": 1}}}");
    json_auto_t *emitted = tr_schema_emit_node(document.root->properties.items[0].schema);
    json_auto_t *expected = json_of("{\"type\": \"object\", \"minProperties\": 1}");

    assert_true(json_equal(emitted, expected));
    tr_schema_document_done(&document);
}

static void what_is_emitted_shares_nothing_with_the_tree(void **state)
{
    (void)state;
    struct tr_schema_document document =
        schema_of("{\"enum\": [\"a\", [1]], \"default\": {\"x\": 1}}");
    json_t *emitted = tr_schema_emit(&document);
    json_array_clear(json_object_get(emitted, "enum"));
    json_object_clear(json_object_get(emitted, "default"));
    json_decref(emitted);

    assert_int_equal(json_array_size(document.root->enum_values), 2);
    assert_int_equal(json_object_size(document.root->default_value), 1);
    tr_schema_document_done(&document);
}

static bool attempt_to_emit(void *context)
{
    const struct tr_schema_document *document = context;
    json_auto_t *emitted = tr_schema_emit(document);
    return emitted != NULL;
}

static void emitting_survives_every_failed_allocation(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"type\": [\"object\", \"null\"], \"properties\": {\"a\": {\"pattern\": \"^a\"},"
        " \"b\": {\"$ref\": \"#/$defs/n\"}}, \"required\": [\"a\"], \"enum\": [1, {\"x\": []}],"
        " \"patternProperties\": {\"^x\": true}, \"dependentRequired\": {\"a\": [\"b\"]},"
        " \"additionalProperties\": true, \"maxProperties\": 3, \"format\": \"date\","
        " \"anyOf\": [{}, false], \"$defs\": {\"n\": {\"items\": {\"$ref\": \"#\"}}}}");

    alloc_fail_each(attempt_to_emit, &document);

    tr_schema_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_named_for_people),
        cmocka_unit_test(names_of_types_are_cut_where_the_room_ends),
        cmocka_unit_test(keywords_are_emitted_in_one_order),
        cmocka_unit_test(what_clients_look_for_is_always_there),
        cmocka_unit_test(what_can_be_said_in_two_ways_is_emitted_in_one),
        cmocka_unit_test(one_node_can_be_emitted_alone),
        cmocka_unit_test(what_is_emitted_shares_nothing_with_the_tree),
        cmocka_unit_test(emitting_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
