/* answer_json.h - a JSON value as the answer of a route. */
#ifndef TR_SERVER_ROUTES_ANSWER_JSON_H
#define TR_SERVER_ROUTES_ANSWER_JSON_H

#include <stdbool.h>

#include <jansson.h>

struct tr_exchange;

/* Answers 200 with `value`, whose reference it takes; NULL: out of memory, and answered so. Always
 * true, so that a handler ends with it. */
bool tr_answer_json(struct tr_exchange *exchange, json_t *value);

#endif
