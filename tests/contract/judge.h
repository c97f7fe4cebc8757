/* judge.h - what a kind of corpus is judged by. A new kind is one file with one function and one
 * row in the table of corpus_judge.c. */
#ifndef TR_TESTS_CONTRACT_JUDGE_H
#define TR_TESTS_CONTRACT_JUDGE_H

#include <stdbool.h>

#include <jansson.h>

#include "tools/core/text.h"

/* The outcome of one row. Both texts are for people: what the row asks for and what the product
 * did. */
struct judgement {
    bool has_passed;
    bool is_skipped; /* there is no way to judge it here; the rest means nothing then */
    struct tr_text wanted, came;
};

/* Judge one row with the product's own code. `row` is an object of the form that
 * the corpus has; a row that cannot be understood has not passed. */
typedef void judge_fn(const json_t *row, struct judgement *judgement);

judge_fn judge_coerce, judge_headers, judge_json_body, judge_json_schema, judge_paths, judge_ssrf;

/* Parts of judge_headers(): false when the kind of row is not theirs. */
bool judge_outbound(const char *kind, const json_t *row, struct judgement *judgement);
bool judge_answer(const char *kind, const json_t *row, struct judgement *judgement);

/* The row cannot be judged: `format` says why. */
TR_PRINTF(2, 3) void judge_fail(struct judgement *judgement, const char *format, ...);

/* Append the text that `value` stands for: a string, or {"parts": [[text, times], ...]}. False when
 * it is neither. */
bool judge_read_text(const json_t *value, struct tr_text *out);

/* Append the bytes of the members `name`_b64 or `name`_parts ([[base64, times], ...]) of `row`.
 * False when it has neither, or when they are no base64. */
bool judge_read_bytes(const json_t *row, const char *name, struct tr_text *out);

#endif
