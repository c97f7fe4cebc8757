#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/watch.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/clock.h"

enum { LIMIT = 8, SCAN_MS = 5, NEVER_MS = 3600 * 1000 };

/* A connection as the watch sees it, and what the watch did to it. Nothing here waits for time: a
 * test that waits for what does not happen ends with the time-out of the runner. */
struct connection {
    struct tr_watch_item item; /* first */
    struct tr_watch *watch;
    int peer;
    enum tr_status reason; /* of the cancellation; TR_OK: none */
    unsigned cancels, resumes;
    bool completes_itself; /* `cancel` completes the call */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the connections' members */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void resume(struct tr_watch_item *item)
{
    struct connection *connection = (struct connection *)item;
    pthread_mutex_lock(&lock);
    connection->resumes++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void complete(struct connection *connection)
{
    tr_watch_release(connection->watch, &connection->item);
    tr_watch_resume(connection->watch, &connection->item);
}

static void cancel(void *owner, enum tr_status reason)
{
    struct connection *connection = owner;
    if (connection->completes_itself) {
        complete(connection);
    }
    pthread_mutex_lock(&lock);
    connection->reason = reason;
    connection->cancels++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static enum tr_status wait_for_cancel(const struct connection *connection)
{
    pthread_mutex_lock(&lock);
    while (connection->cancels == 0) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return connection->reason;
}

static void wait_for_resume(const struct connection *connection)
{
    pthread_mutex_lock(&lock);
    while (connection->resumes == 0) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static struct tr_watch *new_watch(size_t burst_above)
{
    const struct tr_watch_options options = {
        .limit = LIMIT,
        .scan_ms = SCAN_MS,
        .burst_above = burst_above,
        .resume = resume,
    };
    struct tr_watch *watch = tr_watch_new(&options);
    assert_non_null(watch);
    return watch;
}

static void open_connection(struct connection *connection, struct tr_watch *watch, int64_t due_ms)
{
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    *connection = (struct connection){ .watch = watch, .peer = pair[1] };
    assert_true(tr_watch_add(watch, &connection->item, pair[0], due_ms));
}

static void close_connection(struct connection *connection)
{
    const int fd = connection->item.fd;
    tr_watch_remove(connection->watch, &connection->item);
    close(fd);
    close(connection->peer);
}

static void pend(struct connection *connection, int64_t deadline_ms)
{
    tr_watch_pend(connection->watch, &connection->item, deadline_ms, cancel, connection);
}

static void call_is_cancelled_at_its_deadline(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection late;
    struct connection early;
    open_connection(&late, watch, 0);
    open_connection(&early, watch, 0);
    pend(&late, tr_clock_ms() + NEVER_MS);

    pend(&early, tr_clock_ms() + 1);

    assert_int_equal(wait_for_cancel(&early), TR_TIMEOUT);
    complete(&early);
    assert_int_equal(early.resumes, 1);
    complete(&late);
    assert_int_equal(late.cancels, 0);
    close_connection(&early);
    close_connection(&late);
    tr_watch_free(watch);
}

static void call_is_cancelled_when_its_client_leaves(void **state)
{
    (void)state;
    for (int is_before = 0; is_before < 2; is_before++) {
        struct tr_watch *watch = new_watch(LIMIT);
        struct connection connection;
        open_connection(&connection, watch, 0);

        if (is_before) {
            shutdown(connection.peer, SHUT_WR);
        }
        pend(&connection, 0);
        if (!is_before) {
            shutdown(connection.peer, SHUT_WR);
        }

        assert_int_equal(wait_for_cancel(&connection), TR_CANCELLED);
        complete(&connection);
        close_connection(&connection);
        tr_watch_free(watch);
    }
}

static void call_is_cancelled_once_although_much_happens(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection connection;
    open_connection(&connection, watch, 0);
    shutdown(connection.peer, SHUT_RDWR);

    pend(&connection, tr_clock_ms());
    tr_watch_cancel_all(watch);
    (void)wait_for_cancel(&connection);
    complete(&connection);
    tr_watch_drain(watch);

    close_connection(&connection);
    tr_watch_free(watch);
    assert_int_equal(connection.cancels, 1);
    assert_int_equal(connection.resumes, 1);
}

static void cancel_may_complete_the_call_itself(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection connection;
    open_connection(&connection, watch, 0);
    connection.completes_itself = true;

    pend(&connection, tr_clock_ms());

    assert_int_equal(wait_for_cancel(&connection), TR_TIMEOUT);
    tr_watch_drain(watch);
    assert_int_equal(connection.resumes, 1);
    close_connection(&connection);
    tr_watch_free(watch);
}

static void connection_can_pend_again_and_again(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection connection;
    open_connection(&connection, watch, 0);
    for (unsigned i = 1; i <= 100; i++) {
        pend(&connection, tr_clock_ms() + NEVER_MS);
        complete(&connection);
        assert_int_equal(connection.resumes, i);
    }
    pend(&connection, 0);

    close(connection.peer);

    assert_int_equal(wait_for_cancel(&connection), TR_CANCELLED);
    complete(&connection);
    connection.peer = -1;
    close_connection(&connection);
    tr_watch_free(watch);
}

/* The former owner's word counts for the new one, whom nobody would tell again. */
static void new_owner_is_told_what_the_former_one_was(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection former;
    struct connection latter = { .watch = watch };
    open_connection(&former, watch, 0);
    pend(&former, tr_clock_ms() + NEVER_MS);
    shutdown(former.peer, SHUT_WR);
    assert_int_equal(wait_for_cancel(&former), TR_CANCELLED);

    tr_watch_hand_over(watch, &former.item, tr_clock_ms() + NEVER_MS, cancel, &latter);

    assert_int_equal(wait_for_cancel(&latter), TR_CANCELLED);
    assert_int_equal(former.cancels, 1);
    complete(&former);
    close_connection(&former);
    tr_watch_free(watch);
}

static void new_owner_has_a_deadline_of_his_own(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection former;
    struct connection latter = { .watch = watch };
    open_connection(&former, watch, 0);
    pend(&former, tr_clock_ms() + NEVER_MS);

    tr_watch_hand_over(watch, &former.item, tr_clock_ms() + 1, cancel, &latter);

    assert_int_equal(wait_for_cancel(&latter), TR_TIMEOUT);
    assert_int_equal(former.cancels, 0);
    complete(&former);
    close_connection(&former);
    tr_watch_free(watch);
}

static void all_are_cancelled_when_stopping_later_ones_too(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection connections[3];
    for (size_t i = 0; i < 3; i++) {
        open_connection(&connections[i], watch, 0);
        connections[i].completes_itself = true;
    }
    pend(&connections[0], 0);
    pend(&connections[1], tr_clock_ms() + NEVER_MS);

    tr_watch_cancel_all(watch);

    assert_int_equal(wait_for_cancel(&connections[0]), TR_BUSY);
    assert_int_equal(wait_for_cancel(&connections[1]), TR_BUSY);
    pend(&connections[2], 0);
    assert_int_equal(wait_for_cancel(&connections[2]), TR_BUSY);
    tr_watch_drain(watch);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(connections[i].resumes, 1);
        close_connection(&connections[i]);
    }
    tr_watch_free(watch);
}

static void many_are_resumed_together(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(1);
    struct connection connections[3];
    for (size_t i = 0; i < 3; i++) {
        open_connection(&connections[i], watch, 0);
        pend(&connections[i], 0);
    }

    for (size_t i = 0; i < 3; i++) {
        complete(&connections[i]);
    }

    for (size_t i = 0; i < 3; i++) {
        wait_for_resume(&connections[i]);
    }
    tr_watch_drain(watch);
    for (size_t i = 0; i < 3; i++) {
        close_connection(&connections[i]);
        assert_int_equal(connections[i].resumes, 1);
    }
    tr_watch_free(watch);
}

static void slow_connection_is_shut_for_reading_then_altogether(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection connection;
    char byte;
    open_connection(&connection, watch, tr_clock_ms() + 1);

    assert_int_equal(read(connection.item.fd, &byte, 1), 0); /* blocks until shut */
    assert_true(tr_watch_is_late(&connection.item));
    assert_false(tr_watch_due(&connection.item, tr_clock_ms() + NEVER_MS));
    assert_int_equal(read(connection.peer, &byte, 1), 0); /* blocks until the second time */

    close_connection(&connection);
    tr_watch_free(watch);
}

static void connection_that_moves_on_is_left_alone(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection quick;
    struct connection slow;
    char byte;
    open_connection(&quick, watch, tr_clock_ms() + NEVER_MS);
    assert_true(tr_watch_due(&quick.item, 0));
    assert_true(tr_watch_due(&quick.item, tr_clock_ms() + NEVER_MS));

    open_connection(&slow, watch, tr_clock_ms() + 1);
    assert_int_equal(read(slow.peer, &byte, 1), 0); /* the scan has been here */

    assert_false(tr_watch_is_late(&quick.item));
    assert_int_equal(write(quick.peer, "x", 1), 1);
    assert_int_equal(read(quick.item.fd, &byte, 1), 1);
    close_connection(&quick);
    close_connection(&slow);
    tr_watch_free(watch);
}

static void table_takes_its_limit_and_places_are_used_again(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    struct connection connections[LIMIT];
    struct tr_watch_item further;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < LIMIT; i++) {
            open_connection(&connections[i], watch, 0);
        }
        assert_false(tr_watch_add(watch, &further, 0, 0));
        close_connection(&connections[3]);
        close_connection(&connections[5]);
        open_connection(&connections[5], watch, 0);
        open_connection(&connections[3], watch, 0);
        assert_false(tr_watch_add(watch, &further, 0, 0));
        for (size_t i = 0; i < LIMIT; i++) {
            close_connection(&connections[i]);
        }
    }
    tr_watch_free(watch);
}

static bool make_watch(void *context)
{
    const struct tr_watch_options options = { .limit = 1, .scan_ms = SCAN_MS, .resume = resume };
    (void)context;
    struct tr_watch *watch = tr_watch_new(&options);
    const bool is_made = watch != NULL;
    tr_watch_free(watch);
    return is_made;
}

static void watch_that_cannot_be_made_is_null(void **state)
{
    (void)state;
    alloc_fail_each(make_watch, NULL);
    tr_watch_free(NULL);
}

/* Completing in one thread while the watch cancels in another: whoever is first, both are done when
 * tr_watch_release() returns, so that the owner may be freed. */
static void completion_and_cancellation_may_meet(void **state)
{
    (void)state;
    struct tr_watch *watch = new_watch(LIMIT);
    for (int round = 0; round < 200; round++) {
        struct connection *connection = malloc(sizeof(*connection));
        open_connection(connection, watch, 0);
        pend(connection, tr_clock_ms());
        if (round % 2 == 0) {
            close(connection->peer);
            connection->peer = -1;
        }

        complete(connection);

        assert_true(connection->cancels <= 1);
        close_connection(connection);
        free(connection);
    }
    tr_watch_free(watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(call_is_cancelled_at_its_deadline),
        cmocka_unit_test(call_is_cancelled_when_its_client_leaves),
        cmocka_unit_test(call_is_cancelled_once_although_much_happens),
        cmocka_unit_test(cancel_may_complete_the_call_itself),
        cmocka_unit_test(connection_can_pend_again_and_again),
        cmocka_unit_test(new_owner_is_told_what_the_former_one_was),
        cmocka_unit_test(new_owner_has_a_deadline_of_his_own),
        cmocka_unit_test(all_are_cancelled_when_stopping_later_ones_too),
        cmocka_unit_test(many_are_resumed_together),
        cmocka_unit_test(slow_connection_is_shut_for_reading_then_altogether),
        cmocka_unit_test(connection_that_moves_on_is_left_alone),
        cmocka_unit_test(table_takes_its_limit_and_places_are_used_again),
        cmocka_unit_test(watch_that_cannot_be_made_is_null),
        cmocka_unit_test(completion_and_cancellation_may_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
