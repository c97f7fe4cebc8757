/* dialect.h - the shapes in which model providers accept a tool: one file and one row a dialect. */
#ifndef TR_OPENAPI_DIALECT_H
#define TR_OPENAPI_DIALECT_H

#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"

struct tr_entry;

struct tr_dialect {
    const char *name;        /* the value of ?format= */
    const char *description; /* one sentence, for the docs and the CLI */
    /* One tool as JSON: a new reference, NULL when out of memory. Deterministic. */
    json_t *(*describe)(const struct tr_entry *entry);
    /* The list of tools, given the described ones (takes the reference `tools`); NULL: the bare
     * array. */
    json_t *(*wrap)(json_t *tools);
};

/* The row named `name`, NULL when there is none. */
const struct tr_dialect *tr_dialect_find(const char *name);

/* All rows, for GET /, the docs and error texts. */
const struct tr_dialect *const *tr_dialects(size_t *ret_count);

#endif
