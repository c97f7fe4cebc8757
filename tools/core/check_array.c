/* prefixItems, items, contains, the counts and uniqueItems. */

#include <inttypes.h>

#include "tools/core/checker.h"

static bool check_items(struct tr_checker *checker, const struct tr_schema *schema,
                        const json_t *array, const struct tr_place *place)
{
    const size_t count = json_array_size(array);
    const size_t prefix = schema->prefix_items.count;
    const size_t last = schema->items != NULL || count < prefix ? count : prefix;
    bool fits = true;
    for (size_t i = 0; i < last && tr_check_goes_on(checker, fits); i++) {
        const struct tr_schema *item = i < prefix ? schema->prefix_items.items[i] : schema->items;
        const struct tr_place below = { .parent = place, .index = i };
        fits = tr_check_node(checker, item, json_array_get(array, i), &below) && fits;
    }
    return fits;
}

static bool check_contains(struct tr_checker *checker, const struct tr_schema *schema,
                           const json_t *array, const struct tr_place *place)
{
    const int64_t least = schema->min_contains.has ? schema->min_contains.value : 1;
    const size_t count = json_array_size(array);
    int64_t fitting = 0;
    for (size_t i = 0; i < count && !checker->is_exhausted; i++) {
        fitting += tr_check_quietly(checker, schema->contains, json_array_get(array, i), place);
    }
    if (fitting < least) {
        return tr_check_refuse(checker, place,
                               schema->min_contains.has ? "minContains" : "contains",
                               "must contain at least %" PRId64 " item%s of the kind that its "
                               "schema describes as 'contains'",
                               least, least == 1 ? "" : "s");
    }
    if (schema->max_contains.has && fitting > schema->max_contains.value) {
        return tr_check_refuse(checker, place, "maxContains",
                               "must contain at most %" PRId64 " item%s of the kind that its "
                               "schema describes as 'contains'",
                               schema->max_contains.value,
                               schema->max_contains.value == 1 ? "" : "s");
    }
    return true;
}

bool tr_check_array(struct tr_checker *checker, const struct tr_schema *schema, const json_t *value,
                    const struct tr_place *place)
{
    static const struct tr_check_count_words words = {
        .min_code = "minItems",
        .max_code = "maxItems",
        .verb = "have",
        .noun = "item",
        .tail = "",
    };
    const struct tr_schema_count limits[2] = { schema->min_items, schema->max_items };
    bool fits = tr_check_count(checker, place, json_array_size(value), limits, &words);
    if (tr_check_goes_on(checker, fits)) {
        fits = check_items(checker, schema, value, place) && fits;
    }
    if (schema->contains != NULL && tr_check_goes_on(checker, fits)) {
        fits = check_contains(checker, schema, value, place) && fits;
    }
    if (schema->has_unique_items && tr_check_goes_on(checker, fits)) {
        fits = tr_check_unique(checker, value, place) && fits;
    }
    return fits;
}
