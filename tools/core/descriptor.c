#include "tools/core/descriptor.h"

#include <string.h>

const struct tr_type tr_empty_type = {
    .name = "tr_empty",
    .description = "Nothing",
    .size = sizeof(struct tr_empty),
};

const struct tr_field *tr_type_field(const struct tr_type *type, const char *name)
{
    for (size_t i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, name) == 0) {
            return &type->fields[i];
        }
    }
    return NULL;
}
