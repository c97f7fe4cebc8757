#include "openapi/request_schema.h"

#include <stdbool.h>

#include "openapi/build.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"
#include "tools/core/schema.h"

enum { SECRET_SEARCH_NODES = 1000 };

/* Is anything that `schema` can hold a secret? Looks at `budget` nodes at most, so that cycles end;
 * what was not looked at counts as secret. */
static bool holds_secret(const struct tr_schema *schema, unsigned *budget)
{
    if (schema == NULL) {
        return false;
    }
    if (schema->is_secret || *budget == 0) {
        return true;
    }
    (*budget)--;
    for (size_t i = 0; i < schema->properties.count; i++) {
        if (holds_secret(schema->properties.items[i].schema, budget)) {
            return true;
        }
    }
    for (size_t i = 0; i < schema->any_of.count; i++) {
        if (holds_secret(schema->any_of.items[i], budget)) {
            return true;
        }
    }
    return holds_secret(schema->items, budget) || holds_secret(schema->ref, budget);
}

static bool may_show_default(const struct tr_entry *entry, const char *name)
{
    const struct tr_schema_property *property =
        tr_schema_property(tr_schema_resolve(entry->request.root), name);
    unsigned budget = SECRET_SEARCH_NODES;
    return property != NULL && !holds_secret(property->schema, &budget);
}

/* Show `value` as the default of the property `name`; false when out of memory. */
static bool show_default(json_t *properties, const char *name, json_t *value)
{
    json_t *property = json_object_get(properties, name);
    /* The schema `true` is no object and has no room for a default. */
    json_t *changed = json_is_object(property) ? json_copy(property) : json_object();
    tr_build_put(&changed, "default", json_incref(value));
    return json_object_set_new(properties, name, changed) == 0;
}

/* Leave every name that has a default out of `required`; false when out of memory. */
static bool relax_required(json_t *schema, const json_t *defaults)
{
    json_t *left = json_array();
    size_t index;
    json_t *name;
    json_array_foreach (json_object_get(schema, "required"), index, name) {
        if (json_object_get(defaults, json_string_value(name)) == NULL) {
            tr_build_add(&left, json_incref(name));
        }
    }
    if (left != NULL && json_array_size(left) == 0) {
        json_decref(left);
        json_object_del(schema, "required");
        return true;
    }
    return json_object_set_new(schema, "required", left) == 0;
}

static bool apply_defaults(const struct tr_entry *entry, json_t *schema)
{
    json_t *properties = json_object_get(schema, "properties");
    const char *name;
    json_t *value;
    json_object_foreach (entry->defaults, name, value) {
        if (may_show_default(entry, name) && !show_default(properties, name, value)) {
            return false;
        }
    }
    return relax_required(schema, entry->defaults);
}

json_t *tr_request_schema(const struct tr_entry *entry)
{
    json_auto_t *schema = tr_schema_emit(&entry->request);
    if (schema == NULL || (entry->defaults != NULL && !apply_defaults(entry, schema))) {
        return NULL;
    }
    return tr_json_take(&schema);
}
