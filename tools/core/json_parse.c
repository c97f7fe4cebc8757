/* json_parse.c - a request body to JSON values, in one pass.
 *
 * jansson reads a byte at a time through two buffers, and that was a third of a whole call;
 * besides, it skips a NUL behind a number, goes 2,048 levels deep before it says no, and calls a
 * text that it has no memory to read a syntax error. The values are still its own.
 * tests/fuzz/fuzz_json_text.c holds this reader against json_loadb(). */
#include <stdlib.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/number.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

struct reader {
    const char *start, *at, *end;
    size_t depth;
    struct tr_text scratch; /* of a string with escapes */
    enum tr_status status;
    struct tr_fault *fault;
};

/* ---- refusing ---- */

/* Line and column (in bytes, from 1) of the present place. */
static json_t *refuse(struct reader *reader, const char *reason)
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

static json_t *refuse_memory(struct reader *reader)
{
    reader->status = TR_NO_MEMORY;
    return NULL;
}

/* A new value, or the word that there is no memory for one. */
static json_t *made(struct reader *reader, json_t *value)
{
    return value != NULL ? value : refuse_memory(reader);
}

/* ---- characters ---- */

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end
           && (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\r'
               || *reader->at == '\t')) {
        reader->at++;
    }
}

/* The next character, or 0 at the end (a NUL in the text is nowhere allowed, so it may look the
 * same). */
static char peek(const struct reader *reader)
{
    return reader->at < reader->end ? *reader->at : '\0';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* ---- strings ---- */

/* Go over what stands for itself in a string. False, with the place at the culprit, for a control
 * character or ill-formed UTF-8. */
static bool skip_plain(struct reader *reader)
{
    while (reader->at < reader->end) {
        const unsigned char byte = (unsigned char)*reader->at;
        if (byte == '"' || byte == '\\') {
            return true;
        }
        const size_t size =
            byte < 0x80 ? byte >= 0x20
                        : tr_utf8_next(reader->at, (size_t)(reader->end - reader->at), NULL);
        if (size == 0) {
            (void)refuse(reader,
                         byte < 0x80 ? "a control character in a string" : "not valid UTF-8");
            return false;
        }
        reader->at += size;
    }
    (void)refuse(reader, "the text ends within a string");
    return false;
}

static int hex_value(char byte)
{
    if (is_digit(byte)) {
        return byte - '0';
    }
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The four digits behind "\u"; false when they are none. */
static bool read_unit(struct reader *reader, uint32_t *ret_unit)
{
    uint32_t unit = 0;
    if (reader->end - reader->at < 4) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        const int digit = hex_value(reader->at[i]);
        if (digit < 0) {
            return false;
        }
        unit = unit << 4 | (uint32_t)digit;
    }
    reader->at += 4;
    *ret_unit = unit;
    return true;
}

static void add_code_point(struct tr_text *out, uint32_t point)
{
    char bytes[4];
    size_t size = 0;
    if (point < 0x80) {
        bytes[size++] = (char)point;
    } else if (point < 0x800) {
        bytes[size++] = (char)(0xC0 | point >> 6);
        bytes[size++] = (char)(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        bytes[size++] = (char)(0xE0 | point >> 12);
        bytes[size++] = (char)(0x80 | (point >> 6 & 0x3F));
        bytes[size++] = (char)(0x80 | (point & 0x3F));
    } else {
        bytes[size++] = (char)(0xF0 | point >> 18);
        bytes[size++] = (char)(0x80 | (point >> 12 & 0x3F));
        bytes[size++] = (char)(0x80 | (point >> 6 & 0x3F));
        bytes[size++] = (char)(0x80 | (point & 0x3F));
    }
    tr_text_add(out, bytes, size);
}

/* Behind "\u": one unit, or the two of a surrogate pair (RFC 8259 section 7). */
static bool read_unicode_escape(struct reader *reader)
{
    uint32_t point = 0;
    if (!read_unit(reader, &point)) {
        (void)refuse(reader, "four hexadecimal digits are expected behind \\u");
        return false;
    }
    if (point == 0) {
        (void)refuse(reader, "the character \\u0000");
        return false;
    }
    if (point >= 0xD800 && point <= 0xDFFF) {
        uint32_t low = 0;
        const bool has_pair = point <= 0xDBFF && reader->end - reader->at >= 6
                              && reader->at[0] == '\\' && reader->at[1] == 'u';
        reader->at += has_pair ? 2 : 0;
        if (!has_pair || !read_unit(reader, &low) || low < 0xDC00 || low > 0xDFFF) {
            (void)refuse(reader, "half of a surrogate pair");
            return false;
        }
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    }
    add_code_point(&reader->scratch, point);
    return true;
}

/* At a backslash. */
static bool read_escape(struct reader *reader)
{
    static const char names[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    reader->at++;
    const char name = peek(reader);
    const char *found = name != '\0' ? strchr(names, name) : NULL;
    if (found != NULL) {
        reader->at++;
        tr_text_add_char(&reader->scratch, meanings[found - names]);
        return true;
    }
    if (name == 'u') {
        reader->at++;
        return read_unicode_escape(reader);
    }
    (void)refuse(reader, "an unknown escape in a string");
    return false;
}

/* The bytes of a string, borrowed until the next one is read. */
struct span {
    const char *bytes;
    size_t length;
};

/* Behind the first piece of a string that has escapes, at its first backslash. */
static bool read_escaped(struct reader *reader, const char *start, struct span *ret_span)
{
    tr_text_reset(&reader->scratch);
    tr_text_add(&reader->scratch, start, (size_t)(reader->at - start));
    while (*reader->at != '"') {
        if (!read_escape(reader)) {
            return false;
        }
        start = reader->at;
        if (!skip_plain(reader)) {
            return false;
        }
        tr_text_add(&reader->scratch, start, (size_t)(reader->at - start));
    }
    if (reader->scratch.status != TR_OK) {
        (void)refuse_memory(reader);
        return false;
    }
    *ret_span = (struct span){ tr_text_string(&reader->scratch), reader->scratch.length };
    return true;
}

/* At the opening quote; ends behind the closing one. */
static bool read_string(struct reader *reader, struct span *ret_span)
{
    const char *start = ++reader->at;
    if (!skip_plain(reader)) {
        return false;
    }
    if (*reader->at == '"') {
        *ret_span = (struct span){ start, (size_t)(reader->at - start) };
    } else if (!read_escaped(reader, start, ret_span)) {
        return false;
    }
    reader->at++;
    return true;
}

/* ---- numbers and literals ---- */

static void skip_digits(struct reader *reader)
{
    while (reader->at < reader->end && is_digit(*reader->at)) {
        reader->at++;
    }
}

/* Go over a number by the grammar of RFC 8259 section 6. False when it breaks it. */
static bool skip_number(struct reader *reader, bool *ret_is_real)
{
    reader->at += *reader->at == '-';
    const char *digits = reader->at;
    skip_digits(reader);
    if (reader->at == digits || (*digits == '0' && reader->at - digits > 1)) {
        return false;
    }
    if (peek(reader) == '.') {
        *ret_is_real = true;
        digits = ++reader->at;
        skip_digits(reader);
        if (reader->at == digits) {
            return false;
        }
    }
    if ((peek(reader) | 0x20) == 'e') {
        *ret_is_real = true;
        reader->at++;
        reader->at += peek(reader) == '+' || peek(reader) == '-';
        digits = reader->at;
        skip_digits(reader);
        return reader->at != digits;
    }
    return true;
}

static json_t *read_number(struct reader *reader)
{
    const char *start = reader->at;
    bool is_real = false;
    int64_t integer = 0;
    double real = 0;
    if (!skip_number(reader, &is_real)) {
        return refuse(reader, "not a number");
    }
    const size_t length = (size_t)(reader->at - start);
    if (is_real) {
        return tr_parse_double(start, length, &real)
                   ? made(reader, json_real(real))
                   : refuse(reader, "a number that is too large or too long");
    }
    return tr_parse_int64(start, length, &integer) ? made(reader, json_integer(integer))
                                                   : refuse(reader, "an integer beyond 64 bits");
}

static json_t *read_literal(struct reader *reader, const char *name, json_t *value)
{
    const size_t length = strlen(name);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, name, length) != 0) {
        return refuse(reader, "a value is expected");
    }
    reader->at += length;
    return value;
}

/* ---- values ---- */

static json_t *read_value(struct reader *reader);

static bool enter(struct reader *reader)
{
    if (++reader->depth > TR_MAX_JSON_DEPTH) {
        (void)refuse(reader, "nested too deeply");
        return false;
    }
    reader->at++;
    skip_blanks(reader);
    return true;
}

/* Behind an element: at the closing bracket (true, and gone over), or past a comma. */
static bool is_last(struct reader *reader, char closing)
{
    skip_blanks(reader);
    const char next = peek(reader);
    if (next == closing) {
        reader->at++;
        reader->depth--;
        return true;
    }
    if (next != ',') {
        (void)refuse(reader, closing == ']' ? "',' or ']' is expected" : "',' or '}' is expected");
        return true;
    }
    reader->at++;
    skip_blanks(reader);
    return false;
}

static json_t *read_array(struct reader *reader)
{
    if (!enter(reader)) {
        return NULL;
    }
    json_auto_t *array = made(reader, json_array());
    if (array != NULL && peek(reader) == ']') {
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
            return refuse_memory(reader);
        }
        is_done = is_last(reader, ']');
    }
    return reader->status == TR_OK ? tr_json_take(&array) : NULL;
}

static bool refuse_duplicate(struct reader *reader, const struct span *key)
{
    char reason[TR_FAULT_WHAT_BYTES];
    const size_t shown = key->length < 64 ? key->length : tr_utf8_cut(key->bytes, 64);
    (void)snprintf(reason, sizeof(reason), "the key '%.*s' is there twice", (int)shown, key->bytes);
    (void)refuse(reader, reason);
    return false;
}

/* The name of a member, up to and past the colon. A name with escapes lies in the scratch text,
 * which the value may need as well: then it is copied to `*ret_copy`. */
static bool read_key(struct reader *reader, struct span *ret_key, char **ret_copy)
{
    if (peek(reader) != '"') {
        (void)refuse(reader, "a name in double quotes is expected");
        return false;
    }
    if (!read_string(reader, ret_key)) {
        return false;
    }
    if (ret_key->bytes == reader->scratch.bytes) {
        *ret_copy = tr_text_take(&reader->scratch, NULL);
        if (*ret_copy == NULL) {
            (void)refuse_memory(reader);
            return false;
        }
        ret_key->bytes = *ret_copy;
    }
    skip_blanks(reader);
    if (peek(reader) != ':') {
        (void)refuse(reader, "':' is expected");
        return false;
    }
    reader->at++;
    skip_blanks(reader);
    return true;
}

static bool read_member_into(struct reader *reader, json_t *object, char **key_copy)
{
    struct span key = { 0 };
    if (!read_key(reader, &key, key_copy)) {
        return false;
    }
    json_t *value = read_value(reader);
    if (value == NULL) {
        return false;
    }
    const size_t before = json_object_size(object);
    if (json_object_setn_new_nocheck(object, key.bytes, key.length, value) != 0) {
        (void)refuse_memory(reader);
        return false;
    }
    return json_object_size(object) > before || refuse_duplicate(reader, &key);
}

static bool read_member(struct reader *reader, json_t *object)
{
    char *key_copy = NULL;
    const bool is_fine = read_member_into(reader, object, &key_copy);
    free(key_copy);
    return is_fine;
}

static json_t *read_object(struct reader *reader)
{
    if (!enter(reader)) {
        return NULL;
    }
    json_auto_t *object = made(reader, json_object());
    if (object != NULL && peek(reader) == '}') {
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

static json_t *read_string_value(struct reader *reader)
{
    struct span span = { 0 };
    return read_string(reader, &span) ? made(reader, json_stringn_nocheck(span.bytes, span.length))
                                      : NULL;
}

static json_t *read_value(struct reader *reader)
{
    const char first = peek(reader);
    switch (first) {
    case '{': return read_object(reader);
    case '[': return read_array(reader);
    case '"': return read_string_value(reader);
    case 't': return read_literal(reader, "true", json_true());
    case 'f': return read_literal(reader, "false", json_false());
    case 'n': return read_literal(reader, "null", json_null());
    default: break;
    }
    if (first == '-' || is_digit(first)) {
        return read_number(reader);
    }
    if (first == '\0') {
        return refuse(reader, reader->at < reader->end ? "a NUL byte" : "the text ends too early");
    }
    return refuse(reader, "a value is expected");
}

static json_t *read_document(struct reader *reader)
{
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xEF\xBB\xBF", 3) == 0) {
        return refuse(reader, "a byte order mark; send plain UTF-8");
    }
    skip_blanks(reader);
    json_auto_t *value = read_value(reader);
    if (value == NULL) {
        return NULL;
    }
    skip_blanks(reader);
    if (reader->at != reader->end) {
        return refuse(reader, *reader->at == '\0' ? "a NUL byte" : "something behind the value");
    }
    return tr_json_take(&value);
}

enum tr_status tr_json_parse(const char *bytes, size_t length, json_t **ret_value,
                             struct tr_fault *reterr)
{
    const char *start = length > 0 ? bytes : "";
    struct reader reader = { .start = start, .at = start, .end = start + length, .fault = reterr };
    tr_text_init(&reader.scratch, length);
    json_t *value = read_document(&reader);
    tr_text_done(&reader.scratch);
    if (value == NULL) {
        return reader.status;
    }
    *ret_value = value;
    return TR_OK;
}
