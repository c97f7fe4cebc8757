#include <string.h>

#include "tools/core/check.h"
#include "tools/core/json.h"
#include "tools/core/params.h"
#include "tools/core/place.h"
#include "tools/core/schema.h"
#include "tools/core/scope.h"
#include "tools/core/walk.h"

/* The default of a property: its own, or that of what it refers to. */
static const json_t *default_of(const struct tr_schema *schema)
{
    for (size_t i = 0; schema != NULL && i < TR_MAX_SCOPE; i++) {
        if (schema->default_value != NULL) {
            return schema->default_value;
        }
        schema = schema->ref;
    }
    return NULL;
}

static bool is_required(const struct tr_scope *scope, const struct tr_schema_property *property)
{
    if (property->is_required) {
        return true;
    }
    for (size_t i = 0; i < scope->count; i++) {
        const struct tr_schema *node = scope->nodes[i];
        for (size_t j = 0; j < node->required_count; j++) {
            if (strcmp(node->required[j], property->name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_blank(const json_t *value)
{
    const char *text = json_string_value(value);
    return strspn(text, " \t\r\n") == json_string_length(value);
}

static bool is_uri(const struct tr_schema *schema)
{
    struct tr_scope scope;
    tr_scope_init(&scope);
    tr_scope_sure(&scope, schema);
    for (size_t i = 0; i < scope.count; i++) {
        if (scope.nodes[i]->format == TR_FORMAT_URI) {
            return true;
        }
    }
    return false;
}

/* Is the member there without saying anything? Agents write null, or "" for a URL, where they mean
 * nothing at all. */
static bool says_nothing(const struct tr_scope *scope, const struct tr_schema_property *property,
                         const json_t *member)
{
    if (json_is_null(member)) {
        return !is_required(scope, property) && !tr_check_fits(property->schema, member);
    }
    return json_is_string(member) && is_blank(member) && !is_required(scope, property)
           && is_uri(property->schema);
}

static enum tr_status settle_member(const struct tr_walk *walk, const struct tr_scope *scope,
                                    const struct tr_schema_property *property, json_t *object,
                                    bool is_root)
{
    const json_t *member = json_object_getn(object, property->name, property->name_length);
    if (member != NULL && !walk->rules->is_exact && says_nothing(scope, property, member)) {
        (void)json_object_deln(object, property->name, property->name_length);
        member = NULL;
    }
    if (member != NULL) {
        return TR_OK;
    }
    const json_t *value = is_root ? json_object_get(walk->rules->defaults, property->name) : NULL;
    if (value == NULL) {
        value = default_of(property->schema);
    }
    if (value == NULL) {
        return TR_OK;
    }
    json_t *copy = json_deep_copy(value);
    return json_object_setn_new(object, property->name, property->name_length, copy) == 0
               ? TR_OK
               : TR_NO_MEMORY;
}

static enum tr_status settle_members(struct tr_walk *walk, const struct tr_scope *scope,
                                     json_t *object, const struct tr_spot *spot)
{
    const bool is_root = spot->place->parent == NULL;
    for (size_t i = 0; i < scope->count; i++) {
        const struct tr_schema_properties *properties = &scope->nodes[i]->properties;
        if (!tr_walk_goes_on(walk, properties->count, spot->depth)) {
            return TR_OK;
        }
        for (size_t j = 0; j < properties->count; j++) {
            TR_TRY(settle_member(walk, scope, &properties->items[j], object, is_root));
        }
    }
    return TR_OK;
}

/* Into a member, by what one node says about it. */
static enum tr_status defaults_in_member(struct tr_walk *walk, const struct tr_schema *node,
                                         void *member, const struct tr_spot *spot)
{
    const struct tr_schema *schemas[TR_MAX_MEMBER_SCHEMAS];
    size_t count = 0;
    const char *key = json_object_iter_key(member);
    (void)tr_schema_member(node, key, json_object_iter_key_len(member), schemas, &count);
    const struct tr_place place = { .parent = spot->place, .key = key };
    const struct tr_spot inner = { .place = &place, .depth = spot->depth + 1 };
    for (size_t i = 0; i < count; i++) {
        TR_TRY(tr_defaults_at(walk, schemas[i], json_object_iter_value(member), &inner));
    }
    return TR_OK;
}

static bool is_container(const json_t *value)
{
    return json_is_object(value) || json_is_array(value);
}

static enum tr_status defaults_in_members(struct tr_walk *walk, const struct tr_scope *scope,
                                          json_t *object, const struct tr_spot *spot)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        if (!is_container(json_object_iter_value(at))) {
            continue;
        }
        for (size_t i = 0; i < scope->count; i++) {
            TR_TRY(defaults_in_member(walk, scope->nodes[i], at, spot));
        }
    }
    return TR_OK;
}

/* Into an item, by what each node says about it. */
static enum tr_status defaults_in_item(struct tr_walk *walk, const struct tr_scope *scope,
                                       json_t *item, const struct tr_spot *spot)
{
    for (size_t i = 0; i < scope->count; i++) {
        const struct tr_schema *schema = tr_schema_item(scope->nodes[i], spot->place->index);
        if (schema != NULL) {
            TR_TRY(tr_defaults_at(walk, schema, item, spot));
        }
    }
    return TR_OK;
}

static enum tr_status defaults_in_items(struct tr_walk *walk, const struct tr_scope *scope,
                                        json_t *array, const struct tr_spot *spot)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *item = json_array_get(array, i);
        if (!is_container(item)) {
            continue;
        }
        const struct tr_place place = { .parent = spot->place, .index = i };
        const struct tr_spot inner = { .place = &place, .depth = spot->depth + 1 };
        TR_TRY(defaults_in_item(walk, scope, item, &inner));
    }
    return TR_OK;
}

/* By the branch that the value takes, when it takes one as it is. */
static enum tr_status defaults_of_branches(struct tr_walk *walk, const struct tr_schema *node,
                                           json_t *value, const struct tr_spot *spot)
{
    const struct tr_spot inner = { .place = spot->place, .depth = spot->depth + 1 };
    const struct tr_schema_list *const lists[] = { &node->any_of, &node->one_of };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const size_t at = tr_walk_fitting_branch(walk, lists[i], value);
        if (at < lists[i]->count) {
            TR_TRY(tr_defaults_at(walk, lists[i]->items[at], value, &inner));
        }
    }
    const struct tr_schema *chosen = tr_walk_condition(walk, node, value);
    return chosen == NULL ? TR_OK : tr_defaults_at(walk, chosen, value, &inner);
}

enum tr_status tr_defaults_at(struct tr_walk *walk, const struct tr_schema *schema, json_t *value,
                              const struct tr_spot *spot)
{
    if (!is_container(value) || !tr_walk_goes_on(walk, 1, spot->depth)) {
        return TR_OK;
    }
    struct tr_scope scope;
    tr_scope_init(&scope);
    tr_scope_sure(&scope, schema);
    if (json_is_object(value)) {
        TR_TRY(settle_members(walk, &scope, value, spot));
    }
    for (size_t i = 0; i < scope.count; i++) {
        TR_TRY(defaults_of_branches(walk, scope.nodes[i], value, spot));
    }
    return json_is_array(value) ? defaults_in_items(walk, &scope, value, spot)
                                : defaults_in_members(walk, &scope, value, spot);
}
