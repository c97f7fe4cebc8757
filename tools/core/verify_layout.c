/* The fields of a table tile their struct: what is left over is a member that nobody described. */

#include <stdalign.h>
#include <stdbool.h>

#include "tools/core/member.h"
#include "tools/core/verify.h"

static size_t struct_align(const struct tr_type *type);

static size_t member_align(const struct tr_field *field)
{
    const bool is_boxed = tr_member_is_boxed(field);
    switch (field->kind) {
    case TR_KIND_STRING: return alignof(const char *);
    case TR_KIND_INTEGER: return is_boxed ? alignof(struct tr_opt_int) : alignof(int64_t);
    case TR_KIND_NUMBER: return is_boxed ? alignof(struct tr_opt_num) : alignof(double);
    case TR_KIND_BOOLEAN: return is_boxed ? alignof(struct tr_opt_bool) : alignof(bool);
    case TR_KIND_NULL: return alignof(struct tr_null);
    case TR_KIND_JSON: return alignof(json_t *);
    case TR_KIND_ENUM: return alignof(int);
    case TR_KIND_OBJECT: return field->optional ? alignof(void *) : struct_align(field->type);
    case TR_KIND_LIST: return alignof(struct tr_span);
    case TR_KIND_NONE: break;
    }
    return 1;
}

/* Only structs held by value are followed, and those cannot contain themselves. */
static size_t struct_align(const struct tr_type *type)
{
    size_t align = type->any_of ? alignof(int) : 1;
    for (size_t i = 0; i < type->field_count; i++) {
        const size_t needed = member_align(&type->fields[i]);
        align = needed > align ? needed : align;
    }
    return align;
}

static size_t align_up(size_t offset, size_t align)
{
    return (offset + align - 1) / align * align;
}

static enum tr_status verify_order(const struct tr_type *type, struct tr_fault *reterr)
{
    for (size_t i = 1; i < type->field_count; i++) {
        const struct tr_field *before = &type->fields[i - 1];
        if (type->fields[i].offset < before->offset + before->size) {
            return tr_verify_refuse(type, &type->fields[i], reterr,
                                    "The member is not described in the order of the struct");
        }
    }
    return TR_OK;
}

static enum tr_status verify_gaps(const struct tr_type *type, struct tr_fault *reterr)
{
    size_t end = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        if (field->offset != align_up(end, member_align(field))) {
            return tr_verify_refuse(type, field, reterr,
                                    "A member of the struct before this one is not described");
        }
        end = field->offset + field->size;
    }
    if (type->field_count != 0 && align_up(end, struct_align(type)) != type->size) {
        return tr_verify_refuse(type, NULL, reterr,
                                "The last member of the struct is not described");
    }
    return TR_OK;
}

/* `int choice`, and behind it one union of the alternatives. */
static enum tr_status verify_union(const struct tr_type *type, struct tr_fault *reterr)
{
    const size_t offset = align_up(sizeof(int), struct_align(type));
    size_t end = offset;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        if (field->offset != offset) {
            return tr_verify_refuse(type, field, reterr,
                                    "The alternatives must be the members of one union, which "
                                    "follows `int choice`");
        }
        end = field->offset + field->size > end ? field->offset + field->size : end;
    }
    if (align_up(end, struct_align(type)) != type->size) {
        return tr_verify_refuse(type, NULL, reterr, "An alternative of the union is not described");
    }
    return TR_OK;
}

enum tr_status tr_verify_layout(const struct tr_type *type, struct tr_fault *reterr)
{
    if (type->any_of) {
        return verify_union(type, reterr);
    }
    TR_TRY(verify_order(type, reterr));
    return verify_gaps(type, reterr);
}
