/* enum and const. */

#include <string.h>

#include "tools/core/checker.h"
#include "tools/core/json.h"
#include "tools/core/text.h"

enum {
    MAX_LIST_BYTES = 1500, /* of the values that a violation lists */
    VALUES_PER_STEP = 4,
};

/* Strings as they are, everything else as JSON. */
static void write_value(struct tr_text *out, const json_t *value)
{
    if (json_is_string(value)) {
        tr_text_add(out, json_string_value(value), json_string_length(value));
        return;
    }
    tr_json_write(out, value);
}

/* Values that have no room any more become three dots. */
static void write_choices(struct tr_text *out, const json_t *values)
{
    const size_t count = json_array_size(values);
    for (size_t i = 0; i < count; i++) {
        const size_t before = out->length;
        tr_text_add_string(out, i == 0 ? "" : ", ");
        write_value(out, json_array_get(values, i));
        if (out->length > MAX_LIST_BYTES && out->status == TR_OK) {
            tr_text_cut(out, before);
            tr_text_add_string(out, i == 0 ? "..." : ", ...");
            return;
        }
    }
}

static bool refuse_choice(struct tr_checker *checker, const json_t *values,
                          const struct tr_place *place)
{
    if (!tr_check_can_report(checker)) {
        return false;
    }
    tr_auto(text) struct tr_text choices;
    tr_text_init(&choices, SIZE_MAX / 2);
    write_choices(&choices, values);
    return tr_check_refuse(checker, place, "enum", "must be one of: %s", tr_text_string(&choices));
}

static bool refuse_const(struct tr_checker *checker, const json_t *wanted,
                         const struct tr_place *place)
{
    if (!tr_check_can_report(checker)) {
        return false;
    }
    tr_auto(text) struct tr_text written;
    tr_text_init(&written, SIZE_MAX / 2);
    write_value(&written, wanted);
    return tr_check_refuse(checker, place, "const", "must be exactly: %s",
                           written.length <= MAX_LIST_BYTES ? tr_text_string(&written) : "...");
}

/* Most lists are of strings, and most strings differ in length. */
static bool is_string_among(const json_t *values, const char *bytes, size_t length)
{
    const size_t count = json_array_size(values);
    for (size_t i = 0; i < count; i++) {
        const json_t *choice = json_array_get(values, i);
        if (json_is_string(choice) && json_string_length(choice) == length
            && memcmp(json_string_value(choice), bytes, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_among(struct tr_checker *checker, const json_t *values, const json_t *value)
{
    const size_t count = json_array_size(values);
    if (!tr_check_spend(checker, count / VALUES_PER_STEP)) {
        return false;
    }
    if (json_is_string(value)) {
        return is_string_among(values, json_string_value(value), json_string_length(value));
    }
    for (size_t i = 0; i < count; i++) {
        if (tr_json_equal(json_array_get(values, i), value)) {
            return true;
        }
    }
    return false;
}

bool tr_check_values(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place)
{
    bool fits = true;
    if (schema->enum_values != NULL && !is_among(checker, schema->enum_values, value)) {
        fits = refuse_choice(checker, schema->enum_values, place);
    }
    if (schema->const_value != NULL && tr_check_goes_on(checker, fits)
        && !tr_json_equal(schema->const_value, value)) {
        fits = refuse_const(checker, schema->const_value, place);
    }
    return fits;
}
