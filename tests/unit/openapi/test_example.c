#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "openapi/example.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/descriptor.h"
#include "tools/core/schema.h"

struct example_case {
    const char *schema;
    const char *example; /* NULL: none can be made */
};

static const struct example_case cases[] = {
    { .schema = TR_JSON({ "examples": [7, 8], "default": 1 }), .example = "7" },
    { .schema = TR_JSON({ "const": { "a": 1 } }), .example = TR_JSON({ "a": 1 }) },
    { .schema = TR_JSON({ "type": "integer", "default": 3 }), .example = "3" },
    { .schema = TR_JSON({ "enum": ["x", "y"] }), .example = TR_JSON("x") },
    { .schema = TR_JSON({ "type": "integer" }), .example = "1" },
    { .schema = TR_JSON({ "type": "integer", "minimum": 5 }), .example = "5" },
    { .schema = TR_JSON({ "type": "number", "maximum": -0.5 }), .example = "-0.5" },
    { .schema = TR_JSON({ "type": "integer", "multipleOf": 7 }), .example = NULL },
    { .schema = TR_JSON({ "type": "boolean" }), .example = "true" },
    { .schema = TR_JSON({ "type": "null" }), .example = "null" },
    { .schema = TR_JSON({ "type": "string" }), .example = TR_JSON("text") },
    { .schema = TR_JSON({ "type": "string", "pattern": "^[0-9]+$" }), .example = NULL },
    { .schema = TR_JSON({ "type": "string", "minLength": 5 }), .example = NULL },
    { .schema = TR_JSON({ "type": "array" }), .example = "[]" },
    {
        .schema = TR_JSON({ "type": "array", "items": { "type": "boolean" } }),
        .example = "[true]",
    },
    {
        .schema = TR_JSON({ "type": "array", "items": { "type": "string", "pattern": "^\\d" } }),
        .example = "[]",
    },
    {
        .schema = TR_JSON({
            "type": "object",
            "properties": {
                "must": { "type": "integer" },
                "may": { "type": "integer" },
                "shown": { "type": "integer", "examples": [4] },
                "old": { "type": "integer", "examples": [4], "deprecated": true }
            },
            "required": ["must"]
        }),
        .example = TR_JSON({ "must": 1, "shown": 4 }),
    },
    {
        .schema = TR_JSON({
            "type": "object",
            "properties": { "a": { "type": "string", "minLength": 9 } },
            "required": ["a"]
        }),
        .example = NULL,
    },
    {
        .schema = TR_JSON({ "anyOf": [{ "type": "string", "minLength": 9 }, { "type": "null" }] }),
        .example = "null",
    },
    { .schema = TR_JSON({ "oneOf": [{ "const": 1 }, { "const": 2 }] }), .example = "1" },
    {
        .schema = TR_JSON(
            { "type": "object", "properties": { "next": { "$ref": "#" } }, "required": ["next"] }),
        .example = NULL,
    },
    {
        .schema = TR_JSON({ "type": "string", "default": "hidden", "x-secret": true }),
        .example = TR_JSON("text"),
    },
};

/* Ends the test when the schema does not parse. */
static struct tr_schema_document parsed(const char *text)
{
    json_auto_t *json = json_loads(text, 0, NULL);
    struct tr_schema_document document;
    struct tr_fault fault = { 0 };
    if (tr_schema_parse(json, &document, &fault) != TR_OK) {
        fail_msg("%s: %s: %s", text, fault.where, fault.what);
    }
    return document;
}

static void an_example_comes_from_what_the_schema_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_schema_document document = parsed(cases[i].schema);
        json_auto_t *value = NULL;

        const enum tr_status status = tr_example_value(document.root, &value);

        if (cases[i].example == NULL) {
            assert_int_equal(status, TR_NOT_FOUND);
        } else {
            json_auto_t *expected = json_loads(cases[i].example, JSON_DECODE_ANY, NULL);
            if (status != TR_OK || !json_equal(value, expected)) {
                fail_msg("%s", cases[i].schema);
            }
        }
        tr_schema_document_done(&document);
    }
}

static void every_format_has_an_example(void **state)
{
    (void)state;
    static const char *const formats[] = {
#define FORMAT_NAME(id, name) name,
        TR_FORMAT_LIST(FORMAT_NAME)
#undef FORMAT_NAME
    };
    for (size_t i = 0; i < TR_COUNT_OF(formats); i++) {
        char text[100];
        (void)snprintf(text, sizeof(text), "{\"type\":\"string\",\"format\":\"%s\"}", formats[i]);
        struct tr_schema_document document = parsed(text);
        json_auto_t *value = NULL;

        assert_int_equal(tr_example_value(document.root, &value), TR_OK);

        tr_schema_document_done(&document);
    }
}

static bool attempt(void *context)
{
    const struct tr_schema_document *document = context;
    json_t *value = NULL;
    const enum tr_status status = tr_example_value(document->root, &value);
    json_decref(value);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static void running_out_of_memory_is_told_from_having_no_example(void **state)
{
    (void)state;
    struct tr_schema_document document = parsed(TR_JSON({
        "type": "object",
        "properties": {
            "a": { "type": "string" },
            "b": { "type": "array", "items": { "type": "integer", "minimum": 2 } },
            "c": { "anyOf": [{ "type": "null" }] }
        },
        "required": ["a", "b", "c"]
    }));
    assert_true(alloc_fail_each(attempt, &document) > 5);
    tr_schema_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_example_comes_from_what_the_schema_says),
        cmocka_unit_test(every_format_has_an_example),
        cmocka_unit_test(running_out_of_memory_is_told_from_having_no_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
