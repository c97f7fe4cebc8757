/* request_id.h - the id of a request: the caller's own, or a new one that sorts by time. */
#ifndef TR_MIDDLEWARE_REQUEST_ID_H
#define TR_MIDDLEWARE_REQUEST_ID_H

struct tr_exchange;

/* Give the exchange an id unless it has one. A valid X-Request-Id is kept: 1 to 64 of letters,
 * digits, '.', '_' and '-', sent once. Otherwise 26 characters are made as ULIDs are: 48 bits of
 * real time in milliseconds and 80 random bits, in Crockford's base 32. */
void tr_request_id_ensure(struct tr_exchange *exchange);

#endif
