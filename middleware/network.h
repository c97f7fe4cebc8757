/* network.h - addresses, and lists of networks in CIDR notation (RFC 4632), for the proxies that
 * are trusted. */
#ifndef TR_MIDDLEWARE_NETWORK_H
#define TR_MIDDLEWARE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

/* An IPv4 or IPv6 address. One that is IPv4-mapped IPv6 (::ffff:192.0.2.1) counts as IPv4. */
struct tr_address {
    bool is_v4;
    unsigned char bytes[16]; /* the first 4 for IPv4, the rest zero */
};

/* The usual notations of inet_pton(), nothing around them, no zone. */
TR_MUST_USE bool tr_address_parse(const char *text, size_t length, struct tr_address *ret_address);

/* False for a family that is neither IPv4 nor IPv6. */
TR_MUST_USE bool tr_address_of_socket(const struct sockaddr *socket_address,
                                      struct tr_address *ret_address);

/* `out` has room for TR_ADDRESS_TEXT_BYTES (46). */
void tr_address_write(const struct tr_address *address, char *out);

struct tr_network_list; /* immutable */

/* "10.0.0.0/8", "::1", "fd00::/8". Refuses (TR_INVALID_PARAMETERS; `reterr->where` is the JSON
 * Pointer of the entry in the list) what is no network, and one with bits set beyond its prefix. */
TR_MUST_USE enum tr_status tr_network_list_new(const char *const *texts, size_t count,
                                               struct tr_network_list **ret_list,
                                               struct tr_fault *reterr);
void tr_network_list_free(struct tr_network_list *list); /* NULL is accepted */

/* NULL list: false. */
bool tr_network_list_has(const struct tr_network_list *list, const struct sockaddr *address);
bool tr_network_list_has_text(const struct tr_network_list *list, const char *address);
bool tr_network_list_has_address(const struct tr_network_list *list,
                                 const struct tr_address *address);

#endif
