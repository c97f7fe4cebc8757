/* calls.c - POST /calls: several calls, run concurrently, answered in order. */
#include <stdatomic.h>
#include <stdlib.h>

#include "server/app.h"
#include "server/batch.h"
#include "server/call_context.h"
#include "server/call_group.h"
#include "server/find_tool.h"
#include "server/limits.h"
#include "server/listener.h"
#include "server/route.h"
#include "server/worker.h"
#include "tools/core/clock.h"
#include "tools/core/limits.h"
#include "tools/core/problem.h"

static void answer_refusal(struct tr_exchange *exchange, enum tr_status status,
                           const struct tr_violations *found, const struct tr_fault *fault)
{
    if (status != TR_INVALID_PARAMETERS) {
        tr_answer_problem(exchange, status, "%s", fault->what);
        return;
    }
    const char *detail = tr_violations_join(found);
    tr_problem_write(&exchange->answer.body, status, detail, found, exchange->request_id);
    tr_answer_ready(exchange, status, "application/problem+json");
}

/* Fill slot `index`; false when out of memory. `*is_quick` becomes false for a tool that may block.
 */
static bool fill_slot(struct tr_app *app, struct tr_call_group *group, size_t index,
                      const struct batch_call *wanted, bool *is_quick)
{
    const struct tr_exchange *exchange = group->exchange;
    const struct tr_entry *entry = NULL;
    struct tr_fault fault = { 0 };
    const enum tr_status status =
        tr_find_tool(app, exchange->principal, wanted->name, &entry, &fault);
    group->slots[index].id = wanted->id;
    if (status != TR_OK) {
        tr_call_slot_refuse(group, index, status, "%s", fault.what);
        return true;
    }
    *is_quick = *is_quick && tr_tool_is_quick(entry->tool);
    json_t *parameters =
        wanted->parameters != NULL ? json_incref(wanted->parameters) : json_object();
    return tr_call_slot_set(group, index, entry, parameters, wanted->id);
}

static bool run_batch(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending,
                      struct tr_batch *batch)
{
    struct tr_call_group *group = tr_call_group_new(app, exchange, pending, batch->count);
    if (group == NULL) {
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
        return true;
    }
    group->is_batch = true;
    tr_call_group_adopt(group, batch->document);
    batch->document = NULL;
    bool is_quick = exchange->request.body_length <= TR_INLINE_BODY_BYTES;
    for (size_t i = 0; i < batch->count; i++) {
        if (!fill_slot(app, group, i, &batch->calls[i], &is_quick)) {
            tr_call_group_free(group);
            tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
            return true;
        }
    }
    if (is_quick || tr_call_group_is_settled(group)) {
        return tr_call_group_run(group);
    }
    tr_call_group_start(group);
    return false;
}

/* False: suspended, and out of our hands. */
static bool take_batch(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    struct tr_violations found = { .arena = &exchange->arena };
    struct tr_fault fault = { 0 };
    struct tr_batch batch = { 0 };
    const enum tr_status status =
        tr_batch_parse(&app->batch_schema, exchange->request.body, exchange->request.body_length,
                       &batch, &found, &fault);
    bool is_answered = true;
    if (status == TR_OK) {
        is_answered = run_batch(app, exchange, pending, &batch);
    } else {
        answer_refusal(exchange, status, &found, &fault);
    }
    tr_batch_done(&batch);
    return is_answered;
}

/* ---- a long body: a worker reads it ---- */

struct reading {
    struct tr_job job; /* first */
    struct tr_app *app;
    struct tr_exchange *exchange;
    struct tr_pending *pending;
    atomic_bool is_taken;  /* by its worker, or by who gave up waiting for one */
    atomic_int references; /* one of the job, one of the request, which who took it gives up */
};

static void unref(struct reading *reading)
{
    if (atomic_fetch_sub(&reading->references, 1) == 1) {
        free(reading);
    }
}

static void read_batch(struct tr_job *job)
{
    struct reading *reading = (struct reading *)job;
    if (!atomic_exchange(&reading->is_taken, true)) {
        if (take_batch(reading->app, reading->exchange, reading->pending)) {
            tr_pending_complete(reading->pending);
        }
        unref(reading);
    }
    unref(reading);
}

/* Once a worker reads, it is not long before it has read. */
static void give_up(void *owner, enum tr_status reason)
{
    struct reading *reading = owner;
    if (!atomic_exchange(&reading->is_taken, true)) {
        const enum tr_status status = reason == TR_TIMEOUT ? TR_BUSY : reason;
        tr_answer_problem(reading->exchange, status, NULL);
        tr_pending_complete(reading->pending);
        unref(reading);
    }
}

static bool read_on_worker(struct tr_app *app, struct tr_exchange *exchange,
                           struct tr_pending *pending)
{
    struct reading *reading = malloc(sizeof(*reading));
    if (reading == NULL) {
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
        return true;
    }
    *reading = (struct reading){
        .job.run = read_batch,
        .app = app,
        .exchange = exchange,
        .pending = pending,
        .references = 2,
    };
    tr_pending_suspend(pending, tr_clock_ms() + TR_DEFAULT_TIMEOUT_MS, give_up, reading);
    if (!tr_worker_submit(app->workers, &reading->job)) {
        give_up(reading, TR_BUSY);
        unref(reading);
    }
    return false;
}

bool tr_route_calls(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    return exchange->request.body_length > TR_INLINE_BODY_BYTES
               ? read_on_worker(app, exchange, pending)
               : take_batch(app, exchange, pending);
}
