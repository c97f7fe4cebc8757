/* The ends of requests: cancelled, late, stopped, out of memory. */
#include "tests/peer/peer.h"
#include "tests/support/alloc_fail.h"
#include "tests/unit/tools/base/engine_fixture.h"

/* One plain peer and one engine for the tests that need no options of their own. */
static struct peer *peer;
static struct tr_http_engine *engine;

static int start_all(void **state)
{
    (void)state;
    peer = peer_start(&(struct peer_options){ .port = 0 });
    engine = engine_new(&(struct tr_http_engine_options){ .queue_limit = 100 });
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    tr_http_engine_free(engine);
    peer_stop(peer);
    return 0;
}

static void at_peer(struct ask *ask, const char *path)
{
    ask_url(ask, "http://127.0.0.1:%u%s", (unsigned)peer_port(peer), path);
}

static void assert_fails(struct ask *ask, enum tr_http_failure failure)
{
    assert_int_equal(ask_now(engine, ask), TR_TOOL_FAILED);
    assert_string_equal(tr_http_failure_name(ask->answer.failure), tr_http_failure_name(failure));
    tr_http_answer_done(&ask->answer);
}

static void a_cancelled_request_ends(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .method = NULL } };
    at_peer(&ask, "/hang");
    const size_t before = peer_requests(peer);
    assert_true(ask_send(engine, &ask));
    assert_true(peer_wait_for_requests(peer, before + 1));

    tr_http_cancel(engine, ask.ticket);
    tr_http_cancel(engine, ask.ticket);
    ask_wait(&ask);

    assert_int_equal(ask.status, TR_CANCELLED);
    assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_CANCELLED);
    tr_http_cancel(engine, ask.ticket); /* it has ended: nothing happens */
    tr_http_cancel(engine, 0);
    tr_http_cancel(engine, UINT64_MAX);
    tr_http_answer_done(&ask.answer);
}

static void a_request_cancelled_before_it_is_sent_never_is(void **state)
{
    (void)state;
    struct trap trap = trap_set();
    atomic_bool is_cancelled = true;
    struct ask ask = { .is_cancelled = &is_cancelled };
    ask_url(&ask, "http://127.0.0.1:%u/", trap.port);

    assert_int_equal(ask_now(engine, &ask), TR_CANCELLED);

    trap_was_not_touched(&trap);
    tr_http_answer_done(&ask.answer);
}

static void a_deadline_in_the_past_is_a_timeout(void **state)
{
    (void)state;
    struct trap trap = trap_set();
    struct ask ask = { .timeout_ms = -1 };
    ask_url(&ask, "http://127.0.0.1:%u/", trap.port);

    assert_fails(&ask, TR_HTTP_FAILURE_TIMEOUT);

    trap_was_not_touched(&trap);
}

static void stopping_ends_what_is_in_flight(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    static struct ask asks[COUNT];
    struct tr_http_engine *own =
        engine_new(&(struct tr_http_engine_options){ .transfer_limit = 20, .queue_limit = 20 });
    const size_t before = peer_requests(peer);
    for (size_t i = 0; i < COUNT; i++) {
        at_peer(&asks[i], "/hang");
        assert_true(ask_send(own, &asks[i]));
    }
    assert_true(peer_wait_for_requests(peer, before + 20));
    assert_int_equal(tr_http_in_flight(own), COUNT);

    tr_http_engine_stop(own);

    for (size_t i = 0; i < COUNT; i++) {
        ask_wait(&asks[i]);
        assert_int_equal(asks[i].status, TR_CANCELLED);
        tr_http_answer_done(&asks[i].answer);
    }
    assert_int_equal(tr_http_in_flight(own), 0);
    struct ask late = { .outbound = { .method = NULL } };
    at_peer(&late, "/status/200");
    assert_int_equal(ask_now(own, &late), TR_BUSY);
    tr_http_cancel(own, asks[0].ticket);
    tr_http_engine_free(own);
}

static void an_engine_without_work_has_no_thread(void **state)
{
    (void)state;
    struct tr_http_engine *own = engine_new(&(struct tr_http_engine_options){ .queue_limit = 1 });
    assert_int_equal(tr_http_in_flight(own), 0);
    tr_http_cancel(own, 1);
    tr_http_engine_stop(own);
    tr_http_engine_free(own);
    tr_http_engine_free(NULL);
}

/* ---- memory ---- */

static bool try_to_ask(void *context)
{
    (void)context;
    struct tr_http_engine *own =
        tr_http_engine_new(&(struct tr_http_engine_options){ .queue_limit = 1 });
    struct ask ask = { .outbound = { .method = NULL } };
    if (own == NULL) {
        return false;
    }
    at_peer(&ask, "/status/200");
    const enum tr_status status = ask_now(own, &ask);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    tr_http_answer_done(&ask.answer);
    tr_http_engine_free(own);
    return status == TR_OK;
}

static void sending_survives_out_of_memory(void **state)
{
    (void)state;
    (void)alloc_fail_each(try_to_ask, NULL);
}

/* Called in the engine's thread, at the beginning of a hop: its allocations fail from there on. */
static const char *resolve_and_starve(void *context, const char *host)
{
    const size_t *nth = context;
    (void)host;
    alloc_fail_at(*nth);
    return "127.0.0.1";
}

struct starved {
    struct ask ask;
    bool was_refused;
};

static void starved_done(void *context, enum tr_status status)
{
    struct starved *starved = context;
    starved->was_refused = alloc_fail_stop();
    ask_done(&starved->ask, status);
}

static void the_thread_survives_out_of_memory(void **state)
{
    (void)state;
    size_t nth = 0;
    bool was_refused = true;
    while (was_refused) {
        nth++;
        struct tr_http_engine *own = engine_new(&(struct tr_http_engine_options){
            .resolve = resolve_and_starve,
            .resolve_context = &nth,
        });
        struct starved starved = { .ask = { .outbound = { .follows_redirects = true } } };
        ask_url(&starved.ask, "http://a.test:%u/redirect?to=/headers", (unsigned)peer_port(peer));
        starved.ask.outbound.url = starved.ask.url;
        const struct tr_http_request request = {
            .outbound = &starved.ask.outbound,
            .policy = &open_policy,
            .answer = &starved.ask.answer,
            .done = starved_done,
            .context = &starved,
        };
        assert_int_equal(tr_http_send(own, &request, &starved.ask.ticket, NULL), TR_OK);
        ask_wait(&starved.ask);
        was_refused = starved.was_refused;
        assert_int_equal(starved.ask.status, was_refused ? TR_NO_MEMORY : TR_OK);
        tr_http_answer_done(&starved.ask.answer);
        tr_http_engine_free(own);
    }
    assert_true(nth > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cancelled_request_ends),
        cmocka_unit_test(a_request_cancelled_before_it_is_sent_never_is),
        cmocka_unit_test(a_deadline_in_the_past_is_a_timeout),
        cmocka_unit_test(stopping_ends_what_is_in_flight),
        cmocka_unit_test(an_engine_without_work_has_no_thread),
        cmocka_unit_test(sending_survives_out_of_memory),
        cmocka_unit_test(the_thread_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
