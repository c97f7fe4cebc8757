#include "tools/suites/data/json_size.h"

size_t tr_json_string_size(const char *bytes, size_t length)
{
    enum { FRAME = 3, LONGEST_ESCAPE = 6, SHORT_ESCAPE = 2 };
    size_t size = FRAME;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte < 0x20 || byte == 0x7f) {
            size += LONGEST_ESCAPE;
        } else {
            size += byte == '"' || byte == '\\' || byte == '/' ? SHORT_ESCAPE : 1;
        }
    }
    return size;
}
