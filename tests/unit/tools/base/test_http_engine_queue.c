#include "tests/peer/peer.h"
#include "tests/support/descriptors.h"
#include "tests/unit/tools/base/engine_fixture.h"

static struct peer *peer;

static int start_all(void **state)
{
    (void)state;
    peer = peer_start(&(struct peer_options){ .port = 0 });
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    peer_stop(peer);
    return 0;
}

static void at_peer(struct ask *ask, const char *path)
{
    *ask = (struct ask){ .outbound = { .method = NULL } };
    ask_url(ask, "http://127.0.0.1:%u%s", (unsigned)peer_port(peer), path);
}

static void end(struct tr_http_engine *engine, struct ask *asks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tr_http_cancel(engine, asks[i].ticket);
        ask_wait(&asks[i]);
        tr_http_answer_done(&asks[i].answer);
    }
}

static void a_full_queue_refuses_at_once(void **state)
{
    (void)state;
    enum { PLACES = 3, QUEUE = 2 };
    struct ask asks[PLACES + QUEUE + 1];
    struct tr_http_engine *engine = engine_new(
        &(struct tr_http_engine_options){ .transfer_limit = PLACES, .queue_limit = QUEUE });
    for (size_t i = 0; i < PLACES + QUEUE; i++) {
        at_peer(&asks[i], "/hang");
        assert_true(ask_send(engine, &asks[i]));
    }
    at_peer(&asks[PLACES + QUEUE], "/status/200");

    assert_false(ask_send(engine, &asks[PLACES + QUEUE]));

    assert_int_equal(asks[PLACES + QUEUE].status, TR_BUSY);
    end(engine, asks, PLACES + QUEUE);
    at_peer(&asks[0], "/status/200");
    assert_int_equal(ask_now(engine, &asks[0]), TR_OK);
    tr_http_answer_done(&asks[0].answer);
    tr_http_engine_free(engine);
}

static void who_waits_gets_the_next_place(void **state)
{
    (void)state;
    struct ask first;
    struct ask second;
    struct tr_http_engine *engine =
        engine_new(&(struct tr_http_engine_options){ .transfer_limit = 1, .queue_limit = 1 });
    const size_t before = peer_requests(peer);
    at_peer(&first, "/hang");
    assert_true(ask_send(engine, &first));
    assert_true(peer_wait_for_requests(peer, before + 1));
    at_peer(&second, "/status/200");
    assert_true(ask_send(engine, &second));
    assert_int_equal(tr_http_in_flight(engine), 2);

    tr_http_cancel(engine, first.ticket);
    ask_wait(&second);

    assert_int_equal(second.status, TR_OK);
    ask_wait(&first);
    tr_http_answer_done(&first.answer);
    tr_http_answer_done(&second.answer);
    tr_http_engine_free(engine);
}

static void who_waits_can_be_cancelled(void **state)
{
    (void)state;
    struct ask asks[2];
    struct tr_http_engine *engine =
        engine_new(&(struct tr_http_engine_options){ .transfer_limit = 1, .queue_limit = 1 });
    const size_t before = peer_requests(peer);
    for (size_t i = 0; i < 2; i++) {
        at_peer(&asks[i], "/hang");
        assert_true(ask_send(engine, &asks[i]));
    }
    assert_true(peer_wait_for_requests(peer, before + 1));

    tr_http_cancel(engine, asks[1].ticket);
    ask_wait(&asks[1]);

    assert_int_equal(asks[1].status, TR_CANCELLED);
    assert_int_equal(peer_requests(peer), before + 1);
    tr_http_answer_done(&asks[1].answer);
    end(engine, asks, 1);
    tr_http_engine_free(engine);
}

static void waiting_counts_for_the_deadline(void **state)
{
    (void)state;
    struct ask asks[2];
    struct tr_http_engine *engine =
        engine_new(&(struct tr_http_engine_options){ .transfer_limit = 1, .queue_limit = 1 });
    at_peer(&asks[0], "/hang");
    at_peer(&asks[1], "/status/200");
    asks[1].timeout_ms = 20;
    assert_true(ask_send(engine, &asks[0]));
    assert_true(ask_send(engine, &asks[1]));

    ask_wait(&asks[1]);

    assert_int_equal(asks[1].status, TR_TOOL_FAILED);
    assert_int_equal(asks[1].answer.failure, TR_HTTP_FAILURE_TIMEOUT);
    tr_http_answer_done(&asks[1].answer);
    end(engine, asks, 1);
    tr_http_engine_free(engine);
}

static void one_host_gets_no_more_than_its_share(void **state)
{
    (void)state;
    enum { COUNT = 12, SHARE = 3 };
    static struct ask asks[COUNT];
    struct peer *own = peer_start(&(struct peer_options){ .port = 0 });
    struct tr_http_engine *engine = engine_new(
        &(struct tr_http_engine_options){ .queue_limit = COUNT, .per_host_limit = SHARE });
    for (size_t i = 0; i < COUNT; i++) {
        ask_url(&asks[i], "http://127.0.0.1:%u/slow?ms=5", (unsigned)peer_port(own));
        assert_true(ask_send(engine, &asks[i]));
    }
    /* Another host is not held up. */
    struct ask other;
    at_peer(&other, "/status/200");
    assert_int_equal(ask_now(engine, &other), TR_OK);
    tr_http_answer_done(&other.answer);

    for (size_t i = 0; i < COUNT; i++) {
        ask_wait(&asks[i]);
        assert_int_equal(asks[i].status, TR_OK);
        tr_http_answer_done(&asks[i].answer);
    }
    /* Connections are kept, so each place took one. */
    assert_true(peer_connections(own) <= SHARE);
    tr_http_engine_free(engine);
    peer_stop(own);
}

static void cancelling_within_a_share_lets_the_others_go_on(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    struct ask asks[COUNT];
    struct tr_http_engine *engine =
        engine_new(&(struct tr_http_engine_options){ .queue_limit = COUNT, .per_host_limit = 1 });
    for (size_t i = 0; i < COUNT; i++) {
        at_peer(&asks[i], i % 2 == 0 ? "/hang" : "/status/200");
        assert_true(ask_send(engine, &asks[i]));
    }
    for (size_t i = 0; i < COUNT; i += 2) {
        tr_http_cancel(engine, asks[i].ticket);
    }
    for (size_t i = 0; i < COUNT; i++) {
        ask_wait(&asks[i]);
        assert_int_equal(asks[i].status, i % 2 == 0 ? TR_CANCELLED : TR_OK);
        tr_http_answer_done(&asks[i].answer);
    }
    tr_http_engine_free(engine);
}

/* More than one multi handle, and more than one epoll batch. */
static void hundreds_at_once_all_succeed(void **state)
{
    (void)state;
    enum { COUNT = 600, DESCRIPTORS = 3 * COUNT };
    static struct ask asks[COUNT];
    descriptors_allow(DESCRIPTORS);
    struct tr_http_engine *engine =
        engine_new(&(struct tr_http_engine_options){ .transfer_limit = 600 });
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            at_peer(&asks[i], "/slow?ms=100");
            assert_true(ask_send(engine, &asks[i]));
        }
        for (size_t i = 0; i < COUNT; i++) {
            ask_wait(&asks[i]);
            assert_int_equal(asks[i].status, TR_OK);
            assert_string_equal(tr_text_string(&asks[i].answer.body), "slow");
            tr_http_answer_done(&asks[i].answer);
        }
    }
    tr_http_engine_free(engine);
}

static void one_name_is_looked_up_once_for_all_who_wait(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    static struct ask asks[COUNT];
    struct tr_http_engine *engine =
        engine_new(&(struct tr_http_engine_options){ .queue_limit = COUNT });
    for (size_t i = 0; i < COUNT; i++) {
        ask_url(&asks[i], "http://no-such-host.invalid/");
        assert_true(ask_send(engine, &asks[i]));
    }
    for (size_t i = 0; i < COUNT; i++) {
        ask_wait(&asks[i]);
        assert_int_equal(asks[i].status, TR_TOOL_FAILED);
        assert_int_equal(asks[i].answer.failure, TR_HTTP_FAILURE_DNS);
        tr_http_answer_done(&asks[i].answer);
        ask_url(&asks[i], "http://localhost:%u/status/200", (unsigned)peer_port(peer));
        asks[i].has_ended = false;
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(ask_send(engine, &asks[i]));
    }
    for (size_t i = 0; i < COUNT; i++) {
        ask_wait(&asks[i]);
        assert_int_equal(asks[i].status, TR_OK);
        tr_http_answer_done(&asks[i].answer);
    }
    tr_http_engine_free(engine);
}

/* ---- TLS ---- */

static void a_certificate_is_checked(void **state)
{
    (void)state;
    struct peer *safe = peer_start(&(struct peer_options){ .is_tls = true });
    const struct {
        const char *ca_file, *host;
        enum tr_http_failure failure;
    } rows[] = {
        { NULL, "127.0.0.1", TR_HTTP_FAILURE_TLS },
        { peer_ca_file(safe), "127.0.0.1", TR_HTTP_FAILURE_NONE },
        { peer_ca_file(safe), "localhost", TR_HTTP_FAILURE_NONE },
        { peer_ca_file(safe), "127.0.0.2", TR_HTTP_FAILURE_CONNECT },
        { "/nonexistent", "127.0.0.1", TR_HTTP_FAILURE_TLS },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tr_http_engine *engine =
            engine_new(&(struct tr_http_engine_options){ .ca_file = rows[i].ca_file });
        for (int round = 0; round < 3; round++) {
            struct ask ask = { .outbound = { .method = NULL } };
            ask_url(&ask, "https://%s:%u/status/200", rows[i].host, (unsigned)peer_port(safe));
            (void)ask_now(engine, &ask);
            assert_string_equal(tr_http_failure_name(ask.answer.failure),
                                tr_http_failure_name(rows[i].failure));
            tr_http_answer_done(&ask.answer);
        }
        tr_http_engine_free(engine);
    }
    peer_stop(safe);
}

static void a_certificate_for_another_name_is_refused(void **state)
{
    (void)state;
    struct peer *safe = peer_start(&(struct peer_options){ .is_tls = true });
    struct tr_http_engine *engine =
        engine_new(&(struct tr_http_engine_options){ .ca_file = peer_ca_file(safe) });
    struct ask ask = { .outbound = { .method = NULL } };
    /* A name of the loopback interface that the certificate does not have. */
    ask_url(&ask, "https://sub.localhost:%u/", (unsigned)peer_port(safe));
    (void)ask_now(engine, &ask);
    assert_string_equal(tr_http_failure_name(ask.answer.failure), "tls");
    tr_http_answer_done(&ask.answer);
    tr_http_engine_free(engine);
    peer_stop(safe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_queue_refuses_at_once),
        cmocka_unit_test(who_waits_gets_the_next_place),
        cmocka_unit_test(who_waits_can_be_cancelled),
        cmocka_unit_test(waiting_counts_for_the_deadline),
        cmocka_unit_test(one_host_gets_no_more_than_its_share),
        cmocka_unit_test(cancelling_within_a_share_lets_the_others_go_on),
        cmocka_unit_test(hundreds_at_once_all_succeed),
        cmocka_unit_test(one_name_is_looked_up_once_for_all_who_wait),
        cmocka_unit_test(a_certificate_is_checked),
        cmocka_unit_test(a_certificate_for_another_name_is_refused),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
