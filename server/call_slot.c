/* call_slot.c - one call of a group, from its start to the one end it has. */
#include "server/call_parts.h"
#include "server/limits.h"
#include "server/listener.h"
#include "tools/core/clock.h"
#include "tools/core/problem.h"

/* ---- ending ---- */

bool tr_call_slot_is_running(struct tr_call_slot *slot)
{
    return atomic_load_explicit(&slot->state, memory_order_acquire) == TR_SLOT_RUNNING;
}

bool tr_call_slot_leave(struct tr_call_slot *slot, enum tr_slot_state state)
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
    tr_call_group_answer(group);
    tr_pending_complete(group->pending);
    tr_call_group_unref(group);
}

static void abandon(struct tr_call_slot *slot, enum tr_status reason)
{
    tr_run_cancel(slot->entry, &slot->call);
    if (!tr_call_slot_leave(slot, TR_SLOT_ABANDONED)) {
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
        if (tr_call_slot_leave(slot, TR_SLOT_DONE)) {
            count_finished(group);
        }
    }
    tr_call_group_unref(group);
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
        if (!tr_call_slot_is_running(slot)) {
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
void tr_call_group_cancel(void *owner, enum tr_status reason)
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

/* ---- starting ---- */

/* No worker will take the slot: answer it 503 at once. */
static void turn_away(struct tr_call_slot *slot)
{
    if (!tr_call_slot_leave(slot, TR_SLOT_ABANDONED)) {
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

void tr_call_slot_start(struct tr_call_slot *slot)
{
    (void)atomic_fetch_add_explicit(&slot->group->references, 1, memory_order_relaxed);
    slot->job.run = run_slot;
    if (waits_without_a_thread(slot)) {
        run_slot(&slot->job);
    } else if (!tr_worker_submit(slot->group->workers, &slot->job)) {
        struct tr_call_group *group = slot->group;
        turn_away(slot);
        tr_call_group_unref(group);
    }
}
