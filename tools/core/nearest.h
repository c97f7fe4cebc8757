/* nearest.h - "did you mean": the declared name that a misspelt one was meant to be. */
#ifndef TR_TOOLS_CORE_NEAREST_H
#define TR_TOOLS_CORE_NEAREST_H

#include <stddef.h>

/* Offer candidates one after the other; `best` is then the nearest within a third of the length
 * of `wanted` (at least 1 edit, Damerau-Levenshtein, ignoring case), or NULL. Start with
 * { .wanted = name }. Names over 64 bytes are never near. Borrows all texts. */
struct tr_nearest {
    const char *wanted;
    const char *best;
    size_t distance;
};

void tr_nearest_offer(struct tr_nearest *nearest, const char *candidate);

#endif
