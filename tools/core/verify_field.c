/* The attributes of one field: each alone, and those that contradict one another. */

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/format.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/member.h"
#include "tools/core/pattern.h"
#include "tools/core/utf8.h"
#include "tools/core/verify.h"

/* The kind that `range`, `length`, `format` and `pattern` speak of. */
static enum tr_kind value_kind(const struct tr_field *field)
{
    return field->kind == TR_KIND_LIST ? field->item_kind : field->kind;
}

/* ---- rules that need no detail: NULL, or the sentence that says what is wrong ---- */

static bool is_utf8(const char *text)
{
    size_t left = strlen(text);
    while (left != 0) {
        const size_t step = tr_utf8_next(text, left, NULL);
        if (step == 0) {
            return false;
        }
        text += step;
        left -= step;
    }
    return true;
}

static const char *wrong_description(const struct tr_type *type, const struct tr_field *field)
{
    (void)type;
    if (field->description == NULL || field->description[0] == '\0') {
        return "The member has no description";
    }
    return is_utf8(field->description) ? NULL : "The description is not UTF-8";
}

static const char *wrong_presence(const struct tr_type *type, const struct tr_field *field)
{
    const bool can_be_missing =
        !type->any_of && !field->internal && !field->required && field->default_json == NULL;
    if (can_be_missing && !tr_member_can_be_absent(field)) {
        return "The member can be missing, but its C type cannot say so: make it required, give it "
               "a default, or use a type that can be absent";
    }
    if (field->nullable && !tr_member_can_be_absent(field)) {
        return "The member can be null, but its C type cannot say so";
    }
    if (field->required && field->default_json != NULL) {
        return "The member is required, so its default would never be used";
    }
    return NULL;
}

static bool says_anything_to_callers(const struct tr_field *field)
{
    return field->required || field->nullable || field->default_json != NULL
           || field->example_json != NULL;
}

static const char *wrong_role(const struct tr_type *type, const struct tr_field *field)
{
    if (field->internal && (says_anything_to_callers(field) || field->deprecated)) {
        return "An internal member is in no schema: it cannot be required, nullable, deprecated or "
               "have a default or an example";
    }
    if (field->is_rest && (says_anything_to_callers(field) || field->internal)) {
        return "TR_REST takes what other members leave: it cannot be required, nullable, internal "
               "or have a default or an example";
    }
    if (type->any_of
        && (field->required || field->nullable || field->internal || field->is_rest
            || field->default_json != NULL)) {
        return "An alternative cannot be required, nullable, internal, TR_REST or have a default: "
               "say it where the alternatives are a member (null is an alternative of its own, "
               "struct tr_null)";
    }
    return NULL;
}

static bool is_empty(const struct tr_bounds *bounds)
{
    return bounds->set == (TR_BOUND_MIN | TR_BOUND_MAX) && bounds->min > bounds->max;
}

static bool is_count(const struct tr_bounds *bounds)
{
    return !((bounds->set & TR_BOUND_MIN) && bounds->min < 0)
           && !((bounds->set & TR_BOUND_MAX) && bounds->max < 0) && !is_empty(bounds);
}

static bool is_real_range(const struct tr_real_bounds *bounds)
{
    const bool both = bounds->set == (TR_BOUND_MIN | TR_BOUND_MAX);
    return isfinite(bounds->min) && isfinite(bounds->max) && !(both && bounds->min > bounds->max);
}

static const char *wrong_range(const struct tr_type *type, const struct tr_field *field)
{
    (void)type;
    const enum tr_kind kind = value_kind(field);
    if (field->range.set != 0 && kind != TR_KIND_INTEGER && kind != TR_KIND_NUMBER) {
        return "`range` is of numbers";
    }
    if (field->real_range.set != 0 && kind != TR_KIND_NUMBER) {
        return "`real_range` is of numbers with a fraction";
    }
    if (field->range.set != 0 && field->real_range.set != 0) {
        return "`range` and `real_range` say the same: use one";
    }
    if (is_empty(&field->range) || !is_real_range(&field->real_range)) {
        return "No number is within the range";
    }
    return NULL;
}

static const char *wrong_length(const struct tr_type *type, const struct tr_field *field)
{
    (void)type;
    if (field->length.set != 0 && value_kind(field) != TR_KIND_STRING) {
        return "`length` is of strings";
    }
    return is_count(&field->length) ? NULL : "No string has such a length";
}

static const char *wrong_list(const struct tr_type *type, const struct tr_field *field)
{
    (void)type;
    if (field->kind != TR_KIND_LIST && (field->count.set != 0 || field->unique)) {
        return "`count` and `unique` are of lists";
    }
    return is_count(&field->count) ? NULL : "No list has such a count";
}

static const char *wrong_text_rules(const struct tr_type *type, const struct tr_field *field)
{
    (void)type;
    const bool has_rules = field->format != NULL || field->pattern != NULL;
    return has_rules && value_kind(field) != TR_KIND_STRING
               ? "`format` and `pattern` are of strings"
               : NULL;
}

static const char *wrong_names(const struct tr_type *type, const struct tr_field *field)
{
    (void)type;
    if (value_kind(field) != TR_KIND_ENUM) {
        return NULL;
    }
    if (field->name_count < 2 || field->names[0] != NULL) {
        return "The enum's names must begin at 1: 0 means absent";
    }
    for (size_t i = 1; i < field->name_count; i++) {
        if (field->names[i] == NULL || field->names[i][0] == '\0' || !is_utf8(field->names[i])) {
            return "A value of the enum has no name";
        }
        for (size_t j = 1; j < i; j++) {
            if (strcmp(field->names[i], field->names[j]) == 0) {
                return "Two values of the enum have one name";
            }
        }
    }
    return NULL;
}

/* ---- rules whose refusal says more than one sentence can ---- */

static enum tr_status verify_json(const struct tr_type *type, const struct tr_field *field,
                                  const char *what, const char *text, struct tr_fault *reterr)
{
    if (text == NULL) {
        return TR_OK;
    }
    json_auto_t *value = NULL;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status = tr_json_parse(text, strlen(text), &value, &fault);
    if (status == TR_MALFORMED_JSON) {
        return tr_verify_refuse(type, field, reterr, "The %s is not JSON: %s", what, fault.what);
    }
    return status;
}

static enum tr_status verify_format(const struct tr_type *type, const struct tr_field *field,
                                    struct tr_fault *reterr)
{
    if (field->format != NULL && tr_format_from_name(field->format) == TR_FORMAT_NONE) {
        return tr_verify_refuse(type, field, reterr, "There is no format '%s'", field->format);
    }
    return TR_OK;
}

static enum tr_status verify_pattern(const struct tr_type *type, const struct tr_field *field,
                                     struct tr_fault *reterr)
{
    if (field->pattern == NULL) {
        return TR_OK;
    }
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_LOAD_ARENA_BYTES);
    const struct tr_pattern *pattern = NULL;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status = tr_pattern_compile(&arena, field->pattern, &pattern, &fault);
    if (status == TR_INVALID_PARAMETERS) {
        return tr_verify_refuse(type, field, reterr, "The pattern does not compile: %s",
                                fault.what);
    }
    return status;
}

enum tr_status tr_verify_field(const struct tr_type *type, const struct tr_field *field,
                               struct tr_fault *reterr)
{
    static const char *(*const rules[])(const struct tr_type *, const struct tr_field *) = {
        wrong_description, wrong_role, wrong_presence,   wrong_range,
        wrong_length,      wrong_list, wrong_text_rules, wrong_names,
    };
    for (size_t i = 0; i < TR_COUNT_OF(rules); i++) {
        const char *sentence = rules[i](type, field);
        if (sentence != NULL) {
            return tr_verify_refuse(type, field, reterr, "%s", sentence);
        }
    }
    TR_TRY(verify_format(type, field, reterr));
    TR_TRY(verify_pattern(type, field, reterr));
    TR_TRY(verify_json(type, field, "default", field->default_json, reterr));
    return verify_json(type, field, "example", field->example_json, reterr);
}
