/* pattern_property.h - the Unicode properties of ECMA-262's \p{...} in the words of pcre2. */
#ifndef TR_TOOLS_CORE_PATTERN_PROPERTY_H
#define TR_TOOLS_CORE_PATTERN_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_text;

/* Write pcre2's escape for what stands between the braces ("Letter", "gc=Lu", "Script=Greek",
 * "Alphabetic"); `is_negated` for \P. False when the form or the general category is not known;
 * scripts and binary properties are left to pcre2 to judge. */
TR_MUST_USE bool tr_pattern_property(const char *name, size_t length, bool is_negated,
                                     struct tr_text *out);

#endif
