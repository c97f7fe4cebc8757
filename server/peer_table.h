/* peer_table.h - how many connections each peer address has, so that one address cannot take all.
 * The library counts for one event thread alone; this counts for all of them. */
#ifndef TR_SERVER_PEER_TABLE_H
#define TR_SERVER_PEER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "tools/core/compiler.h"

struct tr_peer_table; /* has its own lock */

/* At most `limit` connections of one address. NULL when out of memory. */
TR_MALLOC struct tr_peer_table *tr_peer_table_new(size_t limit);
void tr_peer_table_free(struct tr_peer_table *table); /* NULL is accepted */

/* Count one more connection of the address. False: it has its share already, or there is no memory
 * to count it; nothing is counted then. IPv4-mapped addresses count as IPv4, an IPv6 address as its
 * network of 64 bits, for a subscriber has all of that. */
TR_MUST_USE bool tr_peer_table_take(struct tr_peer_table *table, const struct sockaddr *address);

/* One that was taken has ended. */
void tr_peer_table_give(struct tr_peer_table *table, const struct sockaddr *address);

#endif
