/* outcome.h - what a tool's own response says about success: its members `success`, `error` and
 * `errors` (DESIGN section 2). */
#ifndef TR_TOOLS_CORE_OUTCOME_H
#define TR_TOOLS_CORE_OUTCOME_H

#include <stdbool.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_arena;
struct tr_type;

struct tr_outcome {
    bool is_success;   /* the boolean `success` when there is one, else true */
    const char *error; /* `error`, else the texts of `errors` joined with "; ", else NULL */
};

/* Read the bound response. Blank texts and nulls count as not given. Borrows from the response;
 * a joined text lives in `arena`. TR_NO_MEMORY or TR_BODY_TOO_LARGE from the arena. */
TR_MUST_USE enum tr_status tr_outcome_read(const struct tr_type *type, const void *response,
                                           struct tr_arena *arena, struct tr_outcome *ret_outcome);

#endif
