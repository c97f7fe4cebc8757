/* $ref, allOf, anyOf, oneOf, not and if: schemas for the same value. */

#include "tools/core/checker.h"

/* ---- alternatives ---- */

/* The types that a schema can accept at all; 0: it does not say. */
static unsigned types_of(const struct tr_schema *schema)
{
    const struct tr_schema *target = tr_schema_resolve(schema);
    return target != NULL ? target->types : 0;
}

/* The types of all branches together; 0 as soon as one does not say. */
static unsigned types_of_branches(const struct tr_schema_list *branches)
{
    unsigned types = 0;
    for (size_t i = 0; i < branches->count; i++) {
        const unsigned of_branch = types_of(branches->items[i]);
        if (of_branch == 0) {
            return 0;
        }
        types |= of_branch;
    }
    return types;
}

/* How far a value gets in a branch that it does not fit: the type weighs more than any number of
 * members that do fit. */
static size_t score_branch(struct tr_checker *checker, const struct tr_schema *branch,
                           const json_t *value, const struct tr_place *place)
{
    const struct tr_checker before = *checker;
    checker->mode = TR_CHECK_SCORE;
    checker->score = 0;
    (void)tr_check_node(checker, branch, value, place);
    const size_t score = checker->score;
    checker->mode = before.mode;
    checker->score = before.score;
    const unsigned types = types_of(branch);
    const bool has_type = types == 0 || (types & tr_check_types_of(checker, value)) != 0;
    return has_type ? SIZE_MAX / 2 + score : score;
}

/* No branch fits: say what is wrong in the one that the value got furthest in, the first of
 * several. */
static bool refuse_all(struct tr_checker *checker, const struct tr_schema_list *branches,
                       const json_t *value, const struct tr_place *place)
{
    if (checker->mode != TR_CHECK_REPORT) {
        return false;
    }
    const unsigned types = types_of_branches(branches);
    if (types != 0 && (types & tr_check_types_of(checker, value)) == 0) {
        return tr_check_refuse_type(checker, types, place);
    }
    size_t best = 0;
    size_t best_score = 0;
    for (size_t i = 0; i < branches->count && branches->count > 1; i++) {
        const size_t score = score_branch(checker, branches->items[i], value, place);
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return tr_check_node(checker, branches->items[best], value, place) && false;
}

static bool check_any_of(struct tr_checker *checker, const struct tr_schema *schema,
                         const json_t *value, const struct tr_place *place)
{
    for (size_t i = 0; i < schema->any_of.count; i++) {
        if (tr_check_quietly(checker, schema->any_of.items[i], value, place)) {
            return true;
        }
    }
    return refuse_all(checker, &schema->any_of, value, place);
}

static bool check_one_of(struct tr_checker *checker, const struct tr_schema *schema,
                         const json_t *value, const struct tr_place *place)
{
    size_t fitting = 0;
    for (size_t i = 0; i < schema->one_of.count; i++) {
        fitting += tr_check_quietly(checker, schema->one_of.items[i], value, place);
    }
    if (fitting == 1) {
        return true;
    }
    if (fitting == 0) {
        return refuse_all(checker, &schema->one_of, value, place);
    }
    return tr_check_refuse(checker, place, "oneOf",
                           "must fit exactly one of its %zu alternatives, and fits %zu",
                           schema->one_of.count, fitting);
}

/* ---- the others ---- */

static bool check_all_of(struct tr_checker *checker, const struct tr_schema *schema,
                         const json_t *value, const struct tr_place *place)
{
    bool fits = true;
    for (size_t i = 0; i < schema->all_of.count && tr_check_goes_on(checker, fits); i++) {
        fits = tr_check_node(checker, schema->all_of.items[i], value, place) && fits;
    }
    return fits;
}

static bool check_not(struct tr_checker *checker, const struct tr_schema *schema,
                      const json_t *value, const struct tr_place *place)
{
    if (!tr_check_quietly(checker, schema->not_schema, value, place)) {
        return true;
    }
    return tr_check_refuse(checker, place, "not", "must not be what its schema describes as 'not'");
}

static bool check_if(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place)
{
    const struct tr_schema *chosen = tr_check_quietly(checker, schema->if_schema, value, place)
                                         ? schema->then_schema
                                         : schema->else_schema;
    return chosen == NULL || tr_check_node(checker, chosen, value, place);
}

bool tr_check_applicators(struct tr_checker *checker, const struct tr_schema *schema,
                          const json_t *value, const struct tr_place *place)
{
    bool fits = true;
    if (schema->ref != NULL) {
        fits = tr_check_node(checker, schema->ref, value, place);
    }
    if (schema->all_of.count != 0 && tr_check_goes_on(checker, fits)) {
        fits = check_all_of(checker, schema, value, place) && fits;
    }
    if (schema->any_of.count != 0 && tr_check_goes_on(checker, fits)) {
        fits = check_any_of(checker, schema, value, place) && fits;
    }
    if (schema->one_of.count != 0 && tr_check_goes_on(checker, fits)) {
        fits = check_one_of(checker, schema, value, place) && fits;
    }
    if (schema->not_schema != NULL && tr_check_goes_on(checker, fits)) {
        fits = check_not(checker, schema, value, place) && fits;
    }
    if (schema->if_schema != NULL && tr_check_goes_on(checker, fits)) {
        fits = check_if(checker, schema, value, place) && fits;
    }
    return fits;
}
