#include "tools/core/json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tools/core/arena.h"
#include "tools/core/limits.h"

/* One pass over the raw bytes ahead of jansson, for what it does not see or sees too late. */
struct scan {
    const char *bytes;
    size_t length;
    size_t at;
    size_t depth;
};

/* Line and column (in bytes, from 1) of an offset. */
static void find_line(const struct scan *scan, size_t *ret_line, size_t *ret_column)
{
    size_t line = 1;
    size_t start = 0;
    for (size_t i = 0; i < scan->at; i++) {
        if (scan->bytes[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    *ret_line = line;
    *ret_column = scan->at - start + 1;
}

static enum tr_status refuse_at(const struct scan *scan, struct tr_fault *reterr,
                                const char *reason)
{
    size_t line = 0;
    size_t column = 0;
    find_line(scan, &line, &column);
    return tr_refuse(TR_MALFORMED_JSON, reterr, NULL, "Invalid JSON at line %zu, column %zu: %s",
                     line, column, reason);
}

/* From behind the opening quote to behind the closing one, or to the end. False at \u0000. */
static bool skip_string(struct scan *scan)
{
    while (scan->at < scan->length && scan->bytes[scan->at] != '"') {
        if (scan->bytes[scan->at] != '\\') {
            scan->at++;
            continue;
        }
        const size_t left = scan->length - scan->at;
        if (left >= 6 && memcmp(scan->bytes + scan->at, "\\u0000", 6) == 0) {
            return false;
        }
        scan->at += left >= 2 ? 2 : 1;
    }
    scan->at += scan->at < scan->length;
    return true;
}

/* Refuse NUL, raw or escaped (jansson skips one after a number and may keep the other), a byte
 * order mark, and depth, before any memory is spent on it. */
static enum tr_status scan_ahead(const char *bytes, size_t length, struct tr_fault *reterr)
{
    struct scan scan = { .bytes = bytes, .length = length };
    const char *nul = length > 0 ? memchr(bytes, '\0', length) : NULL;
    if (nul != NULL) {
        scan.at = (size_t)(nul - bytes);
        return refuse_at(&scan, reterr, "a NUL byte");
    }
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        return refuse_at(&scan, reterr, "a byte order mark; send plain UTF-8");
    }
    while (scan.at < length) {
        const char byte = bytes[scan.at++];
        if (byte == '"' && !skip_string(&scan)) {
            return refuse_at(&scan, reterr, "the character \\u0000");
        }
        if ((byte == '[' || byte == '{') && ++scan.depth > TR_MAX_JSON_DEPTH) {
            return refuse_at(&scan, reterr, "nested too deeply");
        }
        if ((byte == ']' || byte == '}') && scan.depth > 0) {
            scan.depth--;
        }
    }
    return TR_OK;
}

/* jansson's sentence ends in " near '...'", a piece of the input: kept only where it is the name of
 * a member, because a value may be a secret. */
static enum tr_status refuse_as_jansson(const json_error_t *error, struct tr_fault *reterr)
{
    const enum json_error_code code = json_error_code(error);
    /* It forgets to say anything where a value cannot be allocated. */
    if (code == json_error_out_of_memory || error->text[0] == '\0') {
        return TR_NO_MEMORY;
    }
    const char *reason = code == json_error_invalid_utf8 ? "not valid UTF-8" : error->text;
    const char *near = strstr(reason, " near ");
    const size_t length =
        near == NULL || code == json_error_duplicate_key ? strlen(reason) : (size_t)(near - reason);
    return tr_refuse(TR_MALFORMED_JSON, reterr, NULL, "Invalid JSON at line %d, column %d: %.*s",
                     error->line, error->column, (int)length, reason);
}

enum tr_status tr_json_parse(const char *bytes, size_t length, json_t **ret_value,
                             struct tr_fault *reterr)
{
    TR_TRY(scan_ahead(bytes, length, reterr));
    json_error_t error;
    json_t *value = json_loadb(length > 0 ? bytes : "", length,
                               JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    if (value == NULL) {
        return refuse_as_jansson(&error, reterr);
    }
    *ret_value = value;
    return TR_OK;
}

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
