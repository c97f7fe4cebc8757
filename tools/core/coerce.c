#include <string.h>

#include "tools/core/convert.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/params.h"
#include "tools/core/place.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/scope.h"
#include "tools/core/walk.h"

/* One place of the document and everything that surely applies to it. */
struct target {
    const struct tr_schema *entry; /* what the parent says about the place */
    struct tr_scope scope;
    unsigned types; /* which all of the scope allow; 0: any */
    struct tr_spot spot;
};

static unsigned with_integers(unsigned types)
{
    return (types & TR_TYPE_NUMBER) != 0 ? types | TR_TYPE_INTEGER : types;
}

/* The types that every schema of the scope allows. */
static unsigned common_types(const struct tr_scope *scope)
{
    unsigned types = 0;
    for (size_t i = 0; i < scope->count; i++) {
        const unsigned allowed = with_integers(scope->nodes[i]->types);
        if (allowed != 0) {
            types = types == 0 ? allowed : types & allowed;
        }
    }
    return types;
}

/* *value becomes `changed`, whose reference is taken. */
static void replace(struct tr_walk *walk, const struct target *target, json_t **value,
                    json_t *changed)
{
    tr_report_place(walk->report, &walk->report->coerced, target->spot.place);
    json_decref(*value);
    *value = changed;
}

/* The listed values at a place; NULL when there are none. */
static const json_t *options_of(const struct tr_scope *scope)
{
    for (size_t i = 0; i < scope->count; i++) {
        if (scope->nodes[i]->enum_values != NULL) {
            return scope->nodes[i]->enum_values;
        }
    }
    return NULL;
}

static bool is_listed(const json_t *options, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(options); i++) {
        if (tr_json_equal(json_array_get(options, i), value)) {
            return true;
        }
    }
    return false;
}

static enum tr_status coerce_option(struct tr_walk *walk, const struct target *target,
                                    json_t **value)
{
    const json_t *options = options_of(&target->scope);
    if (options == NULL || !json_is_string(*value)
        || !tr_walk_goes_on(walk, json_array_size(options), 0) || is_listed(options, *value)) {
        return TR_OK;
    }
    const json_t *meant = tr_convert_option(options, *value);
    if (meant == NULL) {
        return TR_OK;
    }
    json_t *copy = json_deep_copy(meant);
    if (copy == NULL) {
        return TR_NO_MEMORY;
    }
    replace(walk, target, value, copy);
    return TR_OK;
}

/* May a lone string stand for an array of one? Only where the items are declared to be strings, or
 * are listed and it is one of them; never when it may have been meant for JSON text or for nothing.
 */
static bool stands_for_array(const struct target *target, const json_t *value)
{
    struct tr_scope items;
    tr_scope_init(&items);
    for (size_t i = 0; i < target->scope.count; i++) {
        if (target->scope.nodes[i]->prefix_items.count > 0) {
            return false;
        }
        tr_scope_sure(&items, target->scope.nodes[i]->items);
    }
    if (!tr_is_plain_text(value)) {
        return false;
    }
    const json_t *options = options_of(&items);
    if (options != NULL) {
        return is_listed(options, value) || tr_convert_option(options, value) != NULL;
    }
    return (common_types(&items) & TR_TYPE_STRING) != 0;
}

static enum tr_status wrap(struct tr_walk *walk, const struct target *target, json_t **value)
{
    json_t *array = json_array();
    if (array == NULL || json_array_append(array, *value) != 0) {
        json_decref(array);
        return TR_NO_MEMORY;
    }
    replace(walk, target, value, array);
    return TR_OK;
}

/* Unfolded or not, a document is nested no deeper than a body may be. */
static bool is_too_deep(const struct tr_place *place, const json_t *held)
{
    size_t depth = tr_walk_nesting(held);
    for (; place->parent != NULL; place = place->parent) {
        depth++;
    }
    return depth > TR_MAX_JSON_DEPTH;
}

/* JSON text to what it holds. It comes late to the stages that ran before this one. */
static enum tr_status unfold(struct tr_walk *walk, struct target *target, json_t **value)
{
    json_t *held = NULL;
    if (!tr_walk_goes_on(walk, json_string_length(*value), target->spot.depth)) {
        return TR_OK;
    }
    TR_TRY(tr_convert_text(target->types, *value, &target->spot.text_level, &held));
    if (held == NULL || is_too_deep(target->spot.place, held)) {
        json_decref(held);
        return TR_OK;
    }
    replace(walk, target, value, held);
    TR_TRY(tr_keys_at(walk, target->entry, held, &target->spot));
    return tr_defaults_at(walk, target->entry, held, &target->spot);
}

static enum tr_status coerce_type(struct tr_walk *walk, struct target *target, json_t **value)
{
    json_t *changed = NULL;
    TR_TRY(tr_convert_scalar(target->types, *value, &changed));
    if (changed != NULL) {
        replace(walk, target, value, changed);
        return TR_OK;
    }
    if (!json_is_string(*value)) {
        return TR_OK;
    }
    if ((target->types & (TR_TYPE_ARRAY | TR_TYPE_OBJECT)) != 0) {
        TR_TRY(unfold(walk, target, value));
    }
    if (json_is_string(*value) && (target->types & TR_TYPE_ARRAY) != 0
        && stands_for_array(target, *value)) {
        return wrap(walk, target, value);
    }
    return TR_OK;
}

/* Every schema of `node` for one member, one after the other. */
static enum tr_status coerce_member(struct tr_walk *walk, const struct tr_schema *node,
                                    const char *key, size_t key_length, json_t **member,
                                    const struct tr_spot *spot)
{
    const struct tr_schema *schemas[TR_MAX_MEMBER_SCHEMAS];
    size_t count = 0;
    (void)tr_schema_member(node, key, key_length, schemas, &count);
    for (size_t i = 0; i < count; i++) {
        TR_TRY(tr_coerce_at(walk, schemas[i], member, spot));
    }
    return TR_OK;
}

static enum tr_status coerce_members(struct tr_walk *walk, const struct target *target,
                                     json_t *object)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const size_t key_length = json_object_iter_key_len(at);
        const struct tr_place place = {
            .parent = target->spot.place,
            .key = json_object_iter_key(at),
        };
        struct tr_spot inner = target->spot;
        inner.place = &place;
        inner.depth++;
        json_t *const before = json_object_iter_value(at);
        json_t *member = json_incref(before);
        enum tr_status status = TR_OK;
        for (size_t i = 0; i < target->scope.count && status == TR_OK; i++) {
            status =
                coerce_member(walk, target->scope.nodes[i], place.key, key_length, &member, &inner);
        }
        if (member != before) {
            (void)json_object_iter_set_new(object, at, member);
        } else {
            json_decref(member);
        }
        TR_TRY(status);
    }
    return TR_OK;
}

static enum tr_status coerce_items(struct tr_walk *walk, const struct target *target, json_t *array)
{
    for (size_t index = 0; index < json_array_size(array); index++) {
        const struct tr_place place = { .parent = target->spot.place, .index = index };
        struct tr_spot inner = target->spot;
        inner.place = &place;
        inner.depth++;
        json_t *const before = json_array_get(array, index);
        json_t *item = json_incref(before);
        enum tr_status status = TR_OK;
        for (size_t i = 0; i < target->scope.count && status == TR_OK; i++) {
            const struct tr_schema *schema = tr_schema_item(target->scope.nodes[i], index);
            status = schema != NULL ? tr_coerce_at(walk, schema, &item, &inner) : TR_OK;
        }
        if (item != before) {
            (void)json_array_set_new(array, index, item);
        } else {
            json_decref(item);
        }
        TR_TRY(status);
    }
    return TR_OK;
}

/* The branches that perhaps apply, at the same place. */
static enum tr_status coerce_branches(struct tr_walk *walk, const struct target *target,
                                      json_t **value)
{
    struct tr_spot inner = target->spot;
    inner.depth++;
    for (size_t i = 0; i < target->scope.count; i++) {
        const struct tr_schema *node = target->scope.nodes[i];
        TR_TRY(tr_coerce_choice(walk, &node->any_of, value, &inner));
        TR_TRY(tr_coerce_choice(walk, &node->one_of, value, &inner));
        const struct tr_schema *chosen = tr_walk_condition(walk, node, *value);
        if (chosen != NULL) {
            TR_TRY(tr_defaults_at(walk, chosen, *value, &inner));
            TR_TRY(tr_coerce_at(walk, chosen, value, &inner));
        }
    }
    return TR_OK;
}

/* Most places are a scalar of the one type that one schema asks for: nothing to do there. */
static bool is_settled(const struct tr_schema *schema, const json_t *value)
{
    return schema->ref == NULL && schema->all_of.count == 0 && schema->any_of.count == 0
           && schema->one_of.count == 0 && schema->if_schema == NULL && schema->enum_values == NULL
           && !json_is_object(value) && !json_is_array(value)
           && tr_type_has(with_integers(schema->types), value);
}

enum tr_status tr_coerce_at(struct tr_walk *walk, const struct tr_schema *schema, json_t **value,
                            const struct tr_spot *spot)
{
    if (!tr_walk_goes_on(walk, 1, spot->depth) || is_settled(schema, *value)) {
        return TR_OK;
    }
    struct target target;
    target.entry = schema;
    target.spot = *spot;
    tr_scope_init(&target.scope);
    tr_scope_sure(&target.scope, schema);
    target.types = common_types(&target.scope);
    if (!tr_type_has(target.types, *value)) {
        TR_TRY(coerce_type(walk, &target, value));
    }
    TR_TRY(coerce_option(walk, &target, value));
    if (json_is_object(*value)) {
        TR_TRY(coerce_members(walk, &target, *value));
    } else if (json_is_array(*value)) {
        TR_TRY(coerce_items(walk, &target, *value));
    }
    return coerce_branches(walk, &target, value);
}
