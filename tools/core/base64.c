#include "tools/core/base64.h"

#include <stdint.h>
#include <string.h>

#include "tools/core/text.h"

enum { GROUP_BYTES = 3, GROUP_CHARACTERS = 4 };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* One to three bytes as four characters; the ones that stand for no byte are '='. */
static void add_group(struct tr_text *out, const unsigned char *bytes, size_t count)
{
    uint32_t bits = (uint32_t)bytes[0] << 16;
    bits |= count > 1 ? (uint32_t)bytes[1] << 8 : 0;
    bits |= count > 2 ? bytes[2] : 0;
    const char group[GROUP_CHARACTERS] = {
        alphabet[bits >> 18],
        alphabet[(bits >> 12) & 63],
        count > 1 ? alphabet[(bits >> 6) & 63] : '=',
        count > 2 ? alphabet[bits & 63] : '=',
    };
    tr_text_add(out, group, sizeof(group));
}

void tr_base64_add(struct tr_text *out, const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes;
    tr_text_reserve(out, (length + GROUP_BYTES - 1) / GROUP_BYTES * GROUP_CHARACTERS);
    while (length != 0) {
        const size_t count = length < GROUP_BYTES ? length : GROUP_BYTES;
        add_group(out, at, count);
        at += count;
        length -= count;
    }
}

/* What the characters stand for that come before the padding: `count` of four, two at least. */
static bool decode_group(const char *group, size_t count, struct tr_text *out)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < GROUP_CHARACTERS; i++) {
        const char *digit = i < count && group[i] != '\0' ? strchr(alphabet, group[i]) : alphabet;
        if (digit == NULL || (i < count && group[i] == '\0')) {
            return false;
        }
        bits = bits << 6 | (uint32_t)(digit - alphabet);
    }
    const char bytes[GROUP_BYTES] = {
        (char)(unsigned char)(bits >> 16),
        (char)(unsigned char)(bits >> 8 & 0xff),
        (char)(unsigned char)(bits & 0xff),
    };
    const size_t length = count - 1;
    const uint32_t left_over = bits & ((1u << (8 * (GROUP_BYTES - length))) - 1);
    tr_text_add(out, bytes, length);
    return length == GROUP_BYTES || left_over == 0;
}

bool tr_base64_decode(const char *text, size_t length, struct tr_text *out)
{
    if (length % GROUP_CHARACTERS != 0) {
        return false;
    }
    tr_text_reserve(out, length / GROUP_CHARACTERS * GROUP_BYTES);
    for (size_t at = 0; at < length; at += GROUP_CHARACTERS) {
        const bool is_last = at + GROUP_CHARACTERS == length;
        size_t count = GROUP_CHARACTERS;
        while (is_last && count > 2 && text[at + count - 1] == '=') {
            count--;
        }
        if (!decode_group(text + at, count, out)) {
            return false;
        }
    }
    return out->status == TR_OK;
}
