/* rule_words.h - what a JSON Schema keyword demands, in words, for a reader who does not see it. */
#ifndef TR_OPENAPI_RULE_WORDS_H
#define TR_OPENAPI_RULE_WORDS_H

#include <stdbool.h>

#include <jansson.h>

struct tr_text;

/* Append what `keyword` with `value` demands to `words`, after "; " when there are some already:
 * "at least 1; at most 10". A keyword without a phrase of its own is quoted as it is. False when it
 * demands nothing (`additionalProperties: true`), and nothing was added. */
bool tr_rule_words_add(struct tr_text *words, const char *keyword, const json_t *value);

#endif
