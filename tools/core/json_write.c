#include <stdint.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/number.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

enum {
    /* What jansson itself reads. A value built in a program could be deeper, or a cycle. */
    MAX_WRITE_DEPTH = 2048,
    WORD_BYTES = 8,
};

static void fail(struct tr_text *out)
{
    if (out->status == TR_OK) {
        out->status = TR_INTERNAL;
    }
}

/* Printable ASCII other than the quote and the backslash: written as it is. */
static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Does any of the eight bytes need a closer look? The high bit of each byte of the three terms says
 * so: byte - 0x20 borrows for a control, and (byte ^ c) - 1 borrows for c; a byte of 0x80 or more
 * has it itself. A borrow can spill into the next byte: that is a closer look in vain, never a
 * miss. */
static bool is_word_plain(const char *bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word;
    memcpy(&word, bytes, WORD_BYTES);
    const uint64_t quote = (word ^ (ones * '"')) - ones;
    const uint64_t backslash = (word ^ (ones * '\\')) - ones;
    const uint64_t control = word - ones * 0x20;
    return ((word | quote | backslash | control) & (ones * 0x80)) == 0;
}

static size_t plain_length(const char *bytes, size_t length)
{
    size_t at = 0;
    while (length - at >= WORD_BYTES && is_word_plain(bytes + at)) {
        at += WORD_BYTES;
    }
    while (at < length && is_plain((unsigned char)bytes[at])) {
        at++;
    }
    return at;
}

static void add_escape(struct tr_text *out, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n',  ['\r'] = 'r',
        ['\t'] = 't', ['"'] = '"',  ['\\'] = '\\',
    };
    if (letters[byte] != '\0') {
        const char pair[] = { '\\', letters[byte] };
        tr_text_add(out, pair, sizeof(pair));
        return;
    }
    const char code[] = { '\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 0xf] };
    tr_text_add(out, code, sizeof(code));
}

/* Write the character at `bytes`, which is not plain; gives the bytes it took. */
static size_t add_special(struct tr_text *out, const char *bytes, size_t length)
{
    const unsigned char byte = (unsigned char)bytes[0];
    if (byte < 0x80) {
        add_escape(out, byte);
        return 1;
    }
    const size_t size = tr_utf8_next(bytes, length, NULL);
    if (size == 0) {
        tr_text_add_string(out, "\xef\xbf\xbd");
        return 1;
    }
    tr_text_add(out, bytes, size);
    return size;
}

static void add_escaped(struct tr_text *out, const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length && out->status == TR_OK) {
        const size_t plain = plain_length(bytes + at, length - at);
        tr_text_add(out, bytes + at, plain);
        at += plain;
        if (at < length) {
            at += add_special(out, bytes + at, length - at);
        }
    }
}

void tr_json_write_string(struct tr_text *out, const char *bytes, size_t length)
{
    /* No text gets shorter by escaping, so this never asks for more than is needed. */
    tr_text_reserve(out, length + 2);
    if (out->status != TR_OK) {
        return;
    }
    const size_t plain = plain_length(bytes, length);
    char *to = out->bytes + out->length;
    to[0] = '"';
    if (plain > 0) {
        memcpy(to + 1, bytes, plain);
    }
    out->length += plain + 1;
    if (plain < length) {
        add_escaped(out, bytes + plain, length - plain);
    }
    tr_text_add_char(out, '"');
}

void tr_json_write_real(struct tr_text *out, double value)
{
    char room[TR_NUMBER_BYTES];
    const size_t length = tr_format_double(value, room);
    if (length == 0) {
        fail(out);
        return;
    }
    tr_text_add(out, room, length);
}

static void write_value(struct tr_text *out, const json_t *value, size_t depth);

static void write_array(struct tr_text *out, const json_t *array, size_t depth)
{
    tr_text_add_char(out, '[');
    const size_t count = json_array_size(array);
    for (size_t i = 0; i < count && out->status == TR_OK; i++) {
        if (i > 0) {
            tr_text_add_char(out, ',');
        }
        write_value(out, json_array_get(array, i), depth);
    }
    tr_text_add_char(out, ']');
}

static void write_object(struct tr_text *out, const json_t *object, size_t depth)
{
    tr_text_add_char(out, '{');
    bool is_first = true;
    for (void *at = tr_json_first(object); at != NULL && out->status == TR_OK;
         at = tr_json_next(object, at)) {
        if (!is_first) {
            tr_text_add_char(out, ',');
        }
        is_first = false;
        tr_json_write_string(out, json_object_iter_key(at), json_object_iter_key_len(at));
        tr_text_add_char(out, ':');
        write_value(out, json_object_iter_value(at), depth);
    }
    tr_text_add_char(out, '}');
}

static void write_value(struct tr_text *out, const json_t *value, size_t depth)
{
    if (value == NULL || depth == MAX_WRITE_DEPTH) {
        fail(out);
        return;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT: write_object(out, value, depth + 1); return;
    case JSON_ARRAY: write_array(out, value, depth + 1); return;
    case JSON_STRING:
        tr_json_write_string(out, json_string_value(value), json_string_length(value));
        return;
    case JSON_INTEGER: tr_text_add_integer(out, json_integer_value(value)); return;
    case JSON_REAL: tr_json_write_real(out, json_real_value(value)); return;
    case JSON_TRUE: tr_text_add(out, "true", 4); return;
    case JSON_FALSE: tr_text_add(out, "false", 5); return;
    case JSON_NULL: tr_text_add(out, "null", 4); return;
    }
}

void tr_json_write(struct tr_text *out, const json_t *value)
{
    write_value(out, value, 0);
}
