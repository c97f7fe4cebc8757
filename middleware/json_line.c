#include "middleware/json_line.h"

#include <stdbool.h>
#include <string.h>

#include "middleware/decimal.h"
#include "tools/core/utf8.h"

enum {
    END_BYTES = 2,       /* "}\n", always kept free */
    ESCAPE_BYTES = 6,    /* \uXXXX */
    MAX_CHAR_BYTES = 12, /* a surrogate pair */
    REPLACEMENT = 0xfffd,
};

void tr_json_line_start(struct tr_json_line *line)
{
    line->bytes[0] = '{';
    line->length = 1;
}

/* Write `"key":`. False when the member, with a value of `value_bytes`, finds no room. */
static bool add_key(struct tr_json_line *line, const char *key, size_t value_bytes)
{
    const size_t key_length = strlen(key);
    const size_t need = key_length + sizeof(",\"\":") - 1 + value_bytes;
    if (need > sizeof(line->bytes) - END_BYTES - line->length) {
        return false;
    }
    char *out = line->bytes + line->length;
    if (line->length != 1) {
        *out++ = ',';
    }
    *out++ = '"';
    memcpy(out, key, key_length);
    out += key_length;
    *out++ = '"';
    *out++ = ':';
    line->length = (size_t)(out - line->bytes);
    return true;
}

static void set_end(struct tr_json_line *line, const char *end)
{
    line->length = (size_t)(end - line->bytes);
}

static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

static char *write_escape(char *out, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    *out++ = '\\';
    *out++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
        *out++ = digits[unit >> shift & 15];
    }
    return out;
}

static char *write_point(char *out, uint32_t point)
{
    if (point < 0x10000) {
        return write_escape(out, point);
    }
    out = write_escape(out, 0xd800 + ((point - 0x10000) >> 10));
    return write_escape(out, 0xdc00 + (point & 0x3ff));
}

/* Writes at most TR_JSON_LINE_STRING_BYTES. */
static char *write_escaped(char *out, const char *value, size_t length)
{
    const char *last = out + TR_JSON_LINE_STRING_BYTES - MAX_CHAR_BYTES;
    for (size_t at = 0; at < length && out <= last;) {
        if (is_plain((unsigned char)value[at])) {
            *out++ = value[at++];
            continue;
        }
        uint32_t point = REPLACEMENT;
        const size_t step = tr_utf8_next(value + at, length - at, &point);
        out = write_point(out, step != 0 ? point : REPLACEMENT);
        at += step != 0 ? step : 1;
    }
    return out;
}

void tr_json_line_string(struct tr_json_line *line, const char *key, const char *value,
                         size_t length)
{
    /* Six bytes for a character at worst: what is short needs no more room than that. */
    const size_t worst = length < TR_JSON_LINE_STRING_BYTES / ESCAPE_BYTES
                             ? length * ESCAPE_BYTES
                             : TR_JSON_LINE_STRING_BYTES;
    if (!add_key(line, key, worst + sizeof("\"\"") + sizeof("null"))) {
        return;
    }
    char *out = line->bytes + line->length;
    if (value == NULL) {
        memcpy(out, "null", 4);
        set_end(line, out + 4);
        return;
    }
    *out++ = '"';
    out = write_escaped(out, value, length);
    *out++ = '"';
    set_end(line, out);
}

void tr_json_line_integer(struct tr_json_line *line, const char *key, uint64_t value)
{
    if (add_key(line, key, TR_DECIMAL_BYTES)) {
        set_end(line, tr_write_decimal(line->bytes + line->length, value));
    }
}

void tr_json_line_milli(struct tr_json_line *line, const char *key, uint64_t thousandths)
{
    if (add_key(line, key, TR_DECIMAL_MILLI_BYTES)) {
        set_end(line, tr_write_decimal_milli(line->bytes + line->length, thousandths));
    }
}

void tr_json_line_end(struct tr_json_line *line)
{
    memcpy(line->bytes + line->length, "}\n", END_BYTES);
    line->length += END_BYTES;
}
