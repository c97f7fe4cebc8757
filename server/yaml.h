/* yaml.h - YAML (libyaml) to JSON. Scalars become strings whatever they look like, for the schema
 * decides what they are (coercion); only plain null, ~ and nothing become null. yaml.c is the only
 * file that knows libyaml. */
#ifndef TR_SERVER_YAML_H
#define TR_SERVER_YAML_H

#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_arena;

/* Where each value stood: looked up by JSON Pointer. Lives in the arena given to the parser. */
struct tr_yaml_marks;

/* What is to be read. Borrowed while it is. */
struct tr_yaml_source {
    const char *bytes;
    size_t length;
    const char *name; /* in refusals: "name:line" */
};

/* Parse one document. Refuses (TR_INVALID_PARAMETERS; `reterr->where` "name:line") what is not
 * YAML, a second document, a duplicate key, a key that is no scalar, anchors and aliases, tags,
 * more than TR_MAX_JSON_DEPTH levels, invalid UTF-8, NUL; a refusal is one line and repeats no
 * value. A document that holds nothing gives an empty object. Gives a new reference. `ret_marks`
 * may be NULL. */
TR_MUST_USE enum tr_status tr_yaml_parse(const struct tr_yaml_source *source,
                                         struct tr_arena *arena, json_t **ret_value,
                                         const struct tr_yaml_marks **ret_marks,
                                         struct tr_fault *reterr);

/* The 1-based line of the member (its key) or item at `pointer`, or of its nearest ancestor that is
 * in the document; 0 when `marks` is NULL. */
size_t tr_yaml_line(const struct tr_yaml_marks *marks, const char *pointer);

/* Of libyaml. */
const char *tr_yaml_version(void);

#endif
