#include "tools/core/pipeline.h"

#include <pthread.h>
#include <string.h>

#include "tools/core/clock.h"
#include "tools/core/descriptor.h"
#include "tools/core/envelope.h"
#include "tools/core/json.h"
#include "tools/core/outcome.h"
#include "tools/core/params.h"
#include "tools/core/place.h"
#include "tools/core/problem.h"
#include "tools/core/trim.h"

void tr_run_init(struct tr_run *run, const struct tr_entry *entry, struct tr_call *call,
                 const char *body, size_t body_length)
{
    *run = (struct tr_run){
        .entry = entry,
        .call = call,
        .body = body,
        .body_length = body_length,
        .violations.arena = &call->arena,
        .started_ns = tr_clock_ns(),
    };
    tr_text_init(&run->result, TR_CALL_ARENA_BYTES);
}

void tr_run_done(struct tr_run *run)
{
    json_decref(run->parameters);
    tr_text_done(&run->result);
    *run = (struct tr_run){ 0 };
}

static bool refuse(struct tr_run *run, enum tr_status status, const char *message)
{
    run->status = status;
    run->message = message;
    return false;
}

/* A stage ends: the time since the last one ended is its own. */
static void lap(struct tr_run *run, int64_t *spent_ns)
{
    const int64_t now_ns = tr_clock_ns();
    *spent_ns += now_ns - run->mark_ns;
    run->mark_ns = now_ns;
}

/* ---- stages 1 to 7 ---- */

static bool parse(struct tr_run *run)
{
    if (run->parameters == NULL && run->body_length > 0) {
        struct tr_fault fault = { 0 };
        const enum tr_status status =
            tr_json_parse(run->body, run->body_length, &run->parameters, &fault);
        if (status != TR_OK) {
            return refuse(run, status, tr_printf(run->call, "%s", fault.what));
        }
    }
    if (run->parameters == NULL || json_is_null(run->parameters)) {
        json_decref(run->parameters);
        run->parameters = json_object();
    }
    return run->parameters != NULL || refuse(run, TR_NO_MEMORY, NULL);
}

static bool prepare_params(struct tr_run *run)
{
    /* Parameters inside may be JSON text; the body as a whole is an object, or refused. */
    const struct tr_params_rules rules = {
        .defaults = run->entry->defaults,
        .is_exact = !json_is_object(run->parameters),
    };
    const enum tr_status status = tr_params_prepare(
        run->entry->request.root, &rules, &run->parameters, &run->call->report, &run->violations);
    if (status == TR_OK) {
        return true;
    }
    return refuse(run, status,
                  status == TR_INVALID_PARAMETERS ? tr_violations_join(&run->violations) : NULL);
}

static bool bind(struct tr_run *run)
{
    const struct tr_type *type = run->entry->tool->request;
    run->request = tr_alloc(run->call, 1, type->size);
    if (run->request == NULL) {
        return refuse(run, tr_arena_status(&run->call->arena), NULL);
    }
    struct tr_fault fault = { 0 };
    const enum tr_status status =
        tr_bind(type, run->parameters, &run->call->arena, run->request, &fault);
    if (status != TR_OK) {
        return refuse(run, status, tr_printf(run->call, "%s: %s", fault.where, fault.what));
    }
    return true;
}

static bool validate(struct tr_run *run)
{
    const struct tr_tool *tool = run->entry->tool;
    const char *why = tool->validate != NULL ? tool->validate(run->call, run->request) : NULL;
    if (why == NULL) {
        return true;
    }
    const struct tr_place root = { 0 };
    tr_violations_add(&run->violations, &root, "validate", "%s", why);
    return refuse(run, TR_INVALID_PARAMETERS, why);
}

bool tr_run_prepare(struct tr_run *run)
{
    run->mark_ns = tr_clock_ns();
    bool is_fine = parse(run);
    lap(run, &run->timings.parse_ns);
    if (is_fine) {
        is_fine = prepare_params(run);
        lap(run, &run->timings.params_ns);
    }
    if (is_fine) {
        is_fine = bind(run) && validate(run);
        lap(run, &run->timings.bind_ns);
    }
    return is_fine;
}

/* ---- stage 8 ---- */

/* A tool may end in a few ways only; whatever else it returns is its defect. */
static enum tr_status tool_status(const struct tr_run *run, enum tr_status status)
{
    switch ((int)status) {
    case TR_OK:
    case TR_TOOL_FAILED:
    case TR_URL_BLOCKED:
    case TR_PATH_BLOCKED:
    case TR_BUSY:
    case TR_NO_MEMORY:
    case TR_TIMEOUT:
    case TR_CANCELLED:
    case TR_INTERNAL: break;
    default: return TR_INTERNAL;
    }
    /* "Out of memory" of a call that used up its share is not a state of the gateway. */
    if (status == TR_NO_MEMORY && run->call->arena.is_full) {
        return TR_INTERNAL;
    }
    return status;
}

static const char *tool_message(const struct tr_run *run, enum tr_status status)
{
    if (run->call->failure != NULL) {
        return run->call->failure;
    }
    return status == TR_INTERNAL && run->call->arena.is_full
               ? "The tool needs more memory than one call may use"
               : NULL;
}

static bool end_stage(struct tr_run *run, enum tr_status given)
{
    const enum tr_status status = tool_status(run, given);
    return status == TR_OK || refuse(run, status, tool_message(run, status));
}

static bool make_response(struct tr_run *run)
{
    struct tr_call *call = run->call;
    call->settings = run->entry->suite->settings;
    call->suite_state = run->entry->suite->state;
    call->base_state = run->entry->base_state;
    run->response = tr_alloc(call, 1, run->entry->tool->response->size);
    return run->response != NULL || refuse(run, tr_arena_status(&call->arena), NULL);
}

bool tr_run_start(struct tr_run *run, struct tr_waiter *waiter)
{
    const struct tr_tool *tool = run->entry->tool;
    if (!make_response(run)) {
        return true;
    }
    enum tr_status status = TR_OK;
    if (tool->base == NULL) {
        status = tool->execute(run->call, run->request, run->response);
    } else if (!tool->base->start(run->call, tool, run->request, run->response, waiter, &status)) {
        return false;
    }
    lap(run, &run->timings.execute_ns);
    (void)end_stage(run, status);
    return true;
}

void tr_run_resume(struct tr_run *run, enum tr_status status)
{
    const struct tr_tool *tool = run->entry->tool;
    if (status == TR_OK) {
        status = tool->base->finish(run->call, tool, run->request, run->response);
    }
    lap(run, &run->timings.execute_ns);
    (void)end_stage(run, status);
}

size_t tr_run_inbound_bytes(const struct tr_run *run)
{
    return run->entry->tool->base->inbound_bytes(run->call);
}

void tr_run_cancel(const struct tr_entry *entry, struct tr_call *call)
{
    atomic_store_explicit(&call->is_cancelled, true, memory_order_seq_cst);
    if (entry->tool->base != NULL && entry->tool->base->cancel != NULL) {
        entry->tool->base->cancel(call);
    }
}

/* A waiter for a thread that has nothing else to do. */
struct sleeper {
    struct tr_waiter waiter; /* first, so that one is the other */
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool has_ended;
    enum tr_status status;
};

static void wake_sleeper(struct tr_waiter *waiter, enum tr_status status)
{
    struct sleeper *sleeper = (struct sleeper *)waiter;
    (void)pthread_mutex_lock(&sleeper->lock);
    sleeper->has_ended = true;
    sleeper->status = status;
    (void)pthread_cond_signal(&sleeper->ended);
    (void)pthread_mutex_unlock(&sleeper->lock);
}

bool tr_run_execute(struct tr_run *run)
{
    struct sleeper sleeper = {
        .waiter.done = wake_sleeper,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .ended = PTHREAD_COND_INITIALIZER,
    };
    if (!tr_run_start(run, &sleeper.waiter)) {
        (void)pthread_mutex_lock(&sleeper.lock);
        while (!sleeper.has_ended) {
            (void)pthread_cond_wait(&sleeper.ended, &sleeper.lock);
        }
        (void)pthread_mutex_unlock(&sleeper.lock);
        tr_run_resume(run, sleeper.status);
    }
    (void)pthread_cond_destroy(&sleeper.ended);
    (void)pthread_mutex_destroy(&sleeper.lock);
    return run->status == TR_OK;
}

/* ---- stages 9 to 11 ---- */

static bool unbind(struct tr_run *run, struct tr_outcome *outcome)
{
    const struct tr_type *type = run->entry->tool->response;
    struct tr_fault fault = { 0 };
    enum tr_status status = tr_unbind(type, run->response, &run->result, &fault);
    if (status == TR_OK) {
        status = tr_outcome_read(type, run->response, &run->call->arena, outcome);
    }
    if (status == TR_OK && run->result.length > run->entry->output_limit_bytes) {
        run->call->report.is_truncated = true;
        status = tr_trim(&run->result, run->entry->output_limit_bytes);
    }
    if (status == TR_OK) {
        return true;
    }
    if (status == TR_BODY_TOO_LARGE) {
        return refuse(run, TR_INTERNAL, "The tool's result is too large even to be cut");
    }
    const char *why = fault.what[0] == '\0'
                          ? NULL
                          : tr_printf(run->call, "The tool's response is wrong at '%s': %s",
                                      fault.where, fault.what);
    return refuse(run, status, why);
}

static void write_timeout(const struct tr_entry *entry, const char *request_id, struct tr_text *out)
{
    tr_auto(text) struct tr_text detail;
    tr_text_init(&detail, TR_FAULT_WHAT_BYTES);
    tr_text_add_string(&detail, "Tool '");
    tr_text_add_string(&detail, entry->tool->name);
    tr_text_add_string(&detail, "' execution timed out after ");
    tr_text_add_integer(&detail, entry->timeout_ms);
    tr_text_add_string(&detail, " ms");
    tr_problem_write(out, TR_TIMEOUT, tr_text_string(&detail), NULL, request_id);
}

void tr_run_write_abandoned(const struct tr_entry *entry, const char *request_id,
                            enum tr_status status, struct tr_text *out)
{
    if (status == TR_TIMEOUT) {
        write_timeout(entry, request_id, out);
        return;
    }
    tr_problem_write(out, status, NULL, NULL, request_id);
}

static void write_problem(const struct tr_run *run, struct tr_text *out)
{
    const char *request_id = run->call->context.request_id;
    if (run->status == TR_TIMEOUT && run->message == NULL) {
        write_timeout(run->entry, request_id, out);
        return;
    }
    tr_problem_write(out, run->status, run->message, &run->violations, request_id);
}

static void write_envelope(const struct tr_run *run, const struct tr_outcome *outcome,
                           struct tr_text *out)
{
    const bool has_result = run->status == TR_OK;
    const char *id = run->id != NULL ? run->id : run->call->context.request_id;
    const struct tr_envelope envelope = {
        .is_success = has_result && outcome->is_success,
        .result = has_result ? tr_text_string(&run->result) : NULL,
        .result_length = run->result.length,
        .error = has_result ? outcome->error : run->message,
        .id = id,
        .name = run->entry->tool->name,
        .duration_ns = run->mark_ns - run->started_ns,
        .report = &run->call->report,
    };
    tr_envelope_write(out, &envelope);
}

enum tr_status tr_run_finish(struct tr_run *run, struct tr_text *out)
{
    const size_t start = out->length;
    struct tr_outcome outcome = { 0 };
    const bool has_result = run->status == TR_OK && unbind(run, &outcome);
    if (run->status == TR_TOOL_FAILED && run->message == NULL) {
        run->message = tr_status_info(TR_TOOL_FAILED)->title;
    }
    if (has_result || run->status == TR_TOOL_FAILED) {
        write_envelope(run, &outcome, out);
    } else {
        write_problem(run, out);
    }
    lap(run, &run->timings.finish_ns);
    if (out->status != TR_OK) {
        const enum tr_status failure = out->status;
        tr_text_cut(out, start);
        return failure;
    }
    return run->status;
}

enum tr_status tr_run_all(struct tr_run *run, struct tr_text *out)
{
    /* A refusal is in run->status, which tr_run_finish() reads. */
    (void)(tr_run_prepare(run) && tr_run_execute(run));
    return tr_run_finish(run, out);
}
