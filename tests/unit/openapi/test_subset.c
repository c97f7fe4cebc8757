#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "openapi/subset.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/descriptor.h"

/* A provider that reads little, as Ollama does; and one that only wants a plain root. */
static const char *const few[] = {
    "type", "description", "properties", "required", "items", "enum", "anyOf", NULL,
};
static const char *const shown[] = { "default", NULL };
static const struct tr_subset little = {
    .keeps = few,
    .shows = shown,
    .root_drops = tr_subset_combinators,
};
static const struct tr_subset plain_root = { .root_drops = tr_subset_combinators };

struct subset_case {
    const char *name;
    const struct tr_subset *subset;
    const char *schema, *expected, *dropped;
};

static const struct subset_case cases[] = {
    {
        .name = "what is read stays as it is",
        .subset = &little,
        .schema = TR_JSON({
            "type": "object",
            "properties": { "a": { "type": "string", "description": "A", "enum": ["x"] } },
            "required": ["a"]
        }),
        .expected = TR_JSON({
            "type": "object",
            "properties": { "a": { "type": "string", "description": "A", "enum": ["x"] } },
            "required": ["a"]
        }),
        .dropped = TR_JSON([]),
    },
    {
        .name = "a rule that is not read goes into the description",
        .subset = &little,
        .schema = TR_JSON({
            "type": "object",
            "properties": {
                "n": { "type": "integer", "description": "Days", "minimum": 1, "maximum": 14 },
                "s": { "type": "string", "format": "uri" }
            }
        }),
        .expected = TR_JSON({
            "type": "object",
            "properties": {
                "n": { "type": "integer", "description": "Days (at least 1; at most 14)" },
                "s": { "type": "string", "description": "format uri" }
            }
        }),
        .dropped = TR_JSON([
            "/parameters/properties/n/minimum", "/parameters/properties/n/maximum",
            "/parameters/properties/s/format"
        ]),
    },
    {
        .name = "a rule that stays for other readers is told as well",
        .subset = &little,
        .schema = TR_JSON({ "type": "object", "properties": { "n": { "default": 3 } } }),
        .expected = TR_JSON({
            "type": "object",
            "properties": { "n": { "default": 3, "description": "default 3" } }
        }),
        .dropped = TR_JSON(["/parameters/properties/n/default"]),
    },
    {
        .name = "schemas inside of lists and items are rewritten too",
        .subset = &little,
        .schema = TR_JSON({
            "type": "object",
            "properties": {
                "x/y": {
                    "anyOf": [{ "type": "null" }, { "type": "string", "minLength": 1 }],
                    "items": { "const": 1 }
                },
                "any": true,
                "none": false
            }
        }),
        .expected = TR_JSON({
            "type": "object",
            "properties": {
                "x/y": {
                    "anyOf": [
                        { "type": "null" },
                        { "type": "string", "description": "at least 1 characters" }
                    ],
                    "items": { "description": "always 1" }
                },
                "any": {},
                "none": { "description": "no value is accepted" }
            }
        }),
        .dropped = TR_JSON([
            "/parameters/properties/x~1y/anyOf/1/minLength",
            "/parameters/properties/x~1y/items/const"
        ]),
    },
    {
        .name = "a property may be named like a keyword",
        .subset = &little,
        .schema = TR_JSON({
            "type": "object",
            "properties": { "pattern": { "type": "string" }, "$ref": { "type": "string" } }
        }),
        .expected = TR_JSON({
            "type": "object",
            "properties": { "pattern": { "type": "string" }, "$ref": { "type": "string" } }
        }),
        .dropped = TR_JSON([]),
    },
    {
        .name = "a reference is replaced by what it means",
        .subset = &little,
        .schema = TR_JSON({
            "type": "object",
            "properties": { "p": { "$ref": "#/$defs/point", "description": "Where" } },
            "$defs": {
                "point": { "$ref": "#/$defs/pair" },
                "pair": { "type": "array", "description": "Two", "maxItems": 2 }
            }
        }),
        .expected = TR_JSON({
            "type": "object",
            "properties": { "p": { "type": "array", "description": "Where (at most 2 items)" } }
        }),
        .dropped = TR_JSON(["/parameters/properties/p/maxItems"]),
    },
    {
        .name = "a reference back to where we are is only told",
        .subset = &little,
        .schema = TR_JSON({
            "type": "object",
            "properties": {
                "node": { "$ref": "#/$defs/node" },
                "again": { "$ref": "#" },
                "circle": { "$ref": "#/$defs/left" }
            },
            "$defs": {
                "node": { "type": "object", "properties": { "next": { "$ref": "#/$defs/node" } } },
                "left": { "$ref": "#/$defs/right" },
                "right": { "$ref": "#/$defs/left" }
            }
        }),
        .expected = TR_JSON({
            "type": "object",
            "properties": {
                "node": {
                    "type": "object",
                    "properties": {
                        "next": { "type": "object", "description": "the same form as #/$defs/node" }
                    }
                },
                "again": { "type": "object", "description": "the same form as #" },
                "circle": { "description": "the same form as #/$defs/left" }
            }
        }),
        .dropped = TR_JSON([
            "/parameters/properties/node/properties/next/$ref", "/parameters/properties/again/$ref",
            "/parameters/properties/circle/$ref"
        ]),
    },
    {
        .name = "a root gets a type and properties",
        .subset = &plain_root,
        .schema = TR_JSON({}),
        .expected = TR_JSON({ "type": "object", "properties": {} }),
        .dropped = TR_JSON([]),
    },
    {
        .name = "combinators stay below the root and are told at the root",
        .subset = &plain_root,
        .schema = TR_JSON({
            "type": ["object", "null"],
            "description": "Either",
            "properties": { "a": { "anyOf": [true], "minimum": 1 } },
            "anyOf": [{ "required": ["a"] }],
            "not": { "required": ["b"] }
        }),
        .expected = TR_JSON({
            "type": "object",
            "description": "Either (anyOf: [{\"required\":[\"a\"]}]; not: {\"required\":[\"b\"]})",
            "properties": { "a": { "anyOf": [true], "minimum": 1 } }
        }),
        .dropped = TR_JSON(["/parameters/anyOf", "/parameters/not"]),
    },
    {
        .name = "a root that is a reference becomes what it means",
        .subset = &plain_root,
        .schema = TR_JSON({
            "$ref": "#/$defs/all",
            "$defs": {
                "all": {
                    "type": "object",
                    "properties": { "more": { "$ref": "#/$defs/all" } },
                    "oneOf": [true]
                }
            }
        }),
        .expected = TR_JSON({
            "type": "object",
            "properties": { "more": { "$ref": "#/$defs/all" } },
            "description": "oneOf: [true]",
            "$defs": {
                "all": {
                    "type": "object",
                    "properties": { "more": { "$ref": "#/$defs/all" } },
                    "oneOf": [true]
                }
            }
        }),
        .dropped = TR_JSON(["/parameters/oneOf"]),
    },
};

static void expect_json(const char *name, const json_t *value, const char *expected)
{
    json_auto_t *wanted = json_loads(expected, 0, NULL);
    assert_non_null(wanted);
    if (!json_equal(value, wanted)) {
        char *text = json_dumps(value, JSON_COMPACT);
        print_error("%s:\n  have %s\n  want %s\n", name, text, expected);
        free(text);
    }
    assert_true(json_equal(value, wanted));
}

static void each_schema_is_told_in_what_the_provider_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        json_auto_t *schema = json_loads(cases[i].schema, 0, NULL);
        json_auto_t *before = json_deep_copy(schema);
        json_auto_t *dropped = json_array();
        assert_non_null(schema);

        json_auto_t *out = tr_subset_rewrite(cases[i].subset, schema, dropped);

        expect_json(cases[i].name, out, cases[i].expected);
        expect_json(cases[i].name, dropped, cases[i].dropped);
        assert_true(json_equal(schema, before));
    }
}

/* Each definition has two references to the next one: 2^30 schemas, if all were replaced. */
static void references_that_multiply_come_to_an_end(void **state)
{
    (void)state;
    json_auto_t *schema = json_pack("{s:{s:{s:s}}}", "properties", "bomb", "$ref", "#/$defs/d0");
    json_t *definitions = json_object();
    for (int i = 0; i < 30; i++) {
        json_t *next = json_sprintf("#/$defs/d%d", i + 1);
        char name[16];
        (void)snprintf(name, sizeof(name), "d%d", i);
        json_object_set_new(
            definitions, name,
            json_pack("{s:{s:{s:o},s:{s:O}}}", "properties", "l", "$ref", next, "r", "$ref", next));
    }
    json_object_set_new(definitions, "d30", json_pack("{s:s}", "type", "string"));
    json_object_set_new(schema, "$defs", definitions);

    json_auto_t *out = tr_subset_rewrite(&little, schema, NULL);

    assert_non_null(out);
}

struct oom {
    const struct subset_case *subject;
    json_t *schema;
};

static bool attempt(void *context)
{
    const struct oom *oom = context;
    json_t *dropped = json_array();
    json_t *out =
        dropped == NULL ? NULL : tr_subset_rewrite(oom->subject->subset, oom->schema, dropped);
    const bool is_done = out != NULL;
    json_decref(out);
    json_decref(dropped);
    return is_done;
}

static void running_out_of_memory_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        json_auto_t *schema = json_loads(cases[i].schema, 0, NULL);
        struct oom oom = { .subject = &cases[i], .schema = schema };
        (void)alloc_fail_each(attempt, &oom);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_schema_is_told_in_what_the_provider_reads),
        cmocka_unit_test(references_that_multiply_come_to_an_end),
        cmocka_unit_test(running_out_of_memory_gives_null_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
