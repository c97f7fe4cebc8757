/* The work of csv_read: header, choice of columns, filter, page. */

#include <string.h>

#include "tools/core/call.h"
#include "tools/core/json.h"
#include "tools/suites/data/csv_columns.h"
#include "tools/suites/data/csv_parser.h"
#include "tools/suites/data/csv_read.h"
#include "tools/suites/data/csv_value.h"
#include "tools/suites/data/json_size.h"

enum {
    ANSWER_BYTES = 700 * 1000, /* below the output limit: rows are never cut in the middle */
    ROW_BYTES = 4,
    VALUE_BYTES = 24, /* that a number may take beyond its text */
    ROWS_PER_LOOK = 1024,
};

struct condition {
    size_t column;
    const char *equals;
    size_t length;
};

struct table {
    struct tr_call *call;
    const struct csv_read_request *request;
    struct csv_read_response *response;
    struct tr_csv_parser parser;
    struct tr_csv_columns columns;
    bool has_record; /* the parser's record is data that was not looked at yet */

    const size_t *chosen; /* the columns to answer */
    const char **chosen_names;
    size_t chosen_count;
    struct condition *conditions;

    json_t **rows;
    struct csv_read_ragged *ragged;
    size_t room; /* bytes left of the answer */
};

static inline void tr_table_drop(struct table *table)
{
    tr_csv_done(&table->parser);
}

static enum tr_status fail_as(const struct table *table, enum tr_csv_outcome outcome)
{
    const long long line = table->parser.line;
    switch (outcome) {
    case TR_CSV_OPEN_QUOTE:
        return tr_fail(table->call,
                       "Line %lld: the quoted field that begins here has no closing quote; a quote "
                       "inside of a field is written as two",
                       line);
    case TR_CSV_TEXT_AFTER_QUOTE:
        return tr_fail(table->call,
                       "Line %lld: text follows a closing quote; write a quote inside of a field "
                       "as two, and check the delimiter '%s'",
                       line, table->request->delimiter);
    case TR_CSV_TOO_MANY_FIELDS:
        return tr_fail(table->call,
                       "Line %lld: more than %d fields in a row; check the delimiter '%s'", line,
                       (int)TR_CSV_MAX_FIELDS, table->request->delimiter);
    case TR_CSV_RECORD:
    case TR_CSV_END:
    case TR_CSV_NO_MEMORY: break;
    }
    return TR_NO_MEMORY;
}

/* Step to the next record; *ret_is_there is false behind the last one. */
static enum tr_status next_record(struct table *table, bool *ret_is_there)
{
    if (table->has_record) {
        table->has_record = false;
        *ret_is_there = true;
        return TR_OK;
    }
    const enum tr_csv_outcome outcome = tr_csv_next(&table->parser);
    *ret_is_there = outcome == TR_CSV_RECORD;
    return outcome == TR_CSV_RECORD || outcome == TR_CSV_END ? TR_OK : fail_as(table, outcome);
}

/* A document without any record has no columns, unless they were given. */
static enum tr_status read_header(struct table *table)
{
    const struct csv_read_header *header = &table->request->header;
    if (header->choice == CSV_HEADER_NAMES) {
        return tr_csv_columns_use(table->call, header->names.items, header->names.count,
                                  &table->columns);
    }
    bool is_there = false;
    TR_TRY(next_record(table, &is_there));
    if (!is_there) {
        return TR_OK;
    }
    if (header->is_there) {
        return tr_csv_columns_read(table->call, &table->parser, &table->columns);
    }
    table->has_record = true;
    return tr_csv_columns_number(table->call, &table->parser, &table->columns);
}

static enum tr_status choose_columns(struct table *table)
{
    const bool has_chosen = table->request->columns.count != 0;
    const size_t count = has_chosen ? table->request->columns.count : table->columns.count;
    size_t *chosen = tr_alloc(table->call, count + 1, sizeof(*chosen));
    const char **names = tr_alloc(table->call, count + 1, sizeof(*names));
    if (chosen == NULL || names == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        chosen[i] = i;
        if (has_chosen) {
            TR_TRY(tr_csv_columns_find(table->call, &table->columns,
                                       table->request->columns.items[i], &chosen[i]));
        }
        names[i] = table->columns.names[chosen[i]];
    }
    table->chosen = chosen;
    table->chosen_names = names;
    table->chosen_count = count;
    return TR_OK;
}

static enum tr_status read_conditions(struct table *table)
{
    const struct csv_read_request *request = table->request;
    table->conditions = tr_alloc(table->call, request->filter.count + 1, sizeof(struct condition));
    if (table->conditions == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < request->filter.count; i++) {
        const struct csv_read_condition *wanted = &request->filter.items[i];
        struct condition *condition = &table->conditions[i];
        TR_TRY(
            tr_csv_columns_find(table->call, &table->columns, wanted->column, &condition->column));
        condition->equals = wanted->equals;
        condition->length = strlen(wanted->equals);
    }
    return TR_OK;
}

static bool fulfils(const struct table *table)
{
    for (size_t i = 0; i < table->request->filter.count; i++) {
        const struct condition *condition = &table->conditions[i];
        size_t length = 0;
        const char *bytes = tr_csv_field(&table->parser, condition->column, &length);
        if (condition->column >= table->parser.field_count || length != condition->length
            || memcmp(bytes, condition->equals, length) != 0) {
            return false;
        }
    }
    return true;
}

static void note_ragged(struct table *table)
{
    const struct tr_csv_parser *parser = &table->parser;
    if (parser->field_count == table->columns.count) {
        return;
    }
    if (table->response->ragged_count < CSV_READ_MAX_RAGGED) {
        table->ragged[table->response->ragged_count] = (struct csv_read_ragged){
            .line = parser->line,
            .fields = (int64_t)parser->field_count,
        };
        table->response->ragged.count++;
    }
    table->response->ragged_count++;
}

/* ---- writing rows ---- */

static size_t row_size(const struct table *table)
{
    const bool has_names = table->request->shape == CSV_READ_OBJECTS;
    size_t size = ROW_BYTES;
    for (size_t i = 0; i < table->chosen_count; i++) {
        size_t length = 0;
        const char *bytes = tr_csv_field(&table->parser, table->chosen[i], &length);
        size += tr_json_string_size(bytes, length) + (table->request->types ? VALUE_BYTES : 0);
        if (has_names) {
            const char *name = table->chosen_names[i];
            size += tr_json_string_size(name, strlen(name));
        }
    }
    return size;
}

/* A quoted empty field is an empty text. */
static json_t *field_value(const struct table *table, size_t column)
{
    if (column >= table->parser.field_count) {
        return json_null();
    }
    size_t length = 0;
    const char *bytes = tr_csv_field(&table->parser, column, &length);
    const bool is_empty_text = length == 0 && table->parser.fields[column].is_quoted;
    return table->request->types && !is_empty_text ? tr_csv_value(bytes, length)
                                                   : json_stringn(bytes, length);
}

/* NULL without memory. */
static json_t *make_row(const struct table *table)
{
    const bool has_names = table->request->shape == CSV_READ_OBJECTS;
    json_auto_t *row = has_names ? json_object() : json_array();
    for (size_t i = 0; row != NULL && i < table->chosen_count; i++) {
        json_t *value = field_value(table, table->chosen[i]);
        const int result = has_names ? json_object_set_new(row, table->chosen_names[i], value)
                                     : json_array_append_new(row, value);
        if (result != 0) {
            return NULL;
        }
    }
    return tr_json_take(&row);
}

/* The row that fulfils the filter as the `index`-th, from 0. The first one of a page is taken
 * whatever its size, so that a caller gets on. */
static enum tr_status add_row(struct table *table, int64_t index)
{
    struct csv_read_response *response = table->response;
    if (index < table->request->offset || response->truncated) {
        return TR_OK;
    }
    const size_t count = response->rows.count;
    const size_t size = row_size(table);
    if (count == (size_t)table->request->limit || (count != 0 && size > table->room)) {
        response->truncated = true;
        response->next_offset = (struct tr_opt_int){ .has = true, .value = index };
        return TR_OK;
    }
    json_t *row = make_row(table);
    if (!tr_arena_adopt_json(&table->call->arena, row)) {
        return TR_NO_MEMORY;
    }
    table->rows[response->rows.count++] = row;
    table->room -= size < table->room ? size : table->room;
    return TR_OK;
}

static enum tr_status read_rows(struct table *table)
{
    for (size_t records = 0;; records++) {
        bool is_there = false;
        TR_TRY(next_record(table, &is_there));
        if (!is_there) {
            return TR_OK;
        }
        if (records % ROWS_PER_LOOK == 0 && tr_call_should_stop(table->call)) {
            return TR_TIMEOUT;
        }
        note_ragged(table);
        if (fulfils(table)) {
            TR_TRY(add_row(table, table->response->total));
            table->response->total++;
        }
    }
}

static enum tr_status prepare(struct table *table)
{
    table->rows = tr_alloc(table->call, (size_t)table->request->limit, sizeof(json_t *));
    table->ragged = tr_alloc(table->call, CSV_READ_MAX_RAGGED, sizeof(*table->ragged));
    if (table->rows == NULL || table->ragged == NULL) {
        return TR_NO_MEMORY;
    }
    TR_TRY(read_header(table));
    TR_TRY(choose_columns(table));
    return read_conditions(table);
}

enum tr_status tr_csv_read(struct tr_call *call, const struct csv_read_request *request,
                           struct csv_read_response *response)
{
    tr_auto(table) struct table table = {
        .call = call,
        .request = request,
        .response = response,
        .room = ANSWER_BYTES,
    };
    tr_csv_init(&table.parser, request->text, strlen(request->text), request->delimiter[0]);
    TR_TRY(prepare(&table));
    response->columns.items = table.chosen_names;
    response->columns.count = table.chosen_count;
    response->rows.items = table.rows;
    response->ragged.items = table.ragged;
    return read_rows(&table);
}
