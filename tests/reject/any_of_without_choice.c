/* gcc: static assertion failed: "offsetof\(struct place, choice\) == 0"
 * clang: (static_assert|static assertion) failed.*offsetof\(struct place, choice\) == 0 */
#include "tools/core/descriptor.h"

struct place {
    const char *city;
    int choice;
};

static const struct tr_field place_fields[] = {
    { TR_FIELD(place, city), .description = "A name" },
};
extern const struct tr_type place_type;
TR_ANY_OF_TYPE(place, "`choice` comes first");
