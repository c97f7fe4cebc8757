/* pattern.h - regular expressions of JSON Schema (ECMA-262 with the u flag) by pcre2, compiled
 * once, matched or searched for with a step limit. pattern.c is the only file that knows pcre2. */
#ifndef TR_TOOLS_CORE_PATTERN_H
#define TR_TOOLS_CORE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_arena;

/* Immutable after compilation, usable from any thread. */
struct tr_pattern;

/* The flags i, m and s of ECMA-262. */
enum tr_pattern_flag {
    TR_PATTERN_IGNORE_CASE = 1u << 0,
    TR_PATTERN_MULTILINE = 1u << 1, /* ^ and $ also at the lines' ends: LF, CR LF and CR */
    TR_PATTERN_DOT_ALL = 1u << 2,
};

enum tr_match {
    TR_MATCH_NO,
    TR_MATCH_YES,
    TR_MATCH_GAVE_UP, /* the step limit was reached: the caller must treat it as a refusal */
};

/* Compile `source`; the arena takes the result. Refuses (TR_INVALID_PARAMETERS) what is not
 * ECMA-262, what pcre2 cannot do (a lookbehind of no fixed length) and what is beyond limits.h,
 * naming the offset. ECMA-262 semantics where they differ: $ is the end of the text only, \d \w \b
 * are ASCII, \s is ECMA white space, the dot stops at four line ends, a pattern is not anchored. */
TR_MUST_USE enum tr_status tr_pattern_compile(struct tr_arena *arena, const char *source,
                                              const struct tr_pattern **ret_pattern,
                                              struct tr_fault *reterr);

/* The same with `flags`, of enum tr_pattern_flag. */
TR_MUST_USE enum tr_status tr_pattern_compile_with(struct tr_arena *arena, const char *source,
                                                   unsigned flags,
                                                   const struct tr_pattern **ret_pattern,
                                                   struct tr_fault *reterr);

/* Gives up after TR_PATTERN_MATCH_STEPS and a few more for every byte of the text, whatever the
 * pattern: from every position the text is searched, and every step of the search is counted. */
enum tr_match tr_pattern_match(const struct tr_pattern *pattern, const char *bytes, size_t length);

/* The same, and gives up as soon as `steps` are used up as well; takes those that it used from
 * `steps`. For many matches that share one bound. */
enum tr_match tr_pattern_match_within(const struct tr_pattern *pattern, const char *bytes,
                                      size_t length, uint64_t *steps);

/* ---- where a text matches ---- */

/* Offsets in bytes. */
struct tr_capture {
    bool is_set; /* false: the group took no part in the match */
    size_t start, end;
};

/* One walk over the matches of a text, for one thread at a time. */
struct tr_search;

/* What is searched: UTF-8, from the offset `from`, which is the start of a character; what lies
 * before it can be looked back at. */
struct tr_search_text {
    const char *bytes;
    size_t length, from;
};

/* Look for the pattern in the text, which is borrowed, as the pattern is, until the arena is done,
 * which takes the search. Every match may take as many steps as tr_pattern_match(), and all of them
 * together `steps`. */
TR_MUST_USE enum tr_status tr_search_new(struct tr_arena *arena, const struct tr_pattern *pattern,
                                         const struct tr_search_text *text, uint64_t steps,
                                         struct tr_search **ret_search);

/* The next match, which starts at or behind the end of the last one (one character on when that was
 * empty). The captures are borrowed until the next call: the whole match, then the groups. */
enum tr_match tr_search_next(struct tr_search *search, const struct tr_capture **ret_captures);

/* How many groups the pattern has, and the name of the `group`-th from 1, NULL when it has none. */
size_t tr_pattern_group_count(const struct tr_pattern *pattern);
const char *tr_pattern_group_name(const struct tr_pattern *pattern, size_t group);

/* The source as it was given; lives as long as the pattern. */
const char *tr_pattern_source(const struct tr_pattern *pattern);

/* Of pcre2, as it was built with. */
const char *tr_pattern_version(void);

#endif
