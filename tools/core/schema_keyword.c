#include "tools/core/schema_keyword.h"

#include <string.h>

#include "tools/core/descriptor.h"
#include "tools/core/pattern.h"

/* clang-format off */

#define RULE(keyword, form_id, member)                                                             \
    { .name = (keyword), .form = TR_FORM_##form_id, .offset = offsetof(struct tr_schema, member) }
#define REMARK(keyword, form_id, member)                                                           \
    { .name = (keyword), .form = TR_FORM_##form_id, .offset = offsetof(struct tr_schema, member),  \
      .is_remark = true }

/* clang-format on */

/* contentEncoding and contentMediaType are remarks that the tree has no place for, so they are
 * refused as every unknown keyword: a remark that silently disappeared from what agents read would
 * be missed by nobody but them. unevaluatedProperties, $anchor, $dynamicRef and their like change
 * what fits, and are refused because of that. */
const struct tr_keyword tr_keywords[] = {
    { .name = "$schema", .form = TR_FORM_DIALECT, .is_remark = true },
    { .name = "$id", .form = TR_FORM_ID, .is_remark = true },
    { .name = "$comment", .form = TR_FORM_REMARK, .is_remark = true },
    RULE("$ref", REF, ref),
    RULE("type", TYPE, types),
    RULE("nullable", NULLABLE, is_nullable),
    REMARK("title", TEXT, title),
    REMARK("description", TEXT, description),
    REMARK("deprecated", FLAG, is_deprecated),
    REMARK("readOnly", FLAG, is_read_only),
    REMARK("writeOnly", FLAG, is_write_only),
    REMARK("x-secret", FLAG, is_secret),
    RULE("enum", CHOICES, enum_values),
    RULE("const", VALUE, const_value),
    RULE("minimum", NUMBER, minimum),
    RULE("maximum", NUMBER, maximum),
    RULE("exclusiveMinimum", NUMBER, exclusive_minimum),
    RULE("exclusiveMaximum", NUMBER, exclusive_maximum),
    RULE("multipleOf", DIVISOR, multiple_of),
    RULE("minLength", COUNT, min_length),
    RULE("maxLength", COUNT, max_length),
    RULE("pattern", PATTERN, pattern),
    RULE("format", FORMAT, format_name),
    RULE("prefixItems", SCHEMAS, prefix_items),
    RULE("items", SCHEMA, items),
    RULE("minItems", COUNT, min_items),
    RULE("maxItems", COUNT, max_items),
    RULE("uniqueItems", FLAG, has_unique_items),
    RULE("contains", SCHEMA, contains),
    RULE("minContains", COUNT, min_contains),
    RULE("maxContains", COUNT, max_contains),
    RULE("properties", PROPERTIES, properties),
    RULE("required", NAMES, required),
    RULE("patternProperties", PATTERN_PROPERTIES, pattern_properties),
    RULE("additionalProperties", SCHEMA, additional),
    RULE("propertyNames", SCHEMA, property_names),
    RULE("minProperties", COUNT, min_properties),
    RULE("maxProperties", COUNT, max_properties),
    RULE("dependentRequired", DEPENDENCIES, dependent_required),
    RULE("anyOf", SCHEMAS, any_of),
    RULE("oneOf", SCHEMAS, one_of),
    RULE("allOf", SCHEMAS, all_of),
    RULE("not", SCHEMA, not_schema),
    RULE("if", SCHEMA, if_schema),
    RULE("then", SCHEMA, then_schema),
    RULE("else", SCHEMA, else_schema),
    REMARK("$defs", DEFINITIONS, definitions),
    REMARK("definitions", OLD_DEFINITIONS, definitions),
    REMARK("default", VALUE, default_value),
    REMARK("examples", VALUES, examples),
};
const size_t tr_keyword_count = TR_COUNT_OF(tr_keywords);

const struct tr_keyword *tr_keyword_find(const char *name)
{
    for (size_t i = 0; i < tr_keyword_count; i++) {
        if (strcmp(tr_keywords[i].name, name) == 0) {
            return &tr_keywords[i];
        }
    }
    return NULL;
}

/* The two rows of definitions share one member; one of them is in use. */
static bool is_row_of_definitions(const struct tr_keyword *keyword, const struct tr_schema *schema)
{
    return schema->has_old_definitions == (keyword->form == TR_FORM_OLD_DEFINITIONS);
}

size_t tr_keyword_schema_count(const struct tr_keyword *keyword, const struct tr_schema *schema)
{
    const void *member = tr_keyword_member(keyword, schema);
    if (keyword->form == TR_FORM_SCHEMA) {
        return *(const struct tr_schema *const *)member != NULL ? 1 : 0;
    }
    if (keyword->form == TR_FORM_SCHEMAS) {
        return ((const struct tr_schema_list *)member)->count;
    }
    if (keyword->form == TR_FORM_PROPERTIES) {
        return ((const struct tr_schema_properties *)member)->count;
    }
    if (keyword->form == TR_FORM_DEFINITIONS || keyword->form == TR_FORM_OLD_DEFINITIONS) {
        return is_row_of_definitions(keyword, schema) ? schema->definitions.count : 0;
    }
    return keyword->form == TR_FORM_PATTERN_PROPERTIES ? schema->pattern_property_count : 0;
}

const struct tr_schema *tr_keyword_schema(const struct tr_keyword *keyword,
                                          const struct tr_schema *schema, size_t index,
                                          const char **ret_name)
{
    const void *member = tr_keyword_member(keyword, schema);
    const char *name = NULL;
    const struct tr_schema *found = NULL;
    if (keyword->form == TR_FORM_SCHEMA) {
        found = *(const struct tr_schema *const *)member;
    } else if (keyword->form == TR_FORM_SCHEMAS) {
        found = ((const struct tr_schema_list *)member)->items[index];
    } else if (keyword->form == TR_FORM_PATTERN_PROPERTIES) {
        name = tr_pattern_source(schema->pattern_properties[index].pattern);
        found = schema->pattern_properties[index].schema;
    } else {
        const struct tr_schema_properties *properties = member;
        name = properties->items[index].name;
        found = properties->items[index].schema;
    }
    if (ret_name != NULL) {
        *ret_name = name;
    }
    return found;
}

bool tr_keyword_is_set(const struct tr_keyword *keyword, const struct tr_schema *schema)
{
    const void *member = tr_keyword_member(keyword, schema);
    switch (keyword->form) {
    case TR_FORM_REMARK:
    case TR_FORM_DIALECT:
    case TR_FORM_ID: return false;
    case TR_FORM_TYPE: return schema->types != 0;
    case TR_FORM_FLAG:
    case TR_FORM_NULLABLE: return *(const bool *)member;
    case TR_FORM_COUNT: return ((const struct tr_schema_count *)member)->has;
    case TR_FORM_REF: return schema->ref != NULL;
    case TR_FORM_TEXT:
    case TR_FORM_FORMAT: return *(const char *const *)member != NULL;
    case TR_FORM_PATTERN: return schema->pattern != NULL;
    case TR_FORM_VALUE:
    case TR_FORM_VALUES:
    case TR_FORM_CHOICES:
    case TR_FORM_NUMBER:
    case TR_FORM_DIVISOR: return *(const json_t *const *)member != NULL;
    case TR_FORM_NAMES: return schema->required_count != 0;
    case TR_FORM_DEPENDENCIES: return schema->dependent_required_count != 0;
    case TR_FORM_SCHEMA:
    case TR_FORM_SCHEMAS:
    case TR_FORM_PROPERTIES:
    case TR_FORM_DEFINITIONS:
    case TR_FORM_OLD_DEFINITIONS:
    case TR_FORM_PATTERN_PROPERTIES: break;
    }
    return tr_keyword_schema_count(keyword, schema) != 0;
}

const struct tr_type_name tr_type_names[TR_TYPE_COUNT] = {
    { TR_TYPE_BOOLEAN, "boolean" }, { TR_TYPE_INTEGER, "integer" }, { TR_TYPE_NUMBER, "number" },
    { TR_TYPE_STRING, "string" },   { TR_TYPE_ARRAY, "array" },     { TR_TYPE_OBJECT, "object" },
    { TR_TYPE_NULL, "null" },
};

unsigned tr_keyword_type_bit(const char *name)
{
    for (size_t i = 0; i < TR_TYPE_COUNT; i++) {
        if (strcmp(tr_type_names[i].name, name) == 0) {
            return tr_type_names[i].bit;
        }
    }
    return 0;
}
