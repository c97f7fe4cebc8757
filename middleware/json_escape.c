#include "middleware/json_escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tools/core/utf8.h"

enum {
    ESCAPE_BYTES = 6, /* \uXXXX; beyond the basic plane it takes two */
    REPLACEMENT = 0xfffd,
    FIRST_OF_PAIRS = 0x10000,
};

static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

static size_t plain_run(const char *value, size_t length)
{
    size_t run = 0;
    while (run < length && is_plain((unsigned char)value[run])) {
        run++;
    }
    return run;
}

static char *write_unit(char *out, uint32_t unit)
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
    if (point < FIRST_OF_PAIRS) {
        return write_unit(out, point);
    }
    out = write_unit(out, 0xd800 + ((point - FIRST_OF_PAIRS) >> 10));
    return write_unit(out, 0xdc00 + (point & 0x3ff));
}

/* Write the character at `value`; NULL when it finds no room. */
static char *write_special(char *out, size_t room, const char *value, size_t length,
                           size_t *ret_step)
{
    uint32_t point = REPLACEMENT;
    const size_t step = tr_utf8_next(value, length, &point);
    const uint32_t written = step != 0 ? point : REPLACEMENT;
    const size_t need = written < FIRST_OF_PAIRS ? ESCAPE_BYTES : 2 * ESCAPE_BYTES;
    if (room < need) {
        return NULL;
    }
    *ret_step = step != 0 ? step : 1;
    return write_point(out, written);
}

char *tr_write_json_escaped(char *out, size_t room, const char *value, size_t length)
{
    const char *end = out + room;
    for (size_t at = 0; at < length;) {
        const size_t left = (size_t)(end - out);
        const size_t run = plain_run(value + at, length - at < left ? length - at : left);
        memcpy(out, value + at, run);
        out += run;
        at += run;
        if (at == length || out == end || is_plain((unsigned char)value[at])) {
            break;
        }
        size_t step = 0;
        char *next = write_special(out, (size_t)(end - out), value + at, length - at, &step);
        if (next == NULL) {
            break;
        }
        out = next;
        at += step;
    }
    return out;
}
