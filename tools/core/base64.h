/* base64.h - bytes as text: RFC 4648 section 4, with padding and without line breaks. */
#ifndef TR_TOOLS_CORE_BASE64_H
#define TR_TOOLS_CORE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_text;

/* Append the encoded `bytes`; a failure sticks to the text. */
void tr_base64_add(struct tr_text *out, const char *bytes, size_t length);

/* Append the bytes that `text` stands for. False, and nothing of use was added, when it is not
 * base64 to the letter (no line breaks, padding where it belongs, no bits left over) or the text
 * failed. */
TR_MUST_USE bool tr_base64_decode(const char *text, size_t length, struct tr_text *out);

#endif
