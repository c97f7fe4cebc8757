#include "tools/core/scope.h"

#include <string.h>

#include "tools/core/pattern.h"
#include "tools/core/schema.h"

static bool has_node(const struct tr_scope *scope, const struct tr_schema *schema)
{
    for (size_t i = 0; i < scope->count; i++) {
        if (scope->nodes[i] == schema) {
            return true;
        }
    }
    return false;
}

/* `schema`, and what surely applies together with it. The recursion ends because each schema is
 * added once and there is room for few. */
static void add(struct tr_scope *scope, const struct tr_schema *schema)
{
    if (schema == NULL || has_node(scope, schema)) {
        return;
    }
    if (scope->count == TR_MAX_SCOPE) {
        scope->is_full = true;
        return;
    }
    scope->nodes[scope->count++] = schema;
    add(scope, schema->ref);
    for (size_t i = 0; i < schema->all_of.count; i++) {
        add(scope, schema->all_of.items[i]);
    }
}

/* Can an object obey the schema without one of its members being named? */
static bool is_open(const struct tr_schema *schema)
{
    return schema->properties.count == 0 && schema->any_of.count == 0 && schema->one_of.count == 0
           && !schema->is_false && (schema->types == 0 || (schema->types & TR_TYPE_OBJECT) != 0);
}

/* One of several schemas that perhaps apply. */
static void add_branch(struct tr_scope *scope, const struct tr_schema *schema)
{
    const size_t before = scope->count;
    add(scope, schema);
    bool names_none = scope->count > before;
    for (size_t i = before; i < scope->count; i++) {
        names_none = names_none && is_open(scope->nodes[i]);
    }
    scope->has_open_branch = scope->has_open_branch || names_none;
}

static void add_branches(struct tr_scope *scope, const struct tr_schema_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        add_branch(scope, list->items[i]);
    }
}

/* The branches of all nodes, also of the nodes that this adds. */
static void add_all_branches(struct tr_scope *scope)
{
    for (size_t i = 0; i < scope->count; i++) {
        const struct tr_schema *node = scope->nodes[i];
        add_branches(scope, &node->any_of);
        add_branches(scope, &node->one_of);
        if (node->if_schema != NULL) {
            /* A condition looks at some members; it does not say which there are. */
            scope->has_open_branch = true;
            add(scope, node->if_schema);
            add(scope, node->then_schema);
            add(scope, node->else_schema);
        }
    }
}

void tr_scope_sure(struct tr_scope *scope, const struct tr_schema *schema)
{
    add(scope, schema);
    scope->sure_count = scope->count;
}

void tr_scope_all(struct tr_scope *scope, const struct tr_schema *schema)
{
    tr_scope_sure(scope, schema);
    add_all_branches(scope);
}

void tr_scope_member(const struct tr_scope *parent, const char *key, size_t key_length,
                     struct tr_scope *ret_child)
{
    tr_scope_init(ret_child);
    ret_child->is_full = parent->is_full;
    for (size_t i = 0; i < parent->count; i++) {
        const struct tr_schema *schemas[TR_MAX_MEMBER_SCHEMAS];
        size_t count = 0;
        (void)tr_schema_member(parent->nodes[i], key, key_length, schemas, &count);
        for (size_t j = 0; j < count; j++) {
            if (i < parent->sure_count) {
                tr_scope_sure(ret_child, schemas[j]);
            } else {
                add_branch(ret_child, schemas[j]);
            }
        }
    }
    add_all_branches(ret_child);
}

void tr_scope_item(const struct tr_scope *parent, size_t index, struct tr_scope *ret_child)
{
    tr_scope_init(ret_child);
    ret_child->is_full = parent->is_full;
    for (size_t i = 0; i < parent->count; i++) {
        const struct tr_schema *schema = tr_schema_item(parent->nodes[i], index);
        if (i < parent->sure_count) {
            tr_scope_sure(ret_child, schema);
        } else if (schema != NULL) {
            add_branch(ret_child, schema);
        }
    }
    add_all_branches(ret_child);
}

bool tr_scope_names_members(const struct tr_scope *scope)
{
    if (scope->is_full) {
        return false;
    }
    for (size_t i = 0; i < scope->count; i++) {
        if (scope->nodes[i]->properties.count > 0) {
            return i < scope->sure_count || !scope->has_open_branch;
        }
    }
    return false;
}

static const struct tr_schema *find_property(const struct tr_schema *node, const char *key,
                                             size_t key_length)
{
    for (size_t i = 0; i < node->properties.count; i++) {
        const struct tr_schema_property *property = &node->properties.items[i];
        if (property->name_length == key_length && memcmp(property->name, key, key_length) == 0) {
            return property->schema;
        }
    }
    return NULL;
}

/* A pattern that gave up counts as matching: check refuses the member then. */
static bool matches(const struct tr_schema_pattern_property *property, const char *key,
                    size_t key_length)
{
    return tr_pattern_match(property->pattern, key, key_length) != TR_MATCH_NO;
}

bool tr_schema_member(const struct tr_schema *node, const char *key, size_t key_length,
                      const struct tr_schema *ret_schemas[TR_MAX_MEMBER_SCHEMAS], size_t *ret_count)
{
    size_t count = 0;
    const struct tr_schema *property = find_property(node, key, key_length);
    if (property != NULL) {
        ret_schemas[count++] = property;
    }
    for (size_t i = 0; i < node->pattern_property_count && count < TR_MAX_MEMBER_SCHEMAS; i++) {
        if (matches(&node->pattern_properties[i], key, key_length)) {
            ret_schemas[count++] = node->pattern_properties[i].schema;
        }
    }
    if (count == 0 && node->additional != NULL && !node->additional->is_false) {
        ret_schemas[count++] = node->additional;
    }
    *ret_count = count;
    return count > 0;
}

const struct tr_schema *tr_schema_item(const struct tr_schema *node, size_t index)
{
    return index < node->prefix_items.count ? node->prefix_items.items[index] : node->items;
}

bool tr_schema_knows(const struct tr_schema *node, const char *key, size_t key_length)
{
    if (find_property(node, key, key_length) != NULL) {
        return true;
    }
    for (size_t i = 0; i < node->pattern_property_count; i++) {
        if (matches(&node->pattern_properties[i], key, key_length)) {
            return true;
        }
    }
    for (size_t i = 0; i < node->required_count; i++) {
        if (strcmp(node->required[i], key) == 0) {
            return true;
        }
    }
    return false;
}
