#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "middleware/network.h"
#include "tests/unit/middleware/fixture.h"

static struct tr_network_list *trusted; /* 10.0.0.0/8 and fd00::/8 */

static int trust_proxies(void **state)
{
    (void)state;
    const char *const texts[] = { "10.0.0.0/8", "fd00::/8" };
    return tr_network_list_new(texts, 2, &trusted, NULL) == TR_OK ? 0 : -1;
}

static int trust_nobody(void **state)
{
    (void)state;
    tr_network_list_free(trusted);
    return 0;
}

struct forwarded_case {
    const char *peer;
    const char *forwarded[2], *x_forwarded_for[2], *proto;
    const char *client, *scheme;
};

static void expect(const struct forwarded_case *expected)
{
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.trusted_proxies = trusted;
    fixture_peer(&fixture, expected->peer);
    for (size_t i = 0; i < 2; i++) {
        fixture_header(&fixture, "Forwarded", expected->forwarded[i]);
        fixture_header(&fixture, "X-Forwarded-For", expected->x_forwarded_for[i]);
    }
    fixture_header(&fixture, "X-Forwarded-Proto", expected->proto);

    assert_true(fixture_admit(&fixture, &tr_forwarded));

    assert_string_equal(fixture.exchange.client_address, expected->client);
    assert_string_equal(fixture.exchange.scheme,
                        expected->scheme != NULL ? expected->scheme : "http");
    assert_null(tr_exchange_header(&fixture.exchange, "Forwarded"));
    assert_null(tr_exchange_header(&fixture.exchange, "X-Forwarded-For"));
    assert_null(tr_exchange_header(&fixture.exchange, "X-Forwarded-Proto"));
}

static void only_trusted_peers_are_believed(void **state)
{
    (void)state;
    static const struct forwarded_case cases[] = {
        { .peer = "192.0.2.1", .client = "192.0.2.1" },
        { .peer = "192.0.2.1",
          .x_forwarded_for = { "127.0.0.1" },
          .proto = "https",
          .client = "192.0.2.1" },
        { .peer = "192.0.2.1",
          .forwarded = { "for=127.0.0.1;proto=https" },
          .client = "192.0.2.1" },
        { .peer = "2001:db8::1", .x_forwarded_for = { "127.0.0.1" }, .client = "2001:db8::1" },
        { .peer = "10.0.0.1", .client = "10.0.0.1" },
        { .peer = "10.0.0.1",
          .x_forwarded_for = { "192.0.2.7" },
          .proto = "HTTPS",
          .client = "192.0.2.7",
          .scheme = "https" },
        { .peer = "::ffff:10.0.0.1", .x_forwarded_for = { "192.0.2.7" }, .client = "192.0.2.7" },
        { .peer = "fd00::1",
          .forwarded = { "for=\"[2001:db8::7]:4711\";proto=https" },
          .client = "2001:db8::7",
          .scheme = "https" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(&cases[i]);
    }
}

static void the_rightmost_address_that_is_no_proxy_is_the_client(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *client;
    } cases[] = {
        { "192.0.2.7", NULL, "192.0.2.7" },
        { "127.0.0.1, 192.0.2.7", NULL, "192.0.2.7" },
        { "192.0.2.7, 10.0.0.2", NULL, "192.0.2.7" },
        { "127.0.0.1,192.0.2.7 ,\t10.0.0.2, 10.0.0.3", NULL, "192.0.2.7" },
        { "192.0.2.7", "10.0.0.2", "192.0.2.7" },
        { "192.0.2.7", "192.0.2.8", "192.0.2.8" },
        { "10.0.0.3, 10.0.0.2", NULL, "10.0.0.3" },
        { "192.0.2.7:443", NULL, "192.0.2.7" },
        { "[2001:db8::7]:443", NULL, "2001:db8::7" },
        { "[2001:db8::7]", NULL, "2001:db8::7" },
        { "2001:db8::7", NULL, "2001:db8::7" },
        { "::ffff:192.0.2.7", NULL, "192.0.2.7" },
        { "::ffff:10.0.0.9", NULL, "10.0.0.9" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct forwarded_case row = {
            .peer = "10.0.0.1",
            .x_forwarded_for = { cases[i].first, cases[i].second },
            .client = cases[i].client,
        };
        expect(&row);
    }
}

static void a_hop_that_is_no_address_ends_the_walk_before_it(void **state)
{
    (void)state;
    static const struct {
        const char *list, *client;
    } cases[] = {
        { "", "10.0.0.1" },
        { ",", "10.0.0.1" },
        { "unknown", "10.0.0.1" },
        { "192.0.2.7, unknown", "10.0.0.1" },
        { "192.0.2.7,", "10.0.0.1" },
        { "192.0.2.7, bad, 10.0.0.2", "10.0.0.2" },
        { "bad, 192.0.2.7", "192.0.2.7" },
        { "192.0.2.7:", "10.0.0.1" },
        { "192.0.2.7:x", "10.0.0.1" },
        { "192.0.2.7:123456", "10.0.0.1" },
        { "192.0.2.7:-1", "10.0.0.1" },
        { "[2001:db8::7", "10.0.0.1" },
        { "[2001:db8::7]x", "10.0.0.1" },
        { "[192.0.2.7]", "10.0.0.1" },
        { "[]", "10.0.0.1" },
        { "[", "10.0.0.1" },
        { ":", "10.0.0.1" },
        { "192.0.2.7 192.0.2.8", "10.0.0.1" },
        { "192.0.2.07", "10.0.0.1" },
        { "3221225991", "10.0.0.1" },
        { "localhost", "10.0.0.1" },
        { "fe80::1%eth0", "10.0.0.1" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct forwarded_case row = {
            .peer = "10.0.0.1",
            .x_forwarded_for = { cases[i].list },
            .client = cases[i].client,
        };
        expect(&row);
    }
}

static void forwarded_is_read_as_rfc_7239_says(void **state)
{
    (void)state;
    static const struct {
        const char *list, *client, *scheme;
    } cases[] = {
        { "for=192.0.2.7", "192.0.2.7", "http" },
        { "For=\"192.0.2.7:80\"", "192.0.2.7", "http" },
        { "for=192.0.2.7;proto=https;by=203.0.113.4;host=x", "192.0.2.7", "https" },
        { "proto=https;for=192.0.2.7", "192.0.2.7", "https" },
        { "for=192.0.2.7;proto=gopher", "192.0.2.7", "http" },
        { "for=127.0.0.1;proto=http, for=192.0.2.7;proto=https", "192.0.2.7", "https" },
        { "for=192.0.2.7;proto=https, for=10.0.0.2;proto=http", "192.0.2.7", "https" },
        { "for=\"[2001:db8::7]\"", "2001:db8::7", "http" },
        { "for=192.0.2.7, for=unknown", "10.0.0.1", "http" },
        { "for=_hidden", "10.0.0.1", "http" },
        { "proto=https", "10.0.0.1", "http" },
        { "by=1.2.3.4", "10.0.0.1", "http" },
        { "", "10.0.0.1", "http" },
        { "for=", "10.0.0.1", "http" },
        { "for", "10.0.0.1", "http" },
        { "192.0.2.7", "10.0.0.1", "http" },
        { "for=192.0.2.7;", "10.0.0.1", "http" },
        { "for=192.0.2.7,", "10.0.0.1", "http" },
        { "for=[2001:db8::7]", "10.0.0.1", "http" },
        { "for=192.0.2.7 x", "10.0.0.1", "http" },
        /* An open quote of the client's swallows what the proxy added. */
        { "for=\"a, for=192.0.2.7", "10.0.0.1", "http" },
        { "for=\"a, for=\"[2001:db8::7]\"", "10.0.0.1", "http" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct forwarded_case row = {
            .peer = "10.0.0.1",
            .forwarded = { cases[i].list },
            .client = cases[i].client,
            .scheme = cases[i].scheme,
        };
        expect(&row);
    }
    static const struct forwarded_case two_lines = {
        .peer = "10.0.0.1",
        .forwarded = { "for=192.0.2.7;proto=https", "for=10.0.0.2;proto=http" },
        .client = "192.0.2.7",
        .scheme = "https",
    };
    expect(&two_lines);
}

static void both_kinds_must_agree(void **state)
{
    (void)state;
    static const struct forwarded_case agree = {
        .peer = "10.0.0.1",
        .forwarded = { "for=192.0.2.7;proto=https" },
        .x_forwarded_for = { "192.0.2.7" },
        .client = "192.0.2.7",
        .scheme = "https",
    };
    static const struct forwarded_case differ = {
        .peer = "10.0.0.1",
        .forwarded = { "for=127.0.0.1;proto=https" },
        .x_forwarded_for = { "192.0.2.7" },
        .proto = "https",
        .client = "10.0.0.1",
    };
    expect(&agree);
    expect(&differ);
}

static void the_nearest_proxy_says_the_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *proto, *scheme;
    } cases[] = {
        { "https", "https" },       { "http", "http" },       { "https, http", "http" },
        { "http, https", "https" }, { "javascript", "http" }, { "", "http" },
        { "https,", "http" },       { "https x", "http" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct forwarded_case row = {
            .peer = "10.0.0.1",
            .x_forwarded_for = { "192.0.2.7" },
            .proto = cases[i].proto,
            .client = "192.0.2.7",
            .scheme = cases[i].scheme,
        };
        expect(&row);
    }
}

static void a_forwarded_header_has_a_most_of_elements(void **state)
{
    (void)state;
    for (size_t count = 31; count <= 33; count++) {
        char list[1024] = "for=192.0.2.7";
        for (size_t i = 1; i < count; i++) {
            memcpy(list + strlen(list), ",for=10.0.0.2", sizeof(",for=10.0.0.2"));
        }
        const struct forwarded_case row = {
            .peer = "10.0.0.1",
            .forwarded = { list },
            .client = count <= 32 ? "192.0.2.7" : "10.0.0.1",
        };
        expect(&row);
    }
}

static void without_a_peer_there_is_no_address(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.trusted_proxies = trusted;
    fixture_header(&fixture, "X-Forwarded-For", "192.0.2.7");

    assert_true(fixture_admit(&fixture, &tr_forwarded));

    assert_null(fixture.exchange.client_address);
    assert_string_equal(fixture.exchange.scheme, "http");
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Whatever comes, the client is an address, and the reading stays within the bytes. */
static void any_text_gives_an_address(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "for=",    "proto=",   "https",     "\"",        ",",     ";", "=",
        " ",       "10.0.0.2", "192.0.2.7", "[fd00::2]", "[",     "]", ":80",
        "unknown", "\\",       "\x01",      "\xff",      "by=_x", ":",
    };
    uint32_t seed = 11;
    for (int round = 0; round < 50 * 1000; round++) {
        char text[256];
        size_t length = 0;
        for (size_t count = next_random(&seed) % 16; count != 0; count--) {
            const char *piece = pieces[next_random(&seed) % (sizeof(pieces) / sizeof(pieces[0]))];
            memcpy(text + length, piece, strlen(piece));
            length += strlen(piece);
        }
        char *exact = malloc(length + (length == 0 ? 1 : 0));
        assert_non_null(exact);
        memcpy(exact, text, length);
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.trusted_proxies = trusted;
        fixture_peer(&fixture, "10.0.0.1");
        const bool is_standard = next_random(&seed) % 2 == 0;
        fixture_header_bytes(&fixture, is_standard ? "Forwarded" : "X-Forwarded-For", exact,
                             length);

        assert_true(fixture_admit(&fixture, &tr_forwarded));

        struct tr_address address;
        const char *client = fixture.exchange.client_address;
        assert_true(tr_address_parse(client, strlen(client), &address));
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_trusted_peers_are_believed),
        cmocka_unit_test(the_rightmost_address_that_is_no_proxy_is_the_client),
        cmocka_unit_test(a_hop_that_is_no_address_ends_the_walk_before_it),
        cmocka_unit_test(forwarded_is_read_as_rfc_7239_says),
        cmocka_unit_test(both_kinds_must_agree),
        cmocka_unit_test(the_nearest_proxy_says_the_scheme),
        cmocka_unit_test(a_forwarded_header_has_a_most_of_elements),
        cmocka_unit_test(without_a_peer_there_is_no_address),
        cmocka_unit_test(any_text_gives_an_address),
    };
    return cmocka_run_group_tests(tests, trust_proxies, trust_nobody);
}
