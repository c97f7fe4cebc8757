/* peer.h - an upstream for tests: a small HTTP and HTTPS server in one thread, which misbehaves
 * when asked to. The path says how, a query the details:
 *
 *   /status/404          that status                     /slow?ms=50          an answer after a
 * while /echo                the request, as JSON            /hang                no answer at all
 *   /headers             fields of many kinds            /drip?n=9&ms=5       a byte now and then
 *   /redirect?status=302&to=URL                          /bytes?n=1000        a body of that size
 *   /chunked?n=3         that many chunks, a trailer     /head?n=1000         a long header field
 *   /gzip?n=1000         that many spaces, compressed    /garbage             no HTTP
 *   /cut                 less body than was announced    /nothing             closes at once
 *   /bad-gzip            gzip that is none               /interim             103 before 200
 *   /circle              a redirect to itself            /held                an answer after
 *                                                                             peer_release()
 *   /say/any/thing?status=200&type=application/json&body=TEXT
 *
 * Values of a query are percent-decoded. */
#ifndef TR_TESTS_PEER_PEER_H
#define TR_TESTS_PEER_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct peer;

struct peer_options {
    uint16_t port; /* 0: any */
    bool is_tls;   /* with a certificate of its own, for localhost and 127.0.0.1 */
};

/* Starts on 127.0.0.1; ends the program when it cannot. */
struct peer *peer_start(const struct peer_options *options);
void peer_stop(struct peer *peer);

uint16_t peer_port(const struct peer *peer);

/* The file with the certificate, as long as the peer runs; NULL without TLS. */
const char *peer_ca_file(const struct peer *peer);

/* Connections that were accepted, and requests that were read, so far. */
size_t peer_connections(const struct peer *peer);
size_t peer_requests(const struct peer *peer);

/* Wait until so many requests were read; false when they do not come for a long while. */
bool peer_wait_for_requests(const struct peer *peer, size_t count);

/* Answer what waits at /held, and from now on at once. */
void peer_release(struct peer *peer);

/* Connections that are open now. */
size_t peer_open(const struct peer *peer);

/* Wait until at most so many are; false when they stay for a long while. */
bool peer_wait_for_open(const struct peer *peer, size_t count);

#endif
