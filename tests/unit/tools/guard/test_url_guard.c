#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/un.h>

#include <cmocka.h>
#include <curl/curl.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tools/guard/url_guard.h"

static const struct tr_url_policy strictest;
static const struct tr_url_policy private = { .allow_private = true };

static enum tr_status check(const struct tr_url_policy *policy, const char *text,
                            struct tr_fault *reterr)
{
    tr_auto(url) struct tr_url url = { 0 };
    return tr_url_guard_check(policy, text, strlen(text), &url, reterr);
}

static void public_urls_pass(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "http://example.com",
        "HTTPS://Example.COM./a?b#c",
        "http://example.com:8080/",
        "http://example.com:/",
        "http://example.com?@127.0.0.1/",
        "http://example.com#@127.0.0.1/",
        "http://example.com/?url=http://127.0.0.1/",
        "http://example.com/@localhost:22",
        "http://ex_ample.com/",
        "http://8.8.8.8/",
        "http://[2606:4700:4700::1111]:8443/",
        "http://[2606:4700:4700:0:0:0:0:1111]/",
        "http://[::ffff:8.8.8.8]/",
        "http://[64:ff9b::808:808]/",
        "http://xn--bcher-kva.example/",
        "http://example.com/\xc3\xa9",
        "http://notlocalhost/",
        "http://localhost.example.com/",
        "http://internal.example.com/",
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(check(&strictest, cases[i], NULL), TR_OK);
    }
}

static void everything_else_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what; /* a part of it */
    } cases[] = {
        { "", "http:// or https://" },
        { "example.com", "http:// or https://" },
        { "//example.com/", "http:// or https://" },
        { "http:/example.com/", "http:// or https://" },
        { "http:example.com/", "http:// or https://" },
        { "ftp://example.com/", "http:// or https://" },
        { "file:///etc/passwd", "http:// or https://" },
        { "wss://example.com/", "http:// or https://" },
        { "jar:http://example.com!/", "http:// or https://" },
        { "http:///example.com/", "no host" },
        { "http://", "no URL" },
        { " http://example.com/", "byte 1" },
        { "http://example.com/a b", "byte 21" },
        { "http://example.com/\r\nHost: 127.0.0.1", "byte 20" },
        { "http://example.com\\@127.0.0.1/", "backslash" },
        { "http:\\\\127.0.0.1\\", "backslash" },
        { "http://example.com/\x7f", "byte 20" },
        { "http://u:secret@example.com/", "user name" },
        { "http://127.0.0.1@example.com/", "user name" },
        { "http://@example.com/", "" },
        { "http://a@b@127.0.0.1/", "" },
        { "http://%65xample.com/", "percent-encoded" },
        { "http://example.com%2540127.0.0.1/", "" },
        { "http://0x08080808/", "four decimal numbers" },
        { "http://134744072/", "four decimal numbers" },
        { "http://127.0.0.1./", "four decimal numbers" },
        { "http://127.0.0.1/", "127.0.0.1 is not on the Internet" },
        { "http://[::1]/", "::1 is not on the Internet" },
        { "http://[fe80::1%25eth0]/", "zone" },
        { "http://example.com:0/", "1 to 65535" },
        { "http://example.com:25/", "Port 25" },
        { "http://example.com:27017/", "Port 27017" },
        { "https://localhost/", "localhost is not on the Internet" },
        { "http://\xe2\x93\x9bocalhost/", "ASCII" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_fault fault = { 0 };
        assert_int_equal(check(&strictest, cases[i].text, &fault), TR_URL_BLOCKED);
        assert_non_null(strstr(fault.what, cases[i].what));
        assert_null(strstr(fault.what, "secret"));
    }
}

static void a_nul_does_not_end_a_url(void **state)
{
    (void)state;
    struct tr_url url = { 0 };
    assert_int_equal(tr_url_guard_check(&strictest, "http://a.test/\0", 15, &url, NULL),
                     TR_URL_BLOCKED);
    assert_int_equal(tr_url_guard_check(&strictest, "\0http://a.test/", 15, &url, NULL),
                     TR_URL_BLOCKED);
    assert_null(url.normal);
}

static void a_url_has_a_most_of_bytes(void **state)
{
    (void)state;
    static char text[TR_MAX_URL_BYTES + 1];
    memset(text, 'a', sizeof(text));
    memcpy(text, "http://a.test/", strlen("http://a.test/"));
    for (size_t length = TR_MAX_URL_BYTES - 1; length <= TR_MAX_URL_BYTES + 1; length++) {
        tr_auto(url) struct tr_url url = { 0 };
        assert_int_equal(tr_url_guard_check(&strictest, text, length, &url, NULL),
                         length <= TR_MAX_URL_BYTES ? TR_OK : TR_URL_BLOCKED);
    }
}

static void names_of_private_networks_need_permission(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "http://localhost/",     "http://LOCALHOST./",           "http://a.b.localhost/",
        "http://localhost6/",    "http://ip6-localhost/",        "http://ip6-loopback/",
        "http://a.internal/",    "http://router.local/",         "http://localhost.localdomain/",
        "http://nas.home.arpa/", "http://host.docker.internal/",
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(check(&strictest, cases[i], NULL), TR_URL_BLOCKED);
        assert_int_equal(check(&private, cases[i], NULL), TR_OK);
    }
}

static void metadata_services_are_never_named(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "http://metadata/",        "http://Metadata.Google.Internal./computeMetadata/v1/",
        "http://metadata.goog/",   "http://instance-data/latest/",
        "http://169.254.169.254/", "http://[::ffff:169.254.169.254]/",
        "http://168.63.129.16/",
    };
    static const char *const hosts[] = { "metadata", "metadata.google.internal" };
    const struct tr_url_policy listed = {
        .allow_private = true,
        .has_allow_hosts = true,
        .allow_hosts = hosts,
        .allow_host_count = 2,
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(check(&private, cases[i], NULL), TR_URL_BLOCKED);
        assert_int_equal(check(&listed, cases[i], NULL), TR_URL_BLOCKED);
    }
}

static void lists_of_hosts_hold(void **state)
{
    (void)state;
    static const char *const allowed[] = { "example.com", "*.example.org", "9.9.9.9", "10.0.0.1" };
    static const char *const blocked[] = { "bad.example.org", "*.example.net" };
    const struct tr_url_policy only = {
        .has_allow_hosts = true,
        .allow_hosts = allowed,
        .allow_host_count = TR_COUNT_OF(allowed),
        .block_hosts = blocked,
        .block_host_count = TR_COUNT_OF(blocked),
    };
    const struct tr_url_policy all_but = {
        .block_hosts = blocked,
        .block_host_count = TR_COUNT_OF(blocked),
    };
    static const struct {
        const char *text;
        bool by_only, by_all_but;
    } cases[] = {
        { "http://example.com/", true, true },
        { "http://EXAMPLE.com./", true, true },
        { "http://www.example.com/", false, true },
        { "http://example.org/", false, true },
        { "http://a.example.org/", true, true },
        { "http://bad.example.org/", false, false },
        { "http://BAD.example.org./", false, false },
        { "http://a.example.net/", false, false },
        { "http://example.net/", false, true },
        { "http://9.9.9.9/", true, true },
        { "http://8.8.8.8/", false, true },
        { "http://10.0.0.1/", false, false }, /* private all the same */
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(check(&only, cases[i].text, NULL) == TR_OK, cases[i].by_only);
        assert_int_equal(check(&all_but, cases[i].text, NULL) == TR_OK, cases[i].by_all_but);
    }
}

/* https://fetch.spec.whatwg.org/#port-blocking, then our own. */
static const uint16_t bad_ports[] = {
    1,    7,    9,    11,   13,   15,   17,    19,    20,   21,   22,   23,    25,   37,
    42,   43,   53,   69,   77,   79,   87,    95,    101,  102,  103,  104,   109,  110,
    111,  113,  115,  117,  119,  123,  135,   137,   139,  143,  161,  179,   389,  427,
    465,  512,  513,  514,  515,  526,  530,   531,   532,  540,  548,  554,   556,  563,
    587,  601,  636,  989,  990,  993,  995,   1719,  1720, 1723, 2049, 3659,  4045, 4190,
    5060, 5061, 6000, 6566, 6665, 6666, 6667,  6668,  6669, 6679, 6697, 10080, 445,  2375,
    3306, 3389, 5432, 5984, 6379, 9200, 11211, 27017,
};

static bool is_bad(unsigned port)
{
    for (size_t i = 0; i < TR_COUNT_OF(bad_ports); i++) {
        if (bad_ports[i] == port) {
            return true;
        }
    }
    return false;
}

static void just_the_ports_of_other_services_are_blocked(void **state)
{
    (void)state;
    for (unsigned port = 1; port <= 65535; port += port < 30000 ? 1 : 997) {
        char text[64];
        (void)snprintf(text, sizeof(text), "http://a.test:%u/", port);
        assert_int_equal(check(&strictest, text, NULL) == TR_OK, !is_bad(port));
    }
}

static void ports_can_be_allowed(void **state)
{
    (void)state;
    static const int64_t ports[] = { 9200, 25 };
    const struct tr_url_policy policy = { .allow_ports = ports, .allow_port_count = 2 };
    assert_int_equal(check(&policy, "http://a.test:25/", NULL), TR_OK);
    assert_int_equal(check(&policy, "http://a.test:9200/", NULL), TR_OK);
    assert_int_equal(check(&policy, "http://a.test:22/", NULL), TR_URL_BLOCKED);
    assert_int_equal(check(&policy, "http://a.test/", NULL), TR_OK);
}

/* ---- addresses ---- */

static bool may_dial(const struct tr_url_policy *policy, const char *text, uint32_t scope)
{
    struct sockaddr_storage storage = { 0 };
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_scope_id = scope };
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(&storage, &v4, sizeof(v4));
    } else {
        assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
        memcpy(&storage, &v6, sizeof(v6));
    }
    return tr_url_guard_address(policy, (const struct sockaddr *)&storage);
}

static void addresses_are_dialled_by_where_they_lead(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        uint32_t scope;
        bool by_strictest, by_private;
    } cases[] = {
        { "8.8.8.8", 0, true, true },
        { "2606:4700:4700::1111", 0, true, true },
        { "2606:4700:4700::1111", 1, false, false },
        { "127.0.0.1", 0, false, true },
        { "10.1.2.3", 0, false, true },
        { "100.64.1.1", 0, false, true },
        { "::1", 0, false, true },
        { "fd00::5", 0, false, true },
        { "::ffff:10.0.0.1", 0, false, true },
        { "169.254.169.254", 0, false, false },
        { "::ffff:169.254.169.254", 0, false, false },
        { "fe80::1", 0, false, false },
        { "fe80::1", 2, false, false },
        { "0.0.0.0", 0, false, false },
        { "::", 0, false, false },
        { "224.0.0.1", 0, false, false },
        { "255.255.255.255", 0, false, false },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(may_dial(&strictest, cases[i].address, cases[i].scope),
                         cases[i].by_strictest);
        assert_int_equal(may_dial(&private, cases[i].address, cases[i].scope), cases[i].by_private);
    }
}

static void other_families_are_never_dialled(void **state)
{
    (void)state;
    const struct sockaddr_un unix_address = { .sun_family = AF_UNIX, .sun_path = "/run/x.sock" };
    const struct sockaddr nothing = { .sa_family = AF_UNSPEC };
    assert_false(tr_url_guard_address(&private, (const struct sockaddr *)&unix_address));
    assert_false(tr_url_guard_address(&private, &nothing));
}

/* ---- two parsers ---- */

/* "http://[::ffff:7f00:1]" and "http://[::ffff:127.0.0.1]" name one host, "http://A." and
 * "http://a" too. */
static bool is_same_host(const char *left, const char *right)
{
    struct tr_host hosts[2];
    const char *texts[] = { left, right };
    const char *reason = NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *host = strstr(texts[i], "://");
        if (host == NULL) {
            return false;
        }
        host += strlen("://");
        const size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
        if (!tr_host_read(host, length, &hosts[i], &reason)) {
            return false;
        }
    }
    return strcmp(hosts[0].text, hosts[1].text) == 0;
}

/* id, URL as a JSON string, how a browser and how libcurl read its host, whether they differ. */
static void judge_parsers(char *line, size_t *ret_passed, size_t *ret_refused)
{
    char *columns[5] = { line };
    for (size_t i = 1; i < 5; i++) {
        columns[i] = strchr(columns[i - 1], '\t');
        assert_non_null(columns[i]);
        *columns[i]++ = '\0';
    }
    json_auto_t *text = json_loads(columns[1], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (text == NULL) {
        return; /* the table cuts long URLs */
    }
    tr_auto(url) struct tr_url url = { 0 };
    if (tr_url_guard_check(&strictest, json_string_value(text), json_string_length(text), &url,
                           NULL)
        != TR_OK) {
        (*ret_refused)++;
        return;
    }
    (*ret_passed)++;
    assert_true(is_same_host(columns[2], columns[3]));
    assert_true(is_same_host(columns[2], url.normal));
}

static void no_url_passes_that_two_parsers_read_differently(void **state)
{
    (void)state;
    FILE *file = fopen(TR_TEST_DATA_DIR "/ssrf_parsers.tsv", "r");
    char *line = NULL;
    size_t room = 0;
    size_t passed = 0;
    size_t refused = 0;
    assert_non_null(file);
    assert_true(getline(&line, &room, file) > 0); /* the names of the columns */
    while (getline(&line, &room, file) > 0) {
        judge_parsers(line, &passed, &refused);
    }
    free(line);
    (void)fclose(file);
    assert_true(passed > 50);
    assert_true(refused > 200);
}

static bool check_once(void *context)
{
    const enum tr_status status = check(&strictest, context, NULL);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static void want_of_memory_is_no_verdict(void **state)
{
    (void)state;
    char text[] = "https://example.com:8443/a?b";
    assert_true(alloc_fail_each(check_once, text) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_urls_pass),
        cmocka_unit_test(everything_else_is_refused_with_a_reason),
        cmocka_unit_test(a_nul_does_not_end_a_url),
        cmocka_unit_test(a_url_has_a_most_of_bytes),
        cmocka_unit_test(names_of_private_networks_need_permission),
        cmocka_unit_test(metadata_services_are_never_named),
        cmocka_unit_test(lists_of_hosts_hold),
        cmocka_unit_test(just_the_ports_of_other_services_are_blocked),
        cmocka_unit_test(ports_can_be_allowed),
        cmocka_unit_test(addresses_are_dialled_by_where_they_lead),
        cmocka_unit_test(other_families_are_never_dialled),
        cmocka_unit_test(no_url_passes_that_two_parsers_read_differently),
        cmocka_unit_test(want_of_memory_is_no_verdict),
    };
    /* So that libcurl's allocations can fail too. */
    if (curl_global_init_mem(CURL_GLOBAL_NOTHING, malloc, free, realloc, strdup, calloc)
        != CURLE_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    curl_global_cleanup();
    return failed;
}
