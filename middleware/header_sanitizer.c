/* What the request's headers mean, and that they are few and small enough. Headers that claim an
 * identity, override the URL or speak to one hop only mean nothing here: they are not among the
 * known headers (known_header.h), so no link and no tool sees them.
 *
 * A caller's own ids are refused when they are malformed, for a call under a wrong name helps
 * nobody. Trace context and baggage belong to the caller's tools, and W3C says to go on without
 * them. */
#include <string.h>

#include "middleware/chain.h"
#include "middleware/header_list.h"
#include "middleware/policy.h"
#include "middleware/trace_context.h"

enum {
    MAX_HEADERS = 100,
    MAX_CONTEXT_ID_BYTES = 128, /* X-Agent-Id, X-Task-Id */
};

static bool is_repeated(const struct tr_exchange *exchange, enum tr_known_header known)
{
    return tr_header_index_is_repeated(&exchange->request.known, known);
}

/* ---- refusals ---- */

static void refuse_too_large(struct tr_exchange *exchange)
{
    const struct tr_request *request = &exchange->request;
    const size_t limit = exchange->policy->header_limit_bytes;
    if (request->header_count > MAX_HEADERS) {
        tr_answer_problem(exchange, TR_HEADERS_TOO_LARGE, "More than %d headers", MAX_HEADERS);
    } else if (limit != 0 && request->header_bytes > limit) {
        tr_answer_problem(exchange, TR_HEADERS_TOO_LARGE, "The headers exceed %zu bytes", limit);
    }
}

static void refuse_expectation(struct tr_exchange *exchange)
{
    const struct tr_value expect = tr_exchange_value(exchange, TR_HEADER_EXPECT);
    if (expect.bytes != NULL
        && (!tr_value_is(expect, "100-continue") || is_repeated(exchange, TR_HEADER_EXPECT))) {
        tr_answer_problem(exchange, TR_EXPECTATION_FAILED, "Only 'Expect: 100-continue' is met");
    }
}

static void refuse_encoding(struct tr_exchange *exchange)
{
    const struct tr_value encoding = tr_exchange_value(exchange, TR_HEADER_CONTENT_ENCODING);
    if (encoding.bytes != NULL
        && (!tr_value_is(encoding, "identity")
            || is_repeated(exchange, TR_HEADER_CONTENT_ENCODING))) {
        tr_answer_header_constant(exchange, "Accept-Encoding", "identity");
        tr_answer_problem(exchange, TR_UNSUPPORTED_MEDIA_TYPE,
                          "The body must not be encoded: send no Content-Encoding");
    }
}

/* ---- context ---- */

static void no_memory(struct tr_exchange *exchange)
{
    tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
}

static bool is_printable(struct tr_value value)
{
    for (size_t i = 0; i < value.length; i++) {
        if (value.bytes[i] < ' ' || value.bytes[i] > '~') {
            return false;
        }
    }
    return true;
}

static const char *keep(struct tr_exchange *exchange, struct tr_value value)
{
    const char *copy = tr_arena_strndup(&exchange->arena, value.bytes, value.length);
    if (copy == NULL) {
        no_memory(exchange);
    }
    return copy;
}

/* NULL when the header is absent or empty, and when it has been refused. */
static const char *context_id(struct tr_exchange *exchange, enum tr_known_header known,
                              const char *name)
{
    const struct tr_value value = tr_exchange_value(exchange, known);
    if (value.bytes == NULL || (value.length == 0 && !is_repeated(exchange, known))) {
        return NULL;
    }
    if (is_repeated(exchange, known)) {
        tr_answer_problem(exchange, TR_BAD_REQUEST, "%s was sent more than once", name);
        return NULL;
    }
    if (value.length > MAX_CONTEXT_ID_BYTES || !is_printable(value)) {
        tr_answer_problem(exchange, TR_BAD_REQUEST, "%s takes up to %d printable ASCII characters",
                          name, MAX_CONTEXT_ID_BYTES);
        return NULL;
    }
    return keep(exchange, value);
}

static size_t bytes_of_values(const struct tr_request *request)
{
    size_t bytes = 0;
    for (size_t i = 0; i < request->header_count; i++) {
        bytes += request->headers[i].value_length + 1;
    }
    return bytes;
}

/* The values of a list header that may be repeated, as one list. Its bytes are NULL when the header
 * is absent, or without memory. */
static struct tr_value joined(struct tr_exchange *exchange, enum tr_known_header known)
{
    if (!is_repeated(exchange, known)) {
        return tr_exchange_value(exchange, known);
    }
    const struct tr_request *request = &exchange->request;
    char *list = TR_NEW(&exchange->arena, char, bytes_of_values(request));
    struct tr_value result = { .bytes = list };
    for (size_t i = 0; list != NULL && i < request->header_count; i++) {
        const struct tr_header *header = &request->headers[i];
        if (tr_known_header_find(header->name, header->name_length) != known) {
            continue;
        }
        if (result.length != 0) {
            list[result.length++] = ',';
        }
        memcpy(list + result.length, header->value, header->value_length);
        result.length += header->value_length;
    }
    return result;
}

static void keep_list(struct tr_exchange *exchange, enum tr_known_header known,
                      bool (*is_valid)(struct tr_value value), const char **ret_text)
{
    if (tr_exchange_value(exchange, known).bytes == NULL) {
        return;
    }
    const struct tr_value list = joined(exchange, known);
    if (list.bytes == NULL) {
        no_memory(exchange);
    } else if (is_valid(list)) {
        *ret_text = keep(exchange, list);
    }
}

static void keep_trace(struct tr_exchange *exchange)
{
    const struct tr_value parent = tr_exchange_value(exchange, TR_HEADER_TRACEPARENT);
    char text[TR_TRACEPARENT_LENGTH + 1];
    if (parent.bytes == NULL || is_repeated(exchange, TR_HEADER_TRACEPARENT)
        || !tr_traceparent_parse(parent, text)) {
        return; /* without a parent, tracestate means nothing */
    }
    exchange->traceparent = keep(exchange, (struct tr_value){ text, TR_TRACEPARENT_LENGTH });
    keep_list(exchange, TR_HEADER_TRACESTATE, tr_tracestate_is_valid, &exchange->tracestate);
}

/* Connection names headers that end at this hop: none of them goes on to a tool. What is for the
 * gateway itself stays, which is this hop. */
static void drop_nominated(struct tr_exchange *exchange)
{
    static const enum tr_known_header passed_on[] = {
        TR_HEADER_X_AGENT_ID,  TR_HEADER_X_TASK_ID,  TR_HEADER_BAGGAGE,
        TR_HEADER_TRACEPARENT, TR_HEADER_TRACESTATE,
    };
    const struct tr_value connection = joined(exchange, TR_HEADER_CONNECTION);
    if (tr_value_is(connection, "keep-alive")) {
        return; /* what most clients send */
    }
    struct tr_cursor cursor = tr_cursor_at(connection);
    while (!tr_cursor_is_done(&cursor)) {
        const struct tr_value option = tr_cursor_token(&cursor);
        const enum tr_known_header known = tr_known_header_find(option.bytes, option.length);
        for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++) {
            if (passed_on[i] == known) {
                tr_header_index_drop(&exchange->request.known, known);
            }
        }
        cursor.at += option.length == 0 ? 1 : 0;
    }
}

static void admit(struct tr_exchange *exchange)
{
    refuse_too_large(exchange);
    refuse_expectation(exchange);
    refuse_encoding(exchange);
    if (exchange->answer.is_ready) {
        return;
    }
    drop_nominated(exchange);
    exchange->agent_id = context_id(exchange, TR_HEADER_X_AGENT_ID, "X-Agent-Id");
    exchange->task_id = context_id(exchange, TR_HEADER_X_TASK_ID, "X-Task-Id");
    keep_trace(exchange);
    keep_list(exchange, TR_HEADER_BAGGAGE, tr_baggage_is_valid, &exchange->baggage);
}

const struct tr_middleware tr_header_sanitizer = {
    .name = "header sanitizer",
    .admit = admit,
};
