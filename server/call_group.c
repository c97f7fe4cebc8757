#include "server/call_group.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "server/app.h"
#include "server/call_context.h"
#include "server/call_headers.h"
#include "server/call_parts.h"
#include "server/limits.h"
#include "server/listener.h"
#include "tools/core/clock.h"
#include "tools/core/problem.h"

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
        tr_text_init(&slot->done.document, TR_CALL_ANSWER_BYTES);
        tr_text_init(&slot->abandoned.document, TR_CALL_ANSWER_BYTES);
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

void tr_call_group_unref(struct tr_call_group *group)
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

/* ---- filling ---- */

/* The outcome is written, and nobody waits for it yet. */
static void end_before_start(struct tr_call_slot *slot)
{
    (void)tr_call_slot_leave(slot, TR_SLOT_DONE);
    (void)atomic_fetch_sub_explicit(&slot->group->unfinished, 1, memory_order_acq_rel);
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
    return tr_call_set_context(&slot->call, group->exchange, true)
           && tr_call_set_headers(&slot->call, &group->exchange->request, entry);
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
    end_before_start(slot);
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
        if (tr_call_slot_is_running(&group->slots[i]) && deadline_ms < first_ms) {
            first_ms = deadline_ms;
        }
    }
    return first_ms;
}

/* ---- running ---- */

void tr_call_group_start(struct tr_call_group *group)
{
    const size_t count = group->count;
    /* Once suspended the request may end at any moment: this function's own reference keeps the
     * group until the last slot is handed over. */
    (void)atomic_fetch_add_explicit(&group->references, 1, memory_order_relaxed);
    tr_pending_suspend(group->pending, first_deadline(group), tr_call_group_cancel, group);
    for (size_t i = 0; i < count; i++) {
        if (tr_call_slot_is_running(&group->slots[i])) {
            tr_call_slot_start(&group->slots[i]);
        }
    }
    tr_call_group_unref(group);
}

bool tr_call_group_run(struct tr_call_group *group)
{
    const int64_t end_ms = tr_clock_ms() + TR_INLINE_BATCH_MS;
    for (size_t i = 0; i < group->count; i++) {
        struct tr_call_slot *slot = &group->slots[i];
        if (!tr_call_slot_is_running(slot)) {
            continue;
        }
        if (tr_clock_ms() > end_ms) {
            tr_call_group_start(group);
            return false;
        }
        slot->done.status = tr_run_all(&slot->run, &slot->done.document);
        end_before_start(slot);
    }
    tr_call_group_answer(group);
    tr_call_group_unref(group);
    return true;
}
