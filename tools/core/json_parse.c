/* json_parse.c - a request body to JSON values, in one pass.
 *
 * jansson reads a byte at a time through two buffers, which took a third of a whole call;
 * besides, it skips a NUL behind a number, goes 2,048 levels deep before it says no, and calls a
 * text that it has no memory to read a syntax error. The values are still its own.
 * tests/fuzz/fuzz_json_text.c holds this reader against json_loadb(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/json_reader.h"
#include "tools/core/limits.h"
#include "tools/core/number.h"
#include "tools/core/utf8.h"

/* ---- refusing ---- */

/* Line and column (in bytes, from 1) of the present place. */
json_t *tr_json_refuse(struct tr_json_reader *reader, const char *reason)
{
    size_t line = 1;
    const char *line_start = reader->start;
    for (const char *at = reader->start; at < reader->at; at++) {
        if (*at == '\n') {
            line++;
            line_start = at + 1;
        }
    }
    reader->status = tr_refuse(TR_MALFORMED_JSON, reader->fault, NULL,
                               "Invalid JSON at line %zu, column %zu: %s", line,
                               (size_t)(reader->at - line_start) + 1, reason);
    return NULL;
}

json_t *tr_json_refuse_memory(struct tr_json_reader *reader)
{
    reader->status = TR_NO_MEMORY;
    return NULL;
}

/* A new value, or the word that there is no memory for one. */
static json_t *made(struct tr_json_reader *reader, json_t *value)
{
    return value != NULL ? value : tr_json_refuse_memory(reader);
}

/* ---- characters ---- */

static void skip_blanks(struct tr_json_reader *reader)
{
    while (reader->at < reader->end
           && (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\r'
               || *reader->at == '\t')) {
        reader->at++;
    }
}

/* ---- numbers and literals ---- */

static void skip_digits(struct tr_json_reader *reader)
{
    while (reader->at < reader->end && tr_json_is_digit(*reader->at)) {
        reader->at++;
    }
}

/* Go over a number by the grammar of RFC 8259 section 6. False when it breaks it. */
static bool skip_number(struct tr_json_reader *reader, bool *ret_is_real)
{
    reader->at += *reader->at == '-';
    const char *digits = reader->at;
    skip_digits(reader);
    if (reader->at == digits || (*digits == '0' && reader->at - digits > 1)) {
        return false;
    }
    if (tr_json_peek(reader) == '.') {
        *ret_is_real = true;
        digits = ++reader->at;
        skip_digits(reader);
        if (reader->at == digits) {
            return false;
        }
    }
    if ((tr_json_peek(reader) | 0x20) == 'e') {
        *ret_is_real = true;
        reader->at++;
        reader->at += tr_json_peek(reader) == '+' || tr_json_peek(reader) == '-';
        digits = reader->at;
        skip_digits(reader);
        return reader->at != digits;
    }
    return true;
}

static json_t *read_number(struct tr_json_reader *reader)
{
    const char *start = reader->at;
    bool is_real = false;
    int64_t integer = 0;
    double real = 0;
    if (!skip_number(reader, &is_real)) {
        return tr_json_refuse(reader, "not a number");
    }
    const size_t length = (size_t)(reader->at - start);
    if (is_real) {
        return tr_parse_double(start, length, &real)
                   ? made(reader, json_real(real))
                   : tr_json_refuse(reader, "a number that is too large or too long");
    }
    return tr_parse_int64(start, length, &integer)
               ? made(reader, json_integer(integer))
               : tr_json_refuse(reader, "an integer beyond 64 bits");
}

static json_t *read_literal(struct tr_json_reader *reader, const char *name, json_t *value)
{
    const size_t length = strlen(name);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, name, length) != 0) {
        return tr_json_refuse(reader, "a value is expected");
    }
    reader->at += length;
    return value;
}

/* ---- values ---- */

static json_t *read_value(struct tr_json_reader *reader);

static bool enter(struct tr_json_reader *reader)
{
    if (++reader->depth > TR_MAX_JSON_DEPTH) {
        (void)tr_json_refuse(reader, "nested too deeply");
        return false;
    }
    reader->at++;
    skip_blanks(reader);
    return true;
}

/* Behind an element: at the closing bracket (true, and gone over), or past a comma. */
static bool is_last(struct tr_json_reader *reader, char closing)
{
    skip_blanks(reader);
    const char next = tr_json_peek(reader);
    if (next == closing) {
        reader->at++;
        reader->depth--;
        return true;
    }
    if (next != ',') {
        (void)tr_json_refuse(reader,
                             closing == ']' ? "',' or ']' is expected" : "',' or '}' is expected");
        return true;
    }
    reader->at++;
    skip_blanks(reader);
    return false;
}

static json_t *read_array(struct tr_json_reader *reader)
{
    if (!enter(reader)) {
        return NULL;
    }
    json_auto_t *array = made(reader, json_array());
    if (array != NULL && tr_json_peek(reader) == ']') {
        reader->at++;
        reader->depth--;
        return tr_json_take(&array);
    }
    bool is_done = array == NULL;
    while (!is_done) {
        json_t *item = read_value(reader);
        if (item == NULL) {
            return NULL;
        }
        if (json_array_append_new(array, item) != 0) {
            return tr_json_refuse_memory(reader);
        }
        is_done = is_last(reader, ']');
    }
    return reader->status == TR_OK ? tr_json_take(&array) : NULL;
}

static bool refuse_duplicate(struct tr_json_reader *reader, const struct tr_json_span *key)
{
    char reason[TR_FAULT_WHAT_BYTES];
    const size_t shown = key->length < 64 ? key->length : tr_utf8_cut(key->bytes, 64);
    (void)snprintf(reason, sizeof(reason), "the key '%.*s' is there twice", (int)shown, key->bytes);
    (void)tr_json_refuse(reader, reason);
    return false;
}

/* The name of a member, up to and past the colon. A name with escapes lies in the scratch text,
 * which the value may need as well: then it is copied to `*ret_copy`. */
static bool read_key(struct tr_json_reader *reader, struct tr_json_span *ret_key, char **ret_copy)
{
    if (tr_json_peek(reader) != '"') {
        (void)tr_json_refuse(reader, "a name in double quotes is expected");
        return false;
    }
    if (!tr_json_read_string(reader, ret_key)) {
        return false;
    }
    if (ret_key->bytes == reader->scratch.bytes) {
        *ret_copy = tr_text_take(&reader->scratch, NULL);
        if (*ret_copy == NULL) {
            (void)tr_json_refuse_memory(reader);
            return false;
        }
        ret_key->bytes = *ret_copy;
    }
    skip_blanks(reader);
    if (tr_json_peek(reader) != ':') {
        (void)tr_json_refuse(reader, "':' is expected");
        return false;
    }
    reader->at++;
    skip_blanks(reader);
    return true;
}

static bool read_member_into(struct tr_json_reader *reader, json_t *object, char **key_copy)
{
    struct tr_json_span key = { 0 };
    if (!read_key(reader, &key, key_copy)) {
        return false;
    }
    json_t *value = read_value(reader);
    if (value == NULL) {
        return false;
    }
    const size_t before = json_object_size(object);
    if (json_object_setn_new_nocheck(object, key.bytes, key.length, value) != 0) {
        (void)tr_json_refuse_memory(reader);
        return false;
    }
    return json_object_size(object) > before || refuse_duplicate(reader, &key);
}

static bool read_member(struct tr_json_reader *reader, json_t *object)
{
    char *key_copy = NULL;
    const bool is_fine = read_member_into(reader, object, &key_copy);
    free(key_copy);
    return is_fine;
}

static json_t *read_object(struct tr_json_reader *reader)
{
    if (!enter(reader)) {
        return NULL;
    }
    json_auto_t *object = made(reader, json_object());
    if (object != NULL && tr_json_peek(reader) == '}') {
        reader->at++;
        reader->depth--;
        return tr_json_take(&object);
    }
    bool is_done = object == NULL;
    while (!is_done) {
        if (!read_member(reader, object)) {
            return NULL;
        }
        is_done = is_last(reader, '}');
    }
    return reader->status == TR_OK ? tr_json_take(&object) : NULL;
}

static json_t *read_string_value(struct tr_json_reader *reader)
{
    struct tr_json_span span = { 0 };
    return tr_json_read_string(reader, &span)
               ? made(reader, json_stringn_nocheck(span.bytes, span.length))
               : NULL;
}

static json_t *read_value(struct tr_json_reader *reader)
{
    const char first = tr_json_peek(reader);
    switch (first) {
    case '{': return read_object(reader);
    case '[': return read_array(reader);
    case '"': return read_string_value(reader);
    case 't': return read_literal(reader, "true", json_true());
    case 'f': return read_literal(reader, "false", json_false());
    case 'n': return read_literal(reader, "null", json_null());
    default: break;
    }
    if (first == '-' || tr_json_is_digit(first)) {
        return read_number(reader);
    }
    if (first == '\0') {
        return tr_json_refuse(reader,
                              reader->at < reader->end ? "a NUL byte" : "the text ends too early");
    }
    return tr_json_refuse(reader, "a value is expected");
}

static json_t *read_document(struct tr_json_reader *reader)
{
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xEF\xBB\xBF", 3) == 0) {
        return tr_json_refuse(reader, "a byte order mark; send plain UTF-8");
    }
    skip_blanks(reader);
    json_auto_t *value = read_value(reader);
    if (value == NULL) {
        return NULL;
    }
    skip_blanks(reader);
    if (reader->at != reader->end) {
        return tr_json_refuse(reader,
                              *reader->at == '\0' ? "a NUL byte" : "something behind the value");
    }
    return tr_json_take(&value);
}

enum tr_status tr_json_parse(const char *bytes, size_t length, json_t **ret_value,
                             struct tr_fault *reterr)
{
    const char *start = length > 0 ? bytes : "";
    struct tr_json_reader reader = {
        .start = start, .at = start, .end = start + length, .fault = reterr
    };
    tr_text_init(&reader.scratch, length);
    json_t *value = read_document(&reader);
    tr_text_done(&reader.scratch);
    if (value == NULL) {
        return reader.status;
    }
    *ret_value = value;
    return TR_OK;
}
