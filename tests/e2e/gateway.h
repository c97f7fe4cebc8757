/* gateway.h - a whole gateway inside of a test process, reached over real sockets.
 *
 * Every answer that gateway_send() gets is also written to the record file, which the test
 * e2e/validate_responses holds against the gateway's own OpenAPI document afterwards. */
#ifndef TR_TESTS_E2E_GATEWAY_H
#define TR_TESTS_E2E_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "server/app.h"
#include "server/config.h"

/* The keys of gateway_keys: everything; only echo and reflect; expired. */
#define KEY_ALL  "test-key"
#define KEY_SOME "echo-key"
#define KEY_OLD  "old-key"

/* Put these under the `auth:` of a configuration. */
extern const char gateway_keys[];

struct gateway {
    struct tr_config config;
    struct tr_app *app;
    uint16_t port;
};

/* Start with the YAML text `server:` plus keys, the fixtures plugin and `more` (further YAML, may
 * be
 * ""). Fails the test when it does not start. */
void gateway_start(struct gateway *gateway, const char *server, const char *more);
void gateway_stop(struct gateway *gateway);

struct sent {
    const char *method; /* NULL: GET without a body, POST with one */
    const char *path;
    const char *key;            /* NULL: KEY_ALL; "": none */
    const char *body;           /* NULL: none */
    const char *const *headers; /* "Name: value", NULL-terminated; NULL: none */
    bool is_unrecorded;         /* not an exchange the OpenAPI document speaks of */
};

struct reply {
    long status; /* 0: no answer */
    char *head;  /* the header lines as they came */
    char *body;
    size_t body_length;
    json_t *json; /* the body parsed, or NULL */
};

/* One request over a connection of its own. Thread-safe. */
struct reply gateway_send(const struct gateway *gateway, struct sent sent);
void reply_done(struct reply *reply);

/* The value of a header (any case), copied into `room`; "" when absent. */
const char *reply_header(const struct reply *reply, const char *name, char *room,
                         size_t room_bytes);

/* The text member `name` of the answer; "" when there is none. */
const char *reply_text(const struct reply *reply, const char *name);

/* A connected socket, for bytes that no client library sends. */
int gateway_connect(const struct gateway *gateway);

/* Send `bytes`, read until the peer closes or `wait_ms` pass without a byte; gives the number of
 * bytes in `out`, which is NUL-terminated. */
size_t gateway_talk(int socket, const char *bytes, size_t length, char *out, size_t room,
                    int wait_ms);

#endif
