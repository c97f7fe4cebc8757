/* scope.h - all the schemas that speak about one place of a document: a node, what it refers to,
 * and the branches of its combinators. For the stages that prepare parameters (params.h).
 *
 * A schema "surely" applies when every valid value must obey it: the node itself, $ref, allOf. A
 * branch of anyOf or oneOf, and if, then, else, apply perhaps. */
#ifndef TR_TOOLS_CORE_SCOPE_H
#define TR_TOOLS_CORE_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

struct tr_schema;

enum {
    TR_MAX_SCOPE = 24,         /* schemas at one place; beyond it the scope is full and lenient */
    TR_MAX_MEMBER_SCHEMAS = 8, /* schemas of one node that speak about one member */
};

/* Start with tr_scope_init(). No schema is in it twice, so a cycle of $refs ends. Borrows the
 * schemas. */
struct tr_scope {
    const struct tr_schema *nodes[TR_MAX_SCOPE]; /* the sure ones first */
    size_t count, sure_count;
    bool has_open_branch; /* one of the possible schemas names no members */
    bool is_full;
};

/* Only what counts is cleared: there is a scope at every place of a document. */
static inline void tr_scope_init(struct tr_scope *scope)
{
    scope->count = 0;
    scope->sure_count = 0;
    scope->has_open_branch = false;
    scope->is_full = false;
}

/* Every schema that surely applies where `schema` does. */
void tr_scope_sure(struct tr_scope *scope, const struct tr_schema *schema);

/* The same, and every schema that perhaps applies there. */
void tr_scope_all(struct tr_scope *scope, const struct tr_schema *schema);

/* All schemas for the member `key`, or the item at `index`, of a value that `parent` speaks about.
 */
void tr_scope_member(const struct tr_scope *parent, const char *key, size_t key_length,
                     struct tr_scope *ret_child);
void tr_scope_item(const struct tr_scope *parent, size_t index, struct tr_scope *ret_child);

/* Do the schemas, taken together, say which members an object has? */
bool tr_scope_names_members(const struct tr_scope *scope);

/* What one node alone says about the member `key`: the property, each matching pattern, else
 * additionalProperties. Gives the number of schemas in `ret_schemas`; false when the node does not
 * know the member at all. */
bool tr_schema_member(const struct tr_schema *node, const char *key, size_t key_length,
                      const struct tr_schema *ret_schemas[TR_MAX_MEMBER_SCHEMAS],
                      size_t *ret_count);

/* The schema of the item at `index`; NULL when nothing was said. */
const struct tr_schema *tr_schema_item(const struct tr_schema *node, size_t index);

/* Does the node declare `key` by name or by pattern, or require it? */
bool tr_schema_knows(const struct tr_schema *node, const char *key, size_t key_length);

#endif
