/* known_header.h - the request headers that mean something to the gateway, and an index of them
 * made in one pass. What is not on the list is invisible to links and routes, so a header that
 * claims an identity (X-User-Id, Remote-User, ...) cannot be believed by mistake. */
#ifndef TR_MIDDLEWARE_KNOWN_HEADER_H
#define TR_MIDDLEWARE_KNOWN_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tr_header;

/* id, name in lower case. */
#define TR_KNOWN_HEADER_LIST(X)                                       \
    X(ACCEPT, "accept")                                               \
    X(ACCESS_CONTROL_REQUEST_METHOD, "access-control-request-method") \
    X(AUTHORIZATION, "authorization")                                 \
    X(BAGGAGE, "baggage")                                             \
    X(CONNECTION, "connection")                                       \
    X(CONTENT_ENCODING, "content-encoding")                           \
    X(CONTENT_LENGTH, "content-length")                               \
    X(CONTENT_TYPE, "content-type")                                   \
    X(EXPECT, "expect")                                               \
    X(FORWARDED, "forwarded")                                         \
    X(HOST, "host")                                                   \
    X(IF_NONE_MATCH, "if-none-match")                                 \
    X(ORIGIN, "origin")                                               \
    X(TRACEPARENT, "traceparent")                                     \
    X(TRACESTATE, "tracestate")                                       \
    X(TRANSFER_ENCODING, "transfer-encoding")                         \
    X(X_AGENT_ID, "x-agent-id")                                       \
    X(X_API_KEY, "x-api-key")                                         \
    X(X_FORWARDED_FOR, "x-forwarded-for")                             \
    X(X_FORWARDED_PROTO, "x-forwarded-proto")                         \
    X(X_REQUEST_ID, "x-request-id")                                   \
    X(X_TASK_ID, "x-task-id")

enum tr_known_header {
    TR_HEADER_UNKNOWN,
#define TR_KNOWN_HEADER_ENUM(id, name) TR_HEADER_##id,
    TR_KNOWN_HEADER_LIST(TR_KNOWN_HEADER_ENUM)
#undef TR_KNOWN_HEADER_ENUM
        TR_HEADER_COUNT,
};

/* A header's value without the blanks around it. Borrowed from the connection; not NUL-terminated
 * for certain. `bytes` NULL: the header was not sent. */
struct tr_value {
    const char *bytes;
    size_t length;
};

/* The first value of each known header, and which of them came more than once. */
struct tr_header_index {
    struct tr_value values[TR_HEADER_COUNT];
    uint32_t repeated; /* bit 1u << enum tr_known_header */
    bool is_made;
};

/* Which header `name` is, in any case; TR_HEADER_UNKNOWN when it is none of the list. */
enum tr_known_header tr_known_header_find(const char *name, size_t length);

/* The name in lower case, as a constant. */
const char *tr_known_header_name(enum tr_known_header known);

void tr_header_index_make(struct tr_header_index *index, const struct tr_header *headers,
                          size_t count);

/* Forget a header: nobody behind sees it. */
void tr_header_index_drop(struct tr_header_index *index, enum tr_known_header known);

static inline bool tr_header_index_is_repeated(const struct tr_header_index *index,
                                               enum tr_known_header known)
{
    return (index->repeated & (1u << known)) != 0;
}

/* `value` without spaces and tabs at both ends. */
struct tr_value tr_value_trim(const char *bytes, size_t length);

/* Are the bytes those of `lower` in any case? `lower` is a constant of lower-case letters, digits
 * and what comes before them in ASCII, such as '-', '/' and '+'. */
bool tr_is_lower_same(const char *bytes, const char *lower, size_t length);

static inline bool tr_value_is(struct tr_value value, const char *lower)
{
    return value.bytes != NULL && value.length == strlen(lower)
           && tr_is_lower_same(value.bytes, lower, value.length);
}

#endif
