/* csv_columns.h - the names of a table's columns, all different, and finding one by its name. */
#ifndef TR_TOOLS_SUITES_DATA_CSV_COLUMNS_H
#define TR_TOOLS_SUITES_DATA_CSV_COLUMNS_H

#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_call;
struct tr_csv_parser;

/* In the call's memory. */
struct tr_csv_columns {
    const char **names;
    size_t count;
};

/* Take the names from the parser's record, or number them ("column_1") with as many as it has
 * fields. An empty name is numbered too; the second one of a name becomes "name_2", with a warning
 * in the call's report. */
TR_MUST_USE enum tr_status tr_csv_columns_read(struct tr_call *call,
                                               const struct tr_csv_parser *parser,
                                               struct tr_csv_columns *ret_columns);
TR_MUST_USE enum tr_status tr_csv_columns_number(struct tr_call *call,
                                                 const struct tr_csv_parser *parser,
                                                 struct tr_csv_columns *ret_columns);

/* Use the names of the caller, which are treated in the same way. */
TR_MUST_USE enum tr_status tr_csv_columns_use(struct tr_call *call, const char *const *names,
                                              size_t count, struct tr_csv_columns *ret_columns);

/* Find the column `name`. Fails by tr_fail(), with the nearest name or the first ones there are. */
TR_MUST_USE enum tr_status tr_csv_columns_find(struct tr_call *call,
                                               const struct tr_csv_columns *columns,
                                               const char *name, size_t *ret_index);

#endif
