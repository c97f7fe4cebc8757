/* call.h - what a tool sees of the call it serves: its memory, its caller, its deadline. */
#ifndef TR_TOOLS_CORE_CALL_H
#define TR_TOOLS_CORE_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/report.h"
#include "tools/core/status.h"

/* A header of the caller's request. The value has no blanks around it, and may hold any byte, NUL
 * too. */
struct tr_call_header {
    const char *name, *value;
    size_t value_length;
};

/* Who calls, and on whose behalf. Texts are borrowed until the call ends; NULL when not given. */
struct tr_call_context {
    const char *user_id;     /* the authenticated principal; never taken from a header */
    const char *agent_id;    /* X-Agent-Id */
    const char *task_id;     /* X-Task-Id */
    const char *baggage;     /* W3C baggage, as sent */
    const char *traceparent; /* W3C trace context; to be passed on to upstreams */
    const char *tracestate;  /* goes with it; NULL without a traceparent */
    const char *request_id;
    const struct tr_call_header *headers; /* those that the tool's base asks for: base.h */
    size_t header_count;
};

struct tr_services;

/* One call. Owned by whoever runs it (a worker, an I/O thread, the CLI); lives in one thread at a
 * time, except `is_cancelled`, which any thread may set. */
struct tr_call {
    struct tr_arena arena;
    struct tr_call_context context;
    const void *settings; /* the suite's bound settings struct, or NULL; immutable */
    void *suite_state;    /* what the suite's initialize() gave; shared by all calls */
    const struct tr_services *services; /* what the bases work with, or NULL: base/services.h */
    const void *base_state;       /* what the tool's base was configured with, or NULL; immutable */
    _Atomic uint64_t base_ticket; /* the base's own name for a started call; 0: none */
    void *base_result;            /* what the base keeps between its start() and finish() */
    int64_t deadline_ms;          /* on the monotonic clock of tr_clock_ms(); 0: none */
    atomic_bool is_cancelled;
    struct tr_report report;
    const char *failure; /* set by tr_fail(), in the arena */
};

/* An empty call with an arena of TR_CALL_ARENA_BYTES. */
void tr_call_init(struct tr_call *call);
void tr_call_done(struct tr_call *call);

/* ---- for tool authors ---- */

/* Memory that lives as long as the call; zeroed. NULL when the call's share is used up: return
 * TR_NO_MEMORY then. */
TR_MALLOC void *tr_alloc(struct tr_call *call, size_t count, size_t size);

/* Formatted text that lives as long as the call; NULL as tr_alloc(). */
TR_MUST_USE TR_PRINTF(2, 3) const char *tr_printf(struct tr_call *call, const char *format, ...);

/* The tool cannot do what was asked: `return tr_fail(call, "City '%s' not found", city);` gives the
 * caller HTTP 200 with success false and this sentence. Say what to do next. */
TR_PRINTF(2, 3)
enum tr_status tr_fail(struct tr_call *call, const char *format, ...);

/* A defect of the tool or its surroundings that the caller cannot mend: HTTP 500. The sentence is
 * for the log; the caller sees it too, so it must hold no secret. */
TR_PRINTF(2, 3)
enum tr_status tr_fail_internal(struct tr_call *call, const char *format, ...);

/* A sentence for `metadata.warnings`. */
TR_PRINTF(2, 3) void tr_warn(struct tr_call *call, const char *format, ...);

/* Should a long-running tool stop? True once the caller left, the deadline passed, or the gateway
 * is stopping. */
bool tr_call_should_stop(const struct tr_call *call);

/* Sleep up to `duration_ms`, less when the call should stop; false in that case. */
TR_MUST_USE bool tr_call_sleep(const struct tr_call *call, int64_t duration_ms);

#endif
