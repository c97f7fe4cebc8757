/* The bare schema of the parameters (https://json-schema.org/draft/2020-12), for validators and
 * code generators. */
#include "openapi/build.h"
#include "openapi/dialect.h"
#include "openapi/request_schema.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"

static json_t *describe(const struct tr_subject *subject, json_t *dropped)
{
    (void)dropped; /* says everything */
    const struct tr_tool *tool = subject->entry->tool;
    json_auto_t *schema = tr_request_schema(subject->entry);
    /* What the tool is called and does says more than what its parameters are. */
    json_object_del(schema, "title");
    json_object_del(schema, "description");
    json_t *out = json_object();
    tr_build_put_text(&out, "$schema", "https://json-schema.org/draft/2020-12/schema");
    tr_build_put_text(&out, "title", tool->name);
    tr_build_put_text(&out, "description", tool->description);
    if (json_object_update(out, schema) != 0) {
        json_decref(out);
        return NULL;
    }
    return out;
}

const struct tr_dialect tr_dialect_json_schema = {
    .name = "json-schema",
    .description = "The JSON Schema (2020-12) of each tool's parameters",
    .shape_json = TR_JSON({
        "type": "object",
        "properties": {
            "$schema": { "type": "string" },
            "title": { "type": "string" },
            "description": { "type": "string" }
        },
        "required": ["$schema", "title", "description"],
        "additionalProperties": true
    }),
    .describe = describe,
};
