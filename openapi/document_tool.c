#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "openapi/build.h"
#include "openapi/dialect.h"
#include "openapi/document_parts.h"
#include "openapi/example.h"
#include "openapi/references.h"
#include "openapi/request_schema.h"
#include "tools/core/check.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/registry.h"
#include "tools/core/utf8.h"

enum { NAME_BYTES = TR_MAX_TOOL_NAME_BYTES + 16, SUMMARY_BYTES = 120 };

/* "<tool>.request": a tool's name has no dots, so no two of these are the same. */
static void write_component_name(char out[NAME_BYTES], const struct tr_entry *entry,
                                 const char *part)
{
    (void)snprintf(out, NAME_BYTES, "%s.%s", entry->tool->name, part);
}

static json_t *refer(const struct tr_entry *entry, const char *part)
{
    char name[NAME_BYTES];
    write_component_name(name, entry, part);
    return tr_document_ref("schemas", name);
}

/* The first sentence of the description, cut at a word when it is long. */
static json_t *summarize(const char *description)
{
    size_t length = strcspn(description, "\n");
    const char *stop = strstr(description, ". ");
    if (stop != NULL && (size_t)(stop - description) < length) {
        length = (size_t)(stop - description);
    }
    if (length > 0 && description[length - 1] == '.') {
        length--;
    }
    if (length <= SUMMARY_BYTES) {
        return json_stringn(description, length);
    }
    length = tr_utf8_cut(description, SUMMARY_BYTES);
    while (length > 1 && description[length] != ' ') {
        length--;
    }
    length = tr_utf8_cut(description, length);
    return tr_build_printf("%.*s...", (int)length, description);
}

/* ---- what is sent ---- */

/* Add the example unless it needs coercion to fit, which a reader of the schema would not expect.
 */
static void put_request_example(json_t **content, const struct tr_entry *entry)
{
    json_auto_t *example = NULL;
    const enum tr_status status = tr_example_parameters(entry, &example);
    if (status == TR_NO_MEMORY) {
        tr_build_put(content, "example", NULL);
    } else if (status == TR_OK && tr_check_fits(entry->request.root, example)) {
        tr_build_put(content, "example", tr_json_take(&example));
    }
}

static json_t *describe_request_body(const struct tr_entry *entry, bool is_required)
{
    json_t *content = json_object();
    tr_build_put(&content, "schema", refer(entry, "request"));
    put_request_example(&content, entry);
    json_t *media = json_object();
    tr_build_put(&media, "application/json", content);
    json_t *out = json_object();
    tr_build_put_text(&out, "description", "The parameters");
    tr_build_put_bool(&out, "required", is_required);
    tr_build_put(&out, "content", media);
    return out;
}

/* ---- what is answered ---- */

/* `result` is null when the tool says no. */
static json_t *describe_result(const struct tr_entry *entry)
{
    json_t *forms = json_array();
    tr_build_add(&forms, refer(entry, "response"));
    tr_build_add(&forms, tr_build_constant(TR_JSON({ "type": "null" })));
    json_t *out = json_object();
    tr_build_put_text(&out, "description", "What the tool answered; null when it could not");
    tr_build_put(&out, "anyOf", forms);
    return out;
}

static json_t *describe_envelope(const struct tr_entry *entry)
{
    json_t *properties = tr_build_constant(TR_JSON({
        "success": { "type": "boolean", "description": "Did the tool do what was asked?" },
        "result": true,
        "error": {
            "type": ["string", "null"],
            "description": "Why it did not, and what to do next; null on success"
        },
        "id": { "type": "string", "description": "Of this call; the request id" },
        "name": { "type": "string" },
        "execution_time_ms": { "type": "number", "minimum": 0 },
        "metadata": { "$ref": "#/components/schemas/Metadata" }
    }));
    tr_build_put(&properties, "result", describe_result(entry));
    json_t *name = json_object();
    tr_build_put_text(&name, "type", "string");
    tr_build_put_text(&name, "const", entry->tool->name);
    tr_build_put(&properties, "name", name);
    json_t *out = json_object();
    tr_build_put_text(&out, "type", "object");
    tr_build_put(&out, "properties", properties);
    tr_build_put(&out, "required",
                 tr_build_constant(
                     TR_JSON(["success", "result", "error", "id", "name", "execution_time_ms"])));
    tr_build_put_bool(&out, "additionalProperties", false);
    return out;
}

static void put_response_example(json_t **content, const struct tr_entry *entry)
{
    json_t *result = NULL;
    const enum tr_status status = tr_example_value(entry->response.root, &result);
    if (status == TR_NOT_FOUND) {
        return;
    }
    json_t *example = json_object();
    tr_build_put_bool(&example, "success", true);
    tr_build_put(&example, "result", result);
    tr_build_put(&example, "error", json_null());
    tr_build_put_text(&example, "id", "01JZ8V6T3QW2N5X7Y9ABCDEFGH");
    tr_build_put_text(&example, "name", entry->tool->name);
    tr_build_put(&example, "execution_time_ms", json_real(1.25));
    tr_build_put(content, "example", example);
}

static json_t *describe_answer(const struct tr_entry *entry)
{
    json_t *content = json_object();
    tr_build_put(&content, "schema", describe_envelope(entry));
    put_response_example(&content, entry);
    return content;
}

/* ---- the two operations ---- */

static json_t *describe_operation(const char *tag, json_t *summary, json_t *description,
                                  json_t *operation_id)
{
    json_t *tags = json_array();
    tr_build_add_text(&tags, tag);
    json_t *out = json_object();
    tr_build_put(&out, "operationId", operation_id);
    tr_build_put(&out, "tags", tags);
    tr_build_put(&out, "summary", summary);
    tr_build_put(&out, "description", description);
    return out;
}

static json_t *describe_call(struct tr_document *document, const struct tr_entry *entry,
                             bool is_body_required)
{
    /* 403 without keys too: a tool may be kept from a URL or a file. */
    static const int problems[] = { 403, 404, 415, 422, 504, 0 };
    const struct tr_operation_rules rules = { .problems = problems };
    const struct tr_tool *tool = entry->tool;
    json_t *out = describe_operation(entry->category, summarize(tool->description),
                                     json_string(tool->description), json_string(tool->name));
    tr_build_put(&out, "requestBody", describe_request_body(entry, is_body_required));
    tr_build_put(&out, "responses",
                 tr_document_operation_responses(document, &rules,
                                                 "The tool ran; `success` says how it went",
                                                 describe_answer(entry)));
    return out;
}

static json_t *describe_show(struct tr_document *document, const struct tr_entry *entry)
{
    static const int keyed_problems[] = { 403, 404, 0 };
    static const int open_problems[] = { 404, 0 };
    const struct tr_operation_rules rules = {
        .has_etag = true,
        .problems = document->facts->needs_key ? keyed_problems : open_problems,
    };
    const char *name = entry->tool->name;
    json_t *out = describe_operation(TR_DOCUMENT_TAG, tr_build_printf("Describe '%s'", name),
                                     json_string("The tool in the dialect of `format`"),
                                     tr_build_printf("%s.describe", name));
    json_t *parameters = json_array();
    tr_build_add(&parameters, tr_document_ref("parameters", "Format"));
    tr_build_put(&out, "parameters", parameters);
    json_t *content = json_object();
    tr_build_put(&content, "schema", tr_document_ref("schemas", "ToolView"));
    tr_build_put(&out, "responses",
                 tr_document_operation_responses(document, &rules, "The tool", content));
    return out;
}

void tr_document_add_tool(struct tr_document *document, const struct tr_entry *entry)
{
    json_t *request = tr_request_schema(entry);
    const bool is_body_required = json_array_size(json_object_get(request, "required")) > 0;
    char name[NAME_BYTES];
    write_component_name(name, entry, "request");
    tr_references_put_component(&document->schemas, name, request);
    write_component_name(name, entry, "response");
    tr_references_put_component(&document->schemas, name, tr_schema_emit(&entry->response));

    json_t *path = json_object();
    tr_build_put(&path, "get", describe_show(document, entry));
    tr_build_put(&path, "post", describe_call(document, entry, is_body_required));
    char address[sizeof("/tools/") + TR_MAX_TOOL_NAME_BYTES];
    (void)snprintf(address, sizeof(address), "/tools/%s", entry->tool->name);
    tr_build_put(&document->paths, address, path);
}
