/* Any request body through stages 1 to 5 of the pipeline, against schemas that use every kind of
 * rule. */
#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#include "tests/fuzz/fuzz.h"
#include "tools/core/arena.h"
#include "tools/core/check.h"
#include "tools/core/descriptor.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/params.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/text.h"
#include "tools/core/violation.h"

/* clang-format off */
static const char *const schema_texts[] = {
    TR_JSON({
        "type": "object", "additionalProperties": false, "required": ["text"],
        "properties": {
            "text": {"type": "string", "minLength": 1, "maxLength": 4096},
            "repeat": {"type": "integer", "minimum": 1, "maximum": 10, "default": 1},
            "upper": {"type": "boolean", "default": false},
            "suffix": {"type": ["string", "null"], "default": null}
        }
    }),
    TR_JSON({
        "type": "object",
        "properties": {
            "max_results": {"type": "integer", "default": 10},
            "ratio": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "maxItems": 5},
            "color": {"enum": ["Red", "Green", "Blue", "light_blue"]},
            "opts": {
                "type": "object", "required": ["k"],
                "properties": {"k": {"type": "string", "pattern": "^[a-z]+[0-9]*$"}}
            },
            "value": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "number"}]},
            "home_page": {"type": "string", "format": "uri"},
            "born": {"type": "string", "format": "date-time"},
            "matrix": {
                "type": "array", "items": {"type": "array", "items": {"type": "integer"}}
            }
        }
    }),
    TR_JSON({
        "type": "object", "minProperties": 1, "additionalProperties": {"type": "integer"},
        "patternProperties": {"^x_": {"type": "array", "items": {"type": "boolean"}}},
        "propertyNames": {"maxLength": 20},
        "dependentRequired": {"a": ["b"]},
        "properties": {
            "a": {"type": "integer"}, "b": {"type": "integer"},
            "node": {"$ref": "#/$defs/node"}
        },
        "$defs": {
            "node": {
                "type": "object", "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}
                }
            }
        }
    }),
};
/* clang-format on */

static struct tr_schema_document schemas[TR_COUNT_OF(schema_texts)];

static void load_schemas(void)
{
    static bool is_loaded;
    if (is_loaded) {
        return;
    }
    is_loaded = true;
    for (size_t i = 0; i < TR_COUNT_OF(schema_texts); i++) {
        json_auto_t *json = NULL;
        struct tr_fault fault;
        FUZZ_REQUIRE(tr_json_parse(schema_texts[i], strlen(schema_texts[i]), &json, &fault)
                     == TR_OK);
        FUZZ_REQUIRE(tr_schema_parse(json, &schemas[i], &fault) == TR_OK);
    }
}

/* What is written reads back as the same value. */
static void require_round_trip(const json_t *value)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, SIZE_MAX / 2);
    tr_json_write(&text, value);
    FUZZ_REQUIRE(text.status == TR_OK);
    json_auto_t *again = NULL;
    FUZZ_REQUIRE(tr_json_parse(tr_text_string(&text), text.length, &again, NULL) == TR_OK);
    FUZZ_REQUIRE(tr_json_equal(value, again));
}

static enum tr_status prepare(const struct tr_schema *schema, bool is_exact, json_t **value,
                              struct tr_arena *arena)
{
    const struct tr_params_rules rules = { .is_exact = is_exact };
    struct tr_report report = { .arena = arena };
    struct tr_violations found = { .arena = arena };
    const enum tr_status status = tr_params_prepare(schema, &rules, value, &report, &found);
    FUZZ_REQUIRE(status == TR_OK || status == TR_INVALID_PARAMETERS || status == TR_BODY_TOO_LARGE);
    FUZZ_REQUIRE((status == TR_INVALID_PARAMETERS) == tr_violations_any(&found));
    return status;
}

/* What passed fits its schema, and passes again, as it is, without being changed. */
static void check_prepared(const struct tr_schema *schema, json_t *value, struct tr_arena *arena)
{
    FUZZ_REQUIRE(tr_check_fits(schema, value));
    json_auto_t *again = json_deep_copy(value);
    FUZZ_REQUIRE(prepare(schema, true, &again, arena) == TR_OK);
    FUZZ_REQUIRE(tr_json_equal(value, again));
    require_round_trip(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    load_schemas();
    json_auto_t *body = NULL;
    if (tr_json_parse((const char *)data, size, &body, NULL) != TR_OK) {
        return 0;
    }
    require_round_trip(body);
    for (size_t i = 0; i < TR_COUNT_OF(schemas); i++) {
        tr_auto(arena) struct tr_arena arena;
        tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
        json_auto_t *value = json_deep_copy(body);
        if (prepare(schemas[i].root, false, &value, &arena) == TR_OK) {
            check_prepared(schemas[i].root, value, &arena);
        }
    }
    return 0;
}
