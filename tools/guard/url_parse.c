/* The only file of tools/guard that knows libcurl. */
#include "tools/guard/url_parse.h"

#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "tools/core/number.h"

typedef char curl_string; /* so that tr_auto() can name it */

static inline void tr_curl_handle_drop(CURLU **handle)
{
    curl_url_cleanup(*handle);
}

static inline void tr_curl_string_drop(curl_string **text)
{
    curl_free(*text);
}

static enum tr_status refuse(CURLUcode code, struct tr_fault *reterr)
{
    if (code == CURLUE_OUT_OF_MEMORY) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "No memory for a URL");
    }
    if (code == CURLUE_USER_NOT_ALLOWED) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                         "A URL must not hold a user name or a password: use a header");
    }
    return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "The text is no URL: %s",
                     curl_url_strerror(code));
}

static enum tr_status read_host(CURLU *handle, struct tr_host *ret_host, struct tr_fault *reterr)
{
    tr_auto(curl_string) curl_string *zone = NULL;
    const CURLUcode zone_code = curl_url_get(handle, CURLUPART_ZONEID, &zone, 0);
    if (zone_code == CURLUE_OK) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "An address with a zone is not reached");
    }
    if (zone_code != CURLUE_NO_ZONEID) {
        return refuse(zone_code, reterr);
    }
    tr_auto(curl_string) curl_string *host = NULL;
    const CURLUcode code = curl_url_get(handle, CURLUPART_HOST, &host, 0);
    if (code != CURLUE_OK) {
        return refuse(code, reterr);
    }
    const char *reason = NULL;
    if (!tr_host_read(host, strlen(host), ret_host, &reason)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "The text is no URL: %s", reason);
    }
    return TR_OK;
}

static enum tr_status read_scheme(CURLU *handle, bool *ret_is_https, struct tr_fault *reterr)
{
    tr_auto(curl_string) curl_string *scheme = NULL;
    const CURLUcode code = curl_url_get(handle, CURLUPART_SCHEME, &scheme, 0);
    if (code != CURLUE_OK) {
        return refuse(code, reterr);
    }
    *ret_is_https = strcmp(scheme, "https") == 0;
    if (!*ret_is_https && strcmp(scheme, "http") != 0) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "Only http and https URLs are reached");
    }
    return TR_OK;
}

static enum tr_status read_port(CURLU *handle, uint16_t *ret_port, struct tr_fault *reterr)
{
    tr_auto(curl_string) curl_string *text = NULL;
    const CURLUcode code = curl_url_get(handle, CURLUPART_PORT, &text, CURLU_DEFAULT_PORT);
    if (code != CURLUE_OK) {
        return refuse(code, reterr);
    }
    int64_t port = 0;
    if (!tr_parse_int64(text, strlen(text), &port) || port < 1 || port > UINT16_MAX) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "A port is a number from 1 to 65535");
    }
    *ret_port = (uint16_t)port;
    return TR_OK;
}

/* A copy that free() takes: libcurl may have an allocator of its own. */
static enum tr_status read_normal(CURLU *handle, char **ret_normal, struct tr_fault *reterr)
{
    tr_auto(curl_string) curl_string *text = NULL;
    const CURLUcode code = curl_url_get(handle, CURLUPART_URL, &text, 0);
    if (code != CURLUE_OK) {
        return refuse(code, reterr);
    }
    *ret_normal = strdup(text);
    return *ret_normal != NULL ? TR_OK : refuse(CURLUE_OUT_OF_MEMORY, reterr);
}

enum tr_status tr_url_parse(const char *text, struct tr_url *ret_url, struct tr_fault *reterr)
{
    struct tr_url url = { 0 };
    tr_auto(curl_handle) CURLU *handle = curl_url();
    if (handle == NULL) {
        return refuse(CURLUE_OUT_OF_MEMORY, reterr);
    }
    const CURLUcode code =
        curl_url_set(handle, CURLUPART_URL, text, CURLU_DISALLOW_USER | CURLU_URLENCODE);
    if (code != CURLUE_OK) {
        return refuse(code, reterr);
    }
    TR_TRY(read_scheme(handle, &url.is_https, reterr));
    TR_TRY(read_host(handle, &url.host, reterr));
    TR_TRY(read_port(handle, &url.port, reterr));
    TR_TRY(read_normal(handle, &url.normal, reterr));
    *ret_url = url;
    return TR_OK;
}

void tr_url_done(struct tr_url *url)
{
    free(url->normal);
    *url = (struct tr_url){ 0 };
}

/* ---- redirects ---- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool has_control_byte(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)bytes[i] < ' ' || bytes[i] == '\x7f') {
            return true;
        }
    }
    return false;
}

static enum tr_status join(const char *base, const char *location, char **ret_url,
                           struct tr_fault *reterr)
{
    tr_auto(curl_handle) CURLU *handle = curl_url();
    if (handle == NULL) {
        return refuse(CURLUE_OUT_OF_MEMORY, reterr);
    }
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, base, 0);
    if (code == CURLUE_OK) {
        code = curl_url_set(handle, CURLUPART_URL, location, CURLU_URLENCODE | CURLU_ALLOW_SPACE);
    }
    return code == CURLUE_OK ? read_normal(handle, ret_url, reterr) : refuse(code, reterr);
}

enum tr_status tr_url_resolve(const char *base, const char *location, size_t length, char **ret_url,
                              struct tr_fault *reterr)
{
    while (length != 0 && is_blank(location[0])) {
        location++;
        length--;
    }
    while (length != 0 && is_blank(location[length - 1])) {
        length--;
    }
    if (length > TR_MAX_URL_BYTES) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "The redirect's URL is longer than %d bytes",
                         TR_MAX_URL_BYTES);
    }
    if (has_control_byte(location, length)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "The redirect's URL has control characters");
    }
    char *text = tr_url_copy(location, length);
    if (text == NULL) {
        return refuse(CURLUE_OUT_OF_MEMORY, reterr);
    }
    const enum tr_status status = join(base, text, ret_url, reterr);
    free(text);
    return status;
}

char *tr_url_copy(const char *bytes, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, bytes, length);
        copy[length] = '\0';
    }
    return copy;
}

bool tr_url_is_same_origin(const struct tr_url *left, const struct tr_url *right)
{
    return left->is_https == right->is_https && left->port == right->port
           && strcmp(left->host.text, right->host.text) == 0;
}
