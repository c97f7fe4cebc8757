#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/guard/url_address.h"

static enum tr_reach reach_of(const char *text)
{
    unsigned char bytes[16];
    if (inet_pton(AF_INET, text, bytes) == 1) {
        return tr_reach_of_v4(bytes);
    }
    assert_int_equal(inet_pton(AF_INET6, text, bytes), 1);
    return tr_reach_of_v6(bytes);
}

/* The first and the last address of each block. */
static void special_blocks_are_not_the_internet(void **state)
{
    (void)state;
    static const struct {
        const char *first, *last;
        enum tr_reach reach;
    } cases[] = {
        { "0.0.0.0", "0.255.255.255", TR_REACH_NEVER },
        { "10.0.0.0", "10.255.255.255", TR_REACH_PRIVATE },
        { "100.64.0.0", "100.127.255.255", TR_REACH_PRIVATE },
        { "127.0.0.0", "127.255.255.255", TR_REACH_PRIVATE },
        { "168.63.129.16", "168.63.129.16", TR_REACH_NEVER },
        { "169.254.0.0", "169.254.255.255", TR_REACH_NEVER },
        { "172.16.0.0", "172.31.255.255", TR_REACH_PRIVATE },
        { "192.0.0.0", "192.0.0.255", TR_REACH_NEVER },
        { "192.0.2.0", "192.0.2.255", TR_REACH_NEVER },
        { "192.31.196.0", "192.31.196.255", TR_REACH_NEVER },
        { "192.52.193.0", "192.52.193.255", TR_REACH_NEVER },
        { "192.88.99.0", "192.88.99.255", TR_REACH_NEVER },
        { "192.168.0.0", "192.168.255.255", TR_REACH_PRIVATE },
        { "192.175.48.0", "192.175.48.255", TR_REACH_NEVER },
        { "198.18.0.0", "198.19.255.255", TR_REACH_NEVER },
        { "198.51.100.0", "198.51.100.255", TR_REACH_NEVER },
        { "203.0.113.0", "203.0.113.255", TR_REACH_NEVER },
        { "224.0.0.0", "239.255.255.255", TR_REACH_NEVER },
        { "240.0.0.0", "255.255.255.255", TR_REACH_NEVER },
        { "::", "::", TR_REACH_NEVER },
        { "::1", "::1", TR_REACH_PRIVATE },
        { "::2", "::ffff:ffff", TR_REACH_NEVER },                 /* IPv4-compatible */
        { "::ffff:0:0:0", "::ffff:0:ffff:ffff", TR_REACH_NEVER }, /* IPv4-translated */
        { "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "100::", "100::ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1fff::", TR_REACH_NEVER },
        { "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:20::1", TR_REACH_NEVER },
        { "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "2002:808:808::1", "2002:7f00:1::", TR_REACH_NEVER },
        { "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "4000::", "5f00::1", TR_REACH_NEVER },
        { "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_PRIVATE },
        { "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
        { "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", TR_REACH_NEVER },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(reach_of(cases[i].first), cases[i].reach);
        assert_int_equal(reach_of(cases[i].last), cases[i].reach);
    }
}

/* Right before and right behind the blocks. */
static void everything_else_is_the_internet(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.15",
        "168.63.129.17",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.1.255",
        "192.0.3.0",
        "192.31.195.255",
        "192.31.197.0",
        "192.52.192.255",
        "192.52.194.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "192.175.47.255",
        "192.175.49.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2000::",
        "2000:ffff::1",
        "2001:200::",
        "2001:db7:ffff::",
        "2001:db9::",
        "2003::",
        "2620:4f:7fff::",
        "2620:4f:8001::",
        "2a00:1450:4001::1",
        "3ffe:ffff::",
        "3fff:1000::",
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(reach_of(cases[i]), TR_REACH_GLOBAL);
    }
}

static void an_embedded_ipv4_address_decides(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        enum tr_reach reach;
    } cases[] = {
        { "::ffff:8.8.8.8", TR_REACH_GLOBAL },      { "::ffff:127.0.0.1", TR_REACH_PRIVATE },
        { "::ffff:10.0.0.1", TR_REACH_PRIVATE },    { "::ffff:169.254.169.254", TR_REACH_NEVER },
        { "::ffff:0.0.0.0", TR_REACH_NEVER },       { "64:ff9b::8.8.8.8", TR_REACH_GLOBAL },
        { "64:ff9b::127.0.0.1", TR_REACH_PRIVATE }, { "64:ff9b::169.254.169.254", TR_REACH_NEVER },
        { "64:ff9b::1:808:808", TR_REACH_NEVER }, /* behind the prefix of NAT64 */
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(reach_of(cases[i].address), cases[i].reach);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_blocks_are_not_the_internet),
        cmocka_unit_test(everything_else_is_the_internet),
        cmocka_unit_test(an_embedded_ipv4_address_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
