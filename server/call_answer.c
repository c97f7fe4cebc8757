#include <string.h>

#include "server/call_context.h"
#include "server/call_parts.h"
#include "server/limits.h"
#include "tools/core/json.h"
#include "tools/core/problem.h"

/* Of a batch: then there is still room to say of every call that its outcome does not fit. */
enum { REFUSAL_BYTES = 2048 };
#define MAX_OUTCOMES_BYTES (TR_CALL_ANSWER_BYTES - (size_t)TR_MAX_BATCH_CALLS * REFUSAL_BYTES)

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
    out->limit = TR_CALL_ANSWER_BYTES;
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

void tr_call_group_answer(struct tr_call_group *group)
{
    if (group->is_batch) {
        answer_batch(group);
    } else {
        answer_call(group);
    }
}
