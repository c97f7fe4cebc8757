/* text.h - a growing text with a limit. A failure sticks, so a writer checks once, at the end. */
#ifndef TR_TOOLS_CORE_TEXT_H
#define TR_TOOLS_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_text {
    char *bytes;           /* NUL-terminated once anything was added; NULL before */
    size_t length, room;   /* without the NUL; bytes allocated */
    size_t limit;          /* `length` never exceeds it */
    enum tr_status status; /* TR_OK, or why an addition was refused, and all after it */
};

/* No allocation happens until the first addition. */
void tr_text_init(struct tr_text *text, size_t limit);
void tr_text_done(struct tr_text *text);

/* Make room for `extra` more bytes at once; optional. */
void tr_text_reserve(struct tr_text *text, size_t extra);

void tr_text_add(struct tr_text *text, const char *bytes, size_t length);
void tr_text_add_string(struct tr_text *text, const char *string);
void tr_text_add_char(struct tr_text *text, char byte);
void tr_text_add_integer(struct tr_text *text, int64_t value);
TR_PRINTF(2, 3) void tr_text_printf(struct tr_text *text, const char *format, ...);

/* Keeps the memory, forgets the content and the failure. */
void tr_text_reset(struct tr_text *text);

/* Cut to `length` bytes, which must not exceed the present length. */
void tr_text_cut(struct tr_text *text, size_t length);

/* The text so far as a C string; "" when empty. Borrowed until the next change. */
const char *tr_text_string(const struct tr_text *text);

/* Gives the bytes (free() them) and leaves the text empty. NULL when the text failed or is out of
 * memory; an empty text gives "". */
TR_MUST_USE char *tr_text_take(struct tr_text *text, size_t *ret_length);

static inline void tr_text_drop(struct tr_text *text)
{
    tr_text_done(text);
}

#endif
