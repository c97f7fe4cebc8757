/* fixture.h - an exchange for the tests of the links: a policy, a request whose headers are given
 * one by one, and what the answer says. */
#ifndef TR_TESTS_UNIT_MIDDLEWARE_FIXTURE_H
#define TR_TESTS_UNIT_MIDDLEWARE_FIXTURE_H

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <string.h>

#include "middleware/chain.h"
#include "middleware/exchange.h"
#include "middleware/policy.h"

enum { FIXTURE_HEADERS = 200 };

struct fixture {
    struct tr_policy policy;
    struct tr_exchange exchange;
    struct tr_header headers[FIXTURE_HEADERS];
    struct sockaddr_storage peer;
};

/* POST /tools/echo without headers. */
static inline void fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){
        .policy = { .body_limit_bytes = 1000, .header_limit_bytes = 8192 },
    };
    tr_exchange_init(&fixture->exchange, &fixture->policy);
    struct tr_request *request = &fixture->exchange.request;
    request->method = TR_METHOD_POST;
    request->method_text = "POST";
    request->target = "/tools/echo";
    request->path = "/tools/echo";
    request->query = "";
    request->version = "HTTP/1.1";
    request->headers = fixture->headers;
}

static inline void tr_fixture_drop(struct fixture *fixture)
{
    tr_exchange_done(&fixture->exchange);
}

static inline void fixture_header_bytes(struct fixture *fixture, const char *name,
                                        const char *value, size_t value_length)
{
    struct tr_request *request = &fixture->exchange.request;
    assert(request->header_count < FIXTURE_HEADERS);
    fixture->headers[request->header_count++] = (struct tr_header){
        .name = name,
        .value = value,
        .name_length = strlen(name),
        .value_length = value_length,
    };
    request->header_bytes += strlen(name) + value_length + 4;
    request->known.is_made = false;
}

/* NULL adds nothing, so that a table may leave headers out. */
static inline void fixture_header(struct fixture *fixture, const char *name, const char *value)
{
    if (value != NULL) {
        fixture_header_bytes(fixture, name, value, strlen(value));
    }
}

static inline void fixture_peer(struct fixture *fixture, const char *address)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    if (inet_pton(AF_INET, address, &v4.sin_addr) == 1) {
        memcpy(&fixture->peer, &v4, sizeof(v4));
    } else {
        assert(inet_pton(AF_INET6, address, &v6.sin6_addr) == 1);
        memcpy(&fixture->peer, &v6, sizeof(v6));
    }
    fixture->exchange.request.peer = (const struct sockaddr *)&fixture->peer;
}

/* Run one link's admit, as the chain does. True: it let the request pass. */
static inline bool fixture_admit(struct fixture *fixture, const struct tr_middleware *link)
{
    tr_exchange_index(&fixture->exchange);
    return tr_links_admit(&link, 1, &fixture->exchange);
}

static inline void fixture_leave(struct fixture *fixture, const struct tr_middleware *link)
{
    tr_links_leave(&link, 1, &fixture->exchange);
}

/* The value of the answer's first header of that name; NULL when there is none. */
static inline const char *fixture_answer(const struct fixture *fixture, const char *name)
{
    const struct tr_answer *answer = &fixture->exchange.answer;
    for (size_t i = 0; i < answer->header_count; i++) {
        if (strcmp(answer->headers[i].name, name) == 0) {
            return answer->headers[i].value;
        }
    }
    return NULL;
}

static inline bool fixture_body_has(const struct fixture *fixture, const char *text)
{
    size_t length = 0;
    return strstr(tr_answer_bytes(&fixture->exchange.answer, &length), text) != NULL;
}

#endif
