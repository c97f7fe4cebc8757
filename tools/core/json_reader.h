/* json_reader.h - what the two halves of the JSON reader share: json_parse.c (values) and
 * json_read_string.c. */
#ifndef TR_TOOLS_CORE_JSON_READER_H
#define TR_TOOLS_CORE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "tools/core/fault.h"
#include "tools/core/status.h"
#include "tools/core/text.h"

struct tr_json_reader {
    const char *start, *at, *end;
    size_t depth;
    struct tr_text scratch; /* of a string with escapes */
    enum tr_status status;
    struct tr_fault *fault;
};

/* Bytes of a string, borrowed until the next one is read. */
struct tr_json_span {
    const char *bytes;
    size_t length;
};

/* Refuse the text at the present place; always NULL, for whoever returns a value. */
json_t *tr_json_refuse(struct tr_json_reader *reader, const char *reason);
json_t *tr_json_refuse_memory(struct tr_json_reader *reader);

/* The next character, or NUL at the end (in the text it is nowhere allowed, so it may look the
 * same). */
static inline char tr_json_peek(const struct tr_json_reader *reader)
{
    return reader->at < reader->end ? *reader->at : '\0';
}

static inline bool tr_json_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* At the opening quote; ends behind the closing one. False when refused. */
bool tr_json_read_string(struct tr_json_reader *reader, struct tr_json_span *ret_span);

#endif
