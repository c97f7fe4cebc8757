#include "tools/core/base64.h"

#include <stdint.h>

#include "tools/core/text.h"

enum { GROUP_BYTES = 3, GROUP_CHARACTERS = 4 };

/* One to three bytes as four characters; the ones that stand for no byte are '='. */
static void add_group(struct tr_text *out, const unsigned char *bytes, size_t count)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
