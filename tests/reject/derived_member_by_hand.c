/* gcc: initialized field overwritten
 * clang: initializer overrides prior initialization of this subobject */
#include "tools/core/descriptor.h"

struct thing {
    int64_t days;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_FIELD(thing, days), .description = "It is an integer", .kind = TR_KIND_STRING },
};
