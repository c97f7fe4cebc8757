#include "server/address.h"

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

static enum tr_status parse_ipv6(const char *host, uint16_t port, struct tr_address *ret_address,
                                 struct tr_fault *reterr)
{
    struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    if (inet_pton(AF_INET6, host, &address.sin6_addr) != 1) {
        return refuse(reterr, "has a host that is no IPv6 address");
    }
    *ret_address = (struct tr_address){ .length = sizeof(address) };
    memcpy(&ret_address->storage, &address, sizeof(address));
    return TR_OK;
}

static enum tr_status parse_ipv4(const char *host, uint16_t port, struct tr_address *ret_address,
                                 struct tr_fault *reterr)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    const char *number = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
    if (inet_pton(AF_INET, number, &address.sin_addr) != 1) {
        return refuse(reterr, "has a host that is no IP address (names are not looked up)");
    }
    *ret_address = (struct tr_address){ .length = sizeof(address) };
    memcpy(&ret_address->storage, &address, sizeof(address));
    return TR_OK;
}

enum tr_status tr_address_parse(const char *text, struct tr_address *ret_address,
                                struct tr_fault *reterr)
{
    struct halves halves;
    uint16_t port = 0;
    TR_TRY(split(text, &halves, reterr));
    TR_TRY(parse_port(halves.port, &port, reterr));
    if (halves.is_ipv6) {
        return parse_ipv6(halves.host, port, ret_address, reterr);
    }
    if (halves.host[0] == '\0') {
        return parse_ipv6("::", port, ret_address, reterr);
    }
    return parse_ipv4(halves.host, port, ret_address, reterr);
}

static struct sockaddr_in as_ipv4(const struct tr_address *address)
{
    struct sockaddr_in ipv4;
    memcpy(&ipv4, &address->storage, sizeof(ipv4));
    return ipv4;
}

static struct sockaddr_in6 as_ipv6(const struct tr_address *address)
{
    struct sockaddr_in6 ipv6;
    memcpy(&ipv6, &address->storage, sizeof(ipv6));
    return ipv6;
}

bool tr_address_is_loopback(const struct tr_address *address)
{
    if (address->storage.ss_family == AF_INET) {
        const struct sockaddr_in ipv4 = as_ipv4(address);
        return ntohl(ipv4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    const struct sockaddr_in6 ipv6 = as_ipv6(address);
    const struct in6_addr *bytes = &ipv6.sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(bytes)
           || (IN6_IS_ADDR_V4MAPPED(bytes) && bytes->s6_addr[12] == IN_LOOPBACKNET);
}

bool tr_address_is_wildcard(const struct tr_address *address)
{
    if (address->storage.ss_family == AF_INET) {
        return as_ipv4(address).sin_addr.s_addr == htonl(INADDR_ANY);
    }
    const struct sockaddr_in6 ipv6 = as_ipv6(address);
    return IN6_IS_ADDR_UNSPECIFIED(&ipv6.sin6_addr);
}

uint16_t tr_address_port(const struct tr_address *address)
{
    return address->storage.ss_family == AF_INET ? ntohs(as_ipv4(address).sin_port)
                                                 : ntohs(as_ipv6(address).sin6_port);
}

void tr_address_set_port(struct tr_address *address, uint16_t port)
{
    if (address->storage.ss_family == AF_INET) {
        struct sockaddr_in ipv4 = as_ipv4(address);
        ipv4.sin_port = htons(port);
        memcpy(&address->storage, &ipv4, sizeof(ipv4));
        return;
    }
    struct sockaddr_in6 ipv6 = as_ipv6(address);
    ipv6.sin6_port = htons(port);
    memcpy(&address->storage, &ipv6, sizeof(ipv6));
}

void tr_address_print(const struct tr_address *address, char room[TR_ENDPOINT_TEXT_BYTES])
{
    const bool is_wildcard = tr_address_is_wildcard(address);
    const unsigned port = tr_address_port(address);
    char host[INET6_ADDRSTRLEN] = "";
    if (address->storage.ss_family == AF_INET) {
        const struct sockaddr_in ipv4 = as_ipv4(address);
        (void)inet_ntop(AF_INET, &ipv4.sin_addr, host, sizeof(host));
        (void)snprintf(room, TR_ENDPOINT_TEXT_BYTES, "%s:%u", is_wildcard ? "127.0.0.1" : host,
                       port);
        return;
    }
    const struct sockaddr_in6 ipv6 = as_ipv6(address);
    (void)inet_ntop(AF_INET6, &ipv6.sin6_addr, host, sizeof(host));
    (void)snprintf(room, TR_ENDPOINT_TEXT_BYTES, "[%s]:%u", is_wildcard ? "::1" : host, port);
}
