/* peer_parts.h - the insides of the test upstream. */
#ifndef TR_TESTS_PEER_PEER_PARTS_H
#define TR_TESTS_PEER_PEER_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <openssl/ssl.h>

#include "tests/peer/peer.h"

enum { PEER_REQUEST_BYTES = 256 * 1024, PEER_NAME_BYTES = 64 };

/* Bytes that grow. */
struct peer_bytes {
    char *bytes; /* NUL-terminated */
    size_t length, room;
};

struct peer_connection {
    TAILQ_ENTRY(peer_connection) link;
    int fd;
    SSL *ssl;              /* NULL: plain */
    struct peer_bytes in;  /* the request, as far as it is there */
    struct peer_bytes out; /* the answer */
    size_t sent;           /* of it */
    int64_t due_ms;        /* nothing is sent before; 0: at once */
    int64_t drip_ms;       /* a byte every so often; 0: all that goes */
    bool is_held;          /* until peer_release() */
    bool is_busy;          /* an answer is on its way: no request is read */
    bool closes;           /* after the answer */
};

TAILQ_HEAD(peer_connection_list, peer_connection);

struct peer {
    int listen_fd, epoll_fd;
    uint16_t port;
    SSL_CTX *tls; /* NULL: plain */
    char ca_file[PEER_NAME_BYTES];
    pthread_t thread;
    struct peer_connection_list connections;
    atomic_bool is_stopping, has_released;
    atomic_size_t accepted, open, requests;
};

/* One request, in connection->in. */
struct peer_request {
    const char *head, *body; /* the head is NUL-terminated */
    size_t body_length;
    char method[PEER_NAME_BYTES];
    const char *target;
    size_t target_length;
};

void peer_add(struct peer_bytes *bytes, const void *more, size_t length);
void peer_add_text(struct peer_bytes *bytes, const char *text);

/* Write the answer into connection->out and say when and how it is sent. */
void peer_answer(struct peer_connection *connection, const struct peer_request *request);

/* A context with a new certificate, which is also written to `ca_file`. */
SSL_CTX *peer_make_tls(char ca_file[PEER_NAME_BYTES]);

int64_t peer_now_ms(void);
void peer_die(const char *what);

#endif
