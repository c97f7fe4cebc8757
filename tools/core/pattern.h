/* pattern.h - regular expressions of JSON Schema (ECMA-262 with the u flag) by pcre2, compiled
 * once, matched with a step limit. The only file that knows pcre2. */
#ifndef TR_TOOLS_CORE_PATTERN_H
#define TR_TOOLS_CORE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_arena;

/* Immutable after compilation, usable from any thread. */
struct tr_pattern;

enum tr_match {
    TR_MATCH_NO,
    TR_MATCH_YES,
    TR_MATCH_GAVE_UP, /* the step limit was reached: the caller must treat it as a refusal */
};

/* Compile `source`; the arena takes the result. Refuses (TR_INVALID_PARAMETERS) what pcre2 or the
 * limits of limits.h refuse, naming the offset. ECMA-262 semantics where they differ: $ is the end
 * of the text only, \d \w \s are ASCII / ECMA white space, patterns are not anchored. */
TR_MUST_USE enum tr_status tr_pattern_compile(struct tr_arena *arena, const char *source,
                                              const struct tr_pattern **ret_pattern,
                                              struct tr_fault *reterr);

enum tr_match tr_pattern_match(const struct tr_pattern *pattern, const char *bytes, size_t length);

/* The source as it was given; lives as long as the pattern. */
const char *tr_pattern_source(const struct tr_pattern *pattern);

#endif
