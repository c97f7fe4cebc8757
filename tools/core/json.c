#include "tools/core/json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tools/core/arena.h"

static int compare_doubles(double left, double right)
{
    return (left > right) - (left < right);
}

/* Exact: neither side is rounded to the type of the other. */
static int compare_integer_double(int64_t integer, double real)
{
    if (real >= 0x1p63) {
        return -1;
    }
    if (real < -0x1p63) {
        return 1;
    }
    const double whole = trunc(real);
    const int64_t whole_integer = (int64_t)whole;
    if (integer != whole_integer) {
        return integer < whole_integer ? -1 : 1;
    }
    return compare_doubles(whole, real);
}

int tr_json_number_compare(const json_t *left, const json_t *right)
{
    if (json_is_integer(left) && json_is_integer(right)) {
        const json_int_t left_value = json_integer_value(left);
        const json_int_t right_value = json_integer_value(right);
        return (left_value > right_value) - (left_value < right_value);
    }
    if (json_is_integer(left)) {
        return compare_integer_double(json_integer_value(left), json_real_value(right));
    }
    if (json_is_integer(right)) {
        return -compare_integer_double(json_integer_value(right), json_real_value(left));
    }
    return compare_doubles(json_real_value(left), json_real_value(right));
}

bool tr_json_is_integral(const json_t *value)
{
    if (json_is_integer(value)) {
        return true;
    }
    return json_is_real(value) && trunc(json_real_value(value)) == json_real_value(value);
}

static bool arrays_equal(const json_t *left, const json_t *right)
{
    const size_t count = json_array_size(left);
    if (count != json_array_size(right)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!tr_json_equal(json_array_get(left, i), json_array_get(right, i))) {
            return false;
        }
    }
    return true;
}

static bool objects_equal(const json_t *left, const json_t *right)
{
    if (json_object_size(left) != json_object_size(right)) {
        return false;
    }
    for (void *at = tr_json_first(left); at != NULL; at = tr_json_next(left, at)) {
        const json_t *other =
            json_object_getn(right, json_object_iter_key(at), json_object_iter_key_len(at));
        if (other == NULL || !tr_json_equal(json_object_iter_value(at), other)) {
            return false;
        }
    }
    return true;
}

static bool strings_equal(const json_t *left, const json_t *right)
{
    const size_t length = json_string_length(left);
    return length == json_string_length(right)
           && memcmp(json_string_value(left), json_string_value(right), length) == 0;
}

bool tr_json_equal(const json_t *left, const json_t *right)
{
    if (left == right) {
        return true;
    }
    if (json_is_number(left) && json_is_number(right)) {
        return tr_json_number_compare(left, right) == 0;
    }
    if (left == NULL || right == NULL || json_typeof(left) != json_typeof(right)) {
        return false;
    }
    switch (json_typeof(left)) {
    case JSON_ARRAY: return arrays_equal(left, right);
    case JSON_OBJECT: return objects_equal(left, right);
    case JSON_STRING: return strings_equal(left, right);
    case JSON_INTEGER:
    case JSON_REAL:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL: return true;
    }
    return false;
}

static void drop_reference(void *value)
{
    json_decref(value);
}

bool tr_arena_adopt_json(struct tr_arena *arena, json_t *value)
{
    return value != NULL && tr_arena_adopt(arena, value, drop_reference);
}
