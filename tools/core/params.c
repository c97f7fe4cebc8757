#include "tools/core/params.h"

#include "tools/core/arena.h"
#include "tools/core/check.h"
#include "tools/core/place.h"
#include "tools/core/violation.h"
#include "tools/core/walk.h"

static const struct tr_place root = { 0 };
static const struct tr_spot root_spot = { .place = &root };
static const struct tr_params_rules no_rules = { 0 };

enum tr_status tr_keys(const struct tr_schema *schema, json_t **value, struct tr_report *report,
                       struct tr_violations *found)
{
    struct tr_walk walk = tr_walk_start(&no_rules, report, found);
    TR_TRY(tr_keys_at(&walk, schema, *value, &root_spot));
    tr_walk_end(&walk);
    return TR_OK;
}

enum tr_status tr_defaults(const struct tr_schema *schema, const struct tr_params_rules *rules,
                           json_t **value, struct tr_violations *found)
{
    struct tr_walk walk = tr_walk_start(rules, NULL, found);
    TR_TRY(tr_defaults_at(&walk, schema, *value, &root_spot));
    tr_walk_end(&walk);
    return TR_OK;
}

enum tr_status tr_coerce(const struct tr_schema *schema, const struct tr_params_rules *rules,
                         json_t **value, struct tr_report *report, struct tr_violations *found)
{
    struct tr_walk walk = tr_walk_start(rules, report, found);
    TR_TRY(tr_coerce_at(&walk, schema, value, &root_spot));
    tr_walk_end(&walk);
    return TR_OK;
}

enum tr_status tr_params_prepare(const struct tr_schema *schema,
                                 const struct tr_params_rules *rules, json_t **value,
                                 struct tr_report *report, struct tr_violations *found)
{
    if (!rules->is_exact) {
        TR_TRY(tr_keys(schema, value, report, found));
    }
    TR_TRY(tr_defaults(schema, rules, value, found));
    if (!rules->is_exact) {
        TR_TRY(tr_coerce(schema, rules, value, report, found));
    }
    tr_check_parameters(schema, *value, &root, found);
    if (found->out_of_memory) {
        return tr_arena_status(found->arena);
    }
    return tr_violations_any(found) ? TR_INVALID_PARAMETERS : TR_OK;
}
