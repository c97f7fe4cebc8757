/* The gateway's own view of a tool: everything it knows, and a command line to try it with. */
#include <stddef.h>
#include <string.h>

#include "openapi/build.h"
#include "openapi/curl_line.h"
#include "openapi/dialect.h"
#include "openapi/example.h"
#include "openapi/request_schema.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"

static json_t *describe_annotations(const struct tr_annotations *annotations)
{
    json_t *out = json_object();
    tr_build_put_bool(&out, "read_only", annotations->read_only);
    tr_build_put_bool(&out, "destructive", annotations->destructive);
    tr_build_put_bool(&out, "idempotent", annotations->idempotent);
    tr_build_put_bool(&out, "open_world", annotations->open_world);
    return out;
}

static json_t *describe_limits(const struct tr_entry *entry)
{
    json_t *out = json_object();
    tr_build_put_integer(&out, "timeout_ms", entry->timeout_ms);
    tr_build_put_integer(&out, "output_limit_bytes", (int64_t)entry->output_limit_bytes);
    return out;
}

/* The example and the command line that sends it, where an example can be made. */
static void put_example(json_t **out, const struct tr_subject *subject)
{
    json_t *example = NULL;
    const enum tr_status status = tr_example_parameters(subject->entry, &example);
    if (status == TR_NOT_FOUND) {
        return;
    }
    tr_build_put(out, "example", example);
    tr_build_put(out, "curl", tr_curl_line(subject, json_object_get(*out, "example")));
}

/* What the other dialects cannot express, by their names. */
static void put_dropped(json_t **out, const struct tr_subject *subject)
{
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    json_t *all = json_object();
    for (size_t i = 0; i < count; i++) {
        if (dialects[i] == &tr_dialect_native) {
            continue;
        }
        json_t *dropped = json_array();
        json_t *described = dropped == NULL ? NULL : dialects[i]->describe(subject, dropped);
        if (described == NULL || json_array_size(dropped) > 0) {
            tr_build_put(&all, dialects[i]->name, described != NULL ? json_incref(dropped) : NULL);
        }
        json_decref(described);
        json_decref(dropped);
    }
    if (all == NULL || json_object_size(all) > 0) {
        tr_build_put(out, "x-dropped", all);
    } else {
        json_decref(all);
    }
}

static json_t *describe(const struct tr_subject *subject, json_t *dropped)
{
    (void)dropped; /* says everything */
    const struct tr_entry *entry = subject->entry;
    const struct tr_tool *tool = entry->tool;
    json_t *out = json_object();
    tr_build_put_text(&out, "name", tool->name);
    tr_build_put_text(&out, "description", tool->description);
    tr_build_put_text(&out, "category", entry->category);
    tr_build_put_text(&out, "version", entry->version);
    tr_build_put_text(&out, "suite", entry->suite->suite->name);
    tr_build_put(&out, "annotations", describe_annotations(&tool->annotations));
    tr_build_put_bool(&out, "strict", tool->strict);
    tr_build_put_bool(&out, "blocking", tool->blocking);
    tr_build_put(&out, "limits", describe_limits(entry));
    tr_build_put(&out, "parameters", tr_request_schema(entry));
    tr_build_put(&out, "response", tr_schema_emit(&entry->response));
    put_example(&out, subject);
    put_dropped(&out, subject);
    return out;
}

static json_t *wrap(json_t *tools)
{
    json_t *out = json_object();
    tr_build_put(&out, "tools", tools);
    return out;
}

const struct tr_dialect tr_dialect_native = {
    .name = "native",
    .description = "Everything the gateway knows about each tool",
    .shape_json = TR_JSON({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "description": { "type": "string" },
            "category": { "type": "string" },
            "version": { "type": "string" },
            "suite": { "type": "string" },
            "annotations": {
                "type": "object",
                "properties": {
                    "read_only": { "type": "boolean" },
                    "destructive": { "type": "boolean" },
                    "idempotent": { "type": "boolean" },
                    "open_world": { "type": "boolean" }
                },
                "required": ["read_only", "destructive", "idempotent", "open_world"],
                "additionalProperties": false
            },
            "strict": {
                "type": "boolean",
                "description": "Undeclared parameters are refused, not ignored"
            },
            "blocking": { "type": "boolean", "description": "May wait or compute for long" },
            "limits": {
                "type": "object",
                "properties": {
                    "timeout_ms": { "type": "integer", "minimum": 1 },
                    "output_limit_bytes": { "type": "integer", "minimum": 1 }
                },
                "required": ["timeout_ms", "output_limit_bytes"],
                "additionalProperties": false
            },
            "parameters":
                { "type": "object", "description": "JSON Schema", "additionalProperties": true },
            "response": {
                "type": "object",
                "description": "JSON Schema of `result`",
                "additionalProperties": true
            },
            "example": { "description": "Parameters to try it with" },
            "curl": { "type": "string", "description": "A command line that sends the example" },
            "x-dropped": {
                "type": "object",
                "description": "What a dialect tells in words, as JSON Pointers into this view",
                "additionalProperties": { "type": "array", "items": { "type": "string" } }
            }
        },
        "required": [
            "name", "description", "category", "version", "suite", "annotations", "strict",
            "blocking", "limits", "parameters", "response"
        ],
        "additionalProperties": false
    }),
    .describe = describe,
    .wrap = wrap,
};
