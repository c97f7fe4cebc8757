#include "server/call_group.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "server/app.h"
#include "server/limits.h"
#include "server/listener.h"
#include "tools/core/clock.h"
#include "tools/core/json.h"
#include "tools/core/problem.h"

/* An answer is a result with what is written around it. */
#define MAX_ANSWER_BYTES (TR_CALL_ARENA_BYTES * 2)

/* Of a batch: then there is still room to say of every call that its outcome does not fit. */
enum { REFUSAL_BYTES = 2048 };
#define MAX_OUTCOMES_BYTES (MAX_ANSWER_BYTES - (size_t)TR_MAX_BATCH_CALLS * REFUSAL_BYTES)

/* ---- life ---- */

struct tr_call_group *tr_call_group_new(struct tr_app *app, struct tr_exchange *exchange,
                                        struct tr_pending *pending, size_t count)
{
    struct tr_call_group *group = calloc(1, sizeof(*group) + count * sizeof(group->slots[0]));
    if (group == NULL) {
        return NULL;
    }
    atomic_init(&group->references, 1);
    atomic_init(&group->unfinished, count);
    group->registry = tr_registry_ref(app->registry);
    group->workers = app->workers;
    group->exchange = exchange;
    group->pending = pending;
    group->count = count;
    group->body = exchange->body;
    tr_text_init(&exchange->body, exchange->body.limit);
    for (size_t i = 0; i < count; i++) {
        struct tr_call_slot *slot = &group->slots[i];
        slot->group = group;
        tr_call_init(&slot->call);
        slot->call.services = &app->services;
        atomic_init(&slot->state, TR_SLOT_RUNNING);
        tr_text_init(&slot->done.document, MAX_ANSWER_BYTES);
        tr_text_init(&slot->abandoned.document, MAX_ANSWER_BYTES);
    }
    return group;
}

static void destroy(struct tr_call_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        struct tr_call_slot *slot = &group->slots[i];
        tr_run_done(&slot->run);
        tr_call_done(&slot->call);
        tr_text_done(&slot->done.document);
        tr_text_done(&slot->abandoned.document);
    }
    json_decref(group->document);
    tr_text_done(&group->body);
    tr_registry_unref(group->registry);
    free(group);
}

static void unref(struct tr_call_group *group)
{
    if (atomic_fetch_sub_explicit(&group->references, 1, memory_order_acq_rel) == 1) {
        destroy(group);
    }
}

void tr_call_group_free(struct tr_call_group *group)
{
    group->exchange->body = group->body;
    group->body = (struct tr_text){ 0 };
    destroy(group);
}

/* ---- answering ---- */

void tr_answer_run(struct tr_exchange *exchange, enum tr_status status)
{
    const bool is_envelope = status == TR_OK || status == TR_TOOL_FAILED;
    if (status == TR_BUSY || status == TR_NO_MEMORY) {
        tr_answer_header(exchange, "Retry-After", "1");
    }
    tr_answer_ready(exchange, status,
                    is_envelope ? "application/json" : "application/problem+json");
}

static struct tr_slot_outcome *outcome_of(struct tr_call_slot *slot)
{
    return atomic_load_explicit(&slot->state, memory_order_acquire) == TR_SLOT_DONE
               ? &slot->done
               : &slot->abandoned;
}

static bool is_usable(const struct tr_slot_outcome *outcome)
{
    return outcome->document.status == TR_OK && outcome->document.length != 0;
}

static void answer_call(struct tr_call_group *group)
{
    struct tr_call_slot *slot = &group->slots[0];
    struct tr_exchange *exchange = group->exchange;
    struct tr_slot_outcome *outcome = outcome_of(slot);
    if (!is_usable(outcome)) {
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
        return;
    }
    if (outcome == &slot->done) {
        exchange->timings = slot->run.timings;
    }
    tr_text_done(&exchange->answer.body);
    exchange->answer.body = outcome->document;
    outcome->document = (struct tr_text){ 0 };
    tr_answer_run(exchange, outcome->status);
}

static void write_string_member(struct tr_text *out, const char *prefix, const char *value)
{
    if (value != NULL) {
        tr_text_add_string(out, prefix);
        tr_json_write_string(out, value, strlen(value));
    }
}

/* The outcome, or why it cannot be given. True for an envelope, which says what it is about. */
static bool write_document(struct tr_call_slot *slot, struct tr_text *out)
{
    const struct tr_slot_outcome *outcome = outcome_of(slot);
    const char *request_id = slot->call.context.request_id;
    if (!is_usable(outcome)) {
        tr_problem_write(out, TR_NO_MEMORY, NULL, NULL, request_id);
        return false;
    }
    if (out->length + outcome->document.length > MAX_OUTCOMES_BYTES) {
        tr_problem_write(out, TR_INTERNAL,
                         "The call has ended, but its outcome does not fit into the answer of the "
                         "batch: put fewer calls into one",
                         NULL, request_id);
        return false;
    }
    tr_text_add(out, tr_text_string(&outcome->document), outcome->document.length);
    return outcome->status == TR_OK || outcome->status == TR_TOOL_FAILED;
}

/* A problem document does not say which call it is about; in a batch it must. */
static void write_outcome(struct tr_call_slot *slot, struct tr_text *out)
{
    const bool is_envelope = write_document(slot, out);
    if (is_envelope || out->status != TR_OK) {
        return;
    }
    tr_text_cut(out, out->length - 1);
    write_string_member(out, ",\"id\":", slot->id);
    write_string_member(out, ",\"name\":", slot->entry != NULL ? slot->entry->tool->name : NULL);
    tr_text_add_char(out, '}');
}

static void answer_batch(struct tr_call_group *group)
{
    struct tr_text *out = &group->exchange->answer.body;
    out->limit = MAX_ANSWER_BYTES;
    for (size_t i = 0; i < group->count; i++) {
        tr_text_add_char(out, i == 0 ? '[' : ',');
        write_outcome(&group->slots[i], out);
    }
    tr_text_add_char(out, ']');
    if (out->status != TR_OK) {
        tr_text_reset(out);
        tr_answer_problem(group->exchange, TR_NO_MEMORY, NULL);
        return;
    }
    tr_answer_ready(group->exchange, TR_OK, "application/json");
}

/* ---- ending a slot ---- */

static bool is_running(struct tr_call_slot *slot)
{
    return atomic_load_explicit(&slot->state, memory_order_acquire) == TR_SLOT_RUNNING;
}

/* True for the one who moves the state on: only he may write the outcome and count the slot. */
static bool leave_running(struct tr_call_slot *slot, enum tr_slot_state state)
{
    int running = TR_SLOT_RUNNING;
    return atomic_compare_exchange_strong_explicit(&slot->state, &running, (int)state,
                                                   memory_order_acq_rel, memory_order_acquire);
}

/* Count a slot that has left the running state, or a hold that is given up; the last one answers
 * the request. */
static void count_finished(struct tr_call_group *group)
{
    if (atomic_fetch_sub_explicit(&group->unfinished, 1, memory_order_acq_rel) != 1) {
        return;
    }
    if (group->is_batch) {
        answer_batch(group);
    } else {
        answer_call(group);
    }
    tr_pending_complete(group->pending);
    unref(group);
}

static void abandon(struct tr_call_slot *slot, enum tr_status reason)
{
    tr_run_cancel(slot->entry, &slot->call);
    if (!leave_running(slot, TR_SLOT_ABANDONED)) {
        return;
    }
    slot->abandoned.status = reason;
    tr_run_write_abandoned(slot->entry, slot->call.context.request_id, reason,
                           &slot->abandoned.document);
    count_finished(slot->group);
}

/* ---- running a slot; each of these ends with giving up the slot's reference ---- */

static bool is_cancelled(const struct tr_call_slot *slot)
{
    return atomic_load_explicit(&slot->call.is_cancelled, memory_order_relaxed);
}

static void finish_slot(struct tr_call_slot *slot)
{
    struct tr_call_group *group = slot->group;
    if (!is_cancelled(slot)) {
        slot->done.status = tr_run_finish(&slot->run, &slot->done.document);
        if (leave_running(slot, TR_SLOT_DONE)) {
            count_finished(group);
        }
    }
    unref(group);
}

static void resume_slot(struct tr_job *job)
{
    struct tr_call_slot *slot = (struct tr_call_slot *)job;
    tr_run_resume(&slot->run, slot->waited);
    finish_slot(slot);
}

/* The tool need not wait any more. A long answer is read by a worker, when there is one to be had.
 */
static void go_on(struct tr_waiter *waiter, enum tr_status status)
{
    struct tr_call_slot *slot =
        (struct tr_call_slot *)(void *)((unsigned char *)waiter
                                        - offsetof(struct tr_call_slot, waiter));
    slot->waited = status;
    slot->job.run = resume_slot;
    const bool is_long = status == TR_OK && tr_run_inbound_bytes(&slot->run) > TR_INLINE_BODY_BYTES;
    if (!is_long || !tr_worker_submit(slot->group->workers, &slot->job)) {
        resume_slot(&slot->job);
    }
}

static void run_slot(struct tr_job *job)
{
    struct tr_call_slot *slot = (struct tr_call_slot *)job;
    slot->waiter.done = go_on;
    const bool is_prepared = !is_cancelled(slot) && tr_run_prepare(&slot->run);
    if (!is_prepared || tr_run_start(&slot->run, &slot->waiter)) {
        finish_slot(slot);
    }
}

/* Keep the group from being answered until count_finished() is called. False when it is being
 * answered already. */
static bool hold(struct tr_call_group *group)
{
    size_t unfinished = atomic_load_explicit(&group->unfinished, memory_order_acquire);
    while (unfinished != 0) {
        if (atomic_compare_exchange_weak_explicit(&group->unfinished, &unfinished, unfinished + 1,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            return true;
        }
    }
    return false;
}

/* Abandon everything that is overdue, or everything. Gives the next deadline of what is left,
 * INT64_MAX when nothing is. */
static int64_t abandon_slots(struct tr_call_group *group, enum tr_status reason)
{
    const int64_t now_ms = tr_clock_ms();
    int64_t next_ms = INT64_MAX;
    for (size_t i = 0; i < group->count; i++) {
        struct tr_call_slot *slot = &group->slots[i];
        if (!is_running(slot)) {
            continue;
        }
        if (reason != TR_TIMEOUT || slot->call.deadline_ms <= now_ms) {
            abandon(slot, reason);
        } else if (slot->call.deadline_ms < next_ms) {
            next_ms = slot->call.deadline_ms;
        }
    }
    return next_ms;
}

/* The listener's word that the request must end. Calls go on ending in other threads meanwhile: the
 * hold keeps the last of them from completing the request, which must not be rearmed after that. */
static void cancel(void *owner, enum tr_status reason)
{
    struct tr_call_group *group = owner;
    if (!hold(group)) {
        return;
    }
    const int64_t next_ms = abandon_slots(group, reason);
    if (next_ms != INT64_MAX) {
        tr_pending_rearm(group->pending, next_ms);
    }
    count_finished(group);
}

/* ---- filling and starting ---- */

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

bool tr_call_slot_set(struct tr_call_group *group, size_t index, const struct tr_entry *entry,
                      json_t *parameters, const char *id)
{
    struct tr_call_slot *slot = &group->slots[index];
    slot->entry = entry;
    slot->id = id;
    slot->call.deadline_ms = tr_clock_ms() + entry->timeout_ms;
    tr_run_init(&slot->run, entry, &slot->call, tr_text_string(&group->body), group->body.length);
    slot->run.parameters = parameters;
    slot->run.id = id;
    return tr_call_set_context(&slot->call, group->exchange, true);
}

void tr_call_slot_refuse(struct tr_call_group *group, size_t index, enum tr_status status,
                         const char *format, ...)
{
    struct tr_call_slot *slot = &group->slots[index];
    va_list args;
    va_start(args, format);
    const char *detail = tr_arena_vprintf(&slot->call.arena, format, args);
    va_end(args);
    slot->done.status = status;
    tr_problem_write(&slot->done.document, status, detail, NULL, group->exchange->request_id);
    (void)leave_running(slot, TR_SLOT_DONE);
    (void)atomic_fetch_sub_explicit(&group->unfinished, 1, memory_order_acq_rel);
}

void tr_call_group_adopt(struct tr_call_group *group, json_t *document)
{
    group->document = document;
}

bool tr_call_group_is_settled(struct tr_call_group *group)
{
    return atomic_load_explicit(&group->unfinished, memory_order_acquire) == 0;
}

static int64_t first_deadline(struct tr_call_group *group)
{
    int64_t first_ms = INT64_MAX;
    for (size_t i = 0; i < group->count; i++) {
        const int64_t deadline_ms = group->slots[i].call.deadline_ms;
        if (is_running(&group->slots[i]) && deadline_ms < first_ms) {
            first_ms = deadline_ms;
        }
    }
    return first_ms;
}

/* No worker will take the slot: answer it 503 at once. */
static void turn_away(struct tr_call_slot *slot)
{
    if (!leave_running(slot, TR_SLOT_ABANDONED)) {
        return;
    }
    slot->abandoned.status = TR_BUSY;
    tr_problem_write(&slot->abandoned.document, TR_BUSY,
                     "Every worker is taken and the queue is full", NULL,
                     slot->call.context.request_id);
    count_finished(slot->group);
}

static bool waits_without_a_thread(const struct tr_call_slot *slot)
{
    const struct tr_tool *tool = slot->entry->tool;
    return tool->base != NULL && tool->base->finish != NULL
           && slot->group->body.length <= TR_INLINE_BODY_BYTES;
}

static void start_slot(struct tr_call_slot *slot)
{
    (void)atomic_fetch_add_explicit(&slot->group->references, 1, memory_order_relaxed);
    slot->job.run = run_slot;
    if (waits_without_a_thread(slot)) {
        run_slot(&slot->job);
    } else if (!tr_worker_submit(slot->group->workers, &slot->job)) {
        struct tr_call_group *group = slot->group;
        turn_away(slot);
        unref(group);
    }
}

void tr_call_group_start(struct tr_call_group *group)
{
    const size_t count = group->count;
    /* Once suspended the request may end at any moment: this function's own reference keeps the
     * group until the last slot is handed over. */
    (void)atomic_fetch_add_explicit(&group->references, 1, memory_order_relaxed);
    tr_pending_suspend(group->pending, first_deadline(group), cancel, group);
    for (size_t i = 0; i < count; i++) {
        if (is_running(&group->slots[i])) {
            start_slot(&group->slots[i]);
        }
    }
    unref(group);
}

void tr_call_group_run(struct tr_call_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        struct tr_call_slot *slot = &group->slots[i];
        if (is_running(slot)) {
            slot->done.status = tr_run_all(&slot->run, &slot->done.document);
            (void)leave_running(slot, TR_SLOT_DONE);
        }
    }
    if (group->is_batch) {
        answer_batch(group);
    } else {
        answer_call(group);
    }
    unref(group);
}
