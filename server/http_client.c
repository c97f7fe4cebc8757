#include "server/http_client.h"

#include <string.h>

#include <curl/curl.h>

enum { MAX_HEADER_BYTES = 1024 };

static inline void tr_curl_drop(CURL **curl)
{
    curl_easy_cleanup(*curl);
}

static inline void tr_curl_list_drop(struct curl_slist **list)
{
    curl_slist_free_all(*list);
}

/* The answer while it arrives. */
static size_t receive(char *bytes, size_t size, size_t count, void *context)
{
    struct tr_text *body = context;
    tr_text_add(body, bytes, size * count);
    return body->status == TR_OK ? size * count : 0;
}

/* False when out of memory. The list is the caller's also then. */
static bool add_header(struct curl_slist **list, const char *header)
{
    struct curl_slist *longer = curl_slist_append(*list, header);
    if (longer == NULL) {
        return false;
    }
    *list = longer;
    return true;
}

/* A key with a line break would become a header of its own. */
static bool is_header_value(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ' || *text == '\x7f') {
            return false;
        }
    }
    return true;
}

static enum tr_status make_headers(const struct tr_http_query *query, struct curl_slist **list,
                                   struct tr_fault *reterr)
{
    bool is_complete = add_header(list, "Accept: application/json");
    if (query->json_body != NULL) {
        is_complete = is_complete && add_header(list, "Content-Type: application/json")
                      && add_header(list, "Expect:");
    }
    if (query->key != NULL) {
        tr_auto(text) struct tr_text header = { 0 };
        tr_text_init(&header, MAX_HEADER_BYTES);
        tr_text_printf(&header, "Authorization: Bearer %s", query->key);
        if (!is_header_value(query->key) || header.status == TR_BODY_TOO_LARGE) {
            return tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL, "the key is no API key");
        }
        is_complete =
            is_complete && header.status == TR_OK && add_header(list, tr_text_string(&header));
    }
    return is_complete ? TR_OK : tr_refuse(TR_NO_MEMORY, reterr, NULL, "out of memory");
}

static bool is_http_url(const char *url)
{
    return strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0;
}

static void set_options(CURL *curl, const struct tr_http_query *query, struct tr_text *body,
                        const struct curl_slist *headers)
{
    (void)curl_easy_setopt(curl, CURLOPT_URL, query->url);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, query->timeout_ms);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    if (query->is_local) {
        (void)curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    }
    if (query->json_body != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                               (curl_off_t)strlen(query->json_body));
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, query->json_body);
    }
}

static enum tr_status refuse_transfer(CURLcode code, const struct tr_http_query *query,
                                      const struct tr_text *body, struct tr_fault *reterr)
{
    if (body->status == TR_BODY_TOO_LARGE) {
        return tr_refuse(TR_INTERNAL, reterr, query->url, "the answer is too large");
    }
    return tr_refuse(TR_INTERNAL, reterr, query->url, "%s", curl_easy_strerror(code));
}

enum tr_status tr_http_ask(const struct tr_http_query *query, struct tr_text *ret_body,
                           long *ret_http_status, struct tr_fault *reterr)
{
    if (!is_http_url(query->url)) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, query->url,
                         "must start with http:// or https://");
    }
    tr_auto(curl_list) struct curl_slist *headers = NULL;
    TR_TRY(make_headers(query, &headers, reterr));
    tr_auto(curl) CURL *curl = curl_easy_init();
    if (curl == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "out of memory");
    }
    set_options(curl, query, ret_body, headers);
    const CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK) {
        return refuse_transfer(code, query, ret_body, reterr);
    }
    (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, ret_http_status);
    return TR_OK;
}

const char *tr_http_client_version(void)
{
    return curl_version_info(CURLVERSION_NOW)->version;
}
