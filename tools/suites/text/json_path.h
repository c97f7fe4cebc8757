/* json_path.h - the way to a place in a JSON document, as a caller wrote it: a JSON Pointer (RFC
 * 6901) or a dotted path such as a.b[0].c. */
#ifndef TR_TOOLS_SUITES_TEXT_JSON_PATH_H
#define TR_TOOLS_SUITES_TEXT_JSON_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_call;

/* No request nests deeper than 32 levels, so a longer path leads nowhere. */
enum { TR_JSON_PATH_STEPS = 64 };

/* The name of a member or the index of an item. Borrows from the path's text. */
struct tr_json_step {
    const char *name;
    size_t length;
    size_t end;    /* where the step ends in the query */
    bool is_index; /* written as [n]: never the name of a member */
};

struct tr_json_path {
    const char *query; /* as it was written */
    struct tr_json_step steps[TR_JSON_PATH_STEPS];
    size_t count;
};

/* Read `query`, which is borrowed as long as the path lives. TR_INVALID_PARAMETERS when it is no
 * path; *ret_reason is then a sentence that says why, otherwise NULL. */
TR_MUST_USE enum tr_status tr_json_path_read(struct tr_call *call, const char *query,
                                             struct tr_json_path *ret_path,
                                             const char **ret_reason);

/* Walk from `document` to the place; borrows the result from the document. Fails by tr_fail(),
 * naming the step that leads nowhere and what is there instead. */
TR_MUST_USE enum tr_status tr_json_path_walk(struct tr_call *call, const struct tr_json_path *path,
                                             json_t *document, json_t **ret_value);

/* The place as a JSON Pointer; NULL when out of memory. */
TR_MUST_USE const char *tr_json_path_pointer(struct tr_call *call, const struct tr_json_path *path);

/* "string", "array" and so on. */
const char *tr_json_type_name(const json_t *value);

#endif
