#include "tools/core/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/core/checker.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/utf8.h"

/* ---- saying what is wrong ---- */

bool tr_check_can_report(struct tr_checker *checker)
{
    if (checker->mode != TR_CHECK_REPORT || checker->is_exhausted) {
        return false;
    }
    if (checker->found->count < TR_MAX_VIOLATIONS) {
        return true;
    }
    checker->found->dropped++;
    return false;
}

bool tr_check_refuse(struct tr_checker *checker, const struct tr_place *place, const char *code,
                     const char *format, ...)
{
    enum { MAX_WORDS_BYTES = 1600 };
    if (!tr_check_can_report(checker)) {
        return false;
    }
    char words[MAX_WORDS_BYTES];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(words, sizeof(words), format, args);
    va_end(args);
    if (length >= (int)sizeof(words)) {
        words[tr_utf8_cut(words, sizeof(words) - 1)] = '\0';
    }
    tr_violations_add(checker->found, place, checker->is_name ? "propertyNames" : code,
                      "%s '%s' %s", checker->is_name ? "The name of parameter" : "Parameter",
                      tr_violations_name(checker->found, place), words);
    return false;
}

bool tr_check_missing(struct tr_checker *checker, const struct tr_place *place, const char *code,
                      const char *given)
{
    if (!tr_check_can_report(checker)) {
        return false;
    }
    const char *name = tr_violations_name(checker->found, place);
    if (given == NULL) {
        tr_violations_add(checker->found, place, code, "Required parameter '%s' is missing", name);
    } else {
        tr_violations_add(checker->found, place, code,
                          "Required parameter '%s' is missing: '%s' is given", name, given);
    }
    return false;
}

bool tr_check_refuse_type(struct tr_checker *checker, unsigned types, const struct tr_place *place)
{
    if (!tr_check_can_report(checker)) {
        return false;
    }
    char names[TR_TYPE_NAMES_BYTES];
    return tr_check_refuse(checker, place, "type", "has invalid type. Expected: %s",
                           tr_schema_type_name(types, names, sizeof(names)));
}

bool tr_check_count(struct tr_checker *checker, const struct tr_place *place, size_t count,
                    const struct tr_schema_count limits[2],
                    const struct tr_check_count_words *words)
{
    const char *const codes[] = { words->min_code, words->max_code };
    const char *const bounds[] = { "least", "most" };
    for (size_t i = 0; i < 2; i++) {
        const bool is_beyond =
            i == 0 ? (int64_t)count < limits[i].value : (int64_t)count > limits[i].value;
        if (limits[i].has && is_beyond) {
            return tr_check_refuse(checker, place, codes[i], "must %s at %s %" PRId64 " %s%s%s",
                                   words->verb, bounds[i], limits[i].value, words->noun,
                                   limits[i].value == 1 ? "" : "s", words->tail);
        }
    }
    return true;
}

/* ---- the bounds of a check ---- */

bool tr_check_spend(struct tr_checker *checker, size_t steps)
{
    if (checker->is_exhausted || steps > checker->work) {
        checker->work = 0;
        checker->is_exhausted = true;
        return false;
    }
    checker->work -= steps;
    return true;
}

enum tr_match tr_check_match(struct tr_checker *checker, const struct tr_pattern *pattern,
                             const char *bytes, size_t length)
{
    const enum tr_match match = tr_pattern_match_within(pattern, bytes, length, &checker->work);
    checker->is_exhausted = checker->is_exhausted || checker->work == 0;
    return match;
}

/* ---- nodes ---- */

static bool is_integer(const struct tr_checker *checker, const json_t *real)
{
    const double value = json_real_value(real);
    return tr_json_is_integral(real)
           && (!checker->is_int64 || (value >= -0x1p63 && value < 0x1p63));
}

unsigned tr_check_types_of(const struct tr_checker *checker, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_NULL: return TR_TYPE_NULL;
    case JSON_TRUE:
    case JSON_FALSE: return TR_TYPE_BOOLEAN;
    case JSON_INTEGER: return TR_TYPE_NUMBER | TR_TYPE_INTEGER;
    case JSON_REAL:
        return is_integer(checker, value) ? TR_TYPE_NUMBER | TR_TYPE_INTEGER : TR_TYPE_NUMBER;
    case JSON_STRING: return TR_TYPE_STRING;
    case JSON_ARRAY: return TR_TYPE_ARRAY;
    case JSON_OBJECT: return TR_TYPE_OBJECT;
    }
    return 0;
}

static bool check_own_type(struct tr_checker *checker, const struct tr_schema *schema,
                           const json_t *value, const struct tr_place *place)
{
    switch (json_typeof(value)) {
    case JSON_INTEGER:
    case JSON_REAL: return tr_check_number(checker, schema, value, place);
    case JSON_STRING: return tr_check_string(checker, schema, value, place);
    case JSON_ARRAY: return tr_check_array(checker, schema, value, place);
    case JSON_OBJECT: return tr_check_object(checker, schema, value, place);
    case JSON_NULL:
    case JSON_TRUE:
    case JSON_FALSE: break;
    }
    return true;
}

/* Most nodes have neither, and then the call is saved. */
static bool has_values(const struct tr_schema *schema)
{
    return schema->enum_values != NULL || schema->const_value != NULL;
}

static bool has_applicators(const struct tr_schema *schema)
{
    const size_t lists = schema->any_of.count | schema->one_of.count | schema->all_of.count;
    return lists != 0 || schema->ref != NULL || schema->not_schema != NULL
           || schema->if_schema != NULL;
}

/* A value of the wrong type is told only that. */
static bool check_keywords(struct tr_checker *checker, const struct tr_schema *schema,
                           const json_t *value, const struct tr_place *place)
{
    if (schema->is_false) {
        return tr_check_refuse(checker, place, "false", "is not allowed");
    }
    if (schema->types != 0 && (schema->types & tr_check_types_of(checker, value)) == 0) {
        return tr_check_refuse_type(checker, schema->types, place);
    }
    bool fits = !has_values(schema) || tr_check_values(checker, schema, value, place);
    if (tr_check_goes_on(checker, fits)) {
        fits = check_own_type(checker, schema, value, place) && fits;
    }
    if (has_applicators(schema) && tr_check_goes_on(checker, fits)) {
        fits = tr_check_applicators(checker, schema, value, place) && fits;
    }
    return fits;
}

bool tr_check_node(struct tr_checker *checker, const struct tr_schema *schema, const json_t *value,
                   const struct tr_place *place)
{
    if (!tr_check_spend(checker, 1)) {
        return false;
    }
    if (checker->depth >= TR_MAX_CHECK_DEPTH) {
        checker->is_exhausted = true;
        return false;
    }
    checker->depth++;
    const bool fits = check_keywords(checker, schema, value, place);
    checker->depth--;
    checker->score += fits && checker->mode == TR_CHECK_SCORE;
    return fits && !checker->is_exhausted;
}

bool tr_check_quietly(struct tr_checker *checker, const struct tr_schema *schema,
                      const json_t *value, const struct tr_place *place)
{
    const enum tr_check_mode mode = checker->mode;
    checker->mode = TR_CHECK_FITS;
    const bool fits = tr_check_node(checker, schema, value, place);
    checker->mode = mode;
    return fits;
}

static void report(struct tr_checker *checker, const struct tr_schema *schema, const json_t *value,
                   const struct tr_place *place)
{
    static const struct tr_place root = { .parent = NULL };
    const struct tr_place *start = place != NULL ? place : &root;
    (void)tr_check_node(checker, schema, value, start);
    if (checker->is_exhausted) {
        checker->is_exhausted = false;
        tr_check_refuse(checker, start, "complexity",
                        "is too large or too deeply nested to be checked; send less of it");
    }
}

void tr_check(const struct tr_schema *schema, const json_t *value, const struct tr_place *place,
              struct tr_violations *found)
{
    struct tr_checker checker = {
        .found = found,
        .mode = TR_CHECK_REPORT,
        .work = TR_CHECK_WORK,
    };
    report(&checker, schema, value, place);
}

void tr_check_parameters(const struct tr_schema *schema, const json_t *value,
                         const struct tr_place *place, struct tr_violations *found)
{
    struct tr_checker checker = {
        .found = found,
        .mode = TR_CHECK_REPORT,
        .work = TR_CHECK_WORK,
        .is_int64 = true,
    };
    report(&checker, schema, value, place);
}

bool tr_check_fits(const struct tr_schema *schema, const json_t *value)
{
    const struct tr_place place = { .parent = NULL };
    struct tr_checker checker = { .mode = TR_CHECK_FITS, .work = TR_CHECK_WORK };
    return tr_check_node(&checker, schema, value, &place);
}

bool tr_check_fits_within(const struct tr_schema *schema, const json_t *value, uint64_t *work)
{
    const struct tr_place place = { .parent = NULL };
    struct tr_checker checker = { .mode = TR_CHECK_FITS, .work = *work, .is_int64 = true };
    const bool fits = tr_check_node(&checker, schema, value, &place);
    *work = checker.work;
    return fits;
}
