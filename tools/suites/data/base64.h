/* base64.h - bytes as base64 text and back (RFC 4648 sections 4 and 5). */
#ifndef TR_TOOLS_SUITES_DATA_BASE64_H
#define TR_TOOLS_SUITES_DATA_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

/* Characters that `length` bytes take, with padding and a NUL. */
size_t tr_base64_room(size_t length);

/* Write the text and a NUL; gives its length. */
size_t tr_base64_write(const unsigned char *bytes, size_t length, bool is_url_safe,
                       bool has_padding, char *out);

enum base64_alphabet {
    BASE64_ALPHABET_ABSENT,
    BASE64_ANY, /* either one, but not both in one text */
    BASE64_STANDARD,
    BASE64_URL_SAFE,
};

enum base64_padding {
    BASE64_PADDING_ABSENT,
    BASE64_PADDING_OPTIONAL,
    BASE64_PADDING_REQUIRED,
    BASE64_PADDING_FORBIDDEN,
};

struct tr_base64_rules {
    enum base64_alphabet alphabet;
    enum base64_padding padding;
    bool skips_space; /* blanks, tabs and line ends are passed over */
};

/* Read `text` into `out`, which has room for 3 bytes for every 4 characters begun. NULL when it is
 * base64 by the rules, otherwise a clause that says what is wrong with it at the byte `*ret_at`. */
TR_MUST_USE const char *tr_base64_read(const char *text, size_t length,
                                       const struct tr_base64_rules *rules, unsigned char *out,
                                       size_t *ret_length, size_t *ret_at);

#endif
