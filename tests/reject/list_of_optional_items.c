/* gcc: '_Generic' selector of type '(const )?struct tr_opt_int' is not compatible with any assoc
 * clang: controlling expression type '(const )?struct tr_opt_int' not compatible with any generic
 */
#include "tools/core/descriptor.h"

struct thing {
    TR_SPAN(struct tr_opt_int) values;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_LIST(thing, values), .description = "An item of a list is never absent" },
};
