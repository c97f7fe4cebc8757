#include "tools/suites/data/csv_parser.h"

#include <string.h>

enum state {
    AT_FIELD,    /* before the first byte of a field */
    IN_PLAIN,    /* inside of a field without quotes */
    IN_QUOTES,   /* inside of a quoted field */
    AFTER_QUOTE, /* behind a quote in a quoted field: its end, or the first of a pair */
    AT_END,      /* behind the record */
};

/* One record while it is read. */
struct reading {
    struct tr_csv_parser *parser;
    enum state state;
    enum tr_csv_outcome outcome;
    int64_t quote_line; /* where the present quoted field begins */
};

void tr_csv_init(struct tr_csv_parser *parser, const char *document, size_t length, char delimiter)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t mark_length = sizeof(mark) - 1;
    const bool has_mark = length >= mark_length && memcmp(document, mark, mark_length) == 0;
    parser->at = document + (has_mark ? mark_length : 0);
    parser->end = document + length;
    parser->delimiter = delimiter;
    parser->field_count = 0;
    parser->line = 1;
    parser->next_line = 1;
    tr_text_init(&parser->bytes, length); /* no record is longer than what it is read from */
}

void tr_csv_done(struct tr_csv_parser *parser)
{
    tr_text_done(&parser->bytes);
    parser->field_count = 0;
}

/* ---- what a byte does ---- */

static bool is_line_end(char byte)
{
    return byte == '\n' || byte == '\r';
}

/* Step over one line end: LF, CR or both. */
static size_t line_end_length(const struct tr_csv_parser *parser)
{
    const bool is_pair =
        parser->at[0] == '\r' && parser->end - parser->at > 1 && parser->at[1] == '\n';
    return is_pair ? 2 : 1;
}

static void stop(struct reading *reading, enum tr_csv_outcome outcome)
{
    reading->outcome = outcome;
    reading->state = AT_END;
    if (outcome != TR_CSV_RECORD) {
        reading->parser->at = reading->parser->end;
    }
}

static void stop_at(struct reading *reading, enum tr_csv_outcome outcome, int64_t line)
{
    reading->parser->line = line;
    stop(reading, outcome);
}

static void open_field(struct reading *reading, bool is_quoted)
{
    struct tr_csv_parser *parser = reading->parser;
    if (parser->field_count == TR_CSV_MAX_FIELDS) {
        stop(reading, TR_CSV_TOO_MANY_FIELDS);
        return;
    }
    parser->fields[parser->field_count++] = (struct tr_csv_field){
        .start = parser->bytes.length,
        .is_quoted = is_quoted,
    };
    reading->quote_line = parser->next_line;
    reading->state = is_quoted ? IN_QUOTES : IN_PLAIN;
}

/* Take over `length` bytes of the document as they are. */
static void take(struct tr_csv_parser *parser, size_t length)
{
    tr_text_add(&parser->bytes, parser->at, length);
    parser->at += length;
}

static void close_field(struct tr_csv_parser *parser)
{
    struct tr_csv_field *field = &parser->fields[parser->field_count - 1];
    field->length = parser->bytes.length - field->start;
}

/* The parser stands at a delimiter, a line end or the document's end. */
static void end_field(struct reading *reading)
{
    struct tr_csv_parser *parser = reading->parser;
    close_field(parser);
    if (parser->at == parser->end) {
        stop(reading, TR_CSV_RECORD);
    } else if (is_line_end(*parser->at)) {
        parser->at += line_end_length(parser);
        parser->next_line++;
        stop(reading, TR_CSV_RECORD);
    } else {
        parser->at++;
        reading->state = AT_FIELD;
    }
}

static void read_at_field(struct reading *reading)
{
    struct tr_csv_parser *parser = reading->parser;
    const bool is_quoted = parser->at < parser->end && *parser->at == '"';
    open_field(reading, is_quoted);
    if (is_quoted && reading->state == IN_QUOTES) {
        parser->at++;
    }
}

static void read_plain(struct reading *reading)
{
    struct tr_csv_parser *parser = reading->parser;
    const char *at = parser->at;
    while (at < parser->end && *at != parser->delimiter && !is_line_end(*at)) {
        at++;
    }
    take(parser, (size_t)(at - parser->at));
    end_field(reading);
}

/* Up to the next quote or line end, which must be counted. */
static void read_quoted(struct reading *reading)
{
    struct tr_csv_parser *parser = reading->parser;
    const char *at = parser->at;
    while (at < parser->end && *at != '"' && !is_line_end(*at)) {
        at++;
    }
    take(parser, (size_t)(at - parser->at));
    if (at == parser->end) {
        stop_at(reading, TR_CSV_OPEN_QUOTE, reading->quote_line);
    } else if (*at == '"') {
        parser->at++;
        reading->state = AFTER_QUOTE;
    } else {
        take(parser, line_end_length(parser));
        parser->next_line++;
    }
}

static void read_after_quote(struct reading *reading)
{
    struct tr_csv_parser *parser = reading->parser;
    if (parser->at < parser->end && *parser->at == '"') {
        take(parser, 1);
        reading->state = IN_QUOTES;
    } else if (parser->at == parser->end || *parser->at == parser->delimiter
               || is_line_end(*parser->at)) {
        end_field(reading);
    } else {
        stop_at(reading, TR_CSV_TEXT_AFTER_QUOTE, parser->next_line);
    }
}

/* ---- records ---- */

static void skip_empty_lines(struct tr_csv_parser *parser)
{
    while (parser->at < parser->end && is_line_end(*parser->at)) {
        parser->at += line_end_length(parser);
        parser->next_line++;
    }
}

static void step(struct reading *reading)
{
    switch (reading->state) {
    case AT_FIELD: read_at_field(reading); break;
    case IN_PLAIN: read_plain(reading); break;
    case IN_QUOTES: read_quoted(reading); break;
    case AFTER_QUOTE: read_after_quote(reading); break;
    case AT_END: break;
    }
}

enum tr_csv_outcome tr_csv_next(struct tr_csv_parser *parser)
{
    skip_empty_lines(parser);
    parser->field_count = 0;
    tr_text_reset(&parser->bytes);
    if (parser->at == parser->end) {
        return TR_CSV_END;
    }
    parser->line = parser->next_line;
    struct reading reading = { .parser = parser };
    while (reading.state != AT_END) {
        step(&reading);
    }
    if (reading.outcome == TR_CSV_RECORD && parser->bytes.status != TR_OK) {
        parser->at = parser->end;
        return TR_CSV_NO_MEMORY;
    }
    return reading.outcome;
}

const char *tr_csv_field(const struct tr_csv_parser *parser, size_t index, size_t *ret_length)
{
    if (index >= parser->field_count) {
        *ret_length = 0;
        return "";
    }
    *ret_length = parser->fields[index].length;
    return tr_text_string(&parser->bytes) + parser->fields[index].start;
}
