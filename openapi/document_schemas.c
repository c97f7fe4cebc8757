#include <stddef.h>
#include <stdio.h>

#include "openapi/build.h"
#include "openapi/dialect.h"
#include "openapi/document_parts.h"
#include "tools/core/descriptor.h"

struct component {
    const char *name;
    const char *json;
};

/* By what they belong to. */
static const struct component schemas[] = {
    {
        .name = "Problem",
        .json = TR_JSON({
            "type": "object",
            "description": "Why a request was refused (RFC 9457)",
            "properties": {
                "type": { "type": "string", "description": "Leads to what the code means" },
                "title": { "type": "string" },
                "status": { "type": "integer", "minimum": 400, "maximum": 599 },
                "detail": { "type": "string", "description": "What is wrong with this request" },
                "code": { "type": "string", "description": "For programs; never changes" },
                "success": { "type": "boolean", "const": false },
                "error": { "type": "string", "description": "The same as `detail`" },
                "violations":
                    { "type": "array", "items": { "$ref": "#/components/schemas/Violation" } },
                "violations_omitted": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "How many more were found than are listed"
                },
                "retryable":
                    { "type": "boolean", "description": "May the same request succeed later?" },
                "request_id": { "type": "string" }
            },
            "required":
                ["type", "title", "status", "detail", "code", "success", "error", "retryable"],
            "additionalProperties": true
        }),
    },
    {
        .name = "Violation",
        .json = TR_JSON({
            "type": "object",
            "description": "One thing that is wrong with the parameters",
            "properties": {
                "pointer": { "type": "string", "description": "Where, as a JSON Pointer" },
                "code": { "type": "string", "description": "The rule that is broken" },
                "message": { "type": "string" }
            },
            "required": ["pointer", "code", "message"],
            "additionalProperties": false
        }),
    },
    {
        .name = "ProblemKind",
        .json = TR_JSON({
            "type": "object",
            "description": "What an error code means",
            "properties": {
                "type": { "type": "string" },
                "title": { "type": "string" },
                "status": { "type": "integer", "minimum": 400, "maximum": 599 },
                "code": { "type": "string" },
                "advice": { "type": "string", "description": "What the caller can do" },
                "retryable": { "type": "boolean" }
            },
            "required": ["type", "title", "status", "code", "advice", "retryable"],
            "additionalProperties": false
        }),
    },
    {
        .name = "Metadata",
        .json = TR_JSON({
            "type": "object",
            "description": "What the gateway did to the call besides running it",
            "properties": {
                "coerced": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "Pointers of values that were converted to the declared type"
                },
                "renamed": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "Pointers of camelCase keys that were read as the declared ones"
                },
                "ignored": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "Pointers of members that the tool does not declare"
                },
                "warnings": { "type": "array", "items": { "type": "string" } },
                "truncated":
                    { "type": "boolean", "description": "The result was cut at the tool's limit" },
                "incomplete": {
                    "type": "boolean",
                    "description": "A list above was longer than what is reported"
                }
            },
            "additionalProperties": false
        }),
    },
    {
        .name = "Envelope",
        .json = TR_JSON({
            "type": "object",
            "description": "The outcome of a call of any tool",
            "properties": {
                "success": { "type": "boolean" },
                "result": { "description": "What the tool answered" },
                "error": { "type": ["string", "null"] },
                "id": { "type": "string" },
                "name": { "type": "string" },
                "execution_time_ms": { "type": "number", "minimum": 0 },
                "metadata": { "$ref": "#/components/schemas/Metadata" }
            },
            "required": ["success", "result", "error", "id", "name", "execution_time_ms"],
            "additionalProperties": false
        }),
    },
    {
        .name = "Batch",
        .json = TR_JSON({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {
                        "type": "string",
                        "description": "Your own name for the call; comes back with its outcome"
                    },
                    "name": { "type": "string", "description": "The tool" },
                    "parameters": { "type": "object", "additionalProperties": true }
                },
                "required": ["name"],
                "additionalProperties": false
            },
            "minItems": 1
        }),
    },
    {
        .name = "BatchOutcome",
        .json = TR_JSON({
            "type": "array",
            "items": {
                "anyOf": [
                    { "$ref": "#/components/schemas/Envelope" },
                    { "$ref": "#/components/schemas/Problem" }
                ]
            }
        }),
    },
    {
        .name = "Index",
        .json = TR_JSON({
            "type": "object",
            "properties": {
                "name": { "type": "string", "const": "toolrest" },
                "version": { "type": "string" },
                "links": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "href": {
                                "type": "string",
                                "description": "A path, or the whole URL; {name} stands for a value"
                            },
                            "methods": {
                                "type": "array",
                                "items": { "type": "string", "enum": ["GET", "POST"] }
                            },
                            "title": { "type": "string" }
                        },
                        "required": ["href", "methods", "title"],
                        "additionalProperties": false
                    }
                },
                "formats": { "type": "array", "items": { "type": "string" } }
            },
            "required": ["name", "version", "links", "formats"],
            "additionalProperties": false
        }),
    },
    {
        .name = "PluginList",
        .json = TR_JSON({
            "type": "object",
            "properties": {
                "plugins": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": { "type": "string" },
                            "version": { "type": "string" },
                            "description": { "type": "string" },
                            "built_in": { "type": "boolean" },
                            "tools": { "type": "array", "items": { "type": "string" } }
                        },
                        "required": ["name", "version", "description", "built_in", "tools"],
                        "additionalProperties": false
                    }
                }
            },
            "required": ["plugins"],
            "additionalProperties": false
        }),
    },
    {
        .name = "ToolList",
        .json = TR_JSON({
            "description": "The native list, or the array of another dialect",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "tools": {
                            "type": "array",
                            "items": { "$ref": "#/components/schemas/ToolView.native" }
                        }
                    },
                    "required": ["tools"],
                    "additionalProperties": false
                },
                { "type": "array", "items": { "$ref": "#/components/schemas/ToolView" } }
            ]
        }),
    },
};

/* A tool in any of the dialects, each of which says what its own looks like. */
static void add_views(struct tr_document *document)
{
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    json_t *forms = json_array();
    for (size_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "ToolView.%s", dialects[i]->name);
        tr_build_put(&document->schemas, name, tr_build_constant(dialects[i]->shape_json));
        tr_build_add(&forms, tr_document_ref("schemas", name));
    }
    json_t *view = json_object();
    tr_build_put_text(&view, "description", "One tool, in one of the dialects");
    tr_build_put(&view, "anyOf", forms);
    tr_build_put(&document->schemas, "ToolView", view);
}

void tr_document_add_schemas(struct tr_document *document)
{
    for (size_t i = 0; i < TR_COUNT_OF(schemas); i++) {
        tr_build_put(&document->schemas, schemas[i].name, tr_build_constant(schemas[i].json));
    }
    add_views(document);
}
