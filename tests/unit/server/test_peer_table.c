#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/peer_table.h"
#include "tests/support/alloc_fail.h"

union address {
    struct sockaddr generic;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

static union address address_of(const char *text)
{
    union address address = { .ipv6 = { .sin6_family = AF_INET6 } };
    if (inet_pton(AF_INET6, text, &address.ipv6.sin6_addr) != 1) {
        address = (union address){ .ipv4 = { .sin_family = AF_INET } };
        assert_int_equal(inet_pton(AF_INET, text, &address.ipv4.sin_addr), 1);
    }
    return address;
}

static bool take(struct tr_peer_table *table, const char *text)
{
    const union address address = address_of(text);
    return tr_peer_table_take(table, &address.generic);
}

static void give(struct tr_peer_table *table, const char *text)
{
    const union address address = address_of(text);
    tr_peer_table_give(table, &address.generic);
}

static void address_has_its_share_and_no_more(void **state)
{
    (void)state;
    struct tr_peer_table *table = tr_peer_table_new(2);

    assert_true(take(table, "192.0.2.1"));
    assert_true(take(table, "192.0.2.1"));
    assert_false(take(table, "192.0.2.1"));
    assert_true(take(table, "192.0.2.2"));
    give(table, "192.0.2.1");
    assert_true(take(table, "192.0.2.1"));
    assert_false(take(table, "192.0.2.1"));

    tr_peer_table_free(table);
}

static void spellings_of_one_subscriber_are_counted_together(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        bool is_same;
    } cases[] = {
        { "192.0.2.1", "::ffff:192.0.2.1", true },
        { "2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true },
        { "2001:db8:0:1::1", "2001:db8:0:2::1", false },
        { "192.0.2.1", "::192.0.2.1", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_peer_table *table = tr_peer_table_new(1);

        assert_true(take(table, cases[i].first));
        assert_int_equal(take(table, cases[i].second), !cases[i].is_same);

        tr_peer_table_free(table);
    }
}

static void many_addresses_come_and_go(void **state)
{
    (void)state;
    enum { ADDRESSES = 2000 };
    struct tr_peer_table *table = tr_peer_table_new(1);
    union address address = { .ipv4 = { .sin_family = AF_INET } };
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        address.ipv4.sin_addr.s_addr = htonl(0x0A000000u + i);
        assert_true(tr_peer_table_take(table, &address.generic));
        assert_false(tr_peer_table_take(table, &address.generic));
    }
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        address.ipv4.sin_addr.s_addr = htonl(0x0A000000u + i);
        tr_peer_table_give(table, &address.generic);
        assert_true(tr_peer_table_take(table, &address.generic));
    }
    tr_peer_table_free(table);
}

static bool take_once(void *context)
{
    (void)context;
    struct tr_peer_table *table = tr_peer_table_new(1);
    const bool is_taken = table != NULL && take(table, "192.0.2.1");
    tr_peer_table_free(table);
    return is_taken;
}

static void who_cannot_be_counted_is_refused(void **state)
{
    (void)state;
    assert_int_equal(alloc_fail_each(take_once, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(address_has_its_share_and_no_more),
        cmocka_unit_test(spellings_of_one_subscriber_are_counted_together),
        cmocka_unit_test(many_addresses_come_and_go),
        cmocka_unit_test(who_cannot_be_counted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
