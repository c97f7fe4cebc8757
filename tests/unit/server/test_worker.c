#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "server/worker.h"
#include "tests/support/alloc_fail.h"

enum { THREADS = 3, JOBS = 500 };

/* A door that jobs wait at. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t arrived;
    bool is_open;
};

struct counted_job {
    struct tr_job job; /* first */
    struct gate *gate; /* NULL: none */
    atomic_int runs;
};

static void run(struct tr_job *job)
{
    struct counted_job *counted = (struct counted_job *)job;
    struct gate *gate = counted->gate;
    if (gate != NULL) {
        pthread_mutex_lock(&gate->lock);
        gate->arrived++;
        pthread_cond_broadcast(&gate->changed);
        while (!gate->is_open) {
            pthread_cond_wait(&gate->changed, &gate->lock);
        }
        pthread_mutex_unlock(&gate->lock);
    }
    atomic_fetch_add(&counted->runs, 1);
}

static void gate_init(struct gate *gate)
{
    *gate = (struct gate){ .arrived = 0 };
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->changed, NULL);
}

static void gate_wait_for(struct gate *gate, size_t count)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->arrived < count) {
        pthread_cond_wait(&gate->changed, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
}

static void gate_open(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->is_open = true;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

static void every_job_runs_once(void **state)
{
    (void)state;
    static struct counted_job jobs[JOBS];
    struct tr_worker_pool *pool = tr_worker_pool_new(THREADS, JOBS);
    for (size_t i = 0; i < JOBS; i++) {
        jobs[i].job.run = run;
        atomic_init(&jobs[i].runs, 0);
        assert_true(tr_worker_submit(pool, &jobs[i].job));
    }

    tr_worker_pool_free(pool);

    for (size_t i = 0; i < JOBS; i++) {
        assert_int_equal(atomic_load(&jobs[i].runs), 1);
    }
}

static void queue_takes_its_limit_and_no_more(void **state)
{
    (void)state;
    enum { LIMIT = 2 };
    struct gate gate;
    struct counted_job jobs[1 + LIMIT + 1];
    gate_init(&gate);
    struct tr_worker_pool *pool = tr_worker_pool_new(1, LIMIT);
    for (size_t i = 0; i < 1 + LIMIT + 1; i++) {
        jobs[i] = (struct counted_job){ .job = { .run = run }, .gate = &gate };
    }
    assert_true(tr_worker_submit(pool, &jobs[0].job));
    gate_wait_for(&gate, 1); /* it runs: it does not wait any more */

    for (size_t i = 1; i <= LIMIT; i++) {
        assert_true(tr_worker_submit(pool, &jobs[i].job));
    }
    assert_false(tr_worker_submit(pool, &jobs[LIMIT + 1].job));

    gate_open(&gate);
    tr_worker_pool_free(pool);
    for (size_t i = 0; i <= LIMIT; i++) {
        assert_int_equal(atomic_load(&jobs[i].runs), 1);
    }
    assert_int_equal(atomic_load(&jobs[LIMIT + 1].runs), 0);
}

static void workers_run_side_by_side(void **state)
{
    (void)state;
    struct gate gate;
    struct counted_job jobs[THREADS];
    gate_init(&gate);
    struct tr_worker_pool *pool = tr_worker_pool_new(THREADS, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] = (struct counted_job){ .job = { .run = run }, .gate = &gate };
        assert_true(tr_worker_submit(pool, &jobs[i].job));
    }

    gate_wait_for(&gate, THREADS); /* for ever, if one worker did them one by one */

    gate_open(&gate);
    tr_worker_pool_free(pool);
}

static bool make_pool(void *context)
{
    (void)context;
    struct tr_worker_pool *pool = tr_worker_pool_new(1, 1);
    const bool is_made = pool != NULL;
    tr_worker_pool_free(pool);
    return is_made;
}

static void pool_that_cannot_be_made_is_null(void **state)
{
    (void)state;
    assert_null(tr_worker_pool_new(0, 1));
    alloc_fail_each(make_pool, NULL);
    tr_worker_pool_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once),
        cmocka_unit_test(queue_takes_its_limit_and_no_more),
        cmocka_unit_test(workers_run_side_by_side),
        cmocka_unit_test(pool_that_cannot_be_made_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
