#include <stddef.h>
#include <stdio.h>

#include "openapi/build.h"
#include "openapi/dialect.h"
#include "openapi/document_parts.h"
#include "tools/core/descriptor.h"
#include "tools/core/status.h"
#include "tools/core/text.h"

/* ---- problem responses ---- */

enum { DESCRIPTION_BYTES = 4096 };

/* Every code that comes with the HTTP status, and what it means. */
static json_t *describe_codes(int http)
{
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, DESCRIPTION_BYTES);
    for (int i = 0; i < tr_status_count(); i++) {
        const struct tr_status_info *info = tr_status_info((enum tr_status)i);
        if (info->http == http) {
            tr_text_printf(&out, "%s`%s`: %s.", out.length > 0 ? " " : "", info->code, info->title);
        }
    }
    return out.status == TR_OK ? json_string(tr_text_string(&out)) : NULL;
}

struct extra_header {
    int http;
    const char *name;
    const char *json;
};

/* By status. */
static const struct extra_header extra_headers[] = {
    {
        .http = 401,
        .name = "WWW-Authenticate",
        .json = TR_JSON({
            "description": "The scheme of the credential that is wanted",
            "required": true,
            "schema": { "type": "string" }
        }),
    },
    {
        .http = 405,
        .name = "Allow",
        .json = TR_JSON({
            "description": "The methods of this path",
            "required": true,
            "schema": { "type": "string" }
        }),
    },
    {
        .http = 503,
        .name = "Retry-After",
        .json = TR_JSON({
            "description": "Seconds to wait",
            "required": true,
            "schema": { "type": "integer", "minimum": 0 }
        }),
    },
};

static json_t *describe_problem_headers(int http)
{
    json_t *out = json_object();
    tr_build_put(&out, "X-Request-Id", tr_document_ref("headers", "RequestId"));
    tr_build_put(&out, "Server-Timing", tr_document_ref("headers", "ServerTiming"));
    for (size_t i = 0; i < TR_COUNT_OF(extra_headers); i++) {
        if (extra_headers[i].http == http) {
            tr_build_put(&out, extra_headers[i].name, tr_build_constant(extra_headers[i].json));
        }
    }
    return out;
}

static json_t *describe_problem(int http)
{
    json_t *out = json_object();
    tr_build_put(&out, "description", describe_codes(http));
    tr_build_put(&out, "headers", describe_problem_headers(http));
    tr_build_put(&out, "content", tr_build_constant(TR_JSON({
        "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } }
    })));
    return out;
}

json_t *tr_document_responses(const struct tr_document *document)
{
    json_t *out = json_object();
    for (int http = 0; http < TR_HTTP_STATUS_END; http++) {
        if (document->answers[http]) {
            char name[sizeof("Problem000")];
            (void)snprintf(name, sizeof(name), "Problem%03d", http);
            tr_build_put(&out, name, describe_problem(http));
        }
    }
    return out;
}

/* ---- the rest ---- */

json_t *tr_document_parameters(void)
{
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    json_t *names = json_array();
    for (size_t i = 0; i < count; i++) {
        tr_build_add_text(&names, dialects[i]->name);
    }
    json_t *schema = json_object();
    tr_build_put_text(&schema, "type", "string");
    tr_build_put(&schema, "enum", names);
    tr_build_put_text(&schema, "default", dialects[0]->name);
    json_t *format = json_object();
    tr_build_put_text(&format, "name", "format");
    tr_build_put_text(&format, "in", "query");
    tr_build_put_text(&format, "description", "The dialect in which tools are described");
    tr_build_put(&format, "schema", schema);
    json_t *out = json_object();
    tr_build_put(&out, "Format", format);
    return out;
}

json_t *tr_document_headers(void)
{
    return tr_build_constant(TR_JSON({
        "RequestId": {
            "description": "Names this request in the access log",
            "required": true,
            "schema": { "type": "string" }
        },
        "ServerTiming": {
            "description": "How long the stages took (W3C Server Timing)",
            "required": true,
            "schema": { "type": "string" }
        },
        "ETag": {
            "description": "Names this version, for If-None-Match",
            "required": true,
            "schema": { "type": "string" }
        }
    }));
}

json_t *tr_document_security_schemes(void)
{
    return tr_build_constant(TR_JSON({
        "ApiKey": {
            "type": "apiKey",
            "in": "header",
            "name": "X-API-Key",
            "description": "The key itself; send this or a bearer credential, not both"
        },
        "Bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "The same key as `Authorization: Bearer KEY`"
        }
    }));
}
