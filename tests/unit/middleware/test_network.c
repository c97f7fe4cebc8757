#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "middleware/network.h"
#include "tests/support/alloc_fail.h"
#include "tests/unit/middleware/fixture.h"

static void addresses_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *written; /* NULL: refused */
    } cases[] = {
        { "192.0.2.1", "192.0.2.1" },
        { "0.0.0.0", "0.0.0.0" },
        { "255.255.255.255", "255.255.255.255" },
        { "10.9.100.99", "10.9.100.99" },
        { "::1", "::1" },
        { "2001:DB8::1", "2001:db8::1" },
        { "::ffff:192.0.2.1", "192.0.2.1" },
        { "::ffff:c000:201", "192.0.2.1" },
        { "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
        { "", NULL },
        { "192.0.2", NULL },
        { "192.0.2.256", NULL },
        { "192.0.2.01", NULL },
        { "0x7f.0.0.1", NULL },
        { "2130706433", NULL },
        { " 192.0.2.1", NULL },
        { "192.0.2.1:80", NULL },
        { "[::1]", NULL },
        { "fe80::1%eth0", NULL },
        { "1::2::3", NULL },
        { "localhost", NULL },
        { "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000", NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_address address;
        const bool is_read = tr_address_parse(cases[i].text, strlen(cases[i].text), &address);
        assert_int_equal(is_read, cases[i].written != NULL);
        if (is_read) {
            char text[TR_ADDRESS_TEXT_BYTES];
            tr_address_write(&address, text);
            assert_string_equal(text, cases[i].written);
        }
    }
    struct tr_address address;
    assert_false(tr_address_parse("1.2.3.4\0", 8, &address));
}

static struct tr_network_list *list_of(const char *network)
{
    struct tr_network_list *list = NULL;
    assert_int_equal(tr_network_list_new(&network, 1, &list, NULL), TR_OK);
    return list;
}

static void networks_hold_the_addresses_of_their_prefix(void **state)
{
    (void)state;
    static const struct {
        const char *network, *address;
        bool is_in;
    } cases[] = {
        { "10.0.0.0/8", "10.255.255.255", true },
        { "10.0.0.0/8", "11.0.0.0", false },
        { "10.0.0.0/8", "9.255.255.255", false },
        { "192.168.128.0/17", "192.168.128.0", true },
        { "192.168.128.0/17", "192.168.255.255", true },
        { "192.168.128.0/17", "192.168.127.255", false },
        { "192.0.2.1", "192.0.2.1", true },
        { "192.0.2.1", "192.0.2.2", false },
        { "192.0.2.1/32", "192.0.2.1", true },
        { "192.0.2.0/31", "192.0.2.1", true },
        { "192.0.2.0/31", "192.0.2.2", false },
        { "0.0.0.0/0", "203.0.113.9", true },
        { "0.0.0.0/0", "::1", false },
        { "::/0", "2001:db8::1", true },
        { "::/0", "192.0.2.1", false },
        { "::/0", "::ffff:192.0.2.1", false },
        { "10.0.0.0/8", "::ffff:10.1.2.3", true },
        { "::ffff:10.0.0.0/104", "10.1.2.3", true },
        { "::ffff:10.0.0.0/104", "11.1.2.3", false },
        { "::1", "::1", true },
        { "::1", "::2", false },
        { "fd00::/8", "fdff::1", true },
        { "fd00::/8", "fe00::1", false },
        { "2001:db8::/33", "2001:db8:7fff::", true },
        { "2001:db8::/33", "2001:db8:8000::", false },
        { "2001:db8::1/128", "2001:db8::1", true },
        { "10.0.0.0/8", "nonsense", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_network_list *list = list_of(cases[i].network);
        assert_int_equal(tr_network_list_has_text(list, cases[i].address), cases[i].is_in);
        tr_network_list_free(list);
    }
}

static void what_is_no_network_is_refused_by_its_place(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/8x",
        "10.0.0.0/+8",
        "10.0.0.1/8",
        "10.0.0.0/ 8",
        "::1/129",
        "fd00::1/64",
        "10.0.0/8",
        "/8",
        "example.com",
        "10.0.0.0/8/8",
        "::ffff:10.0.0.0/8",
        "10.0.0.0/99999999999999999999",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const char *const texts[] = { "10.0.0.0/8", wrong[i] };
        struct tr_network_list *list = NULL;
        struct tr_fault fault = { .where = "" };
        assert_int_equal(tr_network_list_new(texts, 2, &list, &fault), TR_INVALID_PARAMETERS);
        assert_null(list);
        assert_string_equal(fault.where, "/1");
        assert_non_null(strstr(fault.what, wrong[i]));
    }
}

static void any_network_of_the_list_counts(void **state)
{
    (void)state;
    const char *const texts[] = { "10.0.0.0/8", "::1" };
    struct tr_network_list *list = NULL;
    assert_int_equal(tr_network_list_new(texts, 2, &list, NULL), TR_OK);
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);

    fixture_peer(&fixture, "::1");
    assert_true(tr_network_list_has(list, fixture.exchange.request.peer));
    fixture_peer(&fixture, "10.1.1.1");
    assert_true(tr_network_list_has(list, fixture.exchange.request.peer));
    fixture_peer(&fixture, "::ffff:10.1.1.1");
    assert_true(tr_network_list_has(list, fixture.exchange.request.peer));
    fixture_peer(&fixture, "11.1.1.1");
    assert_false(tr_network_list_has(list, fixture.exchange.request.peer));
    assert_false(tr_network_list_has(list, NULL));
    const struct sockaddr other = { .sa_family = AF_UNIX };
    assert_false(tr_network_list_has(list, &other));
    tr_network_list_free(list);
}

static void no_list_and_an_empty_one_hold_nothing(void **state)
{
    (void)state;
    struct tr_network_list *list = NULL;
    assert_int_equal(tr_network_list_new(NULL, 0, &list, NULL), TR_OK);
    assert_false(tr_network_list_has_text(list, "127.0.0.1"));
    assert_false(tr_network_list_has_text(NULL, "127.0.0.1"));
    tr_network_list_free(list);
    tr_network_list_free(NULL);
}

static bool make_list(void *context)
{
    (void)context;
    const char *const text = "10.0.0.0/8";
    struct tr_network_list *list = NULL;
    const enum tr_status status = tr_network_list_new(&text, 1, &list, NULL);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    tr_network_list_free(list);
    return status == TR_OK;
}

static void a_list_survives_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(alloc_fail_each(make_list, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_and_written),
        cmocka_unit_test(networks_hold_the_addresses_of_their_prefix),
        cmocka_unit_test(what_is_no_network_is_refused_by_its_place),
        cmocka_unit_test(any_network_of_the_list_counts),
        cmocka_unit_test(no_list_and_an_empty_one_hold_nothing),
        cmocka_unit_test(a_list_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
