#include "middleware/trace_context.h"

#include <string.h>

#include "middleware/header_list.h"

/* ---- traceparent: 00-<32 hex>-<16 hex>-<2 hex> ---- */

enum {
    TRACE_ID_AT = 3,
    TRACE_ID_LENGTH = 32,
    PARENT_ID_AT = 36,
    PARENT_ID_LENGTH = 16,
    FLAGS_AT = 53,
    KNOWN_FLAGS = 3, /* sampled, random */
};

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool is_hex(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (hex_value(bytes[i]) < 0) {
            return false;
        }
    }
    return true;
}

static bool is_id(const char *bytes, size_t length)
{
    bool has_other_than_zero = false;
    for (size_t i = 0; i < length; i++) {
        has_other_than_zero = has_other_than_zero || bytes[i] != '0';
    }
    return has_other_than_zero && is_hex(bytes, length);
}

static bool is_known_shape(const char *bytes)
{
    return is_hex(bytes, 2) && bytes[2] == '-' && is_id(bytes + TRACE_ID_AT, TRACE_ID_LENGTH)
           && bytes[PARENT_ID_AT - 1] == '-' && is_id(bytes + PARENT_ID_AT, PARENT_ID_LENGTH)
           && bytes[FLAGS_AT - 1] == '-' && is_hex(bytes + FLAGS_AT, 2);
}

bool tr_traceparent_parse(struct tr_value value, char *out)
{
    const char *bytes = value.bytes;
    if (bytes == NULL || value.length < TR_TRACEPARENT_LENGTH || !is_known_shape(bytes)
        || memcmp(bytes, "ff", 2) == 0) {
        return false;
    }
    /* Only a future version may say more, behind another dash. */
    const bool is_version_00 = memcmp(bytes, "00", 2) == 0;
    if (value.length > TR_TRACEPARENT_LENGTH
        && (is_version_00 || bytes[TR_TRACEPARENT_LENGTH] != '-')) {
        return false;
    }
    memcpy(out, bytes, TR_TRACEPARENT_LENGTH);
    out[TR_TRACEPARENT_LENGTH] = '\0';
    memcpy(out, "00", 2);
    if (!is_version_00) {
        out[FLAGS_AT] = '0';
        out[FLAGS_AT + 1] = (char)('0' + (hex_value(bytes[FLAGS_AT + 1]) & KNOWN_FLAGS));
    }
    return true;
}

/* ---- tracestate ---- */

enum { MAX_KEY_BYTES = 256, MAX_VALUE_BYTES = 256 };

static bool is_key_start(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

static bool is_key_byte(unsigned char byte)
{
    return is_key_start(byte) || byte == '_' || byte == '-' || byte == '*' || byte == '/'
           || byte == '@';
}

static bool is_state_value_byte(unsigned char byte)
{
    return byte >= ' ' && byte <= '~' && byte != ',' && byte != '=';
}

static bool is_state_member(struct tr_cursor *cursor)
{
    const struct tr_value key = tr_cursor_run(cursor, is_key_byte);
    if (key.length == 0 || key.length > MAX_KEY_BYTES || !is_key_start((unsigned char)key.bytes[0])
        || !tr_cursor_skip(cursor, '=')) {
        return false;
    }
    const struct tr_value run = tr_cursor_run(cursor, is_state_value_byte);
    const struct tr_value value = tr_value_trim(run.bytes, run.length);
    return value.length != 0 && value.length <= MAX_VALUE_BYTES;
}

bool tr_tracestate_is_valid(struct tr_value value)
{
    if (value.bytes == NULL || value.length == 0) {
        return false;
    }
    struct tr_cursor cursor = tr_cursor_at(value);
    size_t members = 0;
    do {
        tr_cursor_skip_blanks(&cursor);
        if (tr_cursor_is_done(&cursor) || *cursor.at == ',') {
            continue;
        }
        if (++members > TR_MAX_TRACESTATE_MEMBERS || !is_state_member(&cursor)) {
            return false;
        }
        tr_cursor_skip_blanks(&cursor);
    } while (tr_cursor_skip(&cursor, ','));
    return tr_cursor_is_done(&cursor) && members != 0;
}

/* ---- baggage ---- */

static bool is_baggage_byte(unsigned char byte)
{
    return byte > ' ' && byte < 0x7f && byte != '"' && byte != ',' && byte != ';' && byte != '\\';
}

/* key [ "=" value ], with blanks around each part. */
static bool is_baggage_pair(struct tr_cursor *cursor, bool needs_value)
{
    tr_cursor_skip_blanks(cursor);
    if (tr_cursor_token(cursor).length == 0) {
        return false;
    }
    tr_cursor_skip_blanks(cursor);
    if (!tr_cursor_skip(cursor, '=')) {
        return !needs_value;
    }
    tr_cursor_skip_blanks(cursor);
    (void)tr_cursor_run(cursor, is_baggage_byte);
    tr_cursor_skip_blanks(cursor);
    return true;
}

static bool is_baggage_member(struct tr_cursor *cursor)
{
    if (!is_baggage_pair(cursor, true)) {
        return false;
    }
    while (tr_cursor_skip(cursor, ';')) {
        if (!is_baggage_pair(cursor, false)) {
            return false;
        }
    }
    return true;
}

bool tr_baggage_is_valid(struct tr_value value)
{
    if (value.bytes == NULL || value.length > TR_MAX_BAGGAGE_BYTES) {
        return false;
    }
    struct tr_cursor cursor = tr_cursor_at(value);
    size_t members = 0;
    do {
        if (++members > TR_MAX_BAGGAGE_MEMBERS || !is_baggage_member(&cursor)) {
            return false;
        }
    } while (tr_cursor_skip(&cursor, ','));
    return tr_cursor_is_done(&cursor);
}
