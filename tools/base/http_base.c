/* The HTTP base: what happens between a tool's prepare() and its receive(). */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/base/http_engine.h"
#include "tools/base/http_head.h"
#include "tools/base/http_tool.h"
#include "tools/base/outbound_secret.h"
#include "tools/base/services.h"
#include "tools/core/call.h"
#include "tools/core/clock.h"
#include "tools/guard/header_guard.h"
#include "tools/guard/url_guard.h"

/* What the base keeps of a call between its start and its end, as call->base_result. */
struct http_call {
    struct tr_call *call;
    struct tr_waiter *waiter;
    struct tr_outbound outbound;
    struct tr_http_answer answer;
    struct tr_inbound inbound;
    bool ends_with_call; /* the deadline is the call's own */
};

/* ---- configuration ---- */

static enum tr_status configure(const void *settings, struct tr_arena *arena,
                                const void **ret_state, struct tr_fault *reterr)
{
    struct tr_url_policy *policy = TR_NEW(arena, struct tr_url_policy, 1);
    if (policy == NULL) {
        return tr_arena_status(arena);
    }
    *ret_state = policy;
    return tr_url_policy_make(settings, arena, policy, reterr);
}

static const char *const *caller_headers(const void *state, size_t *ret_count)
{
    const struct tr_url_policy *policy = state;
    *ret_count = policy != NULL ? policy->forward_header_count : 0;
    return policy != NULL ? policy->forward_headers : NULL;
}

/* ---- what goes out ---- */

/* Is the header sent? What the guard has against it is told to the caller. Malformed ones do not
 * come here: guard_together() has ended the call. */
static bool guard_header(struct tr_call *call, const struct tr_out_header *header)
{
    const struct tr_header_field field = tr_header_field_of(header);
    const char *reason = "";
    const enum tr_header_verdict verdict = tr_header_guard_out(&field, &reason);
    switch (verdict) {
    case TR_HEADER_PASS: return true;
    case TR_HEADER_WARN: tr_warn(call, "Header %.64s: %s", header->name, reason); return true;
    case TR_HEADER_REMOVE:
    case TR_HEADER_REFUSE: break;
    }
    tr_warn(call, "Header %.64s was not sent: %s", header->name, reason);
    return false;
}

/* What no tool may send ends the call: a malformed field, one that is there twice, too many. A tool
 * that passes on what an agent wrote leaves such fields out itself, as http_request does. */
static enum tr_status guard_together(struct tr_call *call, const struct tr_outbound *outbound)
{
    const size_t count = outbound->header_count;
    const char *reason = "";
    struct tr_header_field *fields = TR_NEW(&call->arena, struct tr_header_field, count + 1);
    if (fields == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        fields[i] = tr_header_field_of(&outbound->headers[i]);
    }
    return tr_header_guard_out_all(fields, count, &reason) == TR_HEADER_PASS
               ? TR_OK
               : tr_fail(call, "The headers cannot be sent: %s", reason);
}

static enum tr_status guard_headers(struct tr_call *call, struct tr_outbound *outbound)
{
    const size_t count = outbound->header_count;
    struct tr_out_header *kept = TR_NEW(&call->arena, struct tr_out_header, count + 1);
    size_t kept_count = 0;
    if (kept == NULL) {
        return TR_NO_MEMORY;
    }
    TR_TRY(guard_together(call, outbound));
    for (size_t i = 0; i < count; i++) {
        if (guard_header(call, &outbound->headers[i])) {
            kept[kept_count++] = outbound->headers[i];
        }
    }
    outbound->headers = kept;
    outbound->header_count = kept_count;
    return TR_OK;
}

static bool is_set(const struct tr_outbound *outbound, const char *name)
{
    for (size_t i = 0; i < outbound->header_count; i++) {
        if (tr_header_guard_is_same_name(outbound->headers[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* A value that cannot be sent would end the call, whose author did not write it. Everything else
 * guard_headers() judges later. */
static bool is_sendable(struct tr_call *call, const struct tr_call_header *header)
{
    const struct tr_header_field field = {
        .name = header->name,
        .name_length = strlen(header->name),
        .value = header->value,
        .value_length = header->value_length,
    };
    const char *reason = "";
    if (tr_header_guard_out(&field, &reason) != TR_HEADER_REFUSE) {
        return true;
    }
    tr_warn(call, "Header %.64s was not sent: %s", header->name, reason);
    return false;
}

/* What the operator lets through of the caller's own headers. The word of the tool goes first. */
static enum tr_status add_forwarded(struct tr_call *call, struct tr_outbound *outbound)
{
    for (size_t i = 0; i < call->context.header_count; i++) {
        const struct tr_call_header *header = &call->context.headers[i];
        if (is_set(outbound, header->name) || !is_sendable(call, header)) {
            continue;
        }
        if (outbound->header_count >= TR_MAX_OUT_HEADERS) {
            tr_warn(call, "Header %.64s was not sent: there is no room for it", header->name);
            continue;
        }
        TR_TRY(tr_outbound_set_header(call, outbound, header->name, header->value));
    }
    return TR_OK;
}

/* The trace goes on at the upstream, whatever the tool says about it. Where there is no room for it
 * the request matters more. */
static enum tr_status add_trace(struct tr_call *call, struct tr_outbound *outbound)
{
    const struct tr_out_header trace[] = {
        { .name = "traceparent", .value = call->context.traceparent },
        { .name = "tracestate", .value = call->context.tracestate },
    };
    for (size_t i = 0; i < TR_COUNT_OF(trace); i++) {
        if (trace[i].value != NULL && outbound->header_count < TR_MAX_OUT_HEADERS) {
            TR_TRY(tr_outbound_set_header(call, outbound, trace[i].name, trace[i].value));
        }
    }
    return TR_OK;
}

/* A method goes into the request line as it is. CONNECT would open a tunnel, TRACE give headers
 * back that were not for the caller. */
static bool is_method(const char *method)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t length = strspn(method, letters);
    return length > 0 && length <= 16 && method[length] == '\0' && strcmp(method, "CONNECT") != 0
           && strcmp(method, "TRACE") != 0;
}

static enum tr_status prepare(struct http_call *http, const struct tr_tool *tool,
                              const void *request)
{
    const struct tr_http_hooks *hooks = tool->hooks;
    struct tr_outbound *outbound = &http->outbound;
    TR_TRY(hooks->prepare(http->call, request, outbound));
    if (outbound->url == NULL) {
        return tr_fail_internal(http->call, "The tool named no URL");
    }
    if (outbound->method != NULL && !is_method(outbound->method)) {
        return tr_fail(http->call, "The method must be a word in capitals, and neither CONNECT nor "
                                   "TRACE");
    }
    TR_TRY(add_forwarded(http->call, outbound));
    TR_TRY(guard_headers(http->call, outbound));
    return add_trace(http->call, outbound);
}

/* ---- the way there ---- */

/* Host and port: all of a URL that an error shows. */
static size_t find_authority(const char *url, const char **ret_start)
{
    const char *slashes = url != NULL ? strstr(url, "://") : NULL;
    *ret_start = slashes != NULL ? slashes + 3 : "";
    return strcspn(*ret_start, "/?#");
}

/* For the caller, who cannot see more of it than this sentence. */
static void say_failure(struct http_call *http)
{
    const struct tr_http_answer *answer = &http->answer;
    const char *host = NULL;
    const int length = (int)find_authority(answer->url, &host);
    (void)tr_fail(http->call, "The upstream %.*s %s (%s, after %lld ms%s%s)", length, host,
                  tr_http_failure_words(answer->failure), tr_http_failure_name(answer->failure),
                  (long long)answer->duration_ms, *answer->detail != '\0' ? ": " : "",
                  answer->detail);
}

/* In the engine's thread. */
static void answered(void *context, enum tr_status status)
{
    struct http_call *http = context;
    const bool is_late = status == TR_TOOL_FAILED && http->ends_with_call
                         && http->answer.failure == TR_HTTP_FAILURE_TIMEOUT;
    if (is_late) {
        status = TR_TIMEOUT;
    } else if (status == TR_URL_BLOCKED || status == TR_TOOL_FAILED) {
        say_failure(http);
    }
    http->waiter->done(http->waiter, status);
}

static int64_t deadline_of(struct http_call *http)
{
    const int64_t call_ms = http->call->deadline_ms;
    const int64_t own_ms =
        http->outbound.timeout_ms > 0 ? tr_clock_ms() + http->outbound.timeout_ms : 0;
    http->ends_with_call = own_ms == 0 || (call_ms != 0 && call_ms <= own_ms);
    return http->ends_with_call ? call_ms : own_ms;
}

static enum tr_status send_request(struct http_call *http)
{
    static const struct tr_url_policy strictest;
    struct tr_call *call = http->call;
    struct tr_fault fault = { .what = "" };
    const struct tr_http_request request = {
        .outbound = &http->outbound,
        .policy = call->base_state != NULL ? call->base_state : &strictest,
        .deadline_ms = deadline_of(http),
        .is_cancelled = &call->is_cancelled,
        .answer = &http->answer,
        .done = answered,
        .context = http,
    };
    const enum tr_status status =
        tr_http_send(call->services->http, &request, &call->base_ticket, &fault);
    if (status != TR_OK) {
        (void)tr_fail(call, "%s", fault.what);
    }
    return status;
}

static void free_answer(void *answer)
{
    tr_http_answer_done(answer);
}

static enum tr_status begin(struct tr_call *call, const struct tr_tool *tool, const void *request,
                            struct tr_waiter *waiter)
{
    if (call->services == NULL || call->services->http == NULL) {
        return tr_fail_internal(call, "There is no HTTP engine for this tool");
    }
    struct http_call *http = TR_NEW(&call->arena, struct http_call, 1);
    if (http == NULL || !tr_arena_adopt(&call->arena, &http->answer, free_answer)) {
        return TR_NO_MEMORY;
    }
    http->call = call;
    http->waiter = waiter;
    call->base_result = http;
    TR_TRY(prepare(http, tool, request));
    return send_request(http);
}

/* Once the request was sent the call may be over at any moment: nothing may touch it here. */
static bool start(struct tr_call *call, const struct tr_tool *tool, const void *request,
                  void *response, struct tr_waiter *waiter, enum tr_status *ret_status)
{
    (void)response;
    *ret_status = begin(call, tool, request, waiter);
    return *ret_status != TR_OK;
}

/* ---- the way back ---- */

static size_t count_fields(const char *head)
{
    struct tr_header_field field;
    size_t count = 0;
    while (tr_http_head_next(&head, &field)) {
        count++;
    }
    return count;
}

static enum tr_status read_headers(struct tr_call *call, const char *head,
                                   struct tr_inbound *inbound)
{
    struct tr_out_header *headers =
        TR_NEW(&call->arena, struct tr_out_header, count_fields(head) + 1);
    struct tr_header_field field;
    inbound->headers = headers;
    while (headers != NULL && tr_http_head_next(&head, &field)) {
        if (tr_header_guard_back(&field, NULL) != TR_HEADER_PASS) {
            continue;
        }
        const char *name = tr_arena_strndup(&call->arena, field.name, field.name_length);
        const char *value = tr_arena_strndup(&call->arena, field.value, field.value_length);
        if (name == NULL || value == NULL) {
            return TR_NO_MEMORY;
        }
        headers[inbound->header_count++] = (struct tr_out_header){ .name = name, .value = value };
    }
    return headers != NULL ? TR_OK : TR_NO_MEMORY;
}

static enum tr_status read_answer(struct http_call *http)
{
    const struct tr_http_answer *answer = &http->answer;
    struct tr_inbound *inbound = &http->inbound;
    inbound->status = answer->status;
    inbound->body = tr_text_string(&answer->body);
    inbound->body_length = answer->body.length;
    inbound->is_truncated = answer->is_truncated;
    inbound->duration_ms = answer->duration_ms;
    inbound->final_url = tr_without_secret(http->call, answer->url, http->outbound.secret);
    if (inbound->final_url == NULL) {
        return TR_NO_MEMORY;
    }
    return read_headers(http->call, tr_text_string(&answer->head), inbound);
}

static enum tr_status finish(struct tr_call *call, const struct tr_tool *tool, const void *request,
                             void *response)
{
    const struct tr_http_hooks *hooks = tool->hooks;
    struct http_call *http = call->base_result;
    TR_TRY(read_answer(http));
    const enum tr_status status = hooks->receive(call, request, &http->inbound, response);
    call->failure = tr_without_secret(call, call->failure, http->outbound.secret);
    return status;
}

static size_t inbound_bytes(const struct tr_call *call)
{
    const struct http_call *http = call->base_result;
    return http->answer.body.length;
}

static void cancel(struct tr_call *call)
{
    if (call->services != NULL && call->services->http != NULL) {
        tr_http_cancel(call->services->http, atomic_load(&call->base_ticket));
    }
}

const struct tr_base tr_http_base = {
    .name = "http",
    .settings_key = "network",
    .settings = &network_settings_type,
    .configure = configure,
    .start = start,
    .finish = finish,
    .inbound_bytes = inbound_bytes,
    .cancel = cancel,
    .caller_headers = caller_headers,
};
