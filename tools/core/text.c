#include "tools/core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, INTEGER_DIGITS = 20 };

void tr_text_init(struct tr_text *text, size_t limit)
{
    *text = (struct tr_text){ .limit = limit };
}

void tr_text_done(struct tr_text *text)
{
    free(text->bytes);
    *text = (struct tr_text){ .limit = text->limit };
}

static size_t grown_room(const struct tr_text *text, size_t need)
{
    size_t room = text->room != 0 ? text->room : FIRST_ROOM;
    while (room < need) {
        room = room > SIZE_MAX / 2 ? need : room * 2;
    }
    return room - 1 > text->limit ? text->limit + 1 : room;
}

/* Room for `extra` bytes and the NUL; false when the text has failed. */
static bool make_room(struct tr_text *text, size_t extra)
{
    if (text->status != TR_OK) {
        return false;
    }
    if (extra > text->limit - text->length) {
        text->status = TR_BODY_TOO_LARGE;
        return false;
    }
    const size_t need = text->length + extra + 1;
    if (need <= text->room) {
        return true;
    }
    const size_t room = grown_room(text, need);
    char *bytes = realloc(text->bytes, room);
    if (bytes == NULL) {
        text->status = TR_NO_MEMORY;
        return false;
    }
    text->bytes = bytes;
    text->bytes[text->length] = '\0';
    text->room = room;
    return true;
}

void tr_text_reserve(struct tr_text *text, size_t extra)
{
    (void)make_room(text, extra);
}

void tr_text_add(struct tr_text *text, const char *bytes, size_t length)
{
    if (!make_room(text, length)) {
        return;
    }
    if (length != 0) {
        memcpy(text->bytes + text->length, bytes, length);
    }
    text->length += length;
    text->bytes[text->length] = '\0';
}

void tr_text_add_string(struct tr_text *text, const char *string)
{
    tr_text_add(text, string, strlen(string));
}

void tr_text_add_char(struct tr_text *text, char byte)
{
    tr_text_add(text, &byte, 1);
}

void tr_text_add_integer(struct tr_text *text, int64_t value)
{
    char digits[INTEGER_DIGITS + 1];
    size_t at = sizeof(digits);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    tr_text_add(text, digits + at, sizeof(digits) - at);
}

void tr_text_printf(struct tr_text *text, const char *format, ...)
{
    va_list args;
    va_list again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && make_room(text, (size_t)length)) {
        (void)vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(args);
}

void tr_text_reset(struct tr_text *text)
{
    text->length = 0;
    text->status = TR_OK;
    if (text->bytes != NULL) {
        text->bytes[0] = '\0';
    }
}

void tr_text_cut(struct tr_text *text, size_t length)
{
    if (length < text->length) {
        text->length = length;
        text->bytes[length] = '\0';
    }
}

const char *tr_text_string(const struct tr_text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

char *tr_text_take(struct tr_text *text, size_t *ret_length)
{
    tr_text_add(text, "", 0);
    if (text->status != TR_OK) {
        return NULL;
    }
    char *bytes = text->bytes;
    if (ret_length != NULL) {
        *ret_length = text->length;
    }
    *text = (struct tr_text){ .limit = text->limit };
    return bytes;
}
