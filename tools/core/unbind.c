/* Struct to JSON text. On the hot path of every answer: no JSON values are built, and the position
 * is a chain of stack frames that becomes text only when something is refused. */

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "tools/core/descriptor.h"
#include "tools/core/json.h"
#include "tools/core/member.h"
#include "tools/core/place.h"
#include "tools/core/text.h"

/* What stays the same on every level. */
struct writing {
    struct tr_text *out;
    struct tr_fault *reterr;
};

static enum tr_status write_struct(const struct writing *writing, const struct tr_place *place,
                                   const struct tr_type *type, const unsigned char *in);

static enum tr_status missing(const struct writing *writing, const struct tr_place *place)
{
    return tr_refuse_at(TR_INTERNAL, writing->reterr, place, "The tool left it out");
}

/* ---- scalars ---- */

static enum tr_status write_string(const struct writing *writing, const struct tr_place *place,
                                   const unsigned char *in)
{
    const char *text = NULL;
    memcpy(&text, in, sizeof(text));
    if (text == NULL) {
        return missing(writing, place);
    }
    tr_json_write_string(writing->out, text, strlen(text));
    return TR_OK;
}

static void write_integer(const struct writing *writing, bool is_boxed, const unsigned char *in)
{
    int64_t value = 0;
    memcpy(&value, is_boxed ? in + offsetof(struct tr_opt_int, value) : in, sizeof(value));
    tr_text_add_integer(writing->out, value);
}

static enum tr_status write_number(const struct writing *writing, const struct tr_place *place,
                                   bool is_boxed, const unsigned char *in)
{
    double value = 0;
    memcpy(&value, is_boxed ? in + offsetof(struct tr_opt_num, value) : in, sizeof(value));
    if (!isfinite(value)) {
        return tr_refuse_at(TR_INTERNAL, writing->reterr, place,
                            "The tool gave a number that is not finite");
    }
    tr_json_write_real(writing->out, value);
    return TR_OK;
}

/* Looked at as a byte: a bool that is neither 0 nor 1 must not be undefined behaviour. */
static void write_boolean(const struct writing *writing, bool is_boxed, const unsigned char *in)
{
    const unsigned char value = is_boxed ? in[offsetof(struct tr_opt_bool, value)] : in[0];
    if (value != 0) {
        tr_text_add(writing->out, "true", 4);
    } else {
        tr_text_add(writing->out, "false", 5);
    }
}

static enum tr_status write_json(const struct writing *writing, const struct tr_place *place,
                                 const unsigned char *in)
{
    json_t *value = NULL;
    memcpy(&value, in, sizeof(value));
    if (value == NULL) {
        return missing(writing, place);
    }
    tr_json_write(writing->out, value);
    return TR_OK;
}

static enum tr_status write_enum(const struct writing *writing, const struct tr_place *place,
                                 const struct tr_field *field, const unsigned char *in)
{
    int value = 0;
    memcpy(&value, in, sizeof(value));
    if (value == 0) {
        return missing(writing, place);
    }
    if (value < 0 || (size_t)value >= field->name_count || field->names[value] == NULL) {
        return tr_refuse_at(TR_INTERNAL, writing->reterr, place,
                            "The tool gave the enum value %d, which has no name", value);
    }
    tr_json_write_string(writing->out, field->names[value], strlen(field->names[value]));
    return TR_OK;
}

/* ---- lists and members ---- */

static enum tr_status write_value(const struct writing *writing, const struct tr_place *place,
                                  const struct tr_field *field, enum tr_kind kind,
                                  const unsigned char *in);

static enum tr_status write_list(const struct writing *writing, const struct tr_place *place,
                                 const struct tr_field *field, const unsigned char *in)
{
    struct tr_span span = { .items = NULL };
    memcpy(&span, in, sizeof(span));
    if (span.items == NULL && span.count != 0) {
        return tr_refuse_at(TR_INTERNAL, writing->reterr, place,
                            "The tool gave a list of %zu items without the items", span.count);
    }
    const unsigned char *item = span.items;
    tr_text_add_char(writing->out, '[');
    for (size_t i = 0; i < span.count; i++, item += field->item_size) {
        const struct tr_place here = { .parent = place, .index = i };
        if (i != 0) {
            tr_text_add_char(writing->out, ',');
        }
        TR_TRY(write_value(writing, &here, field, field->item_kind, item));
    }
    tr_text_add_char(writing->out, ']');
    return writing->out->status;
}

static enum tr_status write_nested(const struct writing *writing, const struct tr_place *place,
                                   const struct tr_field *field, const unsigned char *in)
{
    const unsigned char *object = in;
    if (tr_member_is_pointer(field)) {
        memcpy(&object, in, sizeof(object));
    }
    return object != NULL ? write_struct(writing, place, field->type, object)
                          : missing(writing, place);
}

static enum tr_status write_value(const struct writing *writing, const struct tr_place *place,
                                  const struct tr_field *field, enum tr_kind kind,
                                  const unsigned char *in)
{
    const bool is_boxed = tr_member_is_boxed(field);
    switch (kind) {
    case TR_KIND_STRING: return write_string(writing, place, in);
    case TR_KIND_INTEGER: write_integer(writing, is_boxed, in); return TR_OK;
    case TR_KIND_NUMBER: return write_number(writing, place, is_boxed, in);
    case TR_KIND_BOOLEAN: write_boolean(writing, is_boxed, in); return TR_OK;
    case TR_KIND_NULL: tr_text_add(writing->out, "null", 4); return TR_OK;
    case TR_KIND_JSON: return write_json(writing, place, in);
    case TR_KIND_ENUM: return write_enum(writing, place, field, in);
    case TR_KIND_OBJECT: return write_nested(writing, place, field, in);
    case TR_KIND_LIST: return write_list(writing, place, field, in);
    case TR_KIND_NONE: break;
    }
    return missing(writing, place);
}

static enum tr_status write_member(const struct writing *writing, const struct tr_place *place,
                                   const struct tr_field *field, const unsigned char *in)
{
    if (!tr_member_is_absent(field, in)) {
        return write_value(writing, place, field, field->kind, in);
    }
    if (field->nullable) {
        tr_text_add(writing->out, "null", 4);
        return TR_OK;
    }
    /* A list that cannot be absent and has no items is an empty one. */
    return field->kind == TR_KIND_LIST ? write_list(writing, place, field, in)
                                       : missing(writing, place);
}

/* ---- objects ---- */

/* `lead` is what comes before the next member: '{' for the first, ',' for the others. A name is a C
 * identifier, so it needs no escaping. */
static void write_name(const struct writing *writing, char *lead, const char *name)
{
    const char open[] = { *lead, '"' };
    tr_text_add(writing->out, open, sizeof(open));
    tr_text_add_string(writing->out, name);
    tr_text_add(writing->out, "\":", 2);
    *lead = ',';
}

/* The members that the tool gives beyond the declared ones; a declared name is never written
 * twice. */
static enum tr_status write_rest(const struct writing *writing, const struct tr_place *place,
                                 const struct tr_type *type, const unsigned char *in, char *lead)
{
    json_t *rest = NULL;
    memcpy(&rest, in, sizeof(rest));
    if (!json_is_object(rest)) {
        return tr_refuse_at(TR_INTERNAL, writing->reterr, place,
                            "The tool gave further members that are no object");
    }
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach (rest, key, value) {
        if (tr_type_field(type, key) != NULL) {
            continue;
        }
        tr_text_add_char(writing->out, *lead);
        tr_json_write_string(writing->out, key, strlen(key));
        tr_text_add_char(writing->out, ':');
        tr_json_write(writing->out, value);
        *lead = ',';
    }
    return TR_OK;
}

static enum tr_status write_object(const struct writing *writing, const struct tr_place *place,
                                   const struct tr_type *type, const unsigned char *in)
{
    char lead = '{';
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        const unsigned char *member = in + field->offset;
        if (field->internal || (!field->required && tr_member_is_absent(field, member))) {
            continue;
        }
        const struct tr_place here = { .parent = place, .key = field->name };
        if (field->is_rest) {
            TR_TRY(write_rest(writing, &here, type, member, &lead));
            continue;
        }
        write_name(writing, &lead, field->name);
        TR_TRY(write_member(writing, &here, field, member));
    }
    if (lead == '{') {
        tr_text_add_char(writing->out, '{');
    }
    tr_text_add_char(writing->out, '}');
    return writing->out->status;
}

static enum tr_status write_any_of(const struct writing *writing, const struct tr_place *place,
                                   const struct tr_type *type, const unsigned char *in)
{
    int choice = 0;
    memcpy(&choice, in, sizeof(choice));
    if (choice < 1 || (size_t)choice > type->field_count) {
        return tr_refuse_at(TR_INTERNAL, writing->reterr, place,
                            "The tool chose alternative %d of %zu", choice, type->field_count);
    }
    const struct tr_field *field = &type->fields[choice - 1];
    return write_value(writing, place, field, field->kind, in + field->offset);
}

static enum tr_status write_struct(const struct writing *writing, const struct tr_place *place,
                                   const struct tr_type *type, const unsigned char *in)
{
    return type->any_of ? write_any_of(writing, place, type, in)
                        : write_object(writing, place, type, in);
}

enum tr_status tr_unbind(const struct tr_type *type, const void *in, struct tr_text *out,
                         struct tr_fault *reterr)
{
    const struct writing writing = { .out = out, .reterr = reterr };
    const struct tr_place root = { .parent = NULL };
    TR_TRY(write_struct(&writing, &root, type, in));
    return out->status;
}
