/* gcc: request for member 'items' in something not a structure or union
 * clang: member reference base type 'const char \*' is not a structure or union */
#include "tools/core/descriptor.h"

struct thing {
    const char *tags;
};

extern const struct tr_field thing_fields[];
const struct tr_field thing_fields[] = {
    { TR_LIST(thing, tags), .description = "A list is a TR_SPAN()" },
};
