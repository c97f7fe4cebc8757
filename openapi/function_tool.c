#include "openapi/function_tool.h"

#include <string.h>

#include "openapi/build.h"
#include "openapi/request_schema.h"
#include "openapi/subset.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"
#include "tools/core/utf8.h"

const char tr_function_tool_shape[] = TR_JSON({
    "type": "object",
    "properties": {
        "type": { "type": "string", "const": "function" },
        "function": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "description": { "type": "string" },
                "parameters":
                    { "type": "object", "description": "JSON Schema", "additionalProperties": true }
            },
            "required": ["name", "description", "parameters"],
            "additionalProperties": false
        }
    },
    "required": ["type", "function"],
    "additionalProperties": false
});

static const char ellipsis[] = "\u2026";

/* Bytes of the first `characters` of `text`. */
static size_t prefix_bytes(const char *text, size_t characters)
{
    const size_t length = strlen(text);
    size_t at = 0;
    for (size_t i = 0; i < characters && at < length; i++) {
        const size_t step = tr_utf8_next(text + at, length - at, NULL);
        at += step != 0 ? step : 1;
    }
    return at;
}

/* The description, cut when it is longer than what is taken. */
static json_t *short_description(const char *text, size_t characters, json_t *dropped)
{
    if (characters == 0 || tr_utf8_count(text, strlen(text)) <= characters) {
        return json_string(text);
    }
    if (dropped != NULL && json_array_append_new(dropped, json_string("/description")) != 0) {
        return NULL;
    }
    const size_t length = prefix_bytes(text, characters - 1);
    return tr_build_printf("%.*s%s", (int)length, text, ellipsis);
}

json_t *tr_function_tool(const struct tr_entry *entry, const struct tr_function_rules *rules,
                         json_t *dropped)
{
    const struct tr_tool *tool = entry->tool;
    json_auto_t *schema = tr_request_schema(entry);
    json_t *function = json_object();
    tr_build_put_text(&function, "name", tool->name);
    tr_build_put(&function, "description",
                 short_description(tool->description, rules->description_characters, dropped));
    tr_build_put(&function, "parameters", tr_subset_rewrite(rules->subset, schema, dropped));
    json_t *out = json_object();
    tr_build_put_text(&out, "type", "function");
    tr_build_put(&out, "function", function);
    return out;
}
