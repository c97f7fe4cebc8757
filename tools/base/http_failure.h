/* http_failure.h - why an upstream did not answer: every kind, its name and its sentence. */
#ifndef TR_TOOLS_BASE_HTTP_FAILURE_H
#define TR_TOOLS_BASE_HTTP_FAILURE_H

/* id, name, what happened to the upstream; the sentence follows the name of its host. */
#define TR_HTTP_FAILURE_LIST(X)                                                  \
    X(NONE, "none", "answered")                                                  \
    X(DNS, "dns", "has a name that cannot be resolved")                          \
    X(CONNECT, "connect", "accepts no connection")                               \
    X(TLS, "tls", "could not be reached safely: its TLS handshake failed")       \
    X(TIMEOUT, "timeout", "did not answer in time")                              \
    X(TOO_LARGE, "too_large", "sends more than may be read")                     \
    X(PROTOCOL, "protocol", "broke off its answer, or sent one that is no HTTP") \
    X(REDIRECTS, "redirects", "redirects too often")                             \
    X(BLOCKED, "blocked", "has an address that may not be reached from here")    \
    X(CANCELLED, "cancelled", "is not needed any more")                          \
    X(MEMORY, "memory", "sends more than there is memory for at the moment")

enum tr_http_failure {
#define TR_HTTP_FAILURE_ENUM(id, name, words) TR_HTTP_FAILURE_##id,
    TR_HTTP_FAILURE_LIST(TR_HTTP_FAILURE_ENUM)
#undef TR_HTTP_FAILURE_ENUM
};

/* "dns"; never NULL. */
const char *tr_http_failure_name(enum tr_http_failure failure);

/* "has a name that cannot be resolved"; never NULL. */
const char *tr_http_failure_words(enum tr_http_failure failure);

#endif
