/* base64.h - bytes as text: RFC 4648 section 4, with padding and without line breaks. */
#ifndef TR_TOOLS_CORE_BASE64_H
#define TR_TOOLS_CORE_BASE64_H

#include <stddef.h>

struct tr_text;

/* Append the encoded `bytes`; a failure sticks to the text. */
void tr_base64_add(struct tr_text *out, const char *bytes, size_t length);

#endif
