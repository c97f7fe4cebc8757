#include "openapi/example.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "openapi/build.h"
#include "tools/core/check.h"
#include "tools/core/format.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"
#include "tools/core/schema.h"

enum { DEPTH = 8 };

static enum tr_status make(const struct tr_schema *schema, unsigned depth, json_t **ret_value);

static enum tr_status give(json_t *value, json_t **ret_value)
{
    *ret_value = value;
    return value != NULL ? TR_OK : TR_NO_MEMORY;
}

static const char *text_of_format(enum tr_format format)
{
    switch (format) {
    case TR_FORMAT_DATE_TIME: return "2026-01-31T12:00:00Z";
    case TR_FORMAT_DATE: return "2026-01-31";
    case TR_FORMAT_TIME: return "12:00:00Z";
    case TR_FORMAT_DURATION: return "PT1H";
    case TR_FORMAT_UUID: return "9b2f6d1e-4c3a-4f5b-8d7e-1a2b3c4d5e6f";
    case TR_FORMAT_URI: return "https://example.com/";
    case TR_FORMAT_EMAIL: return "someone@example.com";
    case TR_FORMAT_HOSTNAME: return "example.com";
    case TR_FORMAT_IPV4: return "192.0.2.1";
    case TR_FORMAT_IPV6: return "2001:db8::1";
    case TR_FORMAT_BYTE: return "dGV4dA==";
    case TR_FORMAT_NONE: break;
    }
    return "text";
}

static enum tr_status make_number(const struct tr_schema *schema, json_t **ret_value)
{
    if (schema->minimum != NULL) {
        return give(json_deep_copy(schema->minimum), ret_value);
    }
    if (schema->maximum != NULL) {
        return give(json_deep_copy(schema->maximum), ret_value);
    }
    return give(json_integer(1), ret_value);
}

static enum tr_status make_array(const struct tr_schema *schema, unsigned depth, json_t **ret_value)
{
    json_t *array = json_array();
    if (schema->items != NULL) {
        json_t *item = NULL;
        const enum tr_status status = make(schema->items, depth, &item);
        if (status == TR_NO_MEMORY) {
            json_decref(array);
            return status;
        }
        if (status == TR_OK) {
            tr_build_add(&array, item);
        }
    }
    return give(array, ret_value);
}

/* Is the member worth showing although nobody must send it? */
static bool has_example(const struct tr_schema *schema)
{
    const struct tr_schema *meant = tr_schema_resolve(schema);
    return meant != NULL && !meant->is_deprecated && json_array_size(meant->examples) > 0;
}

static enum tr_status make_object(const struct tr_schema *schema, unsigned depth,
                                  json_t **ret_value)
{
    json_auto_t *object = json_object();
    for (size_t i = 0; i < schema->properties.count; i++) {
        const struct tr_schema_property *property = &schema->properties.items[i];
        if (!property->is_required && !has_example(property->schema)) {
            continue;
        }
        json_t *value = NULL;
        TR_TRY(make(property->schema, depth, &value));
        if (json_object_set_new(object, property->name, value) != 0) {
            return TR_NO_MEMORY;
        }
    }
    return give(tr_json_take(&object), ret_value);
}

static enum tr_status make_of_type(const struct tr_schema *schema, unsigned depth,
                                   json_t **ret_value)
{
    const unsigned types = schema->types;
    if (types & TR_TYPE_OBJECT) {
        return make_object(schema, depth, ret_value);
    }
    if (types & TR_TYPE_ARRAY) {
        return make_array(schema, depth, ret_value);
    }
    if (types & TR_TYPE_STRING) {
        return give(json_string(text_of_format(schema->format)), ret_value);
    }
    if (types & (TR_TYPE_NUMBER | TR_TYPE_INTEGER)) {
        return make_number(schema, ret_value);
    }
    if (types & TR_TYPE_BOOLEAN) {
        return give(json_true(), ret_value);
    }
    return give(json_null(), ret_value);
}

/* What the schema itself offers as a value; NULL: nothing. */
static const json_t *offered(const struct tr_schema *schema)
{
    if (json_array_size(schema->examples) > 0) {
        return json_array_get(schema->examples, 0);
    }
    if (schema->const_value != NULL) {
        return schema->const_value;
    }
    if (schema->default_value != NULL && !schema->is_secret) {
        return schema->default_value;
    }
    return json_array_get(schema->enum_values, 0);
}

static enum tr_status make_alternative(const struct tr_schema_list *list, unsigned depth,
                                       json_t **ret_value)
{
    for (size_t i = 0; i < list->count; i++) {
        const enum tr_status status = make(list->items[i], depth, ret_value);
        if (status != TR_NOT_FOUND) {
            return status;
        }
    }
    return TR_NOT_FOUND;
}

static enum tr_status make_unchecked(const struct tr_schema *schema, unsigned depth,
                                     json_t **ret_value)
{
    const json_t *value = offered(schema);
    if (value != NULL) {
        return give(json_deep_copy(value), ret_value);
    }
    if (schema->any_of.count > 0) {
        return make_alternative(&schema->any_of, depth, ret_value);
    }
    if (schema->one_of.count > 0) {
        return make_alternative(&schema->one_of, depth, ret_value);
    }
    return make_of_type(schema, depth, ret_value);
}

static enum tr_status make(const struct tr_schema *schema, unsigned depth, json_t **ret_value)
{
    const struct tr_schema *meant = tr_schema_resolve(schema);
    if (meant == NULL || depth == 0) {
        return TR_NOT_FOUND;
    }
    json_auto_t *value = NULL;
    TR_TRY(make_unchecked(meant, depth - 1, &value));
    if (!tr_check_fits(schema, value)) {
        return TR_NOT_FOUND;
    }
    *ret_value = tr_json_take(&value);
    return TR_OK;
}

enum tr_status tr_example_value(const struct tr_schema *schema, json_t **ret_value)
{
    return make(schema, DEPTH, ret_value);
}

enum tr_status tr_example_parameters(const struct tr_entry *entry, json_t **ret_value)
{
    const char *written = entry->tool->example_json;
    if (written != NULL) {
        return give(tr_build_constant(written), ret_value);
    }
    return tr_example_value(entry->request.root, ret_value);
}
