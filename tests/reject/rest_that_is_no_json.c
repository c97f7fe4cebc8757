/* gcc: '_Generic' selector of type 'const char \*' is not compatible with any association
 * clang: controlling expression type 'const char \*' not compatible with any generic association */
#include "tools/core/descriptor.h"

struct thing {
    const char *rest;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_REST(thing, rest), .description = "What is left over is a json_t *" },
};
