/* endpoint.h - "host:port" as a socket address: what to listen on, and who can reach it. */
#ifndef TR_SERVER_ENDPOINT_H
#define TR_SERVER_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_endpoint {
    struct sockaddr_storage storage;
    socklen_t length;
};

/* Room for any text of tr_endpoint_print(). */
enum { TR_ENDPOINT_TEXT_BYTES = 64 };

/* "127.0.0.1:8080", "[::1]:0", "localhost:8080" (127.0.0.1), ":8080" (every address: the IPv6
 * wildcard, meant for a socket that takes IPv4 too). Names are not looked up. Refuses with
 * TR_INVALID_PARAMETERS, saying what is wrong with which part. */
TR_MUST_USE enum tr_status tr_endpoint_parse(const char *text, struct tr_endpoint *ret_endpoint,
                                             struct tr_fault *reterr);

/* Can only this machine reach it? */
bool tr_endpoint_is_loopback(const struct tr_endpoint *endpoint);

/* Does it stand for every address of this machine? */
bool tr_endpoint_is_wildcard(const struct tr_endpoint *endpoint);

uint16_t tr_endpoint_port(const struct tr_endpoint *endpoint);
void tr_endpoint_set_port(struct tr_endpoint *endpoint, uint16_t port);

/* "127.0.0.1:8080" or "[::1]:8080", the way it stands in a URL. A wildcard, also that of IPv6, is
 * written as 127.0.0.1, where this machine finds it: containers often have no ::1. */
void tr_endpoint_print(const struct tr_endpoint *endpoint, char room[TR_ENDPOINT_TEXT_BYTES]);

#endif
