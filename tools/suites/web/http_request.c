/* http_request - any HTTP request, and the answer as it is. */

#include <string.h>

#include "tools/base/http_tool.h"
#include "tools/core/json.h"
#include "tools/core/number.h"
#include "tools/core/text.h"
#include "tools/guard/header_guard.h"
#include "tools/suites/web/foreign.h"
#include "tools/suites/web/foreign_body.h"
#include "tools/suites/web/web.h"

enum {
    MAX_FIELDS = 64,
    MAX_BYTES = 4 * 1024 * 1024,
    MAX_BODY = 1024 * 1024,
};

enum http_request_method {
    HTTP_REQUEST_METHOD_ABSENT,
    HTTP_REQUEST_GET,
    HTTP_REQUEST_HEAD,
    HTTP_REQUEST_POST,
    HTTP_REQUEST_PUT,
    HTTP_REQUEST_PATCH,
    HTTP_REQUEST_DELETE,
    HTTP_REQUEST_OPTIONS,
};

static const char *const http_request_method_names[] = {
    [HTTP_REQUEST_GET] = "GET",         [HTTP_REQUEST_HEAD] = "HEAD",
    [HTTP_REQUEST_POST] = "POST",       [HTTP_REQUEST_PUT] = "PUT",
    [HTTP_REQUEST_PATCH] = "PATCH",     [HTTP_REQUEST_DELETE] = "DELETE",
    [HTTP_REQUEST_OPTIONS] = "OPTIONS",
};

struct http_request_headers {
    json_t *fields;
};

struct http_request_query {
    json_t *pairs;
};

struct http_request_request {
    const char *url;
    enum http_request_method method;
    const struct http_request_headers *headers;
    const struct http_request_query *query;
    const char *body;
    json_t *json;
    int64_t timeout_ms;
    bool follow_redirects;
    int64_t max_bytes;
};

struct http_request_response {
    int64_t status;
    struct http_request_headers headers;
    const char *body;
    json_t *json;
    const char *body_base64;
    const char *final_url;
    bool truncated;
    int64_t elapsed_ms;
};

static const struct tr_field http_request_headers_fields[] = {
    { TR_REST(http_request_headers, fields), .description = "Header fields, name and text" },
};
static TR_TYPE(http_request_headers, "Header fields");

static const struct tr_field http_request_query_fields[] = {
    { TR_REST(http_request_query, pairs), .description = "Query parameters, name and value" },
};
static TR_TYPE(http_request_query, "Query parameters");

static const struct tr_field http_request_request_fields[] = {
    {
        TR_FIELD(http_request_request, url),
        .description = "The http or https URL to ask; addresses in private networks are refused",
        .length = TR_RANGE(1, 8192),
        .required = true,
        .example_json = TR_JSON("https://api.example.com/v1/items"),
    },
    {
        TR_ENUM(http_request_request, method, http_request_method),
        .description = "The HTTP method; GET when left out, POST when there is a body",
    },
    {
        TR_OBJECT(http_request_request, headers, http_request_headers),
        .description = "Header fields to send, at most 64: {\"Accept\": \"text/csv\"}. Host, "
                       "Content-Length and other fields of the connection are left out",
        .example_json = TR_JSON({ "Accept": "application/json" }),
    },
    {
        TR_OBJECT(http_request_request, query, http_request_query),
        .description = "Parameters to add to the URL's query, at most 64, percent-encoded for "
                       "you: {\"q\": \"two words\", \"page\": 2}",
        .example_json = TR_JSON({ "q": "two words", "page": 2 }),
    },
    {
        TR_FIELD(http_request_request, body),
        .description = "A text to send as the body; set Content-Type for anything but plain text",
        .length = TR_AT_MOST(MAX_BODY),
    },
    {
        TR_FIELD(http_request_request, json),
        .description = "A value to send as a JSON body, instead of `body`",
        .example_json = TR_JSON({ "name": "Ada" }),
    },
    {
        TR_FIELD(http_request_request, timeout_ms),
        .description = "How long to wait for the whole answer",
        .range = TR_RANGE(1, 120000),
        .default_json = TR_JSON(30000),
    },
    {
        TR_FIELD(http_request_request, follow_redirects),
        .description = "Whether to go where a redirect points, at most 10 times",
        .default_json = TR_JSON(true),
    },
    {
        TR_FIELD(http_request_request, max_bytes),
        .description = "How much of the answer's body to read; what is longer is cut",
        .range = TR_RANGE(1, MAX_BYTES),
        .default_json = TR_JSON(262144),
    },
};
static TR_TYPE(http_request_request, "An HTTP request");

static const struct tr_field http_request_response_fields[] = {
    {
        TR_FIELD(http_request_response, status),
        .description = "The HTTP status: 2xx is success, 4xx an error of the request, 5xx one of "
                       "the server",
        .required = true,
    },
    {
        TR_OBJECT(http_request_response, headers, http_request_headers),
        .description = "The header fields by name; several of one name are joined with ', '",
        .required = true,
    },
    {
        TR_FIELD(http_request_response, body),
        .description = "The body, when it is text",
    },
    {
        TR_FIELD(http_request_response, json),
        .description = "The body as JSON, instead of `body`, when its Content-Type says so",
    },
    {
        TR_FIELD(http_request_response, body_base64),
        .description = "The body in base64, instead of `body`, when it is not text",
    },
    {
        TR_FIELD(http_request_response, final_url),
        .description = "The URL that answered, after redirects",
        .required = true,
    },
    {
        TR_FIELD(http_request_response, truncated),
        .description = "Whether the body was longer than max_bytes and is cut",
        .required = true,
    },
    {
        TR_FIELD(http_request_response, elapsed_ms),
        .description = "How long the answer took",
        .required = true,
    },
};
static TR_TYPE(http_request_response, "The answer");

/* ---- the request ---- */

static const json_t *fields_of(const struct http_request_request *request)
{
    return request->headers != NULL ? request->headers->fields : NULL;
}

static const json_t *pairs_of(const struct http_request_request *request)
{
    return request->query != NULL ? request->query->pairs : NULL;
}

static bool is_scalar(const json_t *value)
{
    return json_is_string(value) || json_is_number(value) || json_is_boolean(value);
}

/* Is every value a text, or something whose text is obvious? */
static const char *check_texts(struct tr_call *call, const char *name, const json_t *object)
{
    if (json_object_size(object) > MAX_FIELDS) {
        return tr_printf(call, "Parameter '%s' has more than %d members", name, MAX_FIELDS);
    }
    for (void *at = tr_json_first(object); at != NULL; at = tr_json_next(object, at)) {
        if (!is_scalar(json_object_iter_value(at))) {
            return tr_printf(call, "Parameter '%s.%.64s' has invalid type. Expected: string", name,
                             json_object_iter_key(at));
        }
    }
    return NULL;
}

static const char *check(struct tr_call *call, const struct http_request_request *request)
{
    if (request->body != NULL && request->json != NULL) {
        return "Give either 'body' or 'json', not both";
    }
    if (request->method == HTTP_REQUEST_HEAD && (request->body != NULL || request->json != NULL)) {
        return "A HEAD request has no body; leave out 'body' and 'json'";
    }
    const char *reason = check_texts(call, "headers", fields_of(request));
    return reason != NULL ? reason : check_texts(call, "query", pairs_of(request));
}
TR_VALIDATOR(check, http_request_request)

/* The text of a scalar; NULL when out of memory. */
static const char *text_of(struct tr_call *call, const json_t *value)
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    if (json_is_boolean(value)) {
        return json_is_true(value) ? "true" : "false";
    }
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, TR_NUMBER_BYTES);
    tr_json_write(&text, value);
    return text.status == TR_OK ? tr_printf(call, "%s", tr_text_string(&text)) : NULL;
}

static enum tr_status set_url(struct tr_call *call, const struct http_request_request *request,
                              struct tr_outbound *outbound)
{
    const json_t *pairs = pairs_of(request);
    struct tr_out_header query[MAX_FIELDS];
    size_t count = 0;
    for (void *at = tr_json_first(pairs); at != NULL; at = tr_json_next(pairs, at)) {
        query[count].name = json_object_iter_key(at);
        query[count].value = text_of(call, json_object_iter_value(at));
        if (query[count].value == NULL) {
            return TR_NO_MEMORY;
        }
        count++;
    }
    /* Without anything to add, the guard judges the URL as it was written. */
    outbound->url = request->url;
    const struct tr_url_parts parts = {
        .base = request->url,
        .query = query,
        .query_count = count,
    };
    return count != 0 ? tr_outbound_set_url(call, outbound, &parts) : TR_OK;
}

/* A field that would end the call is only left out of it: the rest of a request that an agent wrote
 * is still worth sending. The HTTP base judges what goes on. */
static bool is_sendable(struct tr_call *call, const char *name, const char *value)
{
    const struct tr_header_field field = {
        .name = name,
        .value = value,
        .name_length = strlen(name),
        .value_length = strlen(value),
    };
    const char *reason = "";
    if (tr_header_guard_out(&field, &reason) != TR_HEADER_REFUSE) {
        return true;
    }
    tr_warn(call, "Header %.64s was not sent: %s", name, reason);
    return false;
}

static enum tr_status set_headers(struct tr_call *call, const struct http_request_request *request,
                                  struct tr_outbound *outbound)
{
    const json_t *fields = fields_of(request);
    for (void *at = tr_json_first(fields); at != NULL; at = tr_json_next(fields, at)) {
        const char *value = text_of(call, json_object_iter_value(at));
        if (value == NULL) {
            return TR_NO_MEMORY;
        }
        if (is_sendable(call, json_object_iter_key(at), value)) {
            TR_TRY(tr_outbound_set_header(call, outbound, json_object_iter_key(at), value));
        }
    }
    return TR_OK;
}

static enum tr_status set_body(struct tr_call *call, const struct http_request_request *request,
                               struct tr_outbound *outbound)
{
    if (request->json != NULL) {
        return tr_outbound_set_json(call, outbound, request->json);
    }
    if (request->body == NULL) {
        return TR_OK;
    }
    outbound->body = request->body;
    outbound->body_length = strlen(request->body);
    return tr_outbound_set_header(call, outbound, "Content-Type", "text/plain; charset=utf-8");
}

static enum tr_status prepare(struct tr_call *call, const struct http_request_request *request,
                              struct tr_outbound *outbound)
{
    outbound->method = http_request_method_names[request->method];
    outbound->timeout_ms = request->timeout_ms;
    outbound->follows_redirects = request->follow_redirects;
    outbound->max_bytes = (size_t)request->max_bytes;
    outbound->accepts_truncation = true;
    TR_TRY(set_url(call, request, outbound));
    /* First the body's Content-Type, so that the caller's own goes before it. */
    TR_TRY(set_body(call, request, outbound));
    return set_headers(call, request, outbound);
}

/* ---- the answer ---- */

static enum tr_status add_header(struct tr_call *call, json_t *headers,
                                 const struct tr_out_header *header)
{
    const char *value = NULL;
    TR_TRY(tr_foreign_text(call, header->value, strlen(header->value), NULL, &value));
    const char *before = json_string_value(json_object_get(headers, header->name));
    if (before != NULL) {
        value = tr_printf(call, "%s, %s", before, value);
    }
    if (value == NULL || json_object_set_new(headers, header->name, json_string(value)) != 0) {
        return TR_NO_MEMORY;
    }
    return TR_OK;
}

static enum tr_status read_headers(struct tr_call *call, const struct tr_inbound *inbound,
                                   struct http_request_response *response)
{
    response->headers.fields = json_object();
    if (!tr_arena_adopt_json(&call->arena, response->headers.fields)) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < inbound->header_count; i++) {
        TR_TRY(add_header(call, response->headers.fields, &inbound->headers[i]));
    }
    return TR_OK;
}

static enum tr_status receive(struct tr_call *call, const struct http_request_request *request,
                              const struct tr_inbound *inbound,
                              struct http_request_response *response)
{
    (void)request;
    response->status = inbound->status;
    response->final_url = inbound->final_url;
    response->truncated = inbound->is_truncated;
    response->elapsed_ms = inbound->duration_ms;
    struct tr_foreign_body body;
    TR_TRY(read_headers(call, inbound, response));
    TR_TRY(tr_foreign_body_read(call, inbound, &body));
    response->body = body.text;
    response->json = body.json;
    response->body_base64 = body.base64;
    return TR_OK;
}

TR_HTTP_TOOL(
    http_request, prepare, receive, http_request_request, http_request_response,
    .description = "Send an HTTP request to a public server and get its answer as it is: status, "
                   "headers and body. Use it for APIs; fetch_page is better for pages to read. An "
                   "answer like 404 is a success of this tool: look at `status`.",
    .annotations = { .destructive = true, .open_world = true }, .timeout_ms = 125000,
    .output_limit_bytes = (size_t)8 * 1024 * 1024, .example_json = TR_JSON({
                                                       "url": "https://api.example.com/v1/items",
                                                       "query": { "page": 2 },
                                                       "headers": { "Accept": "application/json" }
                                                   }),
    .validate = check_entry);
