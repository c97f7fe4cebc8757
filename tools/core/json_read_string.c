/* json_read_string.c - strings of a JSON text: UTF-8, escapes, surrogate pairs (RFC 8259 section
 * 7). */
#include <stdint.h>
#include <string.h>

#include "tools/core/json_reader.h"
#include "tools/core/utf8.h"

/* Go over what stands for itself in a string. False, with the place at the culprit, for a control
 * character or ill-formed UTF-8. */
static bool skip_plain(struct tr_json_reader *reader)
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
            (void)tr_json_refuse(reader, byte < 0x80 ? "a control character in a string"
                                                     : "not valid UTF-8");
            return false;
        }
        reader->at += size;
    }
    (void)tr_json_refuse(reader, "the text ends within a string");
    return false;
}

static int hex_value(char byte)
{
    if (tr_json_is_digit(byte)) {
        return byte - '0';
    }
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The four digits behind "\u"; false when they are none. */
static bool read_unit(struct tr_json_reader *reader, uint32_t *ret_unit)
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
static bool read_unicode_escape(struct tr_json_reader *reader)
{
    uint32_t point = 0;
    if (!read_unit(reader, &point)) {
        (void)tr_json_refuse(reader, "four hexadecimal digits are expected behind \\u");
        return false;
    }
    if (point == 0) {
        (void)tr_json_refuse(reader, "the character \\u0000");
        return false;
    }
    if (point >= 0xD800 && point <= 0xDFFF) {
        uint32_t low = 0;
        const bool has_pair = point <= 0xDBFF && reader->end - reader->at >= 6
                              && reader->at[0] == '\\' && reader->at[1] == 'u';
        reader->at += has_pair ? 2 : 0;
        if (!has_pair || !read_unit(reader, &low) || low < 0xDC00 || low > 0xDFFF) {
            (void)tr_json_refuse(reader, "half of a surrogate pair");
            return false;
        }
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    }
    add_code_point(&reader->scratch, point);
    return true;
}

/* At a backslash. */
static bool read_escape(struct tr_json_reader *reader)
{
    static const char names[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    reader->at++;
    const char name = tr_json_peek(reader);
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
    (void)tr_json_refuse(reader, "an unknown escape in a string");
    return false;
}

/* Behind the first piece of a string that has escapes, at its first backslash. */
static bool read_escaped(struct tr_json_reader *reader, const char *start,
                         struct tr_json_span *ret_span)
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
        (void)tr_json_refuse_memory(reader);
        return false;
    }
    *ret_span = (struct tr_json_span){ tr_text_string(&reader->scratch), reader->scratch.length };
    return true;
}

/* At the opening quote; ends behind the closing one. */
bool tr_json_read_string(struct tr_json_reader *reader, struct tr_json_span *ret_span)
{
    const char *start = ++reader->at;
    if (!skip_plain(reader)) {
        return false;
    }
    if (*reader->at == '"') {
        *ret_span = (struct tr_json_span){ start, (size_t)(reader->at - start) };
    } else if (!read_escaped(reader, start, ret_span)) {
        return false;
    }
    reader->at++;
    return true;
}
