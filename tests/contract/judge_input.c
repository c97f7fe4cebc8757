#include <stdio.h>
#include <string.h>

#include "tests/contract/judge.h"

static int base64_digit(char byte)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = byte != '\0' ? strchr(digits, byte) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

static bool add_base64(const char *text, struct tr_text *out)
{
    unsigned bits = 0;
    int bit_count = 0;
    for (; *text != '\0' && *text != '='; text++) {
        const int digit = base64_digit(*text);
        if (digit < 0) {
            return false;
        }
        bits = (bits << 6 | (unsigned)digit) & 0xffffff;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            tr_text_add_char(out, (char)(unsigned char)(bits >> bit_count));
        }
    }
    return true;
}

static bool add_plain(const char *text, struct tr_text *out)
{
    tr_text_add_string(out, text);
    return true;
}

/* [[piece, times], ...] */
static bool add_parts(const json_t *parts, bool (*add)(const char *text, struct tr_text *out),
                      struct tr_text *out)
{
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        const char *piece = json_string_value(json_array_get(part, 0));
        const json_int_t times = json_integer_value(json_array_get(part, 1));
        for (json_int_t n = 0; n < times; n++) {
            if (piece == NULL || !add(piece, out)) {
                return false;
            }
        }
    }
    return out->status == TR_OK;
}

bool judge_read_text(const json_t *value, struct tr_text *out)
{
    if (json_is_string(value)) {
        tr_text_add(out, json_string_value(value), json_string_length(value));
        return out->status == TR_OK;
    }
    const json_t *parts = json_object_get(value, "parts");
    return json_is_array(parts) && add_parts(parts, add_plain, out);
}

bool judge_read_bytes(const json_t *row, const char *name, struct tr_text *out)
{
    char member[64];
    (void)snprintf(member, sizeof(member), "%s_b64", name);
    const char *text = json_string_value(json_object_get(row, member));
    if (text != NULL) {
        return add_base64(text, out) && out->status == TR_OK;
    }
    (void)snprintf(member, sizeof(member), "%s_parts", name);
    const json_t *parts = json_object_get(row, member);
    return json_is_array(parts) && add_parts(parts, add_base64, out);
}
