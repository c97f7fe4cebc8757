#include "tools/core/walk.h"

#include "tools/core/check.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/place.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

/* Deeper than any body that is accepted, with room for what JSON texts in it unfold to. */
enum { MAX_DEPTH = 4 * TR_MAX_JSON_DEPTH };

struct tr_walk tr_walk_start(const struct tr_params_rules *rules, struct tr_report *report,
                             struct tr_violations *found)
{
    return (struct tr_walk){
        .rules = rules,
        .report = report,
        .found = found,
        .work_left = TR_MAX_PARAMS_WORK,
    };
}

bool tr_walk_goes_on(struct tr_walk *walk, uint64_t amount, size_t depth)
{
    if (amount > walk->work_left) {
        walk->work_left = 0;
        walk->is_exhausted = true;
        return false;
    }
    walk->work_left -= amount;
    return depth < MAX_DEPTH;
}

void tr_walk_end(struct tr_walk *walk)
{
    if (walk->is_exhausted) {
        const struct tr_place root = { 0 };
        tr_violations_add(walk->found, &root, "complexity",
                          "The parameters are too complex for the schema; send less at once");
    }
}

size_t tr_walk_nesting(const json_t *value)
{
    size_t deepest = 0;
    if (json_is_object(value)) {
        for (void *at = tr_json_first(value); at != NULL; at = tr_json_next(value, at)) {
            const size_t nesting = tr_walk_nesting(json_object_iter_value(at));
            deepest = nesting > deepest ? nesting : deepest;
        }
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        const size_t nesting = tr_walk_nesting(json_array_get(value, i));
        deepest = nesting > deepest ? nesting : deepest;
    }
    return json_is_object(value) || json_is_array(value) ? deepest + 1 : 0;
}

size_t tr_walk_weight(const json_t *value)
{
    size_t weight = 1;
    if (json_is_object(value)) {
        for (void *at = tr_json_first(value); at != NULL; at = tr_json_next(value, at)) {
            weight += tr_walk_weight(json_object_iter_value(at));
        }
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        weight += tr_walk_weight(json_array_get(value, i));
    }
    return weight;
}

bool tr_walk_fits(struct tr_walk *walk, const struct tr_schema *schema, const json_t *value)
{
    const bool fits = tr_check_fits_within(schema, value, &walk->work_left);
    walk->is_exhausted = walk->is_exhausted || walk->work_left == 0;
    return fits;
}

size_t tr_walk_fitting_branch(struct tr_walk *walk, const struct tr_schema_list *list,
                              const json_t *value)
{
    size_t at = 0;
    while (at < list->count && !tr_walk_fits(walk, list->items[at], value)) {
        at++;
    }
    return at;
}

const struct tr_schema *tr_walk_condition(struct tr_walk *walk, const struct tr_schema *node,
                                          const json_t *value)
{
    if (node->if_schema == NULL || (node->then_schema == NULL && node->else_schema == NULL)) {
        return NULL;
    }
    return tr_walk_fits(walk, node->if_schema, value) ? node->then_schema : node->else_schema;
}
