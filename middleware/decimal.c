#include "middleware/decimal.h"

#include <string.h>

char *tr_write_decimal(char *out, uint64_t value)
{
    char digits[TR_DECIMAL_BYTES];
    size_t at = sizeof(digits);
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    memcpy(out, digits + at, sizeof(digits) - at);
    return out + sizeof(digits) - at;
}

char *tr_write_decimal_padded(char *out, unsigned value, unsigned digits)
{
    for (unsigned i = digits; i-- > 0;) {
        out[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return out + digits;
}

char *tr_write_decimal_milli(char *out, uint64_t thousandths)
{
    out = tr_write_decimal(out, thousandths / 1000);
    *out++ = '.';
    return tr_write_decimal_padded(out, (unsigned)(thousandths % 1000), 3);
}
