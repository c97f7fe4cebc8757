#include "tools/core/trim.h"

#include <stdbool.h>

#include <jansson.h>

#include "tools/core/json.h"
#include "tools/core/utf8.h"

/* Each round removes at least the present excess, or half of the largest thing; so few are needed.
 */
enum { MAX_ROUNDS = 64 };

static size_t written_size(const json_t *value)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, SIZE_MAX / 2);
    tr_json_write(&text, value);
    return text.status == TR_OK ? text.length : 0;
}

static void offer_largest(json_t *child, json_t **largest, size_t *largest_size)
{
    const size_t size = written_size(child);
    if (size > *largest_size) {
        *largest = child;
        *largest_size = size;
    }
}

static json_t *largest_child(json_t *value, size_t *ret_size)
{
    json_t *largest = NULL;
    *ret_size = 0;
    if (json_is_object(value)) {
        const char *key = NULL;
        json_t *child = NULL;
        json_object_foreach (value, key, child) {
            offer_largest(child, &largest, ret_size);
        }
        return largest;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        offer_largest(json_array_get(value, i), &largest, ret_size);
    }
    return largest;
}

static bool cut_string(json_t *string, size_t excess)
{
    const size_t length = json_string_length(string);
    const size_t wanted = excess < length ? length - excess : 0;
    const size_t kept = tr_utf8_cut(json_string_value(string), wanted);
    return length != 0 && json_string_setn_nocheck(string, json_string_value(string), kept) == 0;
}

/* Drop items from the end until the excess is gone, at most half of them at a time. */
static bool cut_list(json_t *list, size_t excess)
{
    const size_t count = json_array_size(list);
    size_t removed = 0;
    for (size_t at = count; at-- > count / 2 && removed < excess;) {
        removed += written_size(json_array_get(list, at)) + 1;
        if (json_array_remove(list, at) != 0) {
            return false;
        }
    }
    return count != 0;
}

/* Find what to cut: go down into the largest child as long as it is most of its parent. */
static bool cut_largest(json_t *value, size_t excess)
{
    for (;;) {
        if (json_is_string(value)) {
            return cut_string(value, excess);
        }
        size_t child_size = 0;
        json_t *child = largest_child(value, &child_size);
        if (json_is_array(value) && child_size < written_size(value) / 2) {
            return cut_list(value, excess);
        }
        if (child == NULL) {
            return false;
        }
        value = child;
    }
}

static bool cut_to_fit(json_t *value, size_t limit_bytes)
{
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const size_t size = written_size(value);
        if (size == 0) {
            return false;
        }
        if (size <= limit_bytes) {
            return true;
        }
        if (!cut_largest(value, size - limit_bytes)) {
            return false;
        }
    }
    return false;
}

enum tr_status tr_trim(struct tr_text *result, size_t limit_bytes)
{
    if (result->length <= limit_bytes) {
        return TR_OK;
    }
    json_auto_t *value = NULL;
    const enum tr_status status =
        tr_json_parse(tr_text_string(result), result->length, &value, NULL);
    tr_text_reset(result);
    if (status == TR_OK && cut_to_fit(value, limit_bytes)) {
        tr_json_write(result, value);
    } else {
        tr_text_add_string(result, "null");
    }
    return result->status;
}
