/* violation.h - everything that is wrong with one request, collected in one pass. */
#ifndef TR_TOOLS_CORE_VIOLATION_H
#define TR_TOOLS_CORE_VIOLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_arena;
struct tr_place;

struct tr_violation {
    const char *pointer; /* JSON Pointer */
    const char *code; /* the keyword that is broken: "required", "type", "enum", "minLength" ... */
    const char
        *message; /* one sentence without a full stop, in the exact wording of the contract */
};

/* Lives in an arena, so it has no end of its own. Start with { .arena = ... }. */
struct tr_violations {
    struct tr_arena *arena;
    struct tr_violation *items;
    size_t count, room;
    size_t dropped;     /* found beyond TR_MAX_VIOLATIONS; only counted */
    bool out_of_memory; /* one could not be kept; the request is refused all the same */
};

/* Add one: `code` and the pointer of `place`; in `format` the place's readable name is up to the
 * caller (tr_violations_name()). The first violation at a pointer with a code wins; a repetition
 * is left out. */
TR_PRINTF(4, 5)
void tr_violations_add(struct tr_violations *list, const struct tr_place *place, const char *code,
                       const char *format, ...);

/* "opts.k" for messages; lives in the list's arena; "?" when there is no memory. */
const char *tr_violations_name(struct tr_violations *list, const struct tr_place *place);

/* Was anything found (kept, dropped or lost)? */
bool tr_violations_any(const struct tr_violations *list);

/* All messages joined with "; ", for the `error` member. NULL when out of memory. */
TR_MUST_USE const char *tr_violations_join(const struct tr_violations *list);

#endif
