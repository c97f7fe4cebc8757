/* Any text as a URL, and as the target of a redirect. What passes the strictest policy is read
 * again with libcurl alone: the host that libcurl would dial is the one that was judged. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#include <curl/curl.h>

#include "tests/fuzz/fuzz.h"
#include "tools/guard/url_guard.h"

static const struct tr_url_policy strictest;

/* As getaddrinfo() reads a literal, with all the spellings that inet_aton() knows. */
static bool is_literal(const char *host, struct sockaddr_storage *ret_address)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    char inner[INET6_ADDRSTRLEN];
    *ret_address = (struct sockaddr_storage){ 0 };
    v4.sin_addr.s_addr = inet_addr(host); /* 255.255.255.255 looks like a failure */
    if (v4.sin_addr.s_addr != INADDR_NONE || strcmp(host, "255.255.255.255") == 0) {
        memcpy(ret_address, &v4, sizeof(v4));
        return true;
    }
    const size_t length = strlen(host);
    if (length < 3 || host[0] != '[' || length - 2 >= sizeof(inner)) {
        return false;
    }
    memcpy(inner, host + 1, length - 2);
    inner[length - 2] = '\0';
    FUZZ_REQUIRE(inet_pton(AF_INET6, inner, &v6.sin6_addr) == 1);
    memcpy(ret_address, &v6, sizeof(v6));
    return true;
}

static void require_dialled_as_judged(const struct tr_url *url)
{
    CURLU *handle = curl_url();
    char *host = NULL;
    char *user = NULL;
    FUZZ_REQUIRE(handle != NULL);
    FUZZ_REQUIRE(curl_url_set(handle, CURLUPART_URL, url->normal, 0) == CURLUE_OK);
    FUZZ_REQUIRE(curl_url_get(handle, CURLUPART_USER, &user, 0) == CURLUE_NO_USER);
    FUZZ_REQUIRE(curl_url_get(handle, CURLUPART_HOST, &host, 0) == CURLUE_OK);
    struct sockaddr_storage address;
    const bool is_address = is_literal(host, &address);
    FUZZ_REQUIRE(is_address == (url->host.kind != TR_HOST_NAME));
    FUZZ_REQUIRE(!is_address
                 || tr_url_guard_address(&strictest, (const struct sockaddr *)&address));
    struct tr_host read;
    const char *reason = NULL;
    FUZZ_REQUIRE(tr_host_read(host, strlen(host), &read, &reason));
    FUZZ_REQUIRE(strcmp(read.text, url->host.text) == 0);
    curl_free(host);
    curl_url_cleanup(handle);
}

static void require_one_line(const struct tr_fault *fault)
{
    FUZZ_REQUIRE(fault->what[0] != '\0');
    for (const char *at = fault->what; *at != '\0'; at++) {
        FUZZ_REQUIRE(*at >= ' ' && *at <= '~'); /* nothing of a refused text but a plain host */
    }
}

static void check(const char *text, size_t length)
{
    tr_auto(url) struct tr_url url = { 0 };
    struct tr_fault fault = { 0 };
    if (tr_url_guard_check(&strictest, text, length, &url, &fault) != TR_OK) {
        require_one_line(&fault);
        return;
    }
    require_dialled_as_judged(&url);
    /* What passed once passes again, and means the same. */
    tr_auto(url) struct tr_url again = { 0 };
    FUZZ_REQUIRE(strlen(url.normal) > TR_MAX_URL_BYTES
                 || tr_url_guard_check(&strictest, url.normal, strlen(url.normal), &again, &fault)
                        == TR_OK);
    FUZZ_REQUIRE(again.normal == NULL || tr_url_is_same_origin(&url, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";
    char *target = NULL;
    struct tr_fault fault = { 0 };
    check(text, size);
    if (tr_url_resolve("https://example.com:8443/a/b?c", text, size, &target, &fault) == TR_OK) {
        check(target, strlen(target));
    } else {
        require_one_line(&fault);
    }
    free(target);
    return 0;
}
