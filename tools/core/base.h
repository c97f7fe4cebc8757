/* base.h - how a tool runs that is more than a plain function. tools/base has one of these for each
 * base: it gives a tool its guarded way to the world outside, and may let it wait without holding a
 * thread. */
#ifndef TR_TOOLS_CORE_BASE_H
#define TR_TOOLS_CORE_BASE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_arena;
struct tr_call;
struct tr_tool;
struct tr_type;

/* Who waits for a tool that ends later. Owned by the one who waits, until `done` was called. */
struct tr_waiter {
    void (*done)(struct tr_waiter *waiter, enum tr_status status);
};

/* A const object; every function may be called from any thread, for any number of calls at once. */
struct tr_base {
    const char *name; /* "file", "http" */

    /* What an operator may say about it, as `suites: {SUITE: {KEY: ...}}` for a suite and as
     * `tools: [{TOOL: {KEY: ...}}]` for one tool, whose members go before the suite's. Bound at
     * load; what configure() makes of it is call->base_state. NULL: nothing to say. */
    const char *settings_key;
    const struct tr_type *settings;
    enum tr_status (*configure)(const void *settings, struct tr_arena *arena,
                                const void **ret_state, struct tr_fault *reterr);

    /* Stage 8. True: it ended, with *ret_status. False: waiter->done() will be called exactly once,
     * from another thread, perhaps before this returns; then finish() completes the stage. */
    bool (*start)(struct tr_call *call, const struct tr_tool *tool, const void *request,
                  void *response, struct tr_waiter *waiter, enum tr_status *ret_status);

    /* After done(waiter, TR_OK): fill the response from what came in. Computes only. NULL for a
     * base whose tools always end in start(). */
    enum tr_status (*finish)(struct tr_call *call, const struct tr_tool *tool, const void *request,
                             void *response);

    /* How much finish() has to read, to choose its thread. NULL as above. */
    size_t (*inbound_bytes)(const struct tr_call *call);

    /* Ask a started call to end soon; call->is_cancelled is set already. Does nothing for one that
     * has not started or has ended. NULL: there is nothing that could be asked. */
    void (*cancel)(struct tr_call *call);

    /* The names of the caller's headers that its configuration lets through, to be found in
     * call->context. `state` is what configure() gave, or NULL. NULL: never any. */
    const char *const *(*caller_headers)(const void *state, size_t *ret_count);
};

#endif
