#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/endpoint.h"

static void endpoint_is_read_and_printed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
        bool is_loopback, is_wildcard;
        uint16_t port;
    } cases[] = {
        { "127.0.0.1:8080", "127.0.0.1:8080", true, false, 8080 },
        { "127.255.255.255:1", "127.255.255.255:1", true, false, 1 },
        { "128.0.0.1:1", "128.0.0.1:1", false, false, 1 },
        { "localhost:0", "127.0.0.1:0", true, false, 0 },
        { "0.0.0.0:65535", "127.0.0.1:65535", false, true, 65535 },
        { ":8080", "127.0.0.1:8080", false, true, 8080 },
        { "[::]:8080", "127.0.0.1:8080", false, true, 8080 },
        { "[::1]:8080", "[::1]:8080", true, false, 8080 },
        { "[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80", true, false, 80 },
        { "[::ffff:10.0.0.1]:80", "[::ffff:10.0.0.1]:80", false, false, 80 },
        { "[2001:db8::1]:80", "[2001:db8::1]:80", false, false, 80 },
        { "10.0.0.1:00080", "10.0.0.1:80", false, false, 80 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_endpoint endpoint;
        char printed[TR_ENDPOINT_TEXT_BYTES];

        assert_int_equal(tr_endpoint_parse(cases[i].text, &endpoint, NULL), TR_OK);
        tr_endpoint_print(&endpoint, printed);

        assert_string_equal(printed, cases[i].printed);
        assert_int_equal(tr_endpoint_is_loopback(&endpoint), cases[i].is_loopback);
        assert_int_equal(tr_endpoint_is_wildcard(&endpoint), cases[i].is_wildcard);
        assert_int_equal(tr_endpoint_port(&endpoint), cases[i].port);
    }
}

static void endpoint_refuses_what_is_none(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        { "", "needs a port" },
        { "8080", "needs a port" },
        { "127.0.0.1", "needs a port" },
        { "[::1]", "needs a port" },
        { "[::1", "needs a port" },
        { "[::1]8080", "needs a port" },
        { "::1:8080", "needs brackets" },
        { "127.0.0.1:", "has a port" },
        { "127.0.0.1:65536", "has a port" },
        { "127.0.0.1:-1", "has a port" },
        { "127.0.0.1:+80", "has a port" },
        { "127.0.0.1: 80", "has a port" },
        { "127.0.0.1:80x", "has a port" },
        { "127.0.0.1:99999999999999999999", "has a port" },
        { "example.com:80", "no IP address" },
        { "127.1:80", "no IP address" },
        { "0x7f.0.0.1:80", "no IP address" },
        { "256.0.0.1:80", "no IP address" },
        { " 127.0.0.1:80", "no IP address" },
        { "http://127.0.0.1:80", "needs brackets" },
        { "[]:80", "no IPv6 address" },
        { "[127.0.0.1]:80", "no IPv6 address" },
        { "[fe80::1%lo]:80", "no IPv6 address" },
        { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:80", "no IP address" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_endpoint endpoint;
        struct tr_fault fault;

        assert_int_equal(tr_endpoint_parse(cases[i].text, &endpoint, &fault),
                         TR_INVALID_PARAMETERS);
        assert_non_null(strstr(fault.what, cases[i].reason));
    }
}

static void endpoint_takes_another_port(void **state)
{
    (void)state;
    static const char *const texts[] = { "127.0.0.1:0", "[::1]:0" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct tr_endpoint endpoint;
        assert_int_equal(tr_endpoint_parse(texts[i], &endpoint, NULL), TR_OK);

        tr_endpoint_set_port(&endpoint, 4711);

        assert_int_equal(tr_endpoint_port(&endpoint), 4711);
        assert_true(tr_endpoint_is_loopback(&endpoint));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endpoint_is_read_and_printed),
        cmocka_unit_test(endpoint_refuses_what_is_none),
        cmocka_unit_test(endpoint_takes_another_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
