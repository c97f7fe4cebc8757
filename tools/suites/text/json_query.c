/* json_query - one value out of a JSON document. */

#include <string.h>

#include <jansson.h>

#include "tools/core/json.h"
#include "tools/suites/text/json_path.h"
#include "tools/suites/text/text.h"

enum json_query_type {
    JSON_QUERY_TYPE_ABSENT,
    JSON_QUERY_NULL,
    JSON_QUERY_BOOLEAN,
    JSON_QUERY_INTEGER,
    JSON_QUERY_NUMBER,
    JSON_QUERY_STRING,
    JSON_QUERY_ARRAY,
    JSON_QUERY_OBJECT,
};

struct json_query_request {
    json_t *document;
    const char *query;
};

struct json_query_response {
    json_t *value;
    enum json_query_type type;
    const char *pointer;
};

static const char *const json_query_type_names[] = {
    [JSON_QUERY_NULL] = "null",       [JSON_QUERY_BOOLEAN] = "boolean",
    [JSON_QUERY_INTEGER] = "integer", [JSON_QUERY_NUMBER] = "number",
    [JSON_QUERY_STRING] = "string",   [JSON_QUERY_ARRAY] = "array",
    [JSON_QUERY_OBJECT] = "object",
};

static const struct tr_field json_query_request_fields[] = {
    {
        TR_FIELD(json_query_request, document),
        .description = "Any JSON value, or a string that holds a JSON text",
        .required = true,
        .example_json = TR_JSON({ "users": [{ "name": "Ada" }, { "name": "Alan" }] }),
    },
    {
        TR_FIELD(json_query_request, query),
        .description =
            "Where to look: a dotted path ('users[0].name') or a JSON Pointer "
            "('/users/0/name', also for names with dots or brackets); empty for the whole "
            "document",
        .length = TR_AT_MOST(1000),
        .required = true,
        .example_json = TR_JSON("users[1].name"),
    },
};
static TR_TYPE(json_query_request, "A document and a place in it");

static const struct tr_field json_query_response_fields[] = {
    {
        TR_FIELD(json_query_response, value),
        .description = "The value at the place, as it is in the document",
        .required = true,
    },
    {
        TR_ENUM(json_query_response, type, json_query_type),
        .description = "The JSON type of the value; a number written without fraction and exponent "
                       "is an integer",
        .required = true,
    },
    {
        TR_FIELD(json_query_response, pointer),
        .description = "The place as a JSON Pointer (RFC 6901)",
        .required = true,
    },
};
static TR_TYPE(json_query_response, "What was found");

/* A query that is no path is a wrong parameter; one that leads nowhere is an answer of the tool. */
static const char *check_query(struct tr_call *call, const struct json_query_request *request)
{
    struct tr_json_path path;
    const char *reason = NULL;
    return tr_json_path_read(call, request->query, &path, &reason) == TR_OK ? NULL : reason;
}
TR_VALIDATOR(check_query, json_query_request)

/* A string that is no JSON text is a document of its own: the whole of it can be asked for. */
static enum tr_status open_document(struct tr_call *call, const struct json_query_request *request,
                                    json_t **ret_document)
{
    *ret_document = request->document;
    if (!json_is_string(request->document)) {
        return TR_OK;
    }
    json_t *parsed = NULL;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status =
        tr_json_parse(json_string_value(request->document), json_string_length(request->document),
                      &parsed, &fault);
    if (status == TR_MALFORMED_JSON && request->query[0] == '\0') {
        return TR_OK;
    }
    if (status == TR_MALFORMED_JSON) {
        return tr_fail(call, "The document is a string that holds no JSON text: %s", fault.what);
    }
    if (status != TR_OK || !tr_arena_adopt_json(&call->arena, parsed)) {
        return TR_NO_MEMORY;
    }
    *ret_document = parsed;
    return TR_OK;
}

static enum json_query_type type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return JSON_QUERY_OBJECT;
    case JSON_ARRAY: return JSON_QUERY_ARRAY;
    case JSON_STRING: return JSON_QUERY_STRING;
    case JSON_INTEGER: return JSON_QUERY_INTEGER;
    case JSON_REAL: return JSON_QUERY_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE: return JSON_QUERY_BOOLEAN;
    case JSON_NULL: return JSON_QUERY_NULL;
    }
    return JSON_QUERY_TYPE_ABSENT;
}

static enum tr_status find(struct tr_call *call, const struct json_query_request *request,
                           struct json_query_response *response)
{
    struct tr_json_path path;
    const char *reason = NULL;
    if (tr_json_path_read(call, request->query, &path, &reason) != TR_OK) {
        return tr_fail(call, "%s", reason);
    }
    json_t *document = NULL;
    TR_TRY(open_document(call, request, &document));
    TR_TRY(tr_json_path_walk(call, &path, document, &response->value));
    response->type = type_of(response->value);
    response->pointer = tr_json_path_pointer(call, &path);
    return response->pointer != NULL ? TR_OK : TR_NO_MEMORY;
}

TR_TOOL(json_query, find, json_query_request, json_query_response,
        .description =
            "Take one value out of a JSON document by its path. Use it to read a part of a "
            "large document; the error for a path that leads nowhere says what is there "
            "instead.",
        .annotations = { .read_only = true, .idempotent = true },
        .example_json = TR_JSON({
            "document": { "users": [{ "name": "Ada" }, { "name": "Alan" }] },
            "query": "users[1].name"
        }),
        .validate = check_query_entry);
