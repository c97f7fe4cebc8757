/* tool_call.c - POST /tools/{name}: one call. */
#include <stdalign.h>
#include <stddef.h>

#include "server/app.h"
#include "server/call_context.h"
#include "server/call_group.h"
#include "server/find_tool.h"
#include "server/limits.h"
#include "server/route.h"
#include "tools/core/pipeline.h"
#include "tools/core/tool.h"

/* Enough for most calls that are made here, so that they need no allocation of their own. */
enum { STACK_ARENA_BYTES = 6 * 1024, NS_PER_MS = 1000 * 1000 };

/* Everything in this thread: the tool never blocks and the body is small. */
static bool call_here(struct tr_exchange *exchange, const struct tr_entry *entry)
{
    alignas(max_align_t) unsigned char room[STACK_ARENA_BYTES];
    struct tr_call call;
    tr_call_init(&call);
    tr_arena_lend(&call.arena, room, sizeof(room));
    (void)!tr_call_set_context(&call, exchange, false); /* cannot fail: nothing is copied */
    struct tr_run run;
    tr_run_init(&run, entry, &call, exchange->request.body, exchange->request.body_length);
    call.deadline_ms = run.started_ns / NS_PER_MS + entry->timeout_ms;
    const enum tr_status status = tr_run_all(&run, &exchange->answer.body);
    exchange->timings = run.timings;
    if (exchange->answer.body.length != 0) {
        tr_answer_run(exchange, status);
    } else {
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
    }
    tr_run_done(&run);
    tr_call_done(&call);
    return true;
}

static bool call_on_worker(struct tr_app *app, struct tr_exchange *exchange,
                           struct tr_pending *pending, const struct tr_entry *entry)
{
    struct tr_call_group *group = tr_call_group_new(app, exchange, pending, 1);
    if (group == NULL) {
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
        return true;
    }
    if (!tr_call_slot_set(group, 0, entry, NULL, NULL)) {
        tr_call_group_free(group);
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
        return true;
    }
    tr_call_group_start(group);
    return false;
}

bool tr_route_tool_call(struct tr_app *app, struct tr_exchange *exchange,
                        struct tr_pending *pending)
{
    const struct tr_entry *entry = NULL;
    struct tr_fault fault; /* written on failure only */
    const enum tr_status status =
        tr_find_tool(app, exchange->principal, tr_route_argument(exchange), &entry, &fault);
    if (status != TR_OK) {
        tr_answer_problem(exchange, status, "%s", fault.what);
        return true;
    }
    exchange->tool_name = entry->tool->name;
    if (!tr_tool_is_quick(entry->tool) || exchange->request.body_length > TR_INLINE_BODY_BYTES) {
        return call_on_worker(app, exchange, pending, entry);
    }
    return call_here(exchange, entry);
}
