/* csv_read.h - what csv_read takes and gives, and the work between the two. */
#ifndef TR_TOOLS_SUITES_DATA_CSV_READ_H
#define TR_TOOLS_SUITES_DATA_CSV_READ_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/status.h"

struct tr_call;

/* Rows in one answer, and ragged ones that are named in it. */
enum { CSV_READ_MAX_ROWS = 1000, CSV_READ_MAX_RAGGED = 20 };

/* Whether the first row has the names, or the names themselves. */
struct csv_read_header {
    int choice;
    union {
        bool is_there;
        TR_SPAN(const char *) names;
    };
};
enum { CSV_HEADER_IS_THERE = 1, CSV_HEADER_NAMES = 2 };

struct csv_read_condition {
    const char *column;
    const char *equals;
};

enum csv_read_shape { CSV_READ_SHAPE_ABSENT, CSV_READ_OBJECTS, CSV_READ_ARRAYS };

struct csv_read_request {
    const char *text;
    const char *delimiter;
    struct csv_read_header header;
    TR_SPAN(const char *) columns;
    TR_SPAN(struct csv_read_condition) filter;
    bool types;
    enum csv_read_shape shape;
    int64_t offset;
    int64_t limit;
};

struct csv_read_ragged {
    int64_t line;
    int64_t fields;
};

struct csv_read_response {
    TR_SPAN(const char *) columns;
    TR_SPAN(json_t *) rows;
    int64_t total;
    bool truncated;
    struct tr_opt_int next_offset;
    int64_t ragged_count;
    TR_SPAN(struct csv_read_ragged) ragged;
};

/* Read the document to its end and fill the response with the page that was asked for. Fails by
 * tr_fail(), naming the line or the column. */
TR_MUST_USE enum tr_status tr_csv_read(struct tr_call *call, const struct csv_read_request *request,
                                       struct csv_read_response *response);

#endif
