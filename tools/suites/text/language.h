/* language.h - what people and agents write for a language, made a BCP 47 tag. */
#ifndef TR_TOOLS_SUITES_TEXT_LANGUAGE_H
#define TR_TOOLS_SUITES_TEXT_LANGUAGE_H

#include <stdbool.h>

#include "tools/core/compiler.h"

enum { TR_LANGUAGE_TAG_BYTES = 36 };

struct tr_language {
    char tag[TR_LANGUAGE_TAG_BYTES]; /* in the usual case: "fr", "pt-BR", "zh-Hant" */
};

/* Is `text` a well-formed tag of up to 35 characters (language of 2 or 3 letters, subtags of 1 to 8
 * letters and digits), or the English name of a common language, in any case? Fills *ret_language
 * only then. */
TR_MUST_USE bool tr_language_find(const char *text, struct tr_language *ret_language);

#endif
