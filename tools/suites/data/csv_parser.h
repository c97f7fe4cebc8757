/* csv_parser.h - the records of a CSV document (RFC 4180), one after the other: a state machine
 * over its bytes that holds one record at a time.
 *
 * Beyond the RFC it takes any ASCII delimiter, CR, LF and CR LF as line ends, and a quote inside of
 * a field that does not begin with one. Empty lines are passed over, a byte order mark too. */
#ifndef TR_TOOLS_SUITES_DATA_CSV_PARSER_H
#define TR_TOOLS_SUITES_DATA_CSV_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/text.h"

enum { TR_CSV_MAX_FIELDS = 1000 };

/* A field without its quotes. */
struct tr_csv_field {
    size_t start, length; /* in the bytes of the record */
    bool is_quoted;
};

enum tr_csv_outcome {
    TR_CSV_RECORD,
    TR_CSV_END,
    TR_CSV_OPEN_QUOTE,       /* a quoted field has no end; `line` is where it begins */
    TR_CSV_TEXT_AFTER_QUOTE, /* something other than a delimiter follows a closing quote */
    TR_CSV_TOO_MANY_FIELDS,
    TR_CSV_NO_MEMORY,
};

/* Borrows the document. The record stands until the next call. */
struct tr_csv_parser {
    const char *at, *end;
    char delimiter;

    struct tr_text bytes; /* of the record's fields, one behind the other */
    struct tr_csv_field fields[TR_CSV_MAX_FIELDS];
    size_t field_count;
    int64_t line;      /* where the record begins, or what is wrong with it; from 1 */
    int64_t next_line; /* where the parser stands */
};

void tr_csv_init(struct tr_csv_parser *parser, const char *document, size_t length, char delimiter);
void tr_csv_done(struct tr_csv_parser *parser);

/* Read the next record. After anything but TR_CSV_RECORD the parser is at its end. */
TR_MUST_USE enum tr_csv_outcome tr_csv_next(struct tr_csv_parser *parser);

/* The bytes of the record's field `index`, which are not followed by a NUL; empty when the record
 * has fewer fields. */
const char *tr_csv_field(const struct tr_csv_parser *parser, size_t index, size_t *ret_length);

static inline void tr_csv_drop(struct tr_csv_parser *parser)
{
    tr_csv_done(parser);
}

#endif
