#include "middleware/network.h"

#include <arpa/inet.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/core/number.h"

enum { V4_BYTES = 4, V6_BYTES = 16 };

struct network {
    struct tr_address address;
    size_t prefix_bits;
};

struct tr_network_list {
    size_t count;
    struct network items[];
};

/* ---- addresses ---- */

static struct tr_address of_v4(const unsigned char bytes[V4_BYTES])
{
    struct tr_address address = { .is_v4 = true };
    memcpy(address.bytes, bytes, V4_BYTES);
    return address;
}

static struct tr_address of_v6(const unsigned char bytes[V6_BYTES])
{
    static const unsigned char mapped[V6_BYTES - V4_BYTES] = { [10] = 0xff, [11] = 0xff };
    if (memcmp(bytes, mapped, sizeof(mapped)) == 0) {
        return of_v4(bytes + sizeof(mapped));
    }
    struct tr_address address = { .is_v4 = false };
    memcpy(address.bytes, bytes, V6_BYTES);
    return address;
}

bool tr_address_parse(const char *text, size_t length, struct tr_address *ret_address)
{
    char copy[INET6_ADDRSTRLEN];
    if (length == 0 || length >= sizeof(copy) || memchr(text, '\0', length) != NULL) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    unsigned char bytes[V6_BYTES];
    if (inet_pton(AF_INET, copy, bytes) == 1) {
        *ret_address = of_v4(bytes);
        return true;
    }
    if (inet_pton(AF_INET6, copy, bytes) == 1) {
        *ret_address = of_v6(bytes);
        return true;
    }
    return false;
}

bool tr_address_of_socket(const struct sockaddr *socket_address, struct tr_address *ret_address)
{
    if (socket_address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, socket_address, sizeof(v4));
        unsigned char bytes[V4_BYTES];
        memcpy(bytes, &v4.sin_addr, sizeof(bytes));
        *ret_address = of_v4(bytes);
        return true;
    }
    if (socket_address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, socket_address, sizeof(v6));
        *ret_address = of_v6(v6.sin6_addr.s6_addr);
        return true;
    }
    return false;
}

static char *write_octet(char *out, unsigned octet)
{
    if (octet >= 100) {
        *out++ = (char)('0' + octet / 100);
    }
    if (octet >= 10) {
        *out++ = (char)('0' + octet / 10 % 10);
    }
    *out++ = (char)('0' + octet % 10);
    return out;
}

void tr_address_write(const struct tr_address *address, char *out)
{
    if (!address->is_v4) {
        (void)inet_ntop(AF_INET6, address->bytes, out, INET6_ADDRSTRLEN);
        return;
    }
    /* By hand: inet_ntop() prints an IPv4 address by way of sprintf(), on every request. */
    for (size_t i = 0; i < V4_BYTES; i++) {
        out = write_octet(out, address->bytes[i]);
        *out++ = i + 1 < V4_BYTES ? '.' : '\0';
    }
}

/* ---- networks ---- */

static bool has_prefix(const struct network *network, const struct tr_address *address)
{
    const size_t whole = network->prefix_bits / CHAR_BIT;
    const size_t rest = network->prefix_bits % CHAR_BIT;
    if (memcmp(network->address.bytes, address->bytes, whole) != 0) {
        return false;
    }
    const unsigned differ =
        (unsigned)(network->address.bytes[whole % V6_BYTES] ^ address->bytes[whole % V6_BYTES]);
    return rest == 0 || differ >> (CHAR_BIT - rest) == 0;
}

static bool is_in(const struct network *network, const struct tr_address *address)
{
    return network->address.is_v4 == address->is_v4 && has_prefix(network, address);
}

static bool has_bits_behind_prefix(const struct network *network)
{
    for (size_t bit = network->prefix_bits; bit < sizeof(network->address.bytes) * CHAR_BIT;
         bit++) {
        if ((network->address.bytes[bit / CHAR_BIT] >> (CHAR_BIT - 1 - bit % CHAR_BIT) & 1) != 0) {
            return true;
        }
    }
    return false;
}

/* Of the prefix as written; a mapped IPv6 network counts its bits from the start of IPv6. */
static bool parse_prefix(const char *text, bool is_mapped, size_t all_bits, size_t *ret_bits)
{
    const size_t skipped = is_mapped ? (size_t)(V6_BYTES - V4_BYTES) * CHAR_BIT : 0;
    int64_t bits = 0;
    if (text[0] < '0' || text[0] > '9' || !tr_parse_int64(text, strlen(text), &bits)) {
        return false;
    }
    if (bits < (int64_t)skipped || bits > (int64_t)(skipped + all_bits)) {
        return false;
    }
    *ret_bits = (size_t)bits - skipped;
    return true;
}

static bool parse_network(const char *text, struct network *ret_network)
{
    const size_t address_length = strcspn(text, "/");
    if (!tr_address_parse(text, address_length, &ret_network->address)) {
        return false;
    }
    const bool is_v4 = ret_network->address.is_v4;
    const size_t all_bits = (size_t)(is_v4 ? V4_BYTES : V6_BYTES) * CHAR_BIT;
    ret_network->prefix_bits = all_bits;
    if (text[address_length] == '\0') {
        return true;
    }
    const bool is_mapped = is_v4 && memchr(text, ':', address_length) != NULL;
    return parse_prefix(text + address_length + 1, is_mapped, all_bits, &ret_network->prefix_bits);
}

static enum tr_status fill(struct tr_network_list *list, const char *const *texts, size_t count,
                           struct tr_fault *reterr)
{
    char where[TR_FAULT_WHERE_BYTES];
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(where, sizeof(where), "/%zu", i);
        if (!parse_network(texts[i], &list->items[i])) {
            return tr_refuse(TR_INVALID_PARAMETERS, reterr, where,
                             "'%s' is no address or network such as 10.0.0.0/8", texts[i]);
        }
        if (has_bits_behind_prefix(&list->items[i])) {
            return tr_refuse(TR_INVALID_PARAMETERS, reterr, where,
                             "'%s' has bits set beyond its prefix: it is no network", texts[i]);
        }
    }
    list->count = count;
    return TR_OK;
}

enum tr_status tr_network_list_new(const char *const *texts, size_t count,
                                   struct tr_network_list **ret_list, struct tr_fault *reterr)
{
    struct tr_network_list *list = NULL;
    if (count < SIZE_MAX / 2 / sizeof(struct network)) {
        list = calloc(1, sizeof(*list) + count * sizeof(struct network));
    }
    if (list == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "No memory for %zu networks", count);
    }
    const enum tr_status status = fill(list, texts, count, reterr);
    if (status != TR_OK) {
        tr_network_list_free(list);
        return status;
    }
    *ret_list = list;
    return TR_OK;
}

void tr_network_list_free(struct tr_network_list *list)
{
    free(list);
}

bool tr_network_list_has_address(const struct tr_network_list *list,
                                 const struct tr_address *address)
{
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (is_in(&list->items[i], address)) {
            return true;
        }
    }
    return false;
}

bool tr_network_list_has(const struct tr_network_list *list, const struct sockaddr *address)
{
    struct tr_address parsed;
    return list != NULL && address != NULL && tr_address_of_socket(address, &parsed)
           && tr_network_list_has_address(list, &parsed);
}

bool tr_network_list_has_text(const struct tr_network_list *list, const char *address)
{
    struct tr_address parsed;
    return tr_address_parse(address, strlen(address), &parsed)
           && tr_network_list_has_address(list, &parsed);
}
