/* json_escape.h - text into a JSON string in a buffer of fixed size, for lines that are written on
 * every answer. */
#ifndef TR_MIDDLEWARE_JSON_ESCAPE_H
#define TR_MIDDLEWARE_JSON_ESCAPE_H

#include <stddef.h>

/* Write `value` without quotes around it, in at most `room` bytes: what does not fit is cut off at
 * a character. All of it is printable ASCII: the rest is \uXXXX, ill-formed UTF-8 is U+FFFD.
 * Returns the end of what it wrote; there is no NUL. */
char *tr_write_json_escaped(char *out, size_t room, const char *value, size_t length);

#endif
