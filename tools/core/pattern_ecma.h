/* pattern_ecma.h - the regular expressions of ECMA-262 (with the u flag) in the words of pcre2. */
#ifndef TR_TOOLS_CORE_PATTERN_ECMA_H
#define TR_TOOLS_CORE_PATTERN_ECMA_H

#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_text;

/* Write what pcre2 must be given (with PCRE2_UTF, without PCRE2_UCP, and with the options that
 * belong to `flags`, of enum tr_pattern_flag) to mean what `source` means. Refuses
 * (TR_INVALID_PARAMETERS, naming the offset) what ECMA-262 does not know but pcre2 would take for
 * something else; the rest of the syntax is left to pcre2 to judge. As browsers do without the u
 * flag, it takes a lone brace and an escaped punctuation mark for themselves. */
TR_MUST_USE enum tr_status tr_ecma_translate(const char *source, size_t length, unsigned flags,
                                             struct tr_text *out, struct tr_fault *reterr);

/* The offset in `source` whose translation starts at or last before `offset` of the whole
 * translation, to say where pcre2 stumbled. */
size_t tr_ecma_offset(const char *source, size_t length, unsigned flags, size_t offset);

#endif
