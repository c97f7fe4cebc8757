/* foreign_body.h - the body of an answer, as what it is: text, JSON or bytes. */
#ifndef TR_TOOLS_SUITES_WEB_FOREIGN_BODY_H
#define TR_TOOLS_SUITES_WEB_FOREIGN_BODY_H

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_call;
struct tr_inbound;

/* One of the three; the others are NULL. Lives as long as the call. */
struct tr_foreign_body {
    const char *text; /* UTF-8 */
    json_t *json;
    const char *base64;
};

/* Read the body by its Content-Type; what says nothing of its type is text when it can be. JSON
 * that is broken, cut or over a MiB is given as text, with a warning. TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_foreign_body_read(struct tr_call *call,
                                                const struct tr_inbound *inbound,
                                                struct tr_foreign_body *ret_body);

#endif
