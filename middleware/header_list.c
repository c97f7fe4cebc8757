#include "middleware/header_list.h"

#include <limits.h>

void tr_cursor_skip_blanks(struct tr_cursor *cursor)
{
    while (cursor->at != cursor->end && (*cursor->at == ' ' || *cursor->at == '\t')) {
        cursor->at++;
    }
}

bool tr_cursor_skip(struct tr_cursor *cursor, char byte)
{
    if (cursor->at == cursor->end || *cursor->at != byte) {
        return false;
    }
    cursor->at++;
    return true;
}

bool tr_is_token_byte(unsigned char byte)
{
    /* One bit a byte, 64 bytes a word: digits and !#$%&'*+-. then letters and ^_`|~ */
    static const unsigned long long allowed[2] = {
        0x03ff6cfa00000000ull,
        0x57ffffffc7fffffeull,
    };
    return byte < 128 && (allowed[byte / 64] >> byte % 64 & 1) != 0;
}

struct tr_value tr_cursor_run(struct tr_cursor *cursor, bool (*is_in)(unsigned char byte))
{
    const char *start = cursor->at;
    while (cursor->at != cursor->end && is_in((unsigned char)*cursor->at)) {
        cursor->at++;
    }
    return (struct tr_value){ .bytes = start, .length = (size_t)(cursor->at - start) };
}

struct tr_value tr_cursor_token(struct tr_cursor *cursor)
{
    /* As tr_cursor_run() would, but this one runs on every request and is inlined. */
    const char *start = cursor->at;
    const char *at = start;
    while (at != cursor->end && tr_is_token_byte((unsigned char)*at)) {
        at++;
    }
    cursor->at = at;
    return (struct tr_value){ .bytes = start, .length = (size_t)(at - start) };
}

static bool is_quotable(unsigned char byte)
{
    return byte == '\t' || (byte >= ' ' && byte != 0x7f);
}

static bool quoted(struct tr_cursor *cursor, struct tr_value *ret_value)
{
    const char *start = ++cursor->at;
    for (; cursor->at != cursor->end; cursor->at++) {
        if (*cursor->at == '"') {
            *ret_value =
                (struct tr_value){ .bytes = start, .length = (size_t)(cursor->at - start) };
            cursor->at++;
            return true;
        }
        if (*cursor->at == '\\' && ++cursor->at == cursor->end) {
            return false;
        }
        if (!is_quotable((unsigned char)*cursor->at)) {
            return false;
        }
    }
    return false;
}

bool tr_cursor_token_or_quoted(struct tr_cursor *cursor, struct tr_value *ret_value)
{
    if (cursor->at != cursor->end && *cursor->at == '"') {
        return quoted(cursor, ret_value);
    }
    *ret_value = tr_cursor_token(cursor);
    return ret_value->length != 0;
}
