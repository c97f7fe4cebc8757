#include "middleware/decimal.h"

char *tr_write_decimal(char *out, uint64_t value)
{
    char *end = out;
    uint64_t rest = value;
    do {
        end++;
        rest /= 10;
    } while (rest != 0);
    char *at = end;
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (at != out);
    return end;
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
