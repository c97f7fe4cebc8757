#include "tools/guard/url_address.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { V4_BYTES = 4, V6_BYTES = 16, EMBEDDED_AT = V6_BYTES - V4_BYTES };

struct block {
    unsigned char prefix[V6_BYTES];
    size_t bits;
    enum tr_reach reach;
};

/* The IANA IPv4 Special-Purpose Address Registry and the multicast space, all of it. That includes
 * the rows that are "globally reachable": they are anycast sinks and relays, which serve no web
 * pages. In the order of the addresses. */
static const struct block v4_blocks[] = {
    /* RFC 791, "this network": Linux takes 0.0.0.0 for itself */
    { .prefix = { 0 }, .bits = 8 },
    /* RFC 1918, private */
    { .prefix = { 10 }, .bits = 8, .reach = TR_REACH_PRIVATE },
    /* RFC 6598, shared by a provider's customers; also 100.100.100.200, a cloud's metadata */
    { .prefix = { 100, 64 }, .bits = 10, .reach = TR_REACH_PRIVATE },
    /* RFC 1122, loopback */
    { .prefix = { 127 }, .bits = 8, .reach = TR_REACH_PRIVATE },
    /* no row of the registry: Azure's metadata and wire server, the same in every network */
    { .prefix = { 168, 63, 129, 16 }, .bits = 32 },
    /* RFC 3927, link-local; 169.254.169.254 has the metadata of most clouds */
    { .prefix = { 169, 254 }, .bits = 16 },
    /* RFC 1918, private */
    { .prefix = { 172, 16 }, .bits = 12, .reach = TR_REACH_PRIVATE },
    /* RFC 6890, protocol assignments; also RFC 7335, 7600, 7723, 8155, 7050, and a cloud's metadata
     */
    { .prefix = { 192, 0, 0 }, .bits = 24 },
    /* RFC 5737, documentation */
    { .prefix = { 192, 0, 2 }, .bits = 24 },
    /* RFC 7535, AS112 */
    { .prefix = { 192, 31, 196 }, .bits = 24 },
    /* RFC 7450, AMT */
    { .prefix = { 192, 52, 193 }, .bits = 24 },
    /* RFC 7526, the 6to4 relays of old */
    { .prefix = { 192, 88, 99 }, .bits = 24 },
    /* RFC 1918, private */
    { .prefix = { 192, 168 }, .bits = 16, .reach = TR_REACH_PRIVATE },
    /* RFC 7534, AS112 by direct delegation */
    { .prefix = { 192, 175, 48 }, .bits = 24 },
    /* RFC 2544, benchmarks */
    { .prefix = { 198, 18 }, .bits = 15 },
    /* RFC 5737, documentation */
    { .prefix = { 198, 51, 100 }, .bits = 24 },
    { .prefix = { 203, 0, 113 }, .bits = 24 },
    /* RFC 5771, multicast */
    { .prefix = { 224 }, .bits = 4 },
    /* RFC 1112, reserved; also RFC 8190, limited broadcast */
    { .prefix = { 240 }, .bits = 4 },
};

/* The IANA IPv6 Special-Purpose Address Registry inside of 2000::/3, the only space that unicast
 * addresses are given from, and the two blocks outside of it that a private network may have.
 * Everything else outside is refused without a row: unspecified and IPv4-compatible (RFC 4291),
 * IPv4-translated (RFC 7915), local NAT64 (64:ff9b:1::/48, RFC 8215: only that network knows where
 * the IPv4 address is), discard-only and dummy (100::/64, RFC 6666; 100:0:0:1::/64, RFC 9780),
 * segment identifiers (5f00::/16, RFC 9602), link-local and site-local (RFC 4291, RFC 3879),
 * multicast (ff00::/8). */
static const struct block v6_blocks[] = {
    /* RFC 4291, loopback */
    { .prefix = { [15] = 1 }, .bits = 128, .reach = TR_REACH_PRIVATE },
    /* RFC 4193, unique local */
    { .prefix = { 0xfc }, .bits = 7, .reach = TR_REACH_PRIVATE },
    /* RFC 2928, protocol assignments: Teredo (2001::/32, RFC 4380, whatever IPv4 address is
     * inside), anycast (2001:1::1 to 3, RFC 7723, 8155, 9665), benchmarks (2001:2::/48, RFC 5180),
     * AMT (2001:3::/32, RFC 7450), AS112 (2001:4:112::/48, RFC 7535), ORCHID (2001:10::/28, RFC
     * 4843; 2001:20::/28, RFC 7343), drones (2001:30::/28, RFC 9374) */
    { .prefix = { 0x20, 0x01 }, .bits = 23 },
    /* RFC 3849, documentation */
    { .prefix = { 0x20, 0x01, 0x0d, 0xb8 }, .bits = 32 },
    /* RFC 3056, 6to4, whatever IPv4 address is inside */
    { .prefix = { 0x20, 0x02 }, .bits = 16 },
    /* RFC 7534, AS112 by direct delegation */
    { .prefix = { 0x26, 0x20, 0x00, 0x4f, 0x80 }, .bits = 48 },
    /* RFC 9637, documentation */
    { .prefix = { 0x3f, 0xff }, .bits = 20 },
};

static bool is_in(const unsigned char *bytes, const unsigned char *prefix, size_t bits)
{
    const size_t whole = bits / CHAR_BIT;
    const size_t rest = bits % CHAR_BIT;
    if (memcmp(bytes, prefix, whole) != 0) {
        return false;
    }
    return rest == 0 || (bytes[whole] ^ prefix[whole]) >> (CHAR_BIT - rest) == 0;
}

static const struct block *find(const struct block *blocks, size_t count,
                                const unsigned char *bytes)
{
    for (size_t i = 0; i < count; i++) {
        if (is_in(bytes, blocks[i].prefix, blocks[i].bits)) {
            return &blocks[i];
        }
    }
    return NULL;
}

enum tr_reach tr_reach_of_v4(const unsigned char bytes[4])
{
    const struct block *block = find(v4_blocks, sizeof(v4_blocks) / sizeof(v4_blocks[0]), bytes);
    return block != NULL ? block->reach : TR_REACH_GLOBAL;
}

enum tr_reach tr_reach_of_v6(const unsigned char bytes[16])
{
    static const unsigned char mapped[EMBEDDED_AT] = { [10] = 0xff, [11] = 0xff }; /* RFC 4291 */
    static const unsigned char nat64[EMBEDDED_AT] = { 0x00, 0x64, 0xff, 0x9b };    /* RFC 6052 */
    static const unsigned char unicast = 0x20;                                     /* 2000::/3 */
    if (memcmp(bytes, mapped, sizeof(mapped)) == 0 || memcmp(bytes, nat64, sizeof(nat64)) == 0) {
        return tr_reach_of_v4(bytes + EMBEDDED_AT);
    }
    const struct block *block = find(v6_blocks, sizeof(v6_blocks) / sizeof(v6_blocks[0]), bytes);
    if (block != NULL) {
        return block->reach;
    }
    return is_in(bytes, &unicast, 3) ? TR_REACH_GLOBAL : TR_REACH_NEVER;
}
