#include "tools/suites/data/hex.h"

void tr_hex_write(const unsigned char *bytes, size_t length, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * length] = '\0';
}

/* -1 when it is none. */
static int value_of(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    const char lower = (char)(digit | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool tr_hex_read(const char *digits, size_t length, unsigned char *out)
{
    if (length % 2 != 0) {
        return false;
    }
    for (size_t i = 0; i < length; i += 2) {
        const int high = value_of(digits[i]);
        const int low = value_of(digits[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[i / 2] = (unsigned char)(high << 4 | low);
    }
    return true;
}
