/* schema_parse.h - what the files of the schema parser share; schema.h has the one entry to it. */
#ifndef TR_TOOLS_CORE_SCHEMA_PARSE_H
#define TR_TOOLS_CORE_SCHEMA_PARSE_H

#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/place.h"
#include "tools/core/schema.h"
#include "tools/core/schema_keyword.h"
#include "tools/core/status.h"

/* A $ref that was met; it is followed when every node exists. */
struct tr_schema_ref {
    struct tr_schema_ref *next;
    struct tr_schema *node;
    const char *where;     /* JSON Pointer of the $ref */
    bool is_open, is_done; /* for the search for circles */
};

/* One run of the parser over the copy of the document that the arena owns; every text and value of
 * the tree is borrowed from that copy. */
struct tr_schema_parser {
    struct tr_arena *arena;
    struct tr_fault *reterr;
    const char *root_id; /* $id of the root, or NULL */
    size_t node_count, depth;
    struct tr_schema_ref *refs;
    size_t ref_count;
};

/* One keyword of a node as it stands in the document. */
struct tr_schema_entry {
    const struct tr_keyword *keyword;
    const json_t *value;
    const json_t *owner; /* the schema that has the keyword */
    const struct tr_place *place;
};

/* The member of the node that belongs to the entry's keyword. */
static inline void *tr_schema_entry_member(const struct tr_schema_entry *entry,
                                           struct tr_schema *node)
{
    return (char *)node + entry->keyword->offset;
}

/* TR_INVALID_PARAMETERS, with the place as a JSON Pointer. */
TR_PRINTF(3, 4)
enum tr_status tr_schema_refuse(const struct tr_schema_parser *parser, const struct tr_place *place,
                                const char *format, ...);

/* What the arena says about its last refusal. */
enum tr_status tr_schema_no_room(const struct tr_schema_parser *parser);

/* The node of any JSON value; refuses what is no schema. */
TR_MUST_USE enum tr_status tr_schema_parse_node(struct tr_schema_parser *parser, const json_t *json,
                                                const struct tr_place *place,
                                                const struct tr_schema **ret_schema);

/* Fill the member of the node from the entry, by the form of its keyword: one function for the
 * forms that hold no schemas, one for those that do. */
TR_MUST_USE enum tr_status tr_schema_parse_plain(struct tr_schema_parser *parser,
                                                 const struct tr_schema_entry *entry,
                                                 struct tr_schema *node);
TR_MUST_USE enum tr_status tr_schema_parse_nested(struct tr_schema_parser *parser,
                                                  const struct tr_schema_entry *entry,
                                                  struct tr_schema *node);

/* A string without NUL, borrowed from the document. */
TR_MUST_USE enum tr_status tr_schema_parse_text(const struct tr_schema_parser *parser,
                                                const json_t *json, const struct tr_place *place,
                                                const char **ret_text);

/* A list of such strings; the arena has the array. */
TR_MUST_USE enum tr_status tr_schema_parse_names(const struct tr_schema_parser *parser,
                                                 const json_t *json, const struct tr_place *place,
                                                 const char *const **ret_names, size_t *ret_count);

/* Remember the $ref of `node`. */
TR_MUST_USE enum tr_status tr_schema_add_ref(struct tr_schema_parser *parser,
                                             const struct tr_place *place, struct tr_schema *node);

/* Follow every $ref from `root`, and refuse one that comes back to itself on the same value. */
TR_MUST_USE enum tr_status tr_schema_follow_refs(struct tr_schema_parser *parser,
                                                 const struct tr_schema *root);

#endif
