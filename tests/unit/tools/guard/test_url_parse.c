#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>
#include <curl/curl.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/descriptor.h"
#include "tools/guard/url_parse.h"

static void a_url_is_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text, *normal, *host;
        uint16_t port;
        bool is_https;
    } cases[] = {
        { "http://example.com", "http://example.com/", "example.com", 80, false },
        { "HTTPS://Example.COM./a/../b?c#d", "https://Example.COM./b?c#d", "example.com", 443,
          true },
        { "https://example.com:8443/", "https://example.com:8443/", "example.com", 8443, true },
        { "http://example.com:/", "http://example.com/", "example.com", 80, false },
        { "http://example.com:000080/", "http://example.com:80/", "example.com", 80, false },
        { "http://[2001:DB8::1]:81/", "http://[2001:DB8::1]:81/", "2001:db8::1", 81, false },
        { "http://example.com/\xc3\xa9?\xc3\xa9", "http://example.com/%c3%a9?%c3%a9", "example.com",
          80, false },
        { "http://example.com/%C3%A9", "http://example.com/%C3%A9", "example.com", 80, false },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        tr_auto(url) struct tr_url url = { 0 };
        assert_int_equal(tr_url_parse(cases[i].text, &url, NULL), TR_OK);
        /* Versions of libcurl differ in the case of hexadecimal digits. */
        assert_int_equal(strcasecmp(url.normal, cases[i].normal), 0);
        assert_string_equal(url.host.text, cases[i].host);
        assert_int_equal(url.port, cases[i].port);
        assert_int_equal(url.is_https, cases[i].is_https);
    }
}

static void what_is_no_web_url_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what; /* a part of it */
    } cases[] = {
        { "", "no URL" },
        { "example.com", "no URL" },
        { "ftp://example.com/", "Only http and https" },
        { "file:///etc/passwd", "Only http and https" },
        { "unknown://example.com/", "no URL" },
        { "http://", "no URL" },
        { "http://example.com:0/", "1 to 65535" },
        { "http://example.com:65536/", "no URL" },
        { "http://user@example.com/", "user name" },
        { "http://user:secret@example.com/", "user name" },
        { "http://[fe80::1%25eth0]/", "zone" },
        { "http://127.0.0.1./", "four decimal numbers" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_url url = { 0 };
        struct tr_fault fault = { 0 };
        assert_int_equal(tr_url_parse(cases[i].text, &url, &fault), TR_URL_BLOCKED);
        assert_non_null(strstr(fault.what, cases[i].what));
        assert_null(strstr(fault.what, "secret"));
        assert_null(url.normal);
    }
}

static void a_location_is_resolved_against_its_url(void **state)
{
    (void)state;
    static const struct {
        const char *location, *url;
    } cases[] = {
        { "http://127.0.0.1/", "http://127.0.0.1/" },
        { "//other.test/x", "https://other.test/x" },
        { "/x", "https://example.com:8443/x" },
        { "x", "https://example.com:8443/a/x" },
        { "../x", "https://example.com:8443/x" },
        { "?q=2", "https://example.com:8443/a/b?q=2" },
        { "  /x\t", "https://example.com:8443/x" },
        { "/a b?c d", "https://example.com:8443/a%20b?c+d" },
        { "/\xc3\xa9", "https://example.com:8443/%c3%a9" },
        { "/\\x", "https://example.com:8443/\\x" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char *url = NULL;
        assert_int_equal(tr_url_resolve("https://example.com:8443/a/b?q=1", cases[i].location,
                                        strlen(cases[i].location), &url, NULL),
                         TR_OK);
        assert_int_equal(strcasecmp(url, cases[i].url), 0);
        free(url);
    }
}

static void a_location_that_leads_nowhere_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *location;
        size_t length;
    } cases[] = {
        { "http://127.0.0.1\r\nX: y", 22 },
        { "/a\0b", 4 },
        { "/\x7f", 2 },
        { "data:text/plain,x", 17 },
        { "javascript:alert(1)", 19 },
        { "http:127.0.0.1", 14 },
        { "http://exa mple.com/", 20 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char *url = NULL;
        struct tr_fault fault = { 0 };
        assert_int_equal(
            tr_url_resolve("http://example.com/", cases[i].location, cases[i].length, &url, &fault),
            TR_URL_BLOCKED);
        assert_null(url);
        assert_true(fault.what[0] != '\0');
    }
}

static void a_location_has_a_most_of_bytes(void **state)
{
    (void)state;
    static char location[TR_MAX_URL_BYTES + 1];
    memset(location, 'a', sizeof(location));
    for (size_t length = TR_MAX_URL_BYTES - 1; length <= TR_MAX_URL_BYTES + 1; length++) {
        char *url = NULL;
        const enum tr_status status =
            tr_url_resolve("http://example.com/", location, length, &url, NULL);
        assert_int_equal(status, length <= TR_MAX_URL_BYTES ? TR_OK : TR_URL_BLOCKED);
        free(url);
    }
}

static void an_origin_is_scheme_host_and_port(void **state)
{
    (void)state;
    static const struct {
        const char *left, *right;
        bool is_same;
    } cases[] = {
        { "http://example.com/a", "http://EXAMPLE.com:80/b", true },
        { "https://[::1]/", "https://[0:0::1]:443/", true },
        { "http://example.com/", "https://example.com/", false },
        { "http://example.com:443/", "https://example.com/", false },
        { "http://example.com/", "http://example.com:81/", false },
        { "http://example.com/", "http://a.example.com/", false },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        tr_auto(url) struct tr_url left = { 0 };
        tr_auto(url) struct tr_url right = { 0 };
        assert_int_equal(tr_url_parse(cases[i].left, &left, NULL), TR_OK);
        assert_int_equal(tr_url_parse(cases[i].right, &right, NULL), TR_OK);
        assert_int_equal(tr_url_is_same_origin(&left, &right), cases[i].is_same);
    }
}

static bool parse(void *context)
{
    tr_auto(url) struct tr_url url = { 0 };
    const enum tr_status status = tr_url_parse(context, &url, NULL);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static bool resolve(void *context)
{
    char *url = NULL;
    const enum tr_status status =
        tr_url_resolve("http://example.com/a/b", context, strlen(context), &url, NULL);
    /* libcurl takes a relative location for a bad URL when it has no memory for the base. */
    assert_true(status == TR_OK || status == TR_NO_MEMORY || status == TR_URL_BLOCKED);
    free(url);
    return status == TR_OK;
}

/* libcurl's allocations too: main() has handed it ours. */
static void want_of_memory_is_told_from_a_bad_url(void **state)
{
    (void)state;
    char url[] = "https://example.com:8443/a/../b?c=\xc3\xa9#d";
    char location[] = "../c d?e";
    assert_true(alloc_fail_each(parse, url) > 5);
    assert_true(alloc_fail_each(resolve, location) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_url_is_taken_apart),
        cmocka_unit_test(what_is_no_web_url_is_refused),
        cmocka_unit_test(a_location_is_resolved_against_its_url),
        cmocka_unit_test(a_location_that_leads_nowhere_is_refused),
        cmocka_unit_test(a_location_has_a_most_of_bytes),
        cmocka_unit_test(an_origin_is_scheme_host_and_port),
        cmocka_unit_test(want_of_memory_is_told_from_a_bad_url),
    };
    if (curl_global_init_mem(CURL_GLOBAL_NOTHING, malloc, free, realloc, strdup, calloc)
        != CURLE_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    curl_global_cleanup();
    return failed;
}
