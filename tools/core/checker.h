/* checker.h - what the files of the checker share; check.h has the entries to it. */
#ifndef TR_TOOLS_CORE_CHECKER_H
#define TR_TOOLS_CORE_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/pattern.h"
#include "tools/core/place.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

enum tr_check_mode {
    TR_CHECK_FITS,   /* yes or no: stop at the first thing that is wrong */
    TR_CHECK_SCORE,  /* go on, and count the schemas that are fitted */
    TR_CHECK_REPORT, /* go on, and add violations */
};

/* One check of one value. Every tr_check_ function below says whether its part fits. */
struct tr_checker {
    struct tr_violations *found; /* of TR_CHECK_REPORT */
    enum tr_check_mode mode;
    uint64_t work;     /* steps that are left */
    unsigned depth;    /* schemas inside schemas */
    size_t score;      /* of TR_CHECK_SCORE */
    bool is_exhausted; /* work or depth was used up: nothing fits any more, whatever the schema */
    bool is_name;      /* the value is the name of a member */
    bool is_int64;     /* an integer must be one that int64 holds */
};

/* Are the words of one more violation wanted? When the list is full it is only counted: words would
 * cost time and memory for nothing. */
bool tr_check_can_report(struct tr_checker *checker);

/* Something does not fit: adds "Parameter 'X' <what is said here>" with the code of the keyword,
 * when violations are wanted. Always false. */
TR_PRINTF(4, 5)
bool tr_check_refuse(struct tr_checker *checker, const struct tr_place *place, const char *code,
                     const char *format, ...);

/* A member is missing: adds "Required parameter 'X' is missing"; `given` is the member because of
 * which it is required, or NULL. Always false. */
bool tr_check_missing(struct tr_checker *checker, const struct tr_place *place, const char *code,
                      const char *given);

/* Spend `steps`; false when they are not there, and then nothing fits any more. */
bool tr_check_spend(struct tr_checker *checker, size_t steps);

/* tr_pattern_match() with the steps that are left. */
enum tr_match tr_check_match(struct tr_checker *checker, const struct tr_pattern *pattern,
                             const char *bytes, size_t length);

/* After a part said `fits`: shall the next one be looked at? */
static inline bool tr_check_goes_on(const struct tr_checker *checker, bool fits)
{
    return fits || (checker->mode != TR_CHECK_FITS && !checker->is_exhausted);
}

/* A value against a node: all keywords. */
bool tr_check_node(struct tr_checker *checker, const struct tr_schema *schema, const json_t *value,
                   const struct tr_place *place);

/* The same without violations, whatever the mode. */
bool tr_check_quietly(struct tr_checker *checker, const struct tr_schema *schema,
                      const json_t *value, const struct tr_place *place);

/* The bits of all types that the value has: a whole number is an integer and a number. */
unsigned tr_check_types_of(const struct tr_checker *checker, const json_t *value);

/* "Parameter 'X' has invalid type. Expected: T". */
bool tr_check_refuse_type(struct tr_checker *checker, unsigned types, const struct tr_place *place);

/* The keywords of one type, for a value that has it; those of any type; those that hold schemas for
 * the same value. */
bool tr_check_number(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place);
bool tr_check_string(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place);
bool tr_check_array(struct tr_checker *checker, const struct tr_schema *schema, const json_t *value,
                    const struct tr_place *place);
bool tr_check_object(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place);
bool tr_check_values(struct tr_checker *checker, const struct tr_schema *schema,
                     const json_t *value, const struct tr_place *place);
bool tr_check_applicators(struct tr_checker *checker, const struct tr_schema *schema,
                          const json_t *value, const struct tr_place *place);

/* uniqueItems. */
bool tr_check_unique(struct tr_checker *checker, const json_t *array, const struct tr_place *place);

/* A count against its two limits; `noun` is "item" or "character", `verb` "have" or "be", `tail`
 * "" or " long". */
struct tr_check_count_words {
    const char *min_code, *max_code;
    const char *verb, *noun, *tail;
};
bool tr_check_count(struct tr_checker *checker, const struct tr_place *place, size_t count,
                    const struct tr_schema_count limits[2],
                    const struct tr_check_count_words *words);

#endif
