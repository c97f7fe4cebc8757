#include <stddef.h>

#include "openapi/build.h"
#include "openapi/document_parts.h"
#include "tools/core/descriptor.h"

/* One of the gateway's own endpoints. */
struct endpoint {
    const char *path;
    const char *operation_id; /* has a dot, which no tool's name has */
    const char *summary, *description;
    const char *parameters_json;   /* NULL: none */
    const char *request_body_json; /* NULL: a GET */
    const char *answer_description;
    const char *answer_json; /* of the success: {"schema": ..., "example": ...} */
    struct tr_operation_rules rules;
};

static const int show_problems[] = { 404, 0 };
static const int batch_problems[] = { 415, 422, 0 };

/* In the order of server/route.c. */
static const struct endpoint endpoints[] = {
    {
        .path = "/",
        .operation_id = "gateway.index",
        .summary = "The index",
        .description = "Where everything is.",
        .answer_description = "The index",
        .answer_json = TR_JSON({ "schema": { "$ref": "#/components/schemas/Index" } }),
    },
    {
        .path = "/tools",
        .operation_id = "gateway.tools",
        .summary = "List the tools",
        .description = "The tools that you may use, in the dialect of `format`.",
        .parameters_json = TR_JSON([
            { "$ref": "#/components/parameters/Format" }, {
                "name": "category",
                "in": "query",
                "description": "Only tools of this category",
                "schema": { "type": "string" }
            },
            {
                "name": "suite",
                "in": "query",
                "description": "Only tools of this suite",
                "schema": { "type": "string" }
            },
            {
                "name": "q",
                "in": "query",
                "description": "Words that must all occur in name, description or category",
                "schema": { "type": "string" }
            }
        ]),
        .answer_description = "The tools",
        .answer_json = TR_JSON({ "schema": { "$ref": "#/components/schemas/ToolList" } }),
        .rules = { .has_etag = true },
    },
    {
        .path = "/calls",
        .operation_id = "gateway.calls",
        .summary = "Make several calls",
        .description = "The calls run concurrently and are answered in order, each with an outcome "
                       "of its own.",
        .request_body_json = TR_JSON({
            "description": "The calls",
            "required": true,
            "content":
                { "application/json": { "schema": { "$ref": "#/components/schemas/Batch" } } }
        }),
        .answer_description = "The outcome of each call, in the order of the calls",
        .answer_json = TR_JSON({ "schema": { "$ref": "#/components/schemas/BatchOutcome" } }),
        .rules = { .problems = batch_problems },
    },
    {
        .path = "/plugins",
        .operation_id = "gateway.plugins",
        .summary = "List the suites and plugins",
        .description = "The suites and plugins that are loaded, with the tools that you may use.",
        .answer_description = "The suites and plugins",
        .answer_json = TR_JSON({ "schema": { "$ref": "#/components/schemas/PluginList" } }),
        .rules = { .has_etag = true },
    },
    {
        .path = "/openapi.json",
        .operation_id = "gateway.openapi",
        .summary = "This document",
        .description = "The OpenAPI document of what you may use.",
        .answer_description = "An OpenAPI document",
        .answer_json = TR_JSON({
            "schema": {
                "type": "object",
                "properties": { "openapi": { "type": "string", "pattern": "^3\\.1\\." } },
                "required": ["openapi"],
                "additionalProperties": true
            }
        }),
        .rules = { .has_etag = true },
    },
    {
        .path = "/livez",
        .operation_id = "gateway.livez",
        .summary = "Is the process alive?",
        .description = "Cheap, and independent of everything else.",
        .answer_description = "It is",
        .answer_json = TR_JSON({
            "schema": {
                "type": "object",
                "properties": { "status": { "type": "string", "const": "alive" } },
                "required": ["status"],
                "additionalProperties": false
            }
        }),
        .rules = { .is_public = true },
    },
    {
        .path = "/readyz",
        .operation_id = "gateway.readyz",
        .summary = "Does the gateway take calls?",
        .description = "Answers 503 while it starts or stops.",
        .answer_description = "It does",
        .answer_json = TR_JSON({
            "schema": {
                "type": "object",
                "properties": { "status": { "type": "string", "const": "ready" } },
                "required": ["status"],
                "additionalProperties": false
            }
        }),
        .rules = { .is_public = true },
    },
    {
        .path = "/problems/{code}",
        .operation_id = "gateway.problem",
        .summary = "Explain an error code",
        .description = "What the `type` of a problem document leads to.",
        .parameters_json = TR_JSON([{
            "name": "code",
            "in": "path",
            "required": true,
            "description": "The `code` of a problem document",
            "schema": { "type": "string" },
            "example": "invalid_parameters"
        }]),
        .answer_description = "What the code means, and what to do about it",
        .answer_json = TR_JSON({ "schema": { "$ref": "#/components/schemas/ProblemKind" } }),
        .rules = { .is_public = true, .problems = show_problems },
    },
};

static json_t *describe_operation(struct tr_document *document, const struct endpoint *endpoint)
{
    json_t *tags = json_array();
    tr_build_add_text(&tags, TR_DOCUMENT_TAG);
    json_t *out = json_object();
    tr_build_put_text(&out, "operationId", endpoint->operation_id);
    tr_build_put(&out, "tags", tags);
    tr_build_put_text(&out, "summary", endpoint->summary);
    tr_build_put_text(&out, "description", endpoint->description);
    if (endpoint->rules.is_public && document->facts->needs_key) {
        tr_build_put(&out, "security", json_array());
    }
    if (endpoint->parameters_json != NULL) {
        tr_build_put(&out, "parameters", tr_build_constant(endpoint->parameters_json));
    }
    if (endpoint->request_body_json != NULL) {
        tr_build_put(&out, "requestBody", tr_build_constant(endpoint->request_body_json));
    }
    tr_build_put(&out, "responses",
                 tr_document_operation_responses(document, &endpoint->rules,
                                                 endpoint->answer_description,
                                                 tr_build_constant(endpoint->answer_json)));
    return out;
}

void tr_document_add_gateway(struct tr_document *document)
{
    for (size_t i = 0; i < TR_COUNT_OF(endpoints); i++) {
        const struct endpoint *endpoint = &endpoints[i];
        json_t *path = json_object();
        tr_build_put(&path, endpoint->request_body_json != NULL ? "post" : "get",
                     describe_operation(document, endpoint));
        tr_build_put(&document->paths, endpoint->path, path);
    }
}
