#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "server/app.h"
#include "server/call_group.h"
#include "server/limits.h"
#include "server/listener.h"
#include "tools/core/base.h"
#include "tools/core/clock.h"
#include "tools/core/suite.h"

/* ---- the listener's part: it remembers what it was told ---- */

static struct {
    void (*cancel)(void *owner, enum tr_status reason);
    void *owner;
    size_t completions, rearms;
} listener;

void tr_pending_suspend(struct tr_pending *pending, int64_t deadline_ms,
                        void (*cancel)(void *owner, enum tr_status reason), void *owner)
{
    (void)pending;
    (void)deadline_ms;
    listener.cancel = cancel;
    listener.owner = owner;
}

void tr_pending_rearm(struct tr_pending *pending, int64_t deadline_ms)
{
    (void)pending;
    (void)deadline_ms;
    assert_int_equal(listener.completions, 0);
    listener.rearms++;
}

void tr_pending_complete(struct tr_pending *pending)
{
    (void)pending;
    listener.completions++;
}

/* ---- tools that end when the test says so ---- */

enum { MOST_STARTED = 8, MIB = 1024 * 1024, LARGE_BYTES = 12 * MIB, OUTPUT_LIMIT_BYTES = 16 * MIB };

struct later_response {
    const char *text;
};
static const struct tr_field later_response_fields[] = {
    { TR_FIELD(later_response, text), .description = "Perhaps a long text" },
};
static TR_TYPE(later_response, "What comes later");

static const char *answers_with; /* NULL: nothing */

static struct tr_waiter *started[MOST_STARTED];
static size_t started_count;
static size_t ends_with_a_cancellation; /* index of the call that ends while another is cancelled */

static pthread_t computed_by[MOST_STARTED]; /* one worker, after the test's thread: no lock */
static size_t computed_count;

static bool start_later(struct tr_call *call, const struct tr_tool *tool, const void *request,
                        void *response, struct tr_waiter *waiter, enum tr_status *ret_status)
{
    (void)call;
    (void)tool;
    (void)request;
    (void)response;
    (void)ret_status;
    started[started_count++] = waiter;
    return false;
}

static enum tr_status finish(struct tr_call *call, const struct tr_tool *tool, const void *request,
                             void *response)
{
    (void)call;
    (void)tool;
    (void)request;
    struct later_response *later = response;
    later->text = answers_with;
    return TR_OK;
}

static size_t inbound_bytes(const struct tr_call *call)
{
    (void)call;
    return 0;
}

static void end(size_t index)
{
    struct tr_waiter *waiter = started[index];
    started[index] = NULL;
    if (waiter != NULL) {
        waiter->done(waiter, TR_OK);
    }
}

static void end_another(struct tr_call *call)
{
    (void)call;
    end(ends_with_a_cancellation);
}

static const struct tr_base later_base = {
    .name = "later",
    .start = start_later,
    .finish = finish,
    .inbound_bytes = inbound_bytes,
    .cancel = end_another,
};

static const char no_hooks[] = "";

static const struct tr_tool later_tool = {
    .abi = TR_TOOL_ABI,
    .size = sizeof(struct tr_tool),
    .name = "later",
    .description = "Ends when the test says so",
    .request = &tr_empty_type,
    .response = &later_response_type,
    .output_limit_bytes = OUTPUT_LIMIT_BYTES,
    .base = &later_base,
    .hooks = no_hooks,
};

/* ---- a tool that computes for longer than the calls of a batch may take ---- */

static enum tr_status compute(struct tr_call *call, const struct tr_empty *request,
                              struct tr_empty *response)
{
    (void)call;
    (void)request;
    (void)response;
    const int64_t begun_ms = tr_clock_ms();
    while (tr_clock_ms() <= begun_ms + TR_INLINE_BATCH_MS) {
    }
    computed_by[computed_count++] = pthread_self();
    return TR_OK;
}

TR_TOOL(compute, compute, tr_empty, tr_empty, .description = "Takes some time");

static const struct tr_tool *const tools[] = { &later_tool, &compute_tool };
static const struct tr_suite suite = {
    TR_SUITE_HEADER,    .name = "later",
    .version = "1.0.0", .description = "Tools that wait",
    .tools = tools,     .tool_count = TR_COUNT_OF(tools),
};

/* ---- a batch of `count` calls of one tool ---- */

static struct tr_app app;
static struct tr_policy policy;
static struct tr_exchange exchange;

static struct tr_call_group *make_batch(const char *tool, size_t count)
{
    struct tr_fault fault = { 0 };
    listener.completions = listener.rearms = 0;
    started_count = computed_count = 0;
    app.registry = tr_registry_new();
    if (tr_registry_add_suite(app.registry, &suite, "test", NULL, &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
    tr_registry_seal(app.registry);
    tr_exchange_init(&exchange, &policy);
    struct tr_call_group *group = tr_call_group_new(&app, &exchange, NULL, count);
    assert_non_null(group);
    group->is_batch = true;
    for (size_t i = 0; i < count; i++) {
        const struct tr_entry *entry = tr_registry_find(app.registry, tool);
        assert_true(tr_call_slot_set(group, i, entry, json_object(), NULL));
    }
    return group;
}

static struct tr_call_group *start_batch(size_t count)
{
    struct tr_call_group *group = make_batch("later", count);
    tr_call_group_start(group);
    assert_int_equal(started_count, count);
    return group;
}

static json_t *end_batch(void)
{
    size_t length;
    assert_int_equal(listener.completions, 1);
    const char *bytes = tr_answer_bytes(&exchange.answer, &length);
    json_t *outcomes = json_loadb(bytes, length, 0, NULL);
    assert_non_null(outcomes);
    /* Who was abandoned still comes back, and holds the group's memory until then. */
    for (size_t i = 0; i < started_count; i++) {
        end(i);
    }
    assert_int_equal(listener.completions, 1);
    tr_exchange_done(&exchange);
    tr_registry_unref(app.registry);
    return outcomes;
}

static void assert_outcome(const json_t *outcomes, size_t index, int status)
{
    const json_t *outcome = json_array_get(outcomes, index);
    assert_int_equal(json_integer_value(json_object_get(outcome, "status")), status);
}

enum { SUCCEEDED = 0 }; /* an envelope has no status */

static void the_last_call_to_end_completes_the_request(void **state)
{
    (void)state;
    (void)start_batch(2);

    end(1);
    assert_int_equal(listener.completions, 0);
    end(0);

    json_auto_t *outcomes = end_batch();
    assert_outcome(outcomes, 0, SUCCEEDED);
    assert_outcome(outcomes, 1, SUCCEEDED);
}

static void the_deadline_ends_only_what_is_overdue(void **state)
{
    (void)state;
    struct tr_call_group *group = start_batch(3);
    group->slots[1].call.deadline_ms = 1;
    ends_with_a_cancellation = 1;

    listener.cancel(listener.owner, TR_TIMEOUT);
    assert_int_equal(listener.rearms, 1);
    assert_int_equal(listener.completions, 0);
    end(0);
    end(2);

    json_auto_t *outcomes = end_batch();
    assert_outcome(outcomes, 0, SUCCEEDED);
    assert_outcome(outcomes, 1, 504);
    assert_outcome(outcomes, 2, SUCCEEDED);
}

/* Rearmed after its completion, it would be another request already. */
static void a_request_that_ends_during_a_cancellation_is_not_rearmed_afterwards(void **state)
{
    (void)state;
    struct tr_call_group *group = start_batch(2);
    group->slots[1].call.deadline_ms = 1;
    ends_with_a_cancellation = 0;

    listener.cancel(listener.owner, TR_TIMEOUT);

    json_auto_t *outcomes = end_batch();
    assert_outcome(outcomes, 0, SUCCEEDED);
    assert_outcome(outcomes, 1, 504);
}

static void a_caller_who_leaves_ends_every_call(void **state)
{
    (void)state;
    (void)start_batch(3);
    ends_with_a_cancellation = 2;

    listener.cancel(listener.owner, TR_CANCELLED);
    assert_int_equal(listener.rearms, 0);

    json_auto_t *outcomes = end_batch();
    assert_outcome(outcomes, 0, 499);
    assert_outcome(outcomes, 1, 499);
    assert_outcome(outcomes, 2, SUCCEEDED);
}

/* What fits is kept: the calls have run, and would be made again by who is told nothing of them. */
static void a_full_answer_tells_of_the_outcomes_that_do_not_fit(void **state)
{
    (void)state;
    enum { CALLS = 7, FITTING = 5 };
    char *large = malloc(LARGE_BYTES + 1);
    assert_non_null(large);
    memset(large, 'x', LARGE_BYTES);
    large[LARGE_BYTES] = '\0';
    (void)start_batch(CALLS);

    answers_with = large;
    for (size_t i = 0; i < CALLS; i++) {
        end(i);
    }
    answers_with = NULL;
    free(large);

    assert_int_equal(exchange.answer.http_status, 200);
    json_auto_t *outcomes = end_batch();
    assert_int_equal(json_array_size(outcomes), CALLS);
    for (size_t i = 0; i < CALLS; i++) {
        assert_outcome(outcomes, i, i < FITTING ? SUCCEEDED : 500);
    }
    const json_t *refused = json_array_get(outcomes, FITTING);
    assert_true(json_is_false(json_object_get(refused, "retryable")));
    assert_string_equal(json_string_value(json_object_get(refused, "name")), "later");
}

static void what_becomes_too_long_for_the_callers_thread_goes_to_the_workers(void **state)
{
    (void)state;
    enum { CALLS = 3 };
    app.workers = tr_worker_pool_new(1, CALLS);
    assert_non_null(app.workers);
    struct tr_call_group *group = make_batch("compute", CALLS);

    assert_false(tr_call_group_run(group));

    tr_worker_pool_free(app.workers); /* waits for them */
    app.workers = NULL;
    json_auto_t *outcomes = end_batch();
    assert_int_equal(computed_count, CALLS);
    for (size_t i = 0; i < CALLS; i++) {
        assert_outcome(outcomes, i, SUCCEEDED);
        assert_int_equal(pthread_equal(computed_by[i], pthread_self()) != 0, i == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_call_to_end_completes_the_request),
        cmocka_unit_test(the_deadline_ends_only_what_is_overdue),
        cmocka_unit_test(a_request_that_ends_during_a_cancellation_is_not_rearmed_afterwards),
        cmocka_unit_test(a_caller_who_leaves_ends_every_call),
        cmocka_unit_test(a_full_answer_tells_of_the_outcomes_that_do_not_fit),
        cmocka_unit_test(what_becomes_too_long_for_the_callers_thread_goes_to_the_workers),
    };
    return cmocka_run_group_tests_name("call_group", tests, NULL, NULL);
}
