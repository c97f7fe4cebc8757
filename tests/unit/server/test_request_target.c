#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/request_target.h"
#include "tests/support/alloc_fail.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int set_up(void **state)
{
    static struct tr_arena arena;
    tr_arena_init(&arena, 64 * 1024);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    tr_arena_done(*state);
    return 0;
}

static void target_becomes_path_and_query(void **state)
{
    static const struct {
        const char *raw, *path, *query;
    } cases[] = {
        { "/", "/", "" },
        { "/tools", "/tools", "" },
        { "/tools/", "/tools", "" },
        { "/tools?", "/tools", "" },
        { "/tools/?a=1", "/tools", "a=1" },
        { "/?a=%2F..//&b?c", "/", "a=%2F..//&b?c" },
        { "/tools/%65cho", "/tools/echo", "" },
        { "/%7Btools%7d/gr%C3%BC%C3%9Fe", "/{tools}/gr\xC3\xBC\xC3\x9F\x65", "" },
        { "/a%20b%2525%5C", "/a b%25\\", "" },
        { "/...", "/...", "" },
        { "/.hidden/..x/x..", "/.hidden/..x/x..", "" },
        { "/a;b=c,d:e@f!$&'()*+,", "/a;b=c,d:e@f!$&'()*+,", "" },
        { "http://example.com", "/", "" },
        { "http://example.com/", "/", "" },
        { "http://example.com/tools?a", "/tools", "a" },
        { "HTTPS://[::1]:8080/tools/", "/tools", "" },
        { "https://example.com?a=/b", "/", "a=/b" },
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tr_target target;

        const enum tr_status status = tr_target_parse(*state, cases[i].raw, false, &target, NULL);

        assert_int_equal(status, TR_OK);
        assert_string_equal(target.path, cases[i].path);
        assert_string_equal(target.query, cases[i].query);
    }
}

/* What two readers could take for different targets. */
static const char *const refused[] = {
    /* No path. */
    "",
    "*",
    "tools",
    "example.com:80",
    "127.0.0.1:80",
    "?a",
    "#",
    /* Bytes that must be encoded, and a fragment. */
    "/a b",
    "/a\tb",
    "/a\rb",
    "/a\x01",
    "/a\x7F",
    "/a\xC3\xBC",
    "/?q=\xFF",
    "/?q=a b",
    "/a#b",
    "/?q=#",
    /* Broken escapes, and NUL. */
    "/%",
    "/%4",
    "/%zz",
    "/%4g",
    "/?a=%",
    "/?a=%g0",
    "/a%00",
    "/?a=%00",
    /* What must not come out of an escape. */
    "/a%2Fb",
    "/a%2fb",
    "/a%0Ab",
    "/a%1f",
    "/a%7F",
    "/%FF",
    "/%C3",
    "/%C0%AF",
    "/%ED%A0%80",
    /* Empty segments. */
    "//",
    "//example.com/tools",
    "/tools//",
    "/a//b",
    /* Dots. */
    "/.",
    "/..",
    "/a/.",
    "/a/..",
    "/a/../b",
    "/./a",
    "/%2e",
    "/%2E%2e/a",
    "/a/.%2E",
    "/a/%2e./b",
    /* Other schemes. */
    "ftp://example.com/",
    "file:///etc/passwd",
    "http:/tools",
    "http:///tools",
    "http://",
    "javascript:alert(1)",
    /* Bad authorities, and a bad path behind a good one. */
    "http://user@example.com/",
    "http://example.com:80a/",
    "http://example.com:123456/",
    "http://[::1/",
    "http://exam%70le.com/",
    "http://example.com/../a",
};

static void target_that_can_be_read_in_two_ways_is_refused(void **state)
{
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        struct tr_target target = { .path = "untouched" };
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_target_parse(*state, refused[i], false, &target, &fault);

        if (status != TR_BAD_REQUEST) {
            fail_msg("accepted: %s", refused[i]);
        }
        assert_string_equal(target.path, "untouched");
        assert_int_not_equal(fault.what[0], '\0');
    }
}

static void asterisk_is_for_options_only(void **state)
{
    struct tr_target target;

    assert_int_equal(tr_target_parse(*state, "*", true, &target, NULL), TR_OK);

    assert_string_equal(target.path, "*");
    assert_string_equal(target.query, "");
    assert_int_equal(tr_target_parse(*state, "*?a", true, &target, NULL), TR_BAD_REQUEST);
    assert_int_equal(tr_target_parse(*state, "*", false, &target, NULL), TR_BAD_REQUEST);
}

static void refusal_says_what_is_wrong(void **state)
{
    struct tr_target target;
    struct tr_fault fault;

    assert_int_equal(tr_target_parse(*state, "/a%2Fb", false, &target, &fault), TR_BAD_REQUEST);
    assert_string_equal(fault.what, "The path of the request holds an encoded '/'");
    assert_int_equal(tr_target_parse(*state, "/a#b", false, &target, &fault), TR_BAD_REQUEST);
    assert_string_equal(fault.what, "The request target holds a fragment");
}

static bool parse_once(void *context)
{
    struct tr_arena arena;
    struct tr_target target = { .path = NULL };
    (void)context;
    tr_arena_init(&arena, 64 * 1024);

    const enum tr_status status = tr_target_parse(&arena, "/tools?a", false, &target, NULL);

    assert_true(status == TR_OK || (status == TR_NO_MEMORY && target.path == NULL));
    tr_arena_done(&arena);
    return status == TR_OK;
}

static void target_survives_want_of_memory(void **state)
{
    (void)state;
    alloc_fail_each(parse_once, NULL);
}

static void authority_is_a_host_with_an_optional_port(void **state)
{
    (void)state;
    static const char *const good[] = {
        "a",         "example.com",  "example.com.",          "x_y-z~1",
        "127.0.0.1", "127.0.0.1:80", "example.com:",          "example.com:65535",
        "[::1]",     "[::1]:8080",   "[2001:db8::192.0.2.1]",
    };
    static const char *const bad[] = {
        "",      ":80",      "a b",    "a,b",     "a/b",  "a?b",  "user@a",
        "a:80a", "a:123456", "a:b",    "a:80:81", "[::1", "[]",   "[]:80",
        "::1",   "[::1]80",  "[::1]]", "[g::1]",  "a%20", "a\tb", "ex\xC3\xA4mple",
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        if (!tr_authority_is_valid(good[i], strlen(good[i]))) {
            fail_msg("refused: %s", good[i]);
        }
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (tr_authority_is_valid(bad[i], strlen(bad[i]))) {
            fail_msg("accepted: %s", bad[i]);
        }
    }
    assert_false(tr_authority_is_valid("a\0b", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(target_becomes_path_and_query, set_up, tear_down),
        cmocka_unit_test_setup_teardown(target_that_can_be_read_in_two_ways_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(asterisk_is_for_options_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusal_says_what_is_wrong, set_up, tear_down),
        cmocka_unit_test(target_survives_want_of_memory),
        cmocka_unit_test(authority_is_a_host_with_an_optional_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
