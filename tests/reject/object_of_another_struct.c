/* gcc: '_Generic' selector of type 'struct wind' is not compatible with any association
 * clang: controlling expression type 'struct wind' not compatible with any generic association type
 */
#include "tools/core/descriptor.h"

struct wind {
    int64_t speed;
};
struct rain {
    int64_t amount;
};
struct thing {
    struct wind inner;
};

extern const struct tr_type rain_type;
extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_OBJECT(thing, inner, rain), .description = "The member is a struct wind" },
};
