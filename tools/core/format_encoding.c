/* uuid and byte: fixed shapes of digits. */

#include "tools/core/format_rules.h"
#include "tools/core/format_text.h"

/* RFC 9562 section 4; the version and the variant are not looked at, as its nil UUID has none. */
bool tr_is_uuid(const char *bytes, size_t length)
{
    static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (length != sizeof(shape) - 1) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (shape[i] == '-' ? bytes[i] != '-' : !tr_ascii_is_hex(bytes[i])) {
            return false;
        }
    }
    return true;
}

/* RFC 4648 section 4. */
bool tr_is_base64(const char *bytes, size_t length)
{
    if (length % 4 != 0) {
        return false;
    }
    size_t digits = length;
    while (digits > 0 && length - digits < 2 && bytes[digits - 1] == '=') {
        digits--;
    }
    for (size_t i = 0; i < digits; i++) {
        if (!tr_ascii_is_alnum(bytes[i]) && bytes[i] != '+' && bytes[i] != '/') {
            return false;
        }
    }
    return true;
}
