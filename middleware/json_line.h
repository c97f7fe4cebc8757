/* json_line.h - one flat JSON object on one line, built on the stack: no allocation, no printf, and
 * no way for a value to break out of its string. */
#ifndef TR_MIDDLEWARE_JSON_LINE_H
#define TR_MIDDLEWARE_JSON_LINE_H

#include <stddef.h>
#include <stdint.h>

enum {
    TR_JSON_LINE_BYTES = 2048,
    TR_JSON_LINE_STRING_BYTES = 256, /* of one value, written out; the rest is cut off */
};

/* Members that find no room are left out. */
struct tr_json_line {
    size_t length;
    char bytes[TR_JSON_LINE_BYTES];
};

/* Does not clear `bytes`: that would cost more than writing the line. */
void tr_json_line_start(struct tr_json_line *line);

/* `key` is written as it is. A NULL value is null; `length` bytes otherwise. What is not printable
 * ASCII is escaped, ill-formed UTF-8 becomes U+FFFD. */
void tr_json_line_string(struct tr_json_line *line, const char *key, const char *value,
                         size_t length);
void tr_json_line_integer(struct tr_json_line *line, const char *key, uint64_t value);

/* Thousandths, with three decimals. */
void tr_json_line_milli(struct tr_json_line *line, const char *key, uint64_t thousandths);

/* Close the object and end the line. */
void tr_json_line_end(struct tr_json_line *line);

#endif
