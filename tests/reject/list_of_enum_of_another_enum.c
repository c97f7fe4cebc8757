/* gcc: '_Generic' selector of type '(enum sky|unsigned int)' is not compatible with any association
 * clang: controlling expression type '(const )?enum sky' not compatible with any generic
 * association */
#include "tools/core/descriptor.h"

enum sky { SKY_ABSENT, SKY_CLEAR };
enum sea { SEA_ABSENT, SEA_CALM };

struct thing {
    TR_SPAN(enum sky) skies;
};

static const char *const sea_names[] = { [SEA_CALM] = "calm" };
extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_LIST_OF_ENUM(thing, skies, sea), .description = "The items are enum sky" },
};
