/* JSON to struct. The document has passed the check of the same table's schema, so a mismatch is a
 * defect of ours; still nothing here trusts it. */

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/descriptor.h"
#include "tools/core/json.h"
#include "tools/core/member.h"
#include "tools/core/place.h"

/* What stays the same on every level. */
struct binding {
    struct tr_arena *arena;
    struct tr_fault *reterr; /* NULL while an alternative is only tried */
};

static enum tr_status bind_object(const struct binding *binding, const struct tr_place *place,
                                  const struct tr_type *type, json_t *json, unsigned char *out);

static enum tr_status no_room(const struct binding *binding, const struct tr_place *place)
{
    return tr_refuse_at(tr_arena_status(binding->arena), binding->reterr, place,
                        "The call's memory is used up");
}

/* ---- scalars: fill `out`, or say that the value is of another kind ---- */

static bool bind_string(json_t *json, void *out)
{
    const char *text = json_string_value(json);
    if (text == NULL || strlen(text) != json_string_length(json)) {
        return false;
    }
    memcpy(out, &text, sizeof(text));
    return true;
}

/* JSON Schema counts 2.0 as an integer; 2^63 is the first double that no int64 holds. */
static bool integer_value(json_t *json, int64_t *ret_value)
{
    if (json_is_integer(json)) {
        *ret_value = json_integer_value(json);
        return true;
    }
    const double real = json_real_value(json);
    if (!json_is_real(json) || !(real >= -0x1p63 && real < 0x1p63) || trunc(real) != real) {
        return false;
    }
    *ret_value = (int64_t)real;
    return true;
}

static bool bind_integer(bool is_boxed, json_t *json, void *out)
{
    struct tr_opt_int box = { .has = true };
    if (!integer_value(json, &box.value)) {
        return false;
    }
    if (is_boxed) {
        memcpy(out, &box, sizeof(box));
    } else {
        memcpy(out, &box.value, sizeof(box.value));
    }
    return true;
}

static bool bind_number(bool is_boxed, json_t *json, void *out)
{
    if (!json_is_number(json)) {
        return false;
    }
    const struct tr_opt_num box = { .has = true, .value = json_number_value(json) };
    if (is_boxed) {
        memcpy(out, &box, sizeof(box));
    } else {
        memcpy(out, &box.value, sizeof(box.value));
    }
    return true;
}

static bool bind_boolean(bool is_boxed, json_t *json, void *out)
{
    if (!json_is_boolean(json)) {
        return false;
    }
    const struct tr_opt_bool box = { .has = true, .value = json_is_true(json) };
    if (is_boxed) {
        memcpy(out, &box, sizeof(box));
    } else {
        memcpy(out, &box.value, sizeof(box.value));
    }
    return true;
}

static bool bind_null(json_t *json, void *out)
{
    const struct tr_null null = { .has = true };
    if (!json_is_null(json)) {
        return false;
    }
    memcpy(out, &null, sizeof(null));
    return true;
}

static bool bind_json(json_t *json, void *out)
{
    memcpy(out, &json, sizeof(json));
    return json != NULL;
}

static bool bind_enum(const struct tr_field *field, json_t *json, void *out)
{
    const char *text = json_string_value(json);
    if (text == NULL) {
        return false;
    }
    for (size_t i = 1; i < field->name_count; i++) {
        if (field->names[i] != NULL && strcmp(text, field->names[i]) == 0) {
            const int value = (int)i;
            memcpy(out, &value, sizeof(value));
            return true;
        }
    }
    return false;
}

/* ---- lists, objects, alternatives ---- */

static enum tr_status bind_value(const struct binding *binding, const struct tr_place *place,
                                 const struct tr_field *field, enum tr_kind kind, json_t *json,
                                 unsigned char *out);

static enum tr_status mismatch(const struct binding *binding, const struct tr_place *place,
                               enum tr_kind kind)
{
    return tr_refuse_at(TR_INTERNAL, binding->reterr, place, "The value is no %s that fits",
                        tr_kind_name(kind));
}

static enum tr_status bind_list(const struct binding *binding, const struct tr_place *place,
                                const struct tr_field *field, json_t *json, unsigned char *out)
{
    if (!json_is_array(json)) {
        return mismatch(binding, place, TR_KIND_LIST);
    }
    const size_t count = json_array_size(json);
    /* An empty list has items all the same: NULL would mean that it is absent. */
    unsigned char *items = tr_arena_alloc(binding->arena, count != 0 ? count : 1, field->item_size);
    if (items == NULL) {
        return no_room(binding, place);
    }
    for (size_t i = 0; i < count; i++) {
        const struct tr_place here = { .parent = place, .index = i };
        TR_TRY(bind_value(binding, &here, field, field->item_kind, json_array_get(json, i),
                          items + i * field->item_size));
    }
    const struct tr_span span = { .items = items, .count = count };
    memcpy(out, &span, sizeof(span));
    return TR_OK;
}

static enum tr_status bind_optional_object(const struct binding *binding,
                                           const struct tr_place *place,
                                           const struct tr_field *field, json_t *json,
                                           unsigned char *out)
{
    unsigned char *object = tr_arena_alloc(binding->arena, 1, field->type->size);
    if (object == NULL) {
        return no_room(binding, place);
    }
    TR_TRY(bind_object(binding, place, field->type, json, object));
    memcpy(out, &object, sizeof(object));
    return TR_OK;
}

static enum tr_status bind_value(const struct binding *binding, const struct tr_place *place,
                                 const struct tr_field *field, enum tr_kind kind, json_t *json,
                                 unsigned char *out)
{
    const bool is_boxed = tr_member_is_boxed(field);
    bool fits = false;
    switch (kind) {
    case TR_KIND_STRING: fits = bind_string(json, out); break;
    case TR_KIND_INTEGER: fits = bind_integer(is_boxed, json, out); break;
    case TR_KIND_NUMBER: fits = bind_number(is_boxed, json, out); break;
    case TR_KIND_BOOLEAN: fits = bind_boolean(is_boxed, json, out); break;
    case TR_KIND_NULL: fits = bind_null(json, out); break;
    case TR_KIND_JSON: fits = bind_json(json, out); break;
    case TR_KIND_ENUM: fits = bind_enum(field, json, out); break;
    case TR_KIND_LIST: return bind_list(binding, place, field, json, out);
    case TR_KIND_OBJECT:
        return tr_member_is_pointer(field) ? bind_optional_object(binding, place, field, json, out)
                                           : bind_object(binding, place, field->type, json, out);
    case TR_KIND_NONE: break;
    }
    return fits ? TR_OK : mismatch(binding, place, kind);
}

/* The defaults stage has filled in what it can see; what lies inside an alternative it cannot. */
static enum tr_status bind_default(const struct binding *binding, const struct tr_place *place,
                                   const struct tr_field *field, unsigned char *out)
{
    json_t *value = tr_member_json(field->default_json);
    if (!tr_arena_adopt_json(binding->arena, value)) {
        return no_room(binding, place);
    }
    if (field->nullable && json_is_null(value)) {
        return TR_OK;
    }
    return bind_value(binding, place, field, field->kind, value, out);
}

static enum tr_status bind_member(const struct binding *binding, const struct tr_place *place,
                                  const struct tr_field *field, json_t *object, unsigned char *out)
{
    json_t *value = json_object_get(object, field->name);
    if (value == NULL && field->default_json != NULL) {
        return bind_default(binding, place, field, out);
    }
    if (value == NULL) {
        return field->required || !tr_member_can_be_absent(field)
                   ? tr_refuse_at(TR_INTERNAL, binding->reterr, place, "The value is missing")
                   : TR_OK;
    }
    if (field->nullable && json_is_null(value)) {
        return TR_OK;
    }
    return bind_value(binding, place, field, field->kind, value, out);
}

/* Every member that the table does not declare, as an object of its own; none: stays NULL. */
static enum tr_status bind_rest(const struct binding *binding, const struct tr_place *place,
                                const struct tr_type *type, json_t *object, unsigned char *out)
{
    json_auto_t *rest = NULL;
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach (object, key, value) {
        if (tr_type_field(type, key) != NULL) {
            continue;
        }
        if (rest == NULL) {
            rest = json_object();
        }
        if (json_object_set(rest, key, value) != 0) {
            return tr_refuse_at(TR_NO_MEMORY, binding->reterr, place, "Out of memory");
        }
    }
    if (rest == NULL) {
        return TR_OK;
    }
    json_t *kept = tr_json_take(&rest);
    if (!tr_arena_adopt_json(binding->arena, kept)) {
        return no_room(binding, place);
    }
    memcpy(out, &kept, sizeof(kept));
    return TR_OK;
}

/* tr_type_verify() has seen to it that at most one alternative can take a value that fits. */
static enum tr_status bind_any_of(const struct binding *binding, const struct tr_place *place,
                                  const struct tr_type *type, json_t *json, unsigned char *out)
{
    const struct binding attempt = { .arena = binding->arena };
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        const enum tr_status status =
            bind_value(&attempt, place, field, field->kind, json, out + field->offset);
        if (status == TR_OK) {
            const int choice = (int)i + 1;
            memcpy(out, &choice, sizeof(choice));
            return TR_OK;
        }
        if (status != TR_INTERNAL) {
            return tr_refuse_at(status, binding->reterr, place, "The call's memory is used up");
        }
        memset(out, 0, type->size);
    }
    return tr_refuse_at(TR_INTERNAL, binding->reterr, place,
                        "The value fits none of the %zu alternatives", type->field_count);
}

static enum tr_status bind_object(const struct binding *binding, const struct tr_place *place,
                                  const struct tr_type *type, json_t *json, unsigned char *out)
{
    if (type->any_of) {
        return bind_any_of(binding, place, type, json, out);
    }
    if (!json_is_object(json)) {
        return mismatch(binding, place, TR_KIND_OBJECT);
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        if (field->internal) {
            continue;
        }
        const struct tr_place here = { .parent = place, .key = field->name };
        unsigned char *member = out + field->offset;
        TR_TRY(field->is_rest ? bind_rest(binding, &here, type, json, member)
                              : bind_member(binding, &here, field, json, member));
    }
    return TR_OK;
}

enum tr_status tr_bind(const struct tr_type *type, json_t *json, struct tr_arena *arena, void *out,
                       struct tr_fault *reterr)
{
    const struct binding binding = { .arena = arena, .reterr = reterr };
    const struct tr_place root = { .parent = NULL };
    memset(out, 0, type->size);
    const enum tr_status status = bind_object(&binding, &root, type, json, out);
    if (status != TR_OK) {
        memset(out, 0, type->size);
    }
    return status;
}
