/* gcc: '_Generic' selector of type '(const )?struct wind' is not compatible with any association
 * clang: controlling expression type '(const )?struct wind' not compatible with any generic assoc
 */
#include "tools/core/descriptor.h"

struct wind {
    int64_t speed;
};
struct rain {
    int64_t amount;
};
struct thing {
    TR_SPAN(struct wind) winds;
};

extern const struct tr_type rain_type;
extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_LIST_OF(thing, winds, rain), .description = "The items are struct wind" },
};
