#include "server/endpoint.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "tools/core/number.h"

/* The longest host: an IPv6 address that ends in an IPv4 one, without brackets. */
enum { HOST_ROOM = INET6_ADDRSTRLEN };

/* The two halves of "host:port". */
struct halves {
    char host[HOST_ROOM];
    bool is_ipv6;
    const char *port;
};

static enum tr_status refuse(struct tr_fault *reterr, const char *reason)
{
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL, "%s", reason);
}

static enum tr_status split(const char *text, struct halves *ret_halves, struct tr_fault *reterr)
{
    const bool is_ipv6 = *text == '[';
    const char *host = is_ipv6 ? text + 1 : text;
    const size_t length = is_ipv6 ? strcspn(host, "]") : strcspn(host, ":");
    const char *rest = host + length;
    if (is_ipv6 && *rest == ']') {
        rest++;
    }
    if (*rest != ':') {
        return refuse(reterr, "needs a port, as in 127.0.0.1:8080");
    }
    if (!is_ipv6 && strchr(rest + 1, ':') != NULL) {
        return refuse(reterr, "needs brackets around an IPv6 address, as in [::1]:8080");
    }
    if (length >= HOST_ROOM) {
        return refuse(reterr, "has a host that is no IP address");
    }
    *ret_halves = (struct halves){ .is_ipv6 = is_ipv6, .port = rest + 1 };
    memcpy(ret_halves->host, host, length);
    return TR_OK;
}

static enum tr_status parse_port(const char *text, uint16_t *ret_port, struct tr_fault *reterr)
{
    int64_t port = 0;
    const size_t length = strlen(text);
    if (strspn(text, "0123456789") != length || !tr_parse_int64(text, length, &port)
        || port > UINT16_MAX) {
        return refuse(reterr, "has a port that is no number from 0 to 65535");
    }
    *ret_port = (uint16_t)port;
    return TR_OK;
}

static enum tr_status parse_ipv6(const char *host, uint16_t port, struct tr_endpoint *ret_endpoint,
                                 struct tr_fault *reterr)
{
    struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    if (inet_pton(AF_INET6, host, &address.sin6_addr) != 1) {
        return refuse(reterr, "has a host that is no IPv6 address");
    }
    *ret_endpoint = (struct tr_endpoint){ .length = sizeof(address) };
    memcpy(&ret_endpoint->storage, &address, sizeof(address));
    return TR_OK;
}

static enum tr_status parse_ipv4(const char *host, uint16_t port, struct tr_endpoint *ret_endpoint,
                                 struct tr_fault *reterr)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    const char *number = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
    if (inet_pton(AF_INET, number, &address.sin_addr) != 1) {
        return refuse(reterr, "has a host that is no IP address (names are not looked up)");
    }
    *ret_endpoint = (struct tr_endpoint){ .length = sizeof(address) };
    memcpy(&ret_endpoint->storage, &address, sizeof(address));
    return TR_OK;
}

enum tr_status tr_endpoint_parse(const char *text, struct tr_endpoint *ret_endpoint,
                                 struct tr_fault *reterr)
{
    struct halves halves = { .port = "" };
    uint16_t port = 0;
    TR_TRY(split(text, &halves, reterr));
    TR_TRY(parse_port(halves.port, &port, reterr));
    if (halves.is_ipv6) {
        return parse_ipv6(halves.host, port, ret_endpoint, reterr);
    }
    if (halves.host[0] == '\0') {
        return parse_ipv6("::", port, ret_endpoint, reterr);
    }
    return parse_ipv4(halves.host, port, ret_endpoint, reterr);
}

static struct sockaddr_in as_ipv4(const struct tr_endpoint *endpoint)
{
    struct sockaddr_in ipv4;
    memcpy(&ipv4, &endpoint->storage, sizeof(ipv4));
    return ipv4;
}

static struct sockaddr_in6 as_ipv6(const struct tr_endpoint *endpoint)
{
    struct sockaddr_in6 ipv6;
    memcpy(&ipv6, &endpoint->storage, sizeof(ipv6));
    return ipv6;
}

bool tr_endpoint_is_loopback(const struct tr_endpoint *endpoint)
{
    if (endpoint->storage.ss_family == AF_INET) {
        const struct sockaddr_in ipv4 = as_ipv4(endpoint);
        return ntohl(ipv4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    const struct sockaddr_in6 ipv6 = as_ipv6(endpoint);
    const struct in6_addr *bytes = &ipv6.sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(bytes)
           || (IN6_IS_ADDR_V4MAPPED(bytes) && bytes->s6_addr[12] == IN_LOOPBACKNET);
}

bool tr_endpoint_is_wildcard(const struct tr_endpoint *endpoint)
{
    if (endpoint->storage.ss_family == AF_INET) {
        return as_ipv4(endpoint).sin_addr.s_addr == htonl(INADDR_ANY);
    }
    const struct sockaddr_in6 ipv6 = as_ipv6(endpoint);
    return IN6_IS_ADDR_UNSPECIFIED(&ipv6.sin6_addr);
}

uint16_t tr_endpoint_port(const struct tr_endpoint *endpoint)
{
    return endpoint->storage.ss_family == AF_INET ? ntohs(as_ipv4(endpoint).sin_port)
                                                  : ntohs(as_ipv6(endpoint).sin6_port);
}

void tr_endpoint_set_port(struct tr_endpoint *endpoint, uint16_t port)
{
    if (endpoint->storage.ss_family == AF_INET) {
        struct sockaddr_in ipv4 = as_ipv4(endpoint);
        ipv4.sin_port = htons(port);
        memcpy(&endpoint->storage, &ipv4, sizeof(ipv4));
        return;
    }
    struct sockaddr_in6 ipv6 = as_ipv6(endpoint);
    ipv6.sin6_port = htons(port);
    memcpy(&endpoint->storage, &ipv6, sizeof(ipv6));
}

void tr_endpoint_print(const struct tr_endpoint *endpoint, char room[TR_ENDPOINT_TEXT_BYTES])
{
    const unsigned port = tr_endpoint_port(endpoint);
    char host[INET6_ADDRSTRLEN] = "127.0.0.1";
    if (tr_endpoint_is_wildcard(endpoint)) {
        (void)snprintf(room, TR_ENDPOINT_TEXT_BYTES, "%s:%u", host, port);
        return;
    }
    if (endpoint->storage.ss_family == AF_INET) {
        const struct sockaddr_in ipv4 = as_ipv4(endpoint);
        (void)inet_ntop(AF_INET, &ipv4.sin_addr, host, sizeof(host));
        (void)snprintf(room, TR_ENDPOINT_TEXT_BYTES, "%s:%u", host, port);
        return;
    }
    const struct sockaddr_in6 ipv6 = as_ipv6(endpoint);
    (void)inet_ntop(AF_INET6, &ipv6.sin6_addr, host, sizeof(host));
    (void)snprintf(room, TR_ENDPOINT_TEXT_BYTES, "[%s]:%u", host, port);
}
