/* header_list.h - taking comma-separated header values apart (RFC 9110 section 5.6), token by
 * token, without copying. */
#ifndef TR_MIDDLEWARE_HEADER_LIST_H
#define TR_MIDDLEWARE_HEADER_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "middleware/known_header.h"

/* A place in a header's value. A value that is absent is empty. */
struct tr_cursor {
    const char *at, *end;
};

static inline struct tr_cursor tr_cursor_at(struct tr_value value)
{
    const char *bytes = value.bytes != NULL ? value.bytes : "";
    return (struct tr_cursor){ .at = bytes, .end = bytes + value.length };
}

static inline bool tr_cursor_is_done(const struct tr_cursor *cursor)
{
    return cursor->at == cursor->end;
}

/* Spaces and tabs. */
void tr_cursor_skip_blanks(struct tr_cursor *cursor);

/* The one character `byte`; false when something else is there. */
bool tr_cursor_skip(struct tr_cursor *cursor, char byte);

/* A token (RFC 9110 section 5.6.2); length 0 when there is none. */
struct tr_value tr_cursor_token(struct tr_cursor *cursor);

/* The longest run of bytes for which `is_in` says true. */
struct tr_value tr_cursor_run(struct tr_cursor *cursor, bool (*is_in)(unsigned char byte));

/* A token, or a quoted string without its quotes and with its escapes as they stand. False for
 * neither, and for a quoted string without end. */
bool tr_cursor_token_or_quoted(struct tr_cursor *cursor, struct tr_value *ret_value);

/* Is the byte allowed in a token? */
bool tr_is_token_byte(unsigned char byte);

#endif
