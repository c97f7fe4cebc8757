/* csv_read - a page of the rows of a CSV document. */

#include "tools/suites/data/csv_read.h"

#include "tools/suites/data/csv_parser.h"
#include "tools/suites/data/data.h"

enum { MAX_TEXT = 2000000, MAX_CONDITIONS = 20 };

/* ---- what it takes ---- */

static const char *const csv_read_shape_names[] = {
    [CSV_READ_OBJECTS] = "objects",
    [CSV_READ_ARRAYS] = "arrays",
};

static const struct tr_field csv_read_header_fields[] = {
    {
        TR_FIELD(csv_read_header, is_there),
        .description = "true: the first row has the names of the columns; false: it is data, and "
                       "the columns are called column_1, column_2 and so on",
    },
    {
        TR_LIST(csv_read_header, names),
        .description = "The names of the columns; the first row is data",
        .count = TR_RANGE(1, TR_CSV_MAX_FIELDS),
        .length = TR_RANGE(1, 200),
    },
};
static TR_ANY_OF_TYPE(csv_read_header, "Where the names of the columns come from");

static const struct tr_field csv_read_condition_fields[] = {
    {
        TR_FIELD(csv_read_condition, column),
        .description = "The name of a column",
        .length = TR_RANGE(1, 1000),
        .required = true,
    },
    {
        TR_FIELD(csv_read_condition, equals),
        .description = "The exact text of the field, as it is in the document",
        .length = TR_AT_MOST(10000),
        .required = true,
    },
};
static TR_TYPE(csv_read_condition, "A column and the text it must have");

static const struct tr_field csv_read_request_fields[] = {
    {
        TR_FIELD(csv_read_request, text),
        .description = "The CSV document",
        .length = TR_AT_MOST(MAX_TEXT),
        .required = true,
        .example_json = TR_JSON("name,age\nAda,36\n"),
    },
    {
        TR_FIELD(csv_read_request, delimiter),
        .description = "The one ASCII character between fields, such as a comma, a semicolon, a "
                       "tab or |",
        .length = TR_RANGE(1, 1),
        .pattern = "^[\\t !#-~]$",
        .default_json = TR_JSON(","),
    },
    {
        TR_OBJECT(csv_read_request, header, csv_read_header),
        .description = "true when the first row has the names of the columns, false when it is "
                       "data, or a list with the names",
        .default_json = TR_JSON(true),
    },
    {
        TR_LIST(csv_read_request, columns),
        .description = "The columns to answer, in this order; all of them when left out",
        .count = TR_RANGE(1, TR_CSV_MAX_FIELDS),
        .length = TR_RANGE(1, 1000),
        .unique = true,
        .example_json = TR_JSON(["name"]),
    },
    {
        TR_LIST_OF(csv_read_request, filter, csv_read_condition),
        .description = "Only rows that fulfil all of these conditions",
        .count = TR_AT_MOST(MAX_CONDITIONS),
        .example_json = TR_JSON([{ "column": "city", "equals": "Paris" }]),
    },
    {
        TR_FIELD(csv_read_request, types),
        .description = "Whether numbers, true, false and null become JSON values, and empty fields "
                       "null; otherwise every field stays text. Text such as 007 or 1,5 and "
                       "numbers too long to be exact stay text",
        .default_json = TR_JSON(false),
    },
    {
        TR_ENUM(csv_read_request, shape, csv_read_shape),
        .description = "Rows as objects by column name, or as arrays in the order of 'columns' of "
                       "the answer, which are shorter",
        .default_json = TR_JSON("objects"),
    },
    {
        TR_FIELD(csv_read_request, offset),
        .description = "How many of the rows to pass over: 'next_offset' of the answer before",
        .range = TR_RANGE(0, MAX_TEXT),
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(csv_read_request, limit),
        .description = "How many rows to answer at most",
        .range = TR_RANGE(1, CSV_READ_MAX_ROWS),
        .default_json = TR_JSON(100),
    },
};
static TR_TYPE(csv_read_request, "A CSV document, and which part of it to read");

/* ---- what it gives ---- */

static const struct tr_field csv_read_ragged_fields[] = {
    {
        TR_FIELD(csv_read_ragged, line),
        .description = "The line of the document where the row begins, from 1",
        .required = true,
    },
    {
        TR_FIELD(csv_read_ragged, fields),
        .description = "How many fields it has",
        .required = true,
    },
};
static TR_TYPE(csv_read_ragged, "A row with more or fewer fields than there are columns");

static const struct tr_field csv_read_response_fields[] = {
    {
        TR_LIST(csv_read_response, columns),
        .description = "The names of the answered columns, in order",
        .required = true,
    },
    {
        TR_LIST(csv_read_response, rows),
        .description = "The rows, as objects or arrays; null where a row has no field for a column",
        .required = true,
    },
    {
        TR_FIELD(csv_read_response, total),
        .description = "How many rows of the whole document fulfil the filter",
        .required = true,
    },
    {
        TR_FIELD(csv_read_response, truncated),
        .description = "Whether there are more rows behind these",
        .required = true,
    },
    {
        TR_FIELD(csv_read_response, next_offset),
        .description = "When truncated: the 'offset' to go on with",
    },
    {
        TR_FIELD(csv_read_response, ragged_count),
        .description = "How many rows have more or fewer fields than there are columns; fields "
                       "beyond the last column are left out",
        .required = true,
    },
    {
        TR_LIST_OF(csv_read_response, ragged, csv_read_ragged),
        .description = "The first 20 of those",
        .required = true,
    },
};
static TR_TYPE(csv_read_response, "A page of rows");

TR_TOOL(csv_read, tr_csv_read, csv_read_request, csv_read_response,
        .description = "Read a CSV document (also with semicolons or tabs) into rows: choose "
                       "columns, keep rows where a column has a value, count them and page through "
                       "them. Use it instead of splitting lines yourself: quoted fields with "
                       "delimiters, quotes and line breaks are read rightly.",
        .annotations = { .read_only = true, .idempotent = true }, .blocking = true,
        .example_json = TR_JSON({
            "text": "name,city\nAda,London\nBlaise,Paris\n",
            "filter": [{ "column": "city", "equals": "Paris" }]
        }));
