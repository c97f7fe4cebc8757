#include "tools/core/utf8.h"

#include <stdbool.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0u) == 0x80u;
}

/* What a lead byte announces: how many bytes, and the payload it carries itself. 0: no lead byte.
 */
static size_t announced(unsigned char lead, uint32_t *ret_payload)
{
    if (lead < 0x80u) {
        *ret_payload = lead;
        return 1;
    }
    if (lead >= 0xC2u && lead < 0xE0u) {
        *ret_payload = lead & 0x1Fu;
        return 2;
    }
    if (lead >= 0xE0u && lead < 0xF0u) {
        *ret_payload = lead & 0x0Fu;
        return 3;
    }
    if (lead >= 0xF0u && lead < 0xF5u) {
        *ret_payload = lead & 0x07u;
        return 4;
    }
    return 0;
}

/* The range and the shortest form, RFC 3629 section 3. */
static bool is_allowed(uint32_t point, size_t bytes)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const bool is_surrogate = point >= 0xD800 && point <= 0xDFFF;
    return point >= smallest[bytes] && point <= 0x10FFFF && !is_surrogate;
}

size_t tr_utf8_next(const char *bytes, size_t length, uint32_t *ret_point)
{
    if (length == 0) {
        return 0;
    }
    uint32_t point = 0;
    const size_t size = announced((unsigned char)bytes[0], &point);
    if (size == 0 || size > length) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (!is_continuation(byte)) {
            return 0;
        }
        point = point << 6 | (byte & 0x3Fu);
    }
    if (!is_allowed(point, size)) {
        return 0;
    }
    if (ret_point != NULL) {
        *ret_point = point;
    }
    return size;
}

size_t tr_utf8_count(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; count++) {
        const size_t size = tr_utf8_next(bytes + at, length - at, NULL);
        at += size != 0 ? size : 1;
    }
    return count;
}

size_t tr_utf8_cut(const char *bytes, size_t length)
{
    size_t start = length;
    for (size_t back = 0; back < 4 && start > 0; back++) {
        start--;
        if (!is_continuation((unsigned char)bytes[start])) {
            break;
        }
    }
    uint32_t payload = 0;
    const size_t size = length == 0 ? 0 : announced((unsigned char)bytes[start], &payload);
    return size > length - start ? start : length;
}
