/* walk.h - what the stages that prepare parameters (params.h) share while they go through a
 * document. */
#ifndef TR_TOOLS_CORE_WALK_H
#define TR_TOOLS_CORE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_params_rules;
struct tr_place;
struct tr_report;
struct tr_schema;
struct tr_schema_list;
struct tr_violations;

/* One stage over one document. Borrows everything. */
struct tr_walk {
    const struct tr_params_rules *rules;
    struct tr_report *report;
    struct tr_violations *found;
    uint64_t work_left;
    bool is_exhausted; /* the work is not finished: the call must be refused */
};

/* Where in the walk a function is. */
struct tr_spot {
    const struct tr_place *place; /* in the document */
    size_t depth;                 /* calls on the stack */
    size_t text_level;            /* JSON texts that were unwrapped on the way here */
};

struct tr_walk tr_walk_start(const struct tr_params_rules *rules, struct tr_report *report,
                             struct tr_violations *found);

/* May the walk do `amount` more, `depth` calls deep? False when it should leave things as they are:
 * too deep (check then judges what is there) or, for good, too much work. */
TR_MUST_USE bool tr_walk_goes_on(struct tr_walk *walk, uint64_t amount, size_t depth);

/* Refuse the call when the work was not finished. */
void tr_walk_end(struct tr_walk *walk);

/* How deep arrays and objects are nested in `value`, itself included; 0 for a scalar. */
size_t tr_walk_nesting(const json_t *value);

/* How many values `value` is made of, for the work that looking at all of it is. */
size_t tr_walk_weight(const json_t *value);

/* Does `value` fit `schema`? False as well when the work did not suffice to find out. */
bool tr_walk_fits(struct tr_walk *walk, const struct tr_schema *schema, const json_t *value);

/* The index of the first branch of `list` that `value` fits as it is; list->count when there is
 * none. */
size_t tr_walk_fitting_branch(struct tr_walk *walk, const struct tr_schema_list *list,
                              const json_t *value);

/* The `then` or `else` of a node that applies to `value`; NULL when neither does. */
const struct tr_schema *tr_walk_condition(struct tr_walk *walk, const struct tr_schema *node,
                                          const json_t *value);

/* The stages at one place, `schema` being what the parent says about it. */
TR_MUST_USE enum tr_status tr_keys_at(struct tr_walk *walk, const struct tr_schema *schema,
                                      json_t *value, const struct tr_spot *spot);
TR_MUST_USE enum tr_status tr_defaults_at(struct tr_walk *walk, const struct tr_schema *schema,
                                          json_t *value, const struct tr_spot *spot);
/* *value is owned by the caller and may be replaced. */
TR_MUST_USE enum tr_status tr_coerce_at(struct tr_walk *walk, const struct tr_schema *schema,
                                        json_t **value, const struct tr_spot *spot);

/* Coerce *value by the first branch that it then fits; nothing happens when it fits one as it is,
 * or none. */
TR_MUST_USE enum tr_status tr_coerce_choice(struct tr_walk *walk, const struct tr_schema_list *list,
                                            json_t **value, const struct tr_spot *spot);

#endif
