/* network.h - lists of networks in CIDR notation (RFC 4632), for the proxies that are trusted. */
#ifndef TR_MIDDLEWARE_NETWORK_H
#define TR_MIDDLEWARE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_network_list; /* immutable */

/* "10.0.0.0/8", "::1", "fd00::/8". Refuses (TR_INVALID_PARAMETERS) what is no network. */
TR_MUST_USE enum tr_status tr_network_list_new(const char *const *texts, size_t count,
                                               struct tr_network_list **ret_list,
                                               struct tr_fault *reterr);
void tr_network_list_free(struct tr_network_list *list);

/* IPv4-mapped IPv6 addresses count as IPv4. NULL list: false. */
bool tr_network_list_has(const struct tr_network_list *list, const struct sockaddr *address);
bool tr_network_list_has_text(const struct tr_network_list *list, const char *address);

#endif
