/* minLength, maxLength, pattern and format. */

#include <string.h>

#include "tools/core/checker.h"
#include "tools/core/pattern.h"
#include "tools/core/utf8.h"

enum { MAX_CHARACTER_BYTES = 4, BYTES_PER_STEP = 64 };

/* Most texts are so short or so long that the number of bytes decides. */
static bool check_length(struct tr_checker *checker, const struct tr_schema *schema,
                         const json_t *value, const struct tr_place *place)
{
    static const struct tr_check_count_words words = {
        .min_code = "minLength",
        .max_code = "maxLength",
        .verb = "be",
        .noun = "character",
        .tail = " long",
    };
    const struct tr_schema_count limits[2] = { schema->min_length, schema->max_length };
    const size_t bytes = json_string_length(value);
    const bool is_surely_long = (int64_t)(bytes / MAX_CHARACTER_BYTES) >= limits[0].value;
    const bool is_surely_short = !limits[1].has || (int64_t)bytes <= limits[1].value;
    if (is_surely_long && is_surely_short) {
        return true;
    }
    return tr_check_spend(checker, bytes / BYTES_PER_STEP)
           && tr_check_count(checker, place, tr_utf8_count(json_string_value(value), bytes), limits,
                             &words);
}

static bool check_pattern(struct tr_checker *checker, const struct tr_pattern *pattern,
                          const json_t *value, const struct tr_place *place)
{
    switch (tr_check_match(checker, pattern, json_string_value(value), json_string_length(value))) {
    case TR_MATCH_YES: return true;
    case TR_MATCH_NO: break;
    case TR_MATCH_GAVE_UP:
        return tr_check_refuse(checker, place, "pattern",
                               "takes too long to match with the pattern %s; send a shorter text",
                               tr_pattern_source(pattern));
    }
    return tr_check_refuse(checker, place, "pattern", "must match the pattern %s",
                           tr_pattern_source(pattern));
}

static bool check_format(struct tr_checker *checker, const struct tr_schema *schema,
                         const json_t *value, const struct tr_place *place)
{
    const size_t bytes = json_string_length(value);
    if (!tr_check_spend(checker, bytes / BYTES_PER_STEP)) {
        return false;
    }
    if (tr_format_holds(schema->format, json_string_value(value), bytes)) {
        return true;
    }
    return tr_check_refuse(checker, place, "format", "must be %s",
                           tr_format_description(schema->format));
}

bool tr_check_string(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place)
{
    bool fits = true;
    if (schema->min_length.has || schema->max_length.has) {
        fits = check_length(checker, schema, value, place);
    }
    if (schema->pattern != NULL && tr_check_goes_on(checker, fits)) {
        fits = check_pattern(checker, schema->pattern, value, place) && fits;
    }
    if (schema->format != TR_FORMAT_NONE && tr_check_goes_on(checker, fits)) {
        fits = check_format(checker, schema, value, place) && fits;
    }
    return fits;
}
