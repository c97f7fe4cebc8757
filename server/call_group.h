/* call_group.h - calls that run on the workers for one suspended request: one call, or a batch.
 *
 * A slot ends exactly once: by its worker when the run is through, or by whoever abandons it
 * (deadline, the client left, stop). The last slot to end answers the request. A worker that comes
 * back to an abandoned slot throws its result away; the memory of the group lives until then. */
#ifndef TR_SERVER_CALL_GROUP_H
#define TR_SERVER_CALL_GROUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "middleware/exchange.h"
#include "server/worker.h"
#include "tools/core/call.h"
#include "tools/core/compiler.h"
#include "tools/core/pipeline.h"
#include "tools/core/registry.h"
#include "tools/core/text.h"

struct tr_app;
struct tr_call_group;
struct tr_pending;

enum tr_slot_state { TR_SLOT_RUNNING, TR_SLOT_DONE, TR_SLOT_ABANDONED };

/* A document and the status that decides its HTTP status line. */
struct tr_slot_outcome {
    enum tr_status status;
    struct tr_text document;
};

struct tr_call_slot {
    struct tr_job job;       /* what its worker runs next: the whole of it, or the rest */
    struct tr_waiter waiter; /* of a tool that waits without a thread */
    enum tr_status waited;   /* what the waiter was told */
    struct tr_call_group *group;
    const struct tr_entry *entry; /* NULL: refused before any tool ran */
    const char *id;               /* of a batch's call; NULL: none was given */
    atomic_int state;             /* enum tr_slot_state; leaves TR_SLOT_RUNNING once */
    struct tr_call call;
    struct tr_run run;                /* the worker's alone */
    struct tr_slot_outcome done;      /* written by the worker before the state says so */
    struct tr_slot_outcome abandoned; /* written by whoever abandoned the slot, after that */
};

struct tr_call_group {
    atomic_size_t references; /* one a submitted slot, one of the request */
    atomic_size_t unfinished; /* slots that have not ended */
    struct tr_registry *registry;
    struct tr_worker_pool *workers;
    struct tr_exchange *exchange; /* touched only by whoever ends the last slot */
    struct tr_pending *pending;
    struct tr_text body; /* moved out of the exchange: the runs borrow from it */
    json_t *document;    /* a parsed batch, owned; NULL for one call */
    bool is_batch;       /* answered as an array */
    size_t count;
    struct tr_call_slot slots[];
};

/* A group of `count` slots that are still to be filled by tr_call_slot_set(); takes the exchange's
 * body. NULL when out of memory (the body stays). */
TR_MALLOC struct tr_call_group *tr_call_group_new(struct tr_app *app, struct tr_exchange *exchange,
                                                  struct tr_pending *pending, size_t count);

/* Slot `index` runs `entry` on the group's body, or on `parameters` when not NULL (takes the
 * reference). `id` is borrowed until the group ends. False when out of memory. */
TR_MUST_USE bool tr_call_slot_set(struct tr_call_group *group, size_t index,
                                  const struct tr_entry *entry, json_t *parameters, const char *id);

/* Slot `index` has its outcome already: a refusal before any tool ran. */
TR_PRINTF(4, 5)
void tr_call_slot_refuse(struct tr_call_group *group, size_t index, enum tr_status status,
                         const char *format, ...);

/* The group takes the reference `document`, from which parameters and ids are borrowed. */
void tr_call_group_adopt(struct tr_call_group *group, json_t *document);

/* Has every slot its outcome already? Then tr_call_group_run() is the way to answer. */
bool tr_call_group_is_settled(struct tr_call_group *group);

/* Suspend the request and hand every running slot to the workers; a slot that finds no room is
 * answered 503. The group and the exchange must not be touched afterwards. */
void tr_call_group_start(struct tr_call_group *group);

/* Run the running slots in the calling thread, one after another, and answer; for tools that do not
 * block. False when that became too long for an event thread: the rest goes to the workers, as by
 * tr_call_group_start(). Either way the group must not be touched afterwards. */
TR_MUST_USE bool tr_call_group_run(struct tr_call_group *group);

/* Give up a group that was not started; the body goes back to the exchange. */
void tr_call_group_free(struct tr_call_group *group);

#endif
