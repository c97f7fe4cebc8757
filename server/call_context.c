#include "server/call_context.h"

#include <string.h>

#include "middleware/keyring.h"

bool tr_tool_is_quick(const struct tr_tool *tool)
{
    return !tool->blocking && tool->base == NULL;
}

static bool copy_text(struct tr_arena *arena, const char **text, bool copies)
{
    if (*text == NULL || !copies) {
        return true;
    }
    *text = tr_arena_strndup(arena, *text, strlen(*text));
    return *text != NULL;
}

bool tr_call_set_context(struct tr_call *call, const struct tr_exchange *exchange, bool copies)
{
    struct tr_call_context context = {
        .user_id = exchange->principal != NULL ? exchange->principal->name : NULL,
        .agent_id = exchange->agent_id,
        .task_id = exchange->task_id,
        .baggage = exchange->baggage,
        .traceparent = exchange->traceparent,
        .tracestate = exchange->tracestate,
        .request_id = exchange->request_id,
    };
    struct tr_arena *arena = &call->arena;
    if (!copy_text(arena, &context.user_id, copies) || !copy_text(arena, &context.agent_id, copies)
        || !copy_text(arena, &context.task_id, copies)
        || !copy_text(arena, &context.baggage, copies)
        || !copy_text(arena, &context.traceparent, copies)
        || !copy_text(arena, &context.tracestate, copies)
        || !copy_text(arena, &context.request_id, copies)) {
        return false;
    }
    call->context = context;
    return true;
}

void tr_answer_run(struct tr_exchange *exchange, enum tr_status status)
{
    const bool is_envelope = status == TR_OK || status == TR_TOOL_FAILED;
    if (status == TR_BUSY || status == TR_NO_MEMORY) {
        tr_answer_header(exchange, "Retry-After", "1");
    }
    tr_answer_ready(exchange, status,
                    is_envelope ? "application/json" : "application/problem+json");
}
