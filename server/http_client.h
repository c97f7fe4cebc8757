/* http_client.h - a small HTTP client for the command line, which asks a running gateway. Nothing
 * that a gateway serves goes through it. http_client.c is the only file of the server that knows
 * libcurl. */
#ifndef TR_SERVER_HTTP_CLIENT_H
#define TR_SERVER_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"
#include "tools/core/text.h"

struct tr_http_query {
    const char *url;
    const char *json_body; /* NULL: GET; otherwise POST */
    const char *key;       /* NULL: no credential */
    long timeout_ms;
    bool is_local; /* never by way of a proxy from the environment */
};

/* Ask, and add the body of the answer to `ret_body`, whose limit is the limit; *ret_http_status is
 * the status of HTTP. TR_INTERNAL when there is no answer, with the reason in `reterr->what`, and
 * TR_INVALID_PARAMETERS for a URL that is none. Redirects are not followed. */
TR_MUST_USE enum tr_status tr_http_ask(const struct tr_http_query *query, struct tr_text *ret_body,
                                       long *ret_http_status, struct tr_fault *reterr);

/* Of libcurl. */
const char *tr_http_client_version(void);

#endif
