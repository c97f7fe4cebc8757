/* gcc: 'struct thing' has no member named 'day'
 * clang: no member named 'day' in 'thing' */
#include "tools/core/descriptor.h"

struct thing {
    int64_t days;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_FIELD(thing, day), .description = "The member is called days" },
};
