/* subset.h - a JSON Schema in the keywords that a provider reads. A rule that the provider would
 * not see moves into the description, in words, and is listed: nothing is lost silently. */
#ifndef TR_OPENAPI_SUBSET_H
#define TR_OPENAPI_SUBSET_H

#include <jansson.h>

#include "tools/core/compiler.h"

/* What a provider can do with a schema. Lists end with NULL. */
struct tr_subset {
    const char *const *keeps; /* keywords that it reads; NULL: all of them */
    const char *const *shows; /* that it ignores, but that stay for other readers; NULL: none */
    const char *const *root_drops; /* that it reads, but not at the root; NULL: none */
};

/* The keywords that a root may not have where it must be a plain object, for `root_drops`. */
extern const char *const tr_subset_combinators[];

/* Rewrite the schema of a whole parameter object. The result is a new value whose root says `type:
 * object` and has `properties`; a `$ref` that the provider cannot follow is replaced by what it
 * means. `dropped` (may be NULL) gets the JSON Pointer of every rule that went into words, below
 * "/parameters". NULL when out of memory. */
TR_MUST_USE json_t *tr_subset_rewrite(const struct tr_subset *subset, const json_t *schema,
                                      json_t *dropped);

#endif
