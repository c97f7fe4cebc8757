/* Schema tree to JSON Schema: every keyword that is set, in the order of the table. */

#include <string.h>

#include "tools/core/json.h"
#include "tools/core/pattern.h"
#include "tools/core/schema.h"
#include "tools/core/schema_keyword.h"

/* Every emit_ function gives a new reference, NULL when out of memory. */
static json_t *emit_node(const struct tr_schema *schema, bool is_root);

static json_t *emit_types(unsigned types)
{
    json_auto_t *names = json_array();
    for (size_t i = 0; i < TR_TYPE_COUNT; i++) {
        if ((types & tr_type_names[i].bit) != 0
            && json_array_append_new(names, json_string(tr_type_names[i].name)) != 0) {
            return NULL;
        }
    }
    return json_array_size(names) == 1 ? json_incref(json_array_get(names, 0))
                                       : tr_json_take(&names);
}

static json_t *emit_names(const char *const *items, size_t count)
{
    json_auto_t *names = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(names, json_string(items[i])) != 0) {
            return NULL;
        }
    }
    return tr_json_take(&names);
}

static json_t *emit_dependencies(const struct tr_schema *schema)
{
    json_auto_t *dependencies = json_object();
    for (size_t i = 0; i < schema->dependent_required_count; i++) {
        const struct tr_schema_dependency *item = &schema->dependent_required[i];
        if (json_object_set_new(dependencies, item->name, emit_names(item->requires, item->count))
            != 0) {
            return NULL;
        }
    }
    return tr_json_take(&dependencies);
}

/* All schemas of a keyword that can have many: an array, or an object where they have names. */
static json_t *emit_schemas(const struct tr_keyword *keyword, const struct tr_schema *schema)
{
    const bool is_list = keyword->form == TR_FORM_SCHEMAS;
    json_auto_t *all = is_list ? json_array() : json_object();
    const size_t count = tr_keyword_schema_count(keyword, schema);
    for (size_t i = 0; i < count; i++) {
        const char *name = NULL;
        json_t *one = emit_node(tr_keyword_schema(keyword, schema, i, &name), false);
        if ((is_list ? json_array_append_new(all, one) : json_object_set_new(all, name, one))
            != 0) {
            return NULL;
        }
    }
    return tr_json_take(&all);
}

/* `true` reads better than `{}` where people write it, and nowhere else: many readers know booleans
 * only as additionalProperties. */
static json_t *emit_schema(const struct tr_keyword *keyword, const struct tr_schema *schema)
{
    json_t *one = emit_node(tr_keyword_schema(keyword, schema, 0, NULL), false);
    const bool is_additional = keyword->offset == offsetof(struct tr_schema, additional);
    if (is_additional && json_is_object(one) && json_object_size(one) == 0) {
        json_decref(one);
        return json_true();
    }
    return one;
}

static json_t *emit_value(const struct tr_keyword *keyword, const struct tr_schema *schema)
{
    const void *member = tr_keyword_member(keyword, schema);
    switch (keyword->form) {
    case TR_FORM_REF: return json_string(schema->ref_name);
    case TR_FORM_TYPE: return emit_types(schema->types);
    case TR_FORM_TEXT:
    case TR_FORM_FORMAT: return json_string(*(const char *const *)member);
    case TR_FORM_FLAG: return json_true();
    case TR_FORM_VALUE:
    case TR_FORM_VALUES:
    case TR_FORM_CHOICES:
    case TR_FORM_NUMBER:
    case TR_FORM_DIVISOR: return json_deep_copy(*(const json_t *const *)member);
    case TR_FORM_COUNT: return json_integer(((const struct tr_schema_count *)member)->value);
    case TR_FORM_PATTERN: return json_string(tr_pattern_source(schema->pattern));
    case TR_FORM_SCHEMA: return emit_schema(keyword, schema);
    case TR_FORM_SCHEMAS:
    case TR_FORM_PROPERTIES:
    case TR_FORM_DEFINITIONS:
    case TR_FORM_OLD_DEFINITIONS:
    case TR_FORM_PATTERN_PROPERTIES: return emit_schemas(keyword, schema);
    case TR_FORM_NAMES: return emit_names(schema->required, schema->required_count);
    case TR_FORM_DEPENDENCIES: return emit_dependencies(schema);
    case TR_FORM_REMARK:
    case TR_FORM_DIALECT:
    case TR_FORM_ID:
    case TR_FORM_NULLABLE: break;
    }
    return NULL;
}

/* Agents' clients want to see `items` of every array and `properties` of every root object. */
static bool is_always_said(const struct tr_keyword *keyword, const struct tr_schema *schema,
                           bool is_root)
{
    if (keyword->offset == offsetof(struct tr_schema, items)) {
        return (schema->types & TR_TYPE_ARRAY) != 0;
    }
    return is_root && keyword->form == TR_FORM_PROPERTIES && (schema->types & TR_TYPE_OBJECT) != 0;
}

static json_t *emit_keywords(const struct tr_schema *schema, bool is_root)
{
    json_auto_t *out = json_object();
    for (size_t i = 0; i < tr_keyword_count; i++) {
        const struct tr_keyword *keyword = &tr_keywords[i];
        json_t *value = NULL;
        /* `nullable` has become a type. */
        if (keyword->form != TR_FORM_NULLABLE && tr_keyword_is_set(keyword, schema)) {
            value = emit_value(keyword, schema);
        } else if (is_always_said(keyword, schema, is_root)) {
            value = json_object();
        } else {
            continue;
        }
        if (json_object_set_new(out, keyword->name, value) != 0) {
            return NULL;
        }
    }
    return tr_json_take(&out);
}

static json_t *emit_node(const struct tr_schema *schema, bool is_root)
{
    return schema->is_false ? json_false() : emit_keywords(schema, is_root);
}

json_t *tr_schema_emit(const struct tr_schema_document *document)
{
    return emit_node(document->root, true);
}

json_t *tr_schema_emit_node(const struct tr_schema *schema)
{
    return emit_node(schema, false);
}
