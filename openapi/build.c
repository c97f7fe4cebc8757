#include "openapi/build.h"

#include <stdarg.h>
#include <string.h>

#include "tools/core/json.h"

static void drop(json_t **value)
{
    json_decref(tr_json_take(value));
}

void tr_build_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value) != 0) {
        drop(object);
    }
}

void tr_build_put_text(json_t **object, const char *key, const char *text)
{
    if (text != NULL) {
        tr_build_put(object, key, json_string(text));
    }
}

void tr_build_put_integer(json_t **object, const char *key, int64_t value)
{
    tr_build_put(object, key, json_integer(value));
}

void tr_build_put_bool(json_t **object, const char *key, bool value)
{
    tr_build_put(object, key, json_boolean(value));
}

void tr_build_add(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value) != 0) {
        drop(array);
    }
}

void tr_build_add_text(json_t **array, const char *text)
{
    tr_build_add(array, json_string(text));
}

json_t *tr_build_constant(const char *json)
{
    json_t *value = NULL;
    return tr_json_parse(json, strlen(json), &value, NULL) == TR_OK ? value : NULL;
}

json_t *tr_build_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *text = json_vsprintf(format, args);
    va_end(args);
    return text;
}
