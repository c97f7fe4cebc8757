/* curl_line.h - a command line that calls a tool, ready to be pasted into a shell. */
#ifndef TR_OPENAPI_CURL_LINE_H
#define TR_OPENAPI_CURL_LINE_H

#include <jansson.h>

#include "tools/core/compiler.h"

struct tr_subject;

/* As a JSON string; the key is the variable $TOOLREST_KEY. A new reference, NULL when out of
 * memory or when `parameters` is NULL. */
TR_MUST_USE json_t *tr_curl_line(const struct tr_subject *subject, const json_t *parameters);

#endif
