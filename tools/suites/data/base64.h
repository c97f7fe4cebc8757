/* base64.h - bytes as base64 text and back, in both alphabets (RFC 4648 sections 4 and 5). */
#ifndef TR_TOOLS_SUITES_DATA_BASE64_H
#define TR_TOOLS_SUITES_DATA_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_call;

/* The text of `bytes`, in the call's memory; NULL when there is none left. */
TR_MUST_USE const char *tr_base64_write(struct tr_call *call, const void *bytes, size_t length,
                                        bool is_url_safe, bool has_padding);

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
