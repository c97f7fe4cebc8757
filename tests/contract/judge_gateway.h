/* judge_gateway.h - a gateway without sockets: requests go the way that the listener sends them
 * (framing, the chain, the routes) and the exchange can be looked at afterwards. It has the tools
 * of tests/fixtures, the key "test-key" and the origin http://127.0.0.1:8080. */
#ifndef TR_TESTS_CONTRACT_JUDGE_GATEWAY_H
#define TR_TESTS_CONTRACT_JUDGE_GATEWAY_H

#include <stdbool.h>

#include <jansson.h>

#include "middleware/exchange.h"
#include "tools/core/text.h"

enum { JUDGE_MAX_HEADERS = 120 };

/* What to ask. What a client always sends (Host, Content-Length, Content-Type, X-API-Key) is added
 * unless `headers` has it. */
struct judge_request {
    const char *method;           /* NULL: POST */
    const char *path;             /* NULL: /tools/echo */
    const char *body;             /* NULL: parameters that the tool accepts */
    const json_t *headers;        /* [[name, value], ...] as the corpora have them */
    bool has_no_key, has_no_type; /* X-API-Key, Content-Type are not added */
};

struct judge_exchange {
    struct tr_exchange exchange;
    struct tr_header headers[JUDGE_MAX_HEADERS];
    struct tr_text values[JUDGE_MAX_HEADERS];
    struct sockaddr_storage peer;
};

/* Send it; on success the answer is ready, and the caller ends with judge_exchange_done(). False
 * when the gateway cannot be made or the headers are not of that form. */
bool judge_ask(const struct judge_request *request, struct judge_exchange *ret_exchange);
void judge_exchange_done(struct judge_exchange *exchange);

/* Has the row one of that name, in any case? */
bool judge_is_among(const json_t *headers, const char *name);

/* Does the answer have the header: "Name", or "Name: value"? */
bool judge_has_header(const struct tr_exchange *exchange, const char *text);

/* Has the access log ever said `text`? */
bool judge_has_logged(const char *text);

#endif
