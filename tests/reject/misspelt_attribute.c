/* gcc: 'const struct tr_field' has no member named 'desciption'
 * clang: field designator 'desciption' does not refer to any field in type 'const struct tr_field'
 */
#include "tools/core/descriptor.h"

struct thing {
    int64_t days;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_FIELD(thing, days), .desciption = "One letter is missing" },
};
