/* preparation.h - tables of calls of tr_params_prepare(), for the tests of its stages. */
#ifndef TR_TESTS_SUPPORT_PREPARATION_H
#define TR_TESTS_SUPPORT_PREPARATION_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/params.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

/* One call and what it left behind. */
struct preparation {
    struct tr_arena arena;
    struct tr_report report;
    struct tr_violations found;
    enum tr_status status;
    json_t *value;
};

/* One row of a table: a value, what is to become of it, and what is to be reported. */
struct preparation_case {
    const char *value;
    const char *expected; /* NULL: it is refused */
    const char *report;   /* "coerced:/a,/b renamed:/c ignored:/d" without what is empty; of a
                           * refusal "pointer code" of one of its violations */
};

extern const struct tr_params_rules preparation_tolerant, preparation_exact;

/* Prepare the value of the JSON text `value`. */
void preparation_run(struct preparation *run, const struct tr_schema *schema,
                     const struct tr_params_rules *rules, const char *value);
void preparation_done(struct preparation *run);

/* Is there a violation "pointer code"? */
bool preparation_has_violation(const struct tr_violations *found, const char *wanted);

/* Fails the test unless the row comes true. */
void assert_prepared(const struct tr_schema *schema, const struct tr_params_rules *rules,
                     const struct preparation_case *row);

/* All rows, under a schema given as JSON text. */
void assert_all_prepared(const char *schema, const struct tr_params_rules *rules,
                         const struct preparation_case *rows, size_t count);

#define ASSERT_PREPARED(schema, rules, rows) \
    assert_all_prepared((schema), (rules), (rows), sizeof(rows) / sizeof((rows)[0]))

#endif
