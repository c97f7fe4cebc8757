/* function_tool.h - {"type": "function", "function": {...}}: the shape that several providers
 * share. */
#ifndef TR_OPENAPI_FUNCTION_TOOL_H
#define TR_OPENAPI_FUNCTION_TOOL_H

#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"

struct tr_entry;
struct tr_subset;

/* The JSON Schema of that shape, for tr_dialect.shape_json. */
extern const char tr_function_tool_shape[];

struct tr_function_rules {
    const struct tr_subset *subset; /* what is read of the parameters' schema */
    size_t description_characters;  /* the longest description that is taken; 0: any */
};

/* The tool in that shape: a new reference, NULL when out of memory. `dropped` as in dialect.h. */
TR_MUST_USE json_t *tr_function_tool(const struct tr_entry *entry,
                                     const struct tr_function_rules *rules, json_t *dropped);

#endif
