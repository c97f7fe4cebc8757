/* gcc: '_Generic' selector of type '(enum sky|unsigned int)' is not compatible with any association
 * clang: controlling expression type 'enum sky' not compatible with any generic association type */
#include "tools/core/descriptor.h"

enum sky { SKY_ABSENT, SKY_CLEAR };
enum sea { SEA_ABSENT, SEA_CALM };

struct thing {
    enum sky sky;
};

static const char *const sea_names[] = { [SEA_CALM] = "calm" };
extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_ENUM(thing, sky, sea), .description = "The member is an enum sky" },
};
