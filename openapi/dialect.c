#include "openapi/dialect.h"

#include <assert.h>
#include <string.h>

/* In the order in which they are offered; the first is the default. */
static const struct tr_dialect *const dialects[] = {
    &tr_dialect_native,
    &tr_dialect_json_schema,
    &tr_dialect_openai,
    &tr_dialect_ollama,
};

enum { DIALECT_COUNT = sizeof(dialects) / sizeof(dialects[0]) };

const struct tr_dialect *tr_dialect_find(const char *name)
{
    for (size_t i = 0; i < DIALECT_COUNT; i++) {
        if (strcmp(dialects[i]->name, name) == 0) {
            return dialects[i];
        }
    }
    return NULL;
}

const struct tr_dialect *const *tr_dialects(size_t *ret_count)
{
    *ret_count = DIALECT_COUNT;
    return dialects;
}

size_t tr_dialect_index(const struct tr_dialect *dialect)
{
    size_t index = 0;
    while (index < DIALECT_COUNT && dialects[index] != dialect) {
        index++;
    }
    assert(index < DIALECT_COUNT);
    return index;
}
