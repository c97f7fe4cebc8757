#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "middleware/blob.h"
#include "middleware/exchange.h"
#include "middleware/request_id.h"
#include "tools/core/limits.h"
#include "tools/core/problem.h"
#include "tools/core/utf8.h"

enum { NOT_MODIFIED = 304 };

static const char problem_type[] = "application/problem+json";

/* What tr_problem_write() makes of TR_NO_MEMORY, for when it cannot. */
static const char no_memory_document[] =
    "{\"type\":\"/problems/no_memory\",\"title\":\"The gateway is out of memory\",\"status\":503,"
    "\"detail\":\"The gateway is out of memory\",\"code\":\"no_memory\",\"success\":false,"
    "\"error\":\"The gateway is out of memory\",\"retryable\":true}";

void tr_answer_header_constant(struct tr_exchange *exchange, const char *name, const char *value)
{
    struct tr_answer *answer = &exchange->answer;
    assert(answer->header_count < TR_MAX_ANSWER_HEADERS);
    if (answer->header_count < TR_MAX_ANSWER_HEADERS) {
        answer->headers[answer->header_count++] =
            (struct tr_answer_header){ .name = name, .value = value };
    }
}

void tr_answer_header(struct tr_exchange *exchange, const char *name, const char *value)
{
    const char *copy = tr_arena_strndup(&exchange->arena, value, strlen(value));
    if (copy != NULL) {
        tr_answer_header_constant(exchange, name, copy);
    }
}

bool tr_answer_has_header(const struct tr_answer *answer, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        const char *other = answer->headers[i].name;
        if (other[0] == name[0] && strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_header(const struct tr_answer *answer, const char *name)
{
    return tr_answer_has_header(answer, answer->header_count, name);
}

const char *tr_answer_bytes(const struct tr_answer *answer, size_t *ret_length)
{
    if (answer->http_status == NOT_MODIFIED) {
        *ret_length = 0;
        return "";
    }
    if (answer->blob != NULL) {
        *ret_length = answer->blob->length;
        return answer->blob->bytes;
    }
    if (answer->constant != NULL) {
        *ret_length = strlen(answer->constant);
        return answer->constant;
    }
    *ret_length = answer->body.length;
    return tr_text_string(&answer->body);
}

static void set_ready(struct tr_answer *answer, enum tr_status status, int http_status,
                      const char *content_type)
{
    answer->is_ready = true;
    answer->status = status;
    answer->http_status = http_status;
    answer->content_type = content_type;
}

void tr_answer_ready(struct tr_exchange *exchange, enum tr_status status, const char *content_type)
{
    struct tr_answer *answer = &exchange->answer;
    if (answer->is_ready) {
        return;
    }
    if (answer->body.status != TR_OK) {
        /* A body too big to be answered is not the caller's fault. */
        const bool is_memory = answer->body.status == TR_NO_MEMORY;
        tr_answer_problem(exchange, is_memory ? TR_NO_MEMORY : TR_INTERNAL, NULL);
        return;
    }
    set_ready(answer, status, tr_status_info(status)->http, content_type);
}

void tr_answer_empty(struct tr_exchange *exchange, int http_status)
{
    struct tr_answer *answer = &exchange->answer;
    if (answer->is_ready) {
        return;
    }
    tr_text_reset(&answer->body);
    set_ready(answer, TR_OK, http_status, NULL);
}

/* Headers that go with a status whatever its cause. */
static void add_problem_headers(struct tr_exchange *exchange, enum tr_status status)
{
    const int http = tr_status_info(status)->http;
    if (http == 503 && !has_header(&exchange->answer, "Retry-After")) {
        tr_answer_header_constant(exchange, "Retry-After", "1");
    }
    if (http == 415) {
        tr_answer_header_constant(exchange, "Accept", "application/json");
    }
}

void tr_answer_problem(struct tr_exchange *exchange, enum tr_status status, const char *format, ...)
{
    struct tr_answer *answer = &exchange->answer;
    if (answer->is_ready) {
        return;
    }
    char detail[TR_FAULT_WHAT_BYTES] = "";
    if (format != NULL) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(detail, sizeof(detail), format, args);
        va_end(args);
        detail[tr_utf8_cut(detail, strlen(detail))] = '\0';
    }
    tr_request_id_ensure(exchange);
    tr_text_reset(&answer->body);
    tr_problem_write(&answer->body, status, detail, NULL, exchange->request_id);
    if (answer->body.status != TR_OK) {
        status = TR_NO_MEMORY;
        answer->constant = no_memory_document;
    }
    add_problem_headers(exchange, status);
    set_ready(answer, status, tr_status_info(status)->http, problem_type);
}

static bool may_be_unmodified(const struct tr_request *request)
{
    return request->method == TR_METHOD_GET || request->method == TR_METHOD_HEAD;
}

/* Is `etag` in the list of If-None-Match? The comparison is the weak one (RFC 9110 section 13.1.2).
 * Our tags are hex digits in quotes, so no other tag can contain one. */
static bool is_listed(struct tr_value list, const char *etag)
{
    if (list.bytes == NULL) {
        return false;
    }
    if (list.length == 1 && list.bytes[0] == '*') {
        return true;
    }
    const size_t length = strlen(etag);
    for (size_t i = 0; i + length <= list.length; i++) {
        if (memcmp(list.bytes + i, etag, length) == 0) {
            return true;
        }
    }
    return false;
}

void tr_answer_blob(struct tr_exchange *exchange, struct tr_blob *blob, const char *content_type)
{
    struct tr_answer *answer = &exchange->answer;
    if (blob == NULL || answer->is_ready) {
        tr_blob_unref(blob);
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
        return;
    }
    tr_text_reset(&answer->body);
    if (!has_header(answer, "Cache-Control")) {
        tr_answer_header_constant(exchange, "Cache-Control", "private, no-cache");
    }
    answer->blob = blob;
    tr_answer_header_constant(exchange, "ETag", blob->etag);
    if (may_be_unmodified(&exchange->request)
        && is_listed(tr_exchange_value(exchange, TR_HEADER_IF_NONE_MATCH), blob->etag)) {
        set_ready(answer, TR_OK, NOT_MODIFIED, NULL);
        return;
    }
    set_ready(answer, TR_OK, tr_status_info(TR_OK)->http, content_type);
}
