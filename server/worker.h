/* worker.h - the bounded pool of threads for tools that block and bodies too big for an I/O thread.
 */
#ifndef TR_SERVER_WORKER_H
#define TR_SERVER_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_worker_pool;

/* What a worker runs. The struct is the submitter's, usually inside something bigger; the pool
 * links it and forgets it when `run` starts. */
struct tr_job {
    struct tr_job *next;
    void (*run)(struct tr_job *job);
};

/* `threads` workers and at most `queue_limit` waiting jobs. NULL when threads cannot be made. */
TR_MALLOC struct tr_worker_pool *tr_worker_pool_new(size_t threads, size_t queue_limit);

/* Waits for the running jobs; jobs still waiting are run too (they see their call cancelled). */
void tr_worker_pool_free(struct tr_worker_pool *pool);

/* False when the queue is full or the pool is stopping: answer 503 at once. */
TR_MUST_USE bool tr_worker_submit(struct tr_worker_pool *pool, struct tr_job *job);

#endif
