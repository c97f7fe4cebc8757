/* gcc: '_Generic' selector of type '(float|const float)' is not compatible with any association
 * clang: controlling expression type '(const )?float' not compatible with any generic association
 */
#include "tools/core/descriptor.h"

struct thing {
    TR_SPAN(float) values;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_LIST(thing, values), .description = "float is not offered: double is" },
};
