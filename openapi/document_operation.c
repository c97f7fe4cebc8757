#include <stddef.h>
#include <stdio.h>

#include "openapi/build.h"
#include "openapi/document_parts.h"

/* What any request may be answered with, whatever its path: the listener and the middleware refuse
 * before a route is chosen, and a path refuses the methods that it does not have. */
static const int common_problems[] = { 400, 405, 408, 413, 417, 431, 500, 503, 0 };

json_t *tr_document_ref(const char *kind, const char *name)
{
    json_t *out = json_object();
    tr_build_put(&out, "$ref", tr_build_printf("#/components/%s/%s", kind, name));
    return out;
}

static json_t *describe_headers(bool has_etag)
{
    json_t *headers = json_object();
    tr_build_put(&headers, "X-Request-Id", tr_document_ref("headers", "RequestId"));
    tr_build_put(&headers, "Server-Timing", tr_document_ref("headers", "ServerTiming"));
    if (has_etag) {
        tr_build_put(&headers, "ETag", tr_document_ref("headers", "ETag"));
    }
    return headers;
}

static json_t *describe_response(const char *description, bool has_etag)
{
    json_t *out = json_object();
    tr_build_put_text(&out, "description", description);
    tr_build_put(&out, "headers", describe_headers(has_etag));
    return out;
}

static json_t *describe_success(const char *description, bool has_etag, json_t *content)
{
    json_t *media = json_object();
    tr_build_put(&media, "application/json", content);
    json_t *out = describe_response(description, has_etag);
    tr_build_put(&out, "content", media);
    return out;
}

static void mark(struct tr_document *document, bool *statuses, const int *problems)
{
    for (; problems != NULL && *problems != 0; problems++) {
        statuses[*problems] = true;
        document->answers[*problems] = true;
    }
}

/* The problem responses, by ascending status. */
static void put_problems(struct tr_document *document, json_t **responses,
                         const struct tr_operation_rules *rules)
{
    static const int keyed[] = { 401, 0 };
    bool statuses[TR_HTTP_STATUS_END] = { false };
    mark(document, statuses, common_problems);
    mark(document, statuses, rules->problems);
    if (document->facts->needs_key && !rules->is_public) {
        mark(document, statuses, keyed);
    }
    for (int status = 0; status < TR_HTTP_STATUS_END; status++) {
        if (statuses[status]) {
            char key[sizeof("Problem000")];
            (void)snprintf(key, sizeof(key), "Problem%03d", status);
            tr_build_put(responses, key + sizeof("Problem") - 1, tr_document_ref("responses", key));
        }
    }
}

json_t *tr_document_operation_responses(struct tr_document *document,
                                        const struct tr_operation_rules *rules,
                                        const char *description, json_t *content)
{
    json_t *out = json_object();
    tr_build_put(&out, "200", describe_success(description, rules->has_etag, content));
    if (rules->has_etag) {
        tr_build_put(&out, "304", describe_response("Nothing has changed since the ETag", true));
    }
    put_problems(document, &out, rules);
    return out;
}
