/* route.h - the table of routes: which function answers which path. Adding an endpoint is one row
 * and one file server/routes/<name>.c. */
#ifndef TR_SERVER_ROUTE_H
#define TR_SERVER_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "middleware/exchange.h"

struct tr_app;
struct tr_pending;

/* A handler answers the exchange and returns true, or suspends it and returns false (listener.h).
 */
typedef bool tr_route_handler(struct tr_app *app, struct tr_exchange *exchange,
                              struct tr_pending *pending);

/* `pattern` has at most one {name}, as its last segment; the handler finds that segment, decoded,
 * with tr_route_argument(). HEAD is answered wherever GET is. */
struct tr_route {
    const char *pattern;
    const char *title;            /* what it is for, in one sentence without its full stop */
    tr_route_handler *get, *post; /* NULL: 405 */
};

/* Dispatch: 404 for an unknown path, 405 with Allow for a known one, OPTIONS answered with Allow.
 */
bool tr_route(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending);

/* The text of the last path segment. Borrowed from the exchange. */
const char *tr_route_argument(const struct tr_exchange *exchange);

/* All routes, in order; for the index and the tests. */
const struct tr_route *tr_routes(size_t *ret_count);

/* server/routes/ */
tr_route_handler tr_route_index, tr_route_tools, tr_route_tool_show, tr_route_tool_call,
    tr_route_calls, tr_route_plugins, tr_route_openapi, tr_route_livez, tr_route_readyz,
    tr_route_problem;

#endif
