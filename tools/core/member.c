#include "tools/core/member.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/place.h"
#include "tools/core/text.h"

static const char *const kind_names[] = {
    [TR_KIND_NONE] = "nothing",    [TR_KIND_STRING] = "string",   [TR_KIND_INTEGER] = "integer",
    [TR_KIND_NUMBER] = "number",   [TR_KIND_BOOLEAN] = "boolean", [TR_KIND_NULL] = "null",
    [TR_KIND_JSON] = "JSON value", [TR_KIND_ENUM] = "enum",       [TR_KIND_OBJECT] = "object",
    [TR_KIND_LIST] = "list",
};
_Static_assert(TR_COUNT_OF(kind_names) == TR_KIND_LIST + 1, "every kind has a name");

const char *tr_kind_name(enum tr_kind kind)
{
    return kind_names[kind];
}

/* Members are read by memcpy() throughout: a table says what lies at an offset, the compiler does
 * not. */
static bool is_null_pointer(const void *in)
{
    const void *pointer = NULL;
    memcpy(&pointer, in, sizeof(pointer));
    return pointer == NULL;
}

static bool is_zero_int(const void *in)
{
    int value = 0;
    memcpy(&value, in, sizeof(value));
    return value == 0;
}

/* `has` is the first member of every tr_opt_... and of tr_null; read as a byte, so that a struct
 * that a tool filled with rubbish is no undefined behaviour. */
_Static_assert(offsetof(struct tr_opt_int, has) == 0, "has is first");
_Static_assert(offsetof(struct tr_opt_num, has) == 0, "has is first");
_Static_assert(offsetof(struct tr_opt_bool, has) == 0, "has is first");
_Static_assert(offsetof(struct tr_null, has) == 0, "has is first");
static bool is_zero_byte(const void *in)
{
    return *(const unsigned char *)in == 0;
}

bool tr_member_is_absent(const struct tr_field *field, const void *in)
{
    if (!tr_member_can_be_absent(field)) {
        return false;
    }
    switch (field->kind) {
    case TR_KIND_INTEGER:
    case TR_KIND_NUMBER:
    case TR_KIND_BOOLEAN:
    case TR_KIND_NULL: return is_zero_byte(in);
    case TR_KIND_ENUM: return is_zero_int(in);
    case TR_KIND_OBJECT: return field->optional ? is_null_pointer(in) : is_zero_int(in);
    case TR_KIND_STRING:
    case TR_KIND_JSON:
    case TR_KIND_LIST: return is_null_pointer(in);
    case TR_KIND_NONE: break;
    }
    return true;
}

json_t *tr_member_json(const char *text)
{
    json_t *value = NULL;
    return tr_json_parse(text, strlen(text), &value, NULL) == TR_OK ? value : NULL;
}

static void write_pointer(const struct tr_place *place, char where[TR_FAULT_WHERE_BYTES])
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, TR_FAULT_WHERE_BYTES - 1);
    tr_place_write_pointer(place, &text);
    (void)snprintf(where, TR_FAULT_WHERE_BYTES, "%s", tr_text_string(&text));
}

enum tr_status tr_refuse_at(enum tr_status status, struct tr_fault *fault,
                            const struct tr_place *place, const char *format, ...)
{
    if (fault == NULL) {
        return status;
    }
    char what[TR_FAULT_WHAT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    char where[TR_FAULT_WHERE_BYTES];
    write_pointer(place, where);
    return tr_refuse(status, fault, where, "%s", what);
}
