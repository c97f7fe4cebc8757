/* Who calls, and how: the socket's peer, or what trusted proxies say about it.
 *
 * A chain of addresses is read from its right end, where the nearest proxy wrote, and only as long
 * as the addresses are those of trusted proxies: the first other one is the client. What stands
 * left of it may be invented and is not looked at. A hop that is no address ends the walk at the
 * hop before it. */
#include <string.h>

#include "middleware/chain.h"
#include "middleware/header_list.h"
#include "middleware/network.h"
#include "middleware/policy.h"

enum { MAX_ELEMENTS = 32 }; /* of one Forwarded header */

/* A walk along the proxies, away from us. */
struct walk {
    const struct tr_network_list *trusted;
    struct tr_address client; /* as far as is known */
    const char *scheme;       /* NULL: nobody said */
    bool is_over;
};

/* One element of Forwarded, or of X-Forwarded-For. */
struct hop {
    struct tr_value node; /* empty: not named */
    const char *scheme;
};

static bool is_digits(struct tr_value value)
{
    for (size_t i = 0; i < value.length; i++) {
        if (value.bytes[i] < '0' || value.bytes[i] > '9') {
            return false;
        }
    }
    return value.length != 0;
}

/* "", or ":" and a port. */
static bool is_port(const char *bytes, size_t length)
{
    return length == 0
           || (bytes[0] == ':' && length <= sizeof(":65535") - 1
               && is_digits((struct tr_value){ .bytes = bytes + 1, .length = length - 1 }));
}

/* An address with or without a port, IPv6 in brackets or bare: 192.0.2.1:80, [2001:db8::1]:80 */
static bool parse_node(struct tr_value node, struct tr_address *ret_address)
{
    const char *bytes = node.bytes;
    if (node.length != 0 && bytes[0] == '[') {
        const char *close = memchr(bytes, ']', node.length);
        if (close == NULL) {
            return false;
        }
        const size_t inside = (size_t)(close - bytes) - 1;
        return memchr(bytes + 1, ':', inside) != NULL
               && is_port(close + 1, node.length - inside - 2)
               && tr_address_parse(bytes + 1, inside, ret_address);
    }
    if (tr_address_parse(bytes, node.length, ret_address)) {
        return true;
    }
    const char *colon = node.length != 0 ? memchr(bytes, ':', node.length) : NULL;
    if (colon == NULL) {
        return false;
    }
    const size_t before = (size_t)(colon - bytes);
    return is_port(colon, node.length - before) && tr_address_parse(bytes, before, ret_address);
}

static void step(struct walk *walk, const struct hop *hop)
{
    struct tr_address address;
    if (!parse_node(hop->node, &address)) {
        walk->is_over = true;
        return;
    }
    walk->client = address;
    walk->scheme = hop->scheme;
    walk->is_over = !tr_network_list_has_address(walk->trusted, &address);
}

static const char *scheme_of(struct tr_value value)
{
    if (tr_value_is(value, "https")) {
        return "https";
    }
    return tr_value_is(value, "http") ? "http" : NULL;
}

/* The part of a list behind its last comma, trimmed; `list` becomes the part before it, its bytes
 * NULL when there is none. */
static struct tr_value take_last(struct tr_value *list)
{
    size_t start = list->length;
    while (start != 0 && list->bytes[start - 1] != ',') {
        start--;
    }
    const struct tr_value last = tr_value_trim(list->bytes + start, list->length - start);
    *list = (struct tr_value){
        .bytes = start != 0 ? list->bytes : NULL,
        .length = start != 0 ? start - 1 : 0,
    };
    return last;
}

static void walk_x_forwarded_for(struct walk *walk, struct tr_value list)
{
    while (!walk->is_over && list.bytes != NULL) {
        const struct hop hop = { .node = take_last(&list) };
        step(walk, &hop);
    }
}

/* forwarded-pair = token "=" value (RFC 7239 section 4). Unknown names are skipped. */
static bool parse_pair(struct tr_cursor *cursor, struct hop *hop)
{
    const struct tr_value name = tr_cursor_token(cursor);
    struct tr_value value;
    if (name.length == 0 || !tr_cursor_skip(cursor, '=')
        || !tr_cursor_token_or_quoted(cursor, &value)) {
        return false;
    }
    if (tr_value_is(name, "for")) {
        hop->node = value;
    } else if (tr_value_is(name, "proto")) {
        hop->scheme = scheme_of(value);
    }
    return true;
}

static bool parse_element(struct tr_cursor *cursor, struct hop *ret_hop)
{
    *ret_hop = (struct hop){ .node = { .bytes = "" } };
    do {
        tr_cursor_skip_blanks(cursor);
        if (!parse_pair(cursor, ret_hop)) {
            return false;
        }
        tr_cursor_skip_blanks(cursor);
    } while (tr_cursor_skip(cursor, ';'));
    return true;
}

/* Quotes make this list readable from the left only; one that is malformed anywhere ends the walk,
 * for an open quote on the left may have swallowed what a proxy added on the right. */
static void walk_forwarded(struct walk *walk, struct tr_value list)
{
    struct hop hops[MAX_ELEMENTS];
    struct tr_cursor cursor = tr_cursor_at(list);
    size_t count = 0;
    do {
        if (count == MAX_ELEMENTS || !parse_element(&cursor, &hops[count])) {
            walk->is_over = true;
            return;
        }
        count++;
    } while (tr_cursor_skip(&cursor, ','));
    if (!tr_cursor_is_done(&cursor)) {
        walk->is_over = true;
        return;
    }
    while (!walk->is_over && count != 0) {
        step(walk, &hops[--count]);
    }
}

/* Every header of that name, from the last: a repeated list header is one list. */
static struct walk walk_headers(const struct tr_exchange *exchange, struct walk walk,
                                enum tr_known_header known,
                                void (*walk_list)(struct walk *walk, struct tr_value list))
{
    for (size_t i = exchange->request.header_count; !walk.is_over && i-- > 0;) {
        const struct tr_header *header = &exchange->request.headers[i];
        if (tr_known_header_find(header->name, header->name_length) == known) {
            walk_list(&walk, tr_value_trim(header->value, header->value_length));
        }
    }
    return walk;
}

/* What the nearest proxy says of the scheme: the last value. */
static const char *scheme_of_x_forwarded_proto(const struct tr_exchange *exchange)
{
    struct tr_value list = tr_exchange_value(exchange, TR_HEADER_X_FORWARDED_PROTO);
    if (list.bytes == NULL
        || tr_header_index_is_repeated(&exchange->request.known, TR_HEADER_X_FORWARDED_PROTO)) {
        return NULL;
    }
    return scheme_of(take_last(&list));
}

static bool is_same_address(const struct tr_address *left, const struct tr_address *right)
{
    return left->is_v4 == right->is_v4
           && memcmp(left->bytes, right->bytes, sizeof(left->bytes)) == 0;
}

/* A proxy writes one of the two headers and may hand through the other as its client invented it.
 * So when both came and do not agree, neither is believed. */
static struct walk walk_both(const struct tr_exchange *exchange, const struct walk *start)
{
    const struct walk standard =
        walk_headers(exchange, *start, TR_HEADER_FORWARDED, walk_forwarded);
    struct walk common =
        walk_headers(exchange, *start, TR_HEADER_X_FORWARDED_FOR, walk_x_forwarded_for);
    common.scheme = scheme_of_x_forwarded_proto(exchange);
    if (tr_exchange_value(exchange, TR_HEADER_FORWARDED).bytes == NULL) {
        return common;
    }
    if (tr_exchange_value(exchange, TR_HEADER_X_FORWARDED_FOR).bytes == NULL) {
        return standard;
    }
    return is_same_address(&standard.client, &common.client) ? standard : *start;
}

static void admit(struct tr_exchange *exchange)
{
    const struct sockaddr *peer = exchange->request.peer;
    struct walk walk = { .trusted = exchange->policy->trusted_proxies };
    exchange->scheme = "http";
    if (peer != NULL && tr_address_of_socket(peer, &walk.client)) {
        if (tr_network_list_has_address(walk.trusted, &walk.client)) {
            walk = walk_both(exchange, &walk);
        }
        tr_address_write(&walk.client, exchange->address_text);
        exchange->client_address = exchange->address_text;
        exchange->scheme = walk.scheme != NULL ? walk.scheme : "http";
    }
    /* Used or not believed: nobody behind needs them. */
    tr_header_index_drop(&exchange->request.known, TR_HEADER_FORWARDED);
    tr_header_index_drop(&exchange->request.known, TR_HEADER_X_FORWARDED_FOR);
    tr_header_index_drop(&exchange->request.known, TR_HEADER_X_FORWARDED_PROTO);
}

const struct tr_middleware tr_forwarded = {
    .name = "forwarded",
    .admit = admit,
};
