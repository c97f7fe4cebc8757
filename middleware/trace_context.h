/* trace_context.h - what W3C Trace Context (level 2) and W3C Baggage say is well formed. */
#ifndef TR_MIDDLEWARE_TRACE_CONTEXT_H
#define TR_MIDDLEWARE_TRACE_CONTEXT_H

#include <stdbool.h>

#include "middleware/known_header.h"

enum {
    TR_TRACEPARENT_LENGTH = 55,
    TR_MAX_TRACESTATE_MEMBERS = 32,
    TR_MAX_BAGGAGE_BYTES = 8192,
    TR_MAX_BAGGAGE_MEMBERS = 180,
};

/* Copy a valid traceparent as version 00, with the flags that this version knows, into `out`, which
 * gets TR_TRACEPARENT_LENGTH bytes and a NUL. False, and the trace starts anew, when it is not
 * valid: version ff, zeros for an id, upper case, another length. */
bool tr_traceparent_parse(struct tr_value value, char *out);

/* A tracestate that may be passed on: at most 32 members, "key=value" with a value. Empty members
 * are allowed. */
bool tr_tracestate_is_valid(struct tr_value value);

/* A baggage header that may be passed on: "key=value;property,...". */
bool tr_baggage_is_valid(struct tr_value value);

#endif
