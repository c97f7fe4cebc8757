/* format.h - the query parameter ?format= of the routes that describe tools. */
#ifndef TR_SERVER_ROUTES_FORMAT_H
#define TR_SERVER_ROUTES_FORMAT_H

struct tr_dialect;
struct tr_exchange;

/* The dialect that was asked for, native when none was; NULL for an unknown one, and the exchange
 * is answered with a problem that names those there are. */
const struct tr_dialect *tr_route_format(struct tr_exchange *exchange);

#endif
