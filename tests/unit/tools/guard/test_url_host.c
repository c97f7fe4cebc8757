#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/guard/url_host.h"

#define LABEL_63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void hosts_have_one_normal_form(void **state)
{
    (void)state;
    static const struct {
        const char *written, *text;
        enum tr_host_kind kind;
    } cases[] = {
        { "example.com", "example.com", TR_HOST_NAME },
        { "EXAMPLE.Com.", "example.com", TR_HOST_NAME },
        { "a", "a", TR_HOST_NAME },
        { "a-b.c_d.9to5.x1", "a-b.c_d.9to5.x1", TR_HOST_NAME },
        { "_dmarc.example.com", "_dmarc.example.com", TR_HOST_NAME },
        { "xn--bcher-kva.example", "xn--bcher-kva.example", TR_HOST_NAME },
        { "1.2.3.4.example", "1.2.3.4.example", TR_HOST_NAME },
        { "0xabc.example", "0xabc.example", TR_HOST_NAME },
        { "example.0xyz", "example.0xyz", TR_HOST_NAME },
        { LABEL_63 ".a", LABEL_63 ".a", TR_HOST_NAME },
        { "192.0.2.1", "192.0.2.1", TR_HOST_V4 },
        { "[::1]", "::1", TR_HOST_V6 },
        { "[2001:DB8:0::1]", "2001:db8::1", TR_HOST_V6 },
        { "[0:0:0:0:0:ffff:7f00:0001]", "::ffff:127.0.0.1", TR_HOST_V6 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_host host;
        const char *reason = NULL;
        assert_true(tr_host_read(cases[i].written, strlen(cases[i].written), &host, &reason));
        assert_string_equal(host.text, cases[i].text);
        assert_int_equal(host.kind, cases[i].kind);
        assert_null(reason);
    }
}

static void hosts_that_readers_differ_on_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *written, *reason; /* a part of it */
    } cases[] = {
        { "", "no host" },
        { ".", "a part that is empty" },
        { "..", "a part that is empty" },
        { ".example.com", "a part that is empty" },
        { "example..com", "a part that is empty" },
        { "example.com..", "a part that is empty" },
        { LABEL_63 "a.com", "longer than 63" },
        { "-example.com", "hyphen" },
        { "example-.com", "hyphen" },
        { "exa mple.com", "character" },
        { "example.com;a", "character" },
        { "a@b", "character" },
        { "a:b", "character" },
        { "a\x7f", "character" },
        { "%6c%6f", "percent-encoded" },
        { "b\xc3\xbc"
          "cher.example",
          "ASCII" },
        { "127\xef\xbc\x8e"
          "0.0.1",
          "ASCII" },
        { "127.1", "four decimal numbers" },
        { "2130706433", "four decimal numbers" },
        { "0", "four decimal numbers" },
        { "0x7f000001", "four decimal numbers" },
        { "0X7F.1", "four decimal numbers" },
        { "0x", "four decimal numbers" },
        { "127.0.0.0x1", "four decimal numbers" },
        { "0177.0.0.1", "four decimal numbers" },
        { "127.000.000.001", "four decimal numbers" },
        { "127.0.0.1.", "four decimal numbers" },
        { "1.2.3.4.5", "four decimal numbers" },
        { "256.256.256.256", "four decimal numbers" },
        { "xn--127-.0.0.1", "four decimal numbers" },
        { "[", "IPv6" },
        { "[]", "IPv6" },
        { "[::1", "IPv6" },
        { "[::1]x", "IPv6" },
        { "[127.0.0.1]", "IPv6" },
        { "[v1.fe80::a]", "IPv6" },
        { "[fe80::1%eth0]", "IPv6" },
        { "[fe80::1%251]", "IPv6" },
        { "[0:0:0:0:0:0:0:0:1]", "IPv6" },
        { "[0000:0000:0000:0000:0000:0000:0000:0000:0000:0001]", "IPv6" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_host host;
        const char *reason = "";
        assert_false(tr_host_read(cases[i].written, strlen(cases[i].written), &host, &reason));
        assert_non_null(strstr(reason, cases[i].reason));
    }
}

static void a_nul_is_seen(void **state)
{
    (void)state;
    struct tr_host host;
    const char *reason = NULL;
    assert_false(tr_host_read("a\0b", 3, &host, &reason));
    assert_false(tr_host_read("[::1\0]", 6, &host, &reason));
}

static void a_name_has_at_most_253_characters(void **state)
{
    (void)state;
    for (size_t length = 252; length <= 254; length++) {
        char name[256];
        struct tr_host host;
        const char *reason = NULL;
        for (size_t i = 0; i < length; i++) {
            name[i] = i % 50 == 49 && i + 1 < length ? '.' : 'a';
        }
        assert_int_equal(tr_host_read(name, length, &host, &reason), length <= 253);
    }
}

static void patterns_name_a_host_or_all_below_one(void **state)
{
    (void)state;
    static const struct {
        const char *host, *pattern;
        bool matches;
    } cases[] = {
        { "example.com", "example.com", true },
        { "Example.COM.", "example.com", true },
        { "a.example.com", "example.com", false },
        { "example.com", "*.example.com", false },
        { "a.example.com", "*.example.com", true },
        { "a.b.example.com", "*.example.com", true },
        { "badexample.com", "*.example.com", false },
        { "com", "*.example.com", false },
        { "10.0.0.1", "10.0.0.1", true },
        { "[::1]", "::1", true },
        { "10.0.0.1", "*.0.0.1", false },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_host host;
        const char *reason = NULL;
        assert_true(tr_host_read(cases[i].host, strlen(cases[i].host), &host, &reason));
        assert_int_equal(tr_host_matches(&host, cases[i].pattern), cases[i].matches);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_have_one_normal_form),
        cmocka_unit_test(hosts_that_readers_differ_on_are_refused),
        cmocka_unit_test(a_nul_is_seen),
        cmocka_unit_test(a_name_has_at_most_253_characters),
        cmocka_unit_test(patterns_name_a_host_or_all_below_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
