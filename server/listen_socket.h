/* listen_socket.h - the sockets that a listener is bound to, and the descriptors that it may use.
 */
#ifndef TR_SERVER_LISTEN_SOCKET_H
#define TR_SERVER_LISTEN_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "server/endpoint.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

/* A listening, non-blocking socket. The first one fails when somebody has the port already; further
 * ones share it with the first (SO_REUSEPORT). A port of 0 is replaced in `endpoint` by the one
 * that was bound; the IPv6 wildcard becomes the IPv4 one where there is no IPv6. TR_INTERNAL names
 * the address and the system's reason. The caller owns *ret_socket. */
TR_MUST_USE enum tr_status tr_listen_socket_open(struct tr_endpoint *address, bool is_first,
                                                 int *ret_socket, struct tr_fault *reterr);

/* Raise the soft limit of descriptors to the hard one. Gives what it is now. */
size_t tr_raise_descriptor_limit(void);

#endif
