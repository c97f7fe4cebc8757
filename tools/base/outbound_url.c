/* URLs made from parts by libcurl's URL API, the one that will dial them. */
#include <ctype.h>
#include <string.h>

#include <curl/curl.h>

#include "tools/base/outbound.h"
#include "tools/base/outbound_secret.h"
#include "tools/core/call.h"
#include "tools/core/text.h"
#include "tools/guard/url_parse.h"

enum { MAX_QUERY_BYTES = TR_MAX_URL_BYTES };

static inline void tr_curl_url_drop(CURLU **url)
{
    curl_url_cleanup(*url);
}

static inline void tr_curl_text_drop(char **text)
{
    curl_free(*text);
}

/* Everything but unreserved characters becomes %XX, '/' too. A failure sticks to the text. */
static void add_escaped(struct tr_text *out, const char *text)
{
    tr_auto(curl_text) char *escaped = curl_easy_escape(NULL, text, (int)strlen(text));
    if (escaped == NULL) {
        out->status = TR_NO_MEMORY;
        return;
    }
    tr_text_add_string(out, escaped);
}

static bool is_plain_segment(const char *segment)
{
    return *segment != '\0' && strcmp(segment, ".") != 0 && strcmp(segment, "..") != 0
           && strlen(segment) <= TR_MAX_URL_BYTES;
}

/* The base's path, then the segments, with one slash between any two. */
static enum tr_status write_path(struct tr_call *call, const char *base,
                                 const struct tr_url_parts *parts, struct tr_text *out)
{
    size_t length = strlen(base);
    while (length > 0 && base[length - 1] == '/') {
        length--;
    }
    tr_text_add(out, base, length);
    for (size_t i = 0; i < parts->segment_count; i++) {
        if (!is_plain_segment(parts->segments[i])) {
            return tr_fail(call, "'%.64s' cannot be a part of a URL's path", parts->segments[i]);
        }
        tr_text_add_char(out, '/');
        add_escaped(out, parts->segments[i]);
    }
    return TR_OK;
}

static enum tr_status set_path(struct tr_call *call, CURLU *url, const struct tr_url_parts *parts)
{
    tr_auto(curl_text) char *base = NULL;
    tr_auto(text) struct tr_text path = { 0 };
    if (parts->segment_count == 0) {
        return TR_OK;
    }
    if (curl_url_get(url, CURLUPART_PATH, &base, 0) != CURLUE_OK) {
        return TR_NO_MEMORY;
    }
    tr_text_init(&path, TR_MAX_URL_BYTES);
    TR_TRY(write_path(call, base, parts, &path));
    if (path.status == TR_BODY_TOO_LARGE) {
        return tr_fail(call, "The URL is longer than %d bytes", TR_MAX_URL_BYTES);
    }
    return path.status == TR_OK
                   && curl_url_set(url, CURLUPART_PATH, tr_text_string(&path), 0) == CURLUE_OK
               ? TR_OK
               : TR_NO_MEMORY;
}

static enum tr_status add_query(struct tr_call *call, CURLU *url, const struct tr_out_header *pair)
{
    tr_auto(text) struct tr_text query = { 0 };
    tr_text_init(&query, MAX_QUERY_BYTES);
    if (pair->value == NULL) {
        return TR_OK;
    }
    add_escaped(&query, pair->name);
    tr_text_add_char(&query, '=');
    add_escaped(&query, pair->value);
    if (query.status == TR_BODY_TOO_LARGE) {
        return tr_fail(call, "The URL is longer than %d bytes", TR_MAX_URL_BYTES);
    }
    return query.status == TR_OK
                   && curl_url_set(url, CURLUPART_QUERY, tr_text_string(&query), CURLU_APPENDQUERY)
                          == CURLUE_OK
               ? TR_OK
               : TR_NO_MEMORY;
}

static enum tr_status take_url(struct tr_call *call, CURLU *url, struct tr_outbound *outbound)
{
    tr_auto(curl_text) char *text = NULL;
    if (curl_url_get(url, CURLUPART_URL, &text, 0) != CURLUE_OK) {
        return TR_NO_MEMORY;
    }
    outbound->url = tr_arena_strndup(&call->arena, text, strlen(text));
    return outbound->url != NULL ? TR_OK : TR_NO_MEMORY;
}

enum tr_status tr_outbound_set_url(struct tr_call *call, struct tr_outbound *outbound,
                                   const struct tr_url_parts *parts)
{
    tr_auto(curl_url) CURLU *url = curl_url();
    if (url == NULL) {
        return TR_NO_MEMORY;
    }
    const CURLUcode code = curl_url_set(url, CURLUPART_URL, parts->base, 0);
    if (code != CURLUE_OK) {
        return code == CURLUE_OUT_OF_MEMORY
                   ? TR_NO_MEMORY
                   : tr_fail_internal(call, "The base URL of the upstream is no URL");
    }
    TR_TRY(set_path(call, url, parts));
    for (size_t i = 0; i < parts->query_count; i++) {
        TR_TRY(add_query(call, url, &parts->query[i]));
    }
    return take_url(call, url, outbound);
}

/* ---- the secret ---- */

static const char *replace(struct tr_call *call, const char *text, const char *secret)
{
    const size_t length = strlen(secret);
    tr_auto(text) struct tr_text out = { 0 };
    tr_text_init(&out, call->arena.limit);
    for (const char *at = strstr(text, secret); at != NULL; at = strstr(text, secret)) {
        tr_text_add(&out, text, (size_t)(at - text));
        tr_text_add_string(&out, "***");
        text = at + length;
    }
    if (out.length == 0) {
        return text;
    }
    tr_text_add_string(&out, text);
    return out.status == TR_OK ? tr_arena_strndup(&call->arena, tr_text_string(&out), out.length)
                               : NULL;
}

/* libcurl writes the digits of an escape in lower case where it takes a URL apart. */
static void lower_escapes(char *text)
{
    for (char *at = strchr(text, '%'); at != NULL; at = strchr(at + 1, '%')) {
        at[1] = (char)tolower((unsigned char)at[1]);
        at[2] = (char)tolower((unsigned char)at[2]);
    }
}

const char *tr_without_secret(struct tr_call *call, const char *text, const char *secret)
{
    if (text == NULL || secret == NULL || *secret == '\0') {
        return text;
    }
    tr_auto(curl_text) char *escaped = curl_easy_escape(NULL, secret, (int)strlen(secret));
    text = escaped != NULL ? replace(call, text, escaped) : NULL;
    if (text != NULL) {
        lower_escapes(escaped);
        text = replace(call, text, escaped);
    }
    return text != NULL ? replace(call, text, secret) : NULL;
}
