/* dialect.h - the shapes in which model providers accept a tool: one file and one row a dialect. */
#ifndef TR_OPENAPI_DIALECT_H
#define TR_OPENAPI_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"

struct tr_entry;

/* The tool that is to be described, and what a ready command line needs. Borrows all of it. */
struct tr_subject {
    const struct tr_entry *entry;
    const char *base_url; /* without a trailing slash */
    bool needs_key;       /* are there any credentials in force? */
};

struct tr_dialect {
    const char *name;        /* the value of ?format= */
    const char *description; /* one sentence, for the docs and the CLI */
    const char *shape_json;  /* JSON Schema of one described tool, for the OpenAPI document */
    /* One tool as JSON: a new reference, NULL when out of memory. Deterministic. When `dropped`, an
     * array, is not NULL, it gets the JSON Pointers, into the native view, of what the dialect
     * cannot express and tells in words instead. */
    json_t *(*describe)(const struct tr_subject *subject, json_t *dropped);
    /* The list of tools, given the described ones (takes the reference `tools`); NULL: the bare
     * array. */
    json_t *(*wrap)(json_t *tools);
};

/* Each row, in its own file: openapi/dialect_<name>.c */
extern const struct tr_dialect tr_dialect_native, tr_dialect_json_schema, tr_dialect_openai,
    tr_dialect_ollama;

/* The row named `name`, NULL when there is none. */
const struct tr_dialect *tr_dialect_find(const char *name);

/* All rows, for GET /, the docs and error texts; the first is the default. */
const struct tr_dialect *const *tr_dialects(size_t *ret_count);

/* The place of `dialect` among the rows, for caches kept beside them. */
size_t tr_dialect_index(const struct tr_dialect *dialect);

#endif
