/* gcc: '_Generic' selector of type 'int' is not compatible with any association
 * clang: controlling expression type 'int' not compatible with any generic association type */
#include "tools/core/descriptor.h"

struct thing {
    int days;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_FIELD(thing, days), .description = "int is not offered: int64_t is" },
};
