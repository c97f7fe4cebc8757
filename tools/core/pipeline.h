/* pipeline.h - the sealed path of one call through its eleven stages (DESIGN section 1). A tool
 * cannot skip or reorder them.
 *
 * A run is split where it may wait: prepare (parse to validate), execute, finish (unbind to
 * envelope). The three may run in different threads, one after the other. */
#ifndef TR_TOOLS_CORE_PIPELINE_H
#define TR_TOOLS_CORE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/base.h"
#include "tools/core/call.h"
#include "tools/core/compiler.h"
#include "tools/core/registry.h"
#include "tools/core/status.h"
#include "tools/core/text.h"
#include "tools/core/violation.h"

/* Durations in nanoseconds, for Server-Timing; 0: the stage did not run. */
struct tr_run_timings {
    int64_t parse_ns, params_ns, bind_ns, execute_ns, finish_ns; /* bind: with validate */
};

/* One run of one tool. Borrows `entry`, `call` and `body` until it is done. */
struct tr_run {
    const struct tr_entry *entry;
    struct tr_call *call;
    const char *body; /* the request document; unused when `parameters` is given */
    size_t body_length;
    const char *id; /* written into the envelope; NULL: the request id */

    enum tr_status status;           /* the outcome so far */
    const char *message;             /* why it is not TR_OK; in the arena or static */
    struct tr_violations violations; /* of TR_INVALID_PARAMETERS */
    json_t *parameters;              /* owned; what stages 1 to 5 made of the body */
    void *request, *response;        /* structs in the arena */
    struct tr_text result;           /* stage 9's JSON text */
    bool is_success;                 /* the envelope's `success` */
    const char *error;               /* the envelope's `error`, NULL: null */
    struct tr_run_timings timings;
    int64_t started_ns;
    int64_t mark_ns; /* when the last stage ended */
};

/* Start with a zeroed run whose entry, call, body and body_length are set. */
void tr_run_init(struct tr_run *run, const struct tr_entry *entry, struct tr_call *call,
                 const char *body, size_t body_length);
void tr_run_done(struct tr_run *run);

/* Stages 1 to 7. False: refused, run->status says why; go on with tr_run_finish(). */
TR_MUST_USE bool tr_run_prepare(struct tr_run *run);

/* Stage 8 in the calling thread, to its end; a tool that waits for something holds the thread.
 * False as above. */
TR_MUST_USE bool tr_run_execute(struct tr_run *run);

/* Stage 8 without holding a thread. True: it ended, run->status says how. False: waiter->done()
 * will be called exactly once from another thread, perhaps already; go on with tr_run_resume(). */
TR_MUST_USE bool tr_run_start(struct tr_run *run, struct tr_waiter *waiter);

/* The rest of stage 8 of a run that was started, with the status that its waiter was given.
 * Computes only; tr_run_inbound_bytes() says how much there is to read. */
void tr_run_resume(struct tr_run *run, enum tr_status status);
size_t tr_run_inbound_bytes(const struct tr_run *run);

/* Ask a started run to end soon: for whoever abandons it, in any thread. */
void tr_run_cancel(const struct tr_entry *entry, struct tr_call *call);

/* Stages 9 to 11: append the answer document to `out`, the success envelope or the problem document
 * of DESIGN section 2. Returns the status that decides the HTTP status line; when `out` itself
 * failed, its status (the text is then empty and the caller answers a bare problem). */
TR_MUST_USE enum tr_status tr_run_finish(struct tr_run *run, struct tr_text *out);

/* All of it in the calling thread. */
TR_MUST_USE enum tr_status tr_run_all(struct tr_run *run, struct tr_text *out);

/* End a run from outside of its stages, as a deadline does: writes the problem document of `status`
 * for `entry` ("Tool 'X' execution timed out after N ms" for TR_TIMEOUT) without touching a
 * run that is still going on in another thread. */
void tr_run_write_abandoned(const struct tr_entry *entry, const char *request_id,
                            enum tr_status status, struct tr_text *out);

#endif
