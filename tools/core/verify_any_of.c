/* Alternatives that a value can be told apart by, without looking at limits and patterns. */

#include <stdbool.h>
#include <string.h>

#include "tools/core/schema.h"
#include "tools/core/verify.h"

/* Which JSON types the member can take, of enum tr_type_bit. */
static unsigned json_types(const struct tr_field *field)
{
    switch (field->kind) {
    case TR_KIND_STRING:
    case TR_KIND_ENUM: return TR_TYPE_STRING;
    case TR_KIND_INTEGER:
    case TR_KIND_NUMBER: return TR_TYPE_NUMBER;
    case TR_KIND_BOOLEAN: return TR_TYPE_BOOLEAN;
    case TR_KIND_NULL: return TR_TYPE_NULL;
    case TR_KIND_LIST: return TR_TYPE_ARRAY;
    case TR_KIND_JSON: return ~0u;
    case TR_KIND_OBJECT: break;
    case TR_KIND_NONE: return 0;
    }
    if (!field->type->any_of) {
        return TR_TYPE_OBJECT;
    }
    unsigned types = 0;
    for (size_t i = 0; i < field->type->field_count; i++) {
        types |= json_types(&field->type->fields[i]);
    }
    return types;
}

static bool have_common_name(const struct tr_field *left, const struct tr_field *right)
{
    for (size_t i = 1; i < left->name_count; i++) {
        for (size_t j = 1; j < right->name_count; j++) {
            if (strcmp(left->names[i], right->names[j]) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_open(const struct tr_type *type)
{
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].is_rest) {
            return true;
        }
    }
    return false;
}

/* Does an object that is meant for `other` always lack what `required` of the earlier struct asks
 * for? */
static bool keeps_out(const struct tr_field *required, const struct tr_type *other)
{
    const struct tr_field *same = tr_type_field(other, required->name);
    if (same == NULL) {
        return !is_open(other);
    }
    if (required->kind == TR_KIND_ENUM && same->kind == TR_KIND_ENUM) {
        return !have_common_name(required, same) && !same->nullable && !required->nullable;
    }
    return (json_types(required) & json_types(same)) == 0 && !same->nullable && !required->nullable;
}

static bool are_distinct_objects(const struct tr_type *earlier, const struct tr_type *later)
{
    for (size_t i = 0; i < earlier->field_count; i++) {
        const struct tr_field *field = &earlier->fields[i];
        if (field->required && keeps_out(field, later)) {
            return true;
        }
    }
    return false;
}

static bool is_struct(const struct tr_field *field)
{
    return field->kind == TR_KIND_OBJECT && !field->type->any_of;
}

/* Binding tries `earlier` first: does that fail for every value that is meant for `later`? */
static bool are_distinct(const struct tr_field *earlier, const struct tr_field *later)
{
    if ((json_types(earlier) & json_types(later)) == 0) {
        return true;
    }
    if (is_struct(earlier) && is_struct(later)) {
        return are_distinct_objects(earlier->type, later->type);
    }
    if (earlier->kind == TR_KIND_ENUM && later->kind == TR_KIND_ENUM) {
        return !have_common_name(earlier, later);
    }
    return earlier->kind == TR_KIND_ENUM && later->kind == TR_KIND_STRING;
}

enum tr_status tr_verify_alternatives(const struct tr_type *type, struct tr_fault *reterr)
{
    if (type->field_count < 2) {
        return tr_verify_refuse(type, NULL, reterr, "One alternative is none");
    }
    for (size_t later = 1; later < type->field_count; later++) {
        for (size_t earlier = 0; earlier < later; earlier++) {
            if (!are_distinct(&type->fields[earlier], &type->fields[later])) {
                return tr_verify_refuse(
                    type, &type->fields[later], reterr,
                    "The alternative can be taken for '%s': let them have different JSON types, or "
                    "(objects) let '%s' require a member that this one does not have, or (an enum "
                    "and a string) put the enum first",
                    type->fields[earlier].name, type->fields[earlier].name);
            }
        }
    }
    return TR_OK;
}
