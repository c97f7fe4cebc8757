/* foreign.h - texts that others wrote, made fit for an answer. */
#ifndef TR_TOOLS_SUITES_WEB_FOREIGN_H
#define TR_TOOLS_SUITES_WEB_FOREIGN_H

#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_call;

/* One line of at most `max_bytes`, without anything invisible: "" for what is no text. The string
 * lives as long as the call; NULL when out of memory. */
TR_MUST_USE const char *tr_foreign_line(struct tr_call *call, const json_t *text, size_t max_bytes);

/* The whole of a text as UTF-8. `charset` is the label that came with it; NULL: none. Lives as long
 * as the call. TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_foreign_text(struct tr_call *call, const char *bytes, size_t length,
                                           const char *charset, const char **ret_text);

#endif
