/* properties, required, the other members, names, counts and dependencies. */

#include <string.h>

#include "tools/core/checker.h"
#include "tools/core/json.h"
#include "tools/core/nearest.h"
#include "tools/core/pattern.h"

enum { PROPERTIES_PER_STEP = 16, TEXT_BYTES_PER_STEP = 64 };

/* What was seen of the declared properties. */
struct seen {
    size_t present;  /* are in the object */
    size_t required; /* must be */
};

static size_t lookup_steps(const struct tr_schema *schema)
{
    return 1 + schema->properties.count / PROPERTIES_PER_STEP;
}

static bool check_properties(struct tr_checker *checker, const struct tr_schema *schema,
                             const json_t *object, const struct tr_place *place,
                             struct seen *ret_seen)
{
    struct seen seen = { 0 };
    bool fits = tr_check_spend(checker, schema->properties.count / PROPERTIES_PER_STEP);
    for (size_t i = 0; i < schema->properties.count && tr_check_goes_on(checker, fits); i++) {
        const struct tr_schema_property *property = &schema->properties.items[i];
        const struct tr_place below = { .parent = place, .key = property->name };
        const json_t *value = json_object_getn(object, property->name, property->name_length);
        seen.required += property->is_required;
        if (value != NULL) {
            seen.present++;
            fits = tr_check_node(checker, property->schema, value, &below) && fits;
        } else if (property->is_required) {
            fits = tr_check_missing(checker, &below, "required", NULL);
        }
    }
    *ret_seen = seen;
    return fits;
}

/* Names that are required and not declared; the declared ones have been looked at. */
static bool check_required(struct tr_checker *checker, const struct tr_schema *schema,
                           const json_t *object, const struct tr_place *place)
{
    bool fits = true;
    for (size_t i = 0; i < schema->required_count && tr_check_goes_on(checker, fits); i++) {
        const char *name = schema->required[i];
        if (json_object_get(object, name) == NULL && tr_check_spend(checker, lookup_steps(schema))
            && tr_schema_property(schema, name) == NULL) {
            const struct tr_place below = { .parent = place, .key = name };
            fits = tr_check_missing(checker, &below, "required", NULL);
        }
    }
    return fits;
}

static bool check_dependencies(struct tr_checker *checker, const struct tr_schema *schema,
                               const json_t *object, const struct tr_place *place)
{
    bool fits = true;
    for (size_t i = 0; i < schema->dependent_required_count; i++) {
        const struct tr_schema_dependency *dependency = &schema->dependent_required[i];
        if (json_object_get(object, dependency->name) == NULL) {
            continue;
        }
        for (size_t j = 0; j < dependency->count && tr_check_goes_on(checker, fits); j++) {
            const struct tr_place below = { .parent = place, .key = dependency->requires[j] };
            if (json_object_get(object, below.key) == NULL) {
                fits = tr_check_missing(checker, &below, "dependentRequired", dependency->name);
            }
        }
    }
    return fits;
}

/* ---- the members one by one ---- */

/* The name is checked as a string value. */
static bool check_name(struct tr_checker *checker, const struct tr_schema *schema, const char *name,
                       const struct tr_place *place)
{
    json_auto_t *value = json_string(name);
    if (value == NULL) {
        checker->is_exhausted = true;
        return false;
    }
    const bool was_name = checker->is_name;
    checker->is_name = true;
    const bool fits = tr_check_node(checker, schema->property_names, value, place);
    checker->is_name = was_name;
    return fits;
}

/* Every pattern that the name matches has a say. */
static bool check_patterns(struct tr_checker *checker, const struct tr_schema *schema,
                           const json_t *value, const struct tr_place *place, bool *ret_matched)
{
    const size_t length = strlen(place->key);
    bool fits = true;
    for (size_t i = 0; i < schema->pattern_property_count && tr_check_goes_on(checker, fits); i++) {
        const struct tr_schema_pattern_property *item = &schema->pattern_properties[i];
        const enum tr_match match = tr_check_match(checker, item->pattern, place->key, length);
        if (match == TR_MATCH_GAVE_UP) {
            return tr_check_refuse(checker, place, "patternProperties",
                                   "has a name that takes too long to match; send a shorter one");
        }
        if (match == TR_MATCH_YES) {
            *ret_matched = true;
            fits = tr_check_node(checker, item->schema, value, place) && fits;
        }
    }
    return fits;
}

static bool refuse_unknown(struct tr_checker *checker, const struct tr_schema *schema,
                           const struct tr_place *place)
{
    if (!tr_check_can_report(checker)) {
        return false;
    }
    struct tr_nearest nearest = { .wanted = place->key };
    for (size_t i = 0; i < schema->properties.count; i++) {
        tr_nearest_offer(&nearest, schema->properties.items[i].name);
    }
    return nearest.best != NULL
               ? tr_check_refuse(checker, place, "additionalProperties",
                                 "is unknown; did you mean '%s'?", nearest.best)
               : tr_check_refuse(checker, place, "additionalProperties", "is unknown");
}

static bool check_member(struct tr_checker *checker, const struct tr_schema *schema,
                         const json_t *value, const struct tr_place *place)
{
    bool fits = schema->property_names == NULL || check_name(checker, schema, place->key, place);
    bool is_known = false;
    if (schema->pattern_property_count != 0 && tr_check_goes_on(checker, fits)) {
        fits = check_patterns(checker, schema, value, place, &is_known) && fits;
    }
    if (schema->additional == NULL || !tr_check_goes_on(checker, fits) || is_known
        || tr_schema_property(schema, place->key) != NULL) {
        return fits;
    }
    if (schema->additional->is_false) {
        return refuse_unknown(checker, schema, place);
    }
    return tr_check_node(checker, schema->additional, value, place) && fits;
}

static bool check_members(struct tr_checker *checker, const struct tr_schema *schema,
                          const json_t *object, const struct tr_place *place)
{
    bool fits = true;
    for (void *at = tr_json_first(object); at != NULL && tr_check_goes_on(checker, fits);
         at = tr_json_next(object, at)) {
        const size_t steps =
            lookup_steps(schema) + json_object_iter_key_len(at) / TEXT_BYTES_PER_STEP;
        const struct tr_place below = { .parent = place, .key = json_object_iter_key(at) };
        fits = tr_check_spend(checker, steps)
               && check_member(checker, schema, json_object_iter_value(at), &below) && fits;
    }
    return fits;
}

/* Does any keyword speak of members that are not declared, or of names? */
static bool looks_at_members(const struct tr_schema *schema, const json_t *object, size_t present)
{
    if (schema->property_names != NULL || schema->pattern_property_count != 0) {
        return true;
    }
    return schema->additional != NULL && present != json_object_size(object);
}

bool tr_check_object(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place)
{
    static const struct tr_check_count_words words = {
        .min_code = "minProperties",
        .max_code = "maxProperties",
        .verb = "have",
        .noun = "member",
        .tail = "",
    };
    const struct tr_schema_count limits[2] = { schema->min_properties, schema->max_properties };
    bool fits = tr_check_count(checker, place, json_object_size(value), limits, &words);
    struct seen seen = { 0 };
    if (tr_check_goes_on(checker, fits)) {
        fits = check_properties(checker, schema, value, place, &seen) && fits;
    }
    if (seen.required != schema->required_count && tr_check_goes_on(checker, fits)) {
        fits = check_required(checker, schema, value, place) && fits;
    }
    if (tr_check_goes_on(checker, fits)) {
        fits = check_dependencies(checker, schema, value, place) && fits;
    }
    if (tr_check_goes_on(checker, fits) && looks_at_members(schema, value, seen.present)) {
        fits = check_members(checker, schema, value, place) && fits;
    }
    return fits;
}
