#include "server/worker.h"

#include <pthread.h>
#include <stdlib.h>

struct tr_worker_pool {
    size_t queue_limit;
    pthread_t *threads;
    size_t thread_count; /* that were started */

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    struct tr_job *first, *last; /* waiting, oldest first */
    size_t waiting;
    bool is_stopping;
};

/* The next job, NULL at the end: stopping, and nothing waits any more. */
static struct tr_job *next_job(struct tr_worker_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->first == NULL && !pool->is_stopping) {
        pthread_cond_wait(&pool->changed, &pool->lock);
    }
    struct tr_job *job = pool->first;
    if (job != NULL) {
        pool->first = job->next;
        pool->waiting--;
    }
    pthread_mutex_unlock(&pool->lock);
    return job;
}

static void *work(void *context)
{
    struct tr_worker_pool *pool = context;
    for (struct tr_job *job = next_job(pool); job != NULL; job = next_job(pool)) {
        job->run(job);
    }
    return NULL;
}

struct tr_worker_pool *tr_worker_pool_new(size_t threads, size_t queue_limit)
{
    struct tr_worker_pool *pool = calloc(1, sizeof(*pool));
    if (pool == NULL) {
        return NULL;
    }
    pool->queue_limit = queue_limit;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->threads = calloc(threads, sizeof(*pool->threads));
    while (pool->threads != NULL && pool->thread_count < threads
           && pthread_create(&pool->threads[pool->thread_count], NULL, work, pool) == 0) {
        pool->thread_count++;
    }
    if (pool->thread_count < threads || threads == 0) {
        tr_worker_pool_free(pool);
        return NULL;
    }
    return pool;
}

void tr_worker_pool_free(struct tr_worker_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->is_stopping = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (size_t at = 0; at < pool->thread_count; at++) {
        pthread_join(pool->threads[at], NULL);
    }
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);
}

bool tr_worker_submit(struct tr_worker_pool *pool, struct tr_job *job)
{
    pthread_mutex_lock(&pool->lock);
    const bool has_room = !pool->is_stopping && pool->waiting < pool->queue_limit;
    if (has_room) {
        job->next = NULL;
        if (pool->first == NULL) {
            pool->first = job;
        } else {
            pool->last->next = job;
        }
        pool->last = job;
        pool->waiting++;
        pthread_cond_signal(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return has_room;
}
