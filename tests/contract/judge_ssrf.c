#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/contract/judge.h"
#include "tools/core/json.h"
#include "tools/guard/url_guard.h"

/* Rows of ssrf.jsonl: may `url` be fetched? Goes the way of the HTTP engine with the engine's own
 * questions to the guard, but dials nothing: `dns` and `dns_seq` say what names resolve to,
 * `redirects` what the answers are. */

enum { MAX_INPUT_BYTES = 64 * 1024 * 1024 };

static const struct tr_url_policy policy; /* the strictest */

struct address {
    struct sockaddr_storage storage;
};

/* "10.0.0.1", "fe80::1%eth0". */
static bool read_address(const char *text, struct address *ret_address)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    char plain[INET6_ADDRSTRLEN];
    const size_t length = strcspn(text, "%");
    (void)snprintf(plain, sizeof(plain), "%.*s", (int)length, text);
    v6.sin6_scope_id = text[length] == '%' ? 1 : 0;
    *ret_address = (struct address){ 0 };
    if (inet_pton(AF_INET, plain, &v4.sin_addr) == 1) {
        memcpy(&ret_address->storage, &v4, sizeof(v4));
        return true;
    }
    if (inet_pton(AF_INET6, plain, &v6.sin6_addr) == 1) {
        memcpy(&ret_address->storage, &v6, sizeof(v6));
        return true;
    }
    return false;
}

/* One look-up: any of the addresses may be the one that is dialled. */
static bool may_dial(const json_t *addresses, struct tr_text *came)
{
    for (size_t i = 0; i < json_array_size(addresses); i++) {
        const char *text = json_string_value(json_array_get(addresses, i));
        struct address address;
        if (text == NULL || !read_address(text, &address)
            || !tr_url_guard_address(&policy, (const struct sockaddr *)&address.storage)) {
            tr_text_printf(came, "the address %s is refused", text != NULL ? text : "?");
            return false;
        }
    }
    if (json_array_size(addresses) == 0) {
        tr_text_add_string(came, "the name does not resolve");
        return false;
    }
    return true;
}

/* Names of the DNS have no case and may end with a dot. */
static const json_t *find_name(const json_t *names, const struct tr_host *host)
{
    for (void *at = tr_json_first(names); at != NULL; at = tr_json_next(names, at)) {
        const char *key = json_object_iter_key(at);
        const char *reason = NULL;
        struct tr_host name;
        if (tr_host_read(key, strlen(key), &name, &reason) && strcmp(name.text, host->text) == 0) {
            return json_object_iter_value(at);
        }
    }
    return NULL;
}

/* A name may be looked up for every connection anew, so each of its answers must hold. */
static bool may_dial_name(const json_t *row, const struct tr_host *host, struct tr_text *came)
{
    const json_t *lookups = find_name(json_object_get(row, "dns_seq"), host);
    for (size_t i = 0; i < json_array_size(lookups); i++) {
        if (!may_dial(json_array_get(lookups, i), came)) {
            return false;
        }
    }
    if (lookups != NULL) {
        return json_array_size(lookups) > 0;
    }
    return may_dial(find_name(json_object_get(row, "dns"), host), came);
}

static bool may_dial_host(const json_t *row, const struct tr_host *host, struct tr_text *came)
{
    const bool has_names =
        json_object_get(row, "dns") != NULL || json_object_get(row, "dns_seq") != NULL;
    if (host->kind == TR_HOST_NAME) {
        return !has_names || may_dial_name(row, host, came);
    }
    struct address address;
    if (!read_address(host->text, &address)
        || !tr_url_guard_address(&policy, (const struct sockaddr *)&address.storage)) {
        tr_text_printf(came, "the address %s is refused", host->text);
        return false;
    }
    return true;
}

/* One hop: on success `ret_url` is where it went. */
static bool may_fetch(const json_t *row, const char *text, size_t length, struct tr_url *ret_url,
                      struct tr_text *came)
{
    struct tr_fault fault = { 0 };
    if (tr_url_guard_check(&policy, text, length, ret_url, &fault) != TR_OK) {
        tr_text_add_string(came, fault.what);
        return false;
    }
    if (!may_dial_host(row, &ret_url->host, came)) {
        tr_url_done(ret_url);
        return false;
    }
    return true;
}

static bool may_follow(const json_t *row, size_t hop, struct tr_url *url, struct tr_text *came)
{
    const json_t *answer = json_array_get(json_object_get(row, "redirects"), hop);
    const json_t *location = json_object_get(answer, "location");
    struct tr_fault fault = { 0 };
    char *next = NULL;
    if (hop >= TR_MAX_REDIRECTS) {
        tr_text_add_string(came, "there are too many redirects");
        return false;
    }
    if (tr_url_resolve(url->normal, json_string_value(location), json_string_length(location),
                       &next, &fault)
        != TR_OK) {
        tr_text_add_string(came, fault.what);
        return false;
    }
    tr_url_done(url);
    const bool is_allowed = may_fetch(row, next, strlen(next), url, came);
    free(next);
    return is_allowed;
}

static bool is_allowed(const json_t *row, const struct tr_text *text, struct tr_text *came)
{
    struct tr_url url = { 0 };
    bool is_going_on = may_fetch(row, tr_text_string(text), text->length, &url, came);
    const json_t *answers = json_object_get(row, "redirects");
    for (size_t hop = 0; is_going_on && hop < json_array_size(answers); hop++) {
        if (!json_is_string(json_object_get(json_array_get(answers, hop), "location"))) {
            break; /* where it ends */
        }
        is_going_on = may_follow(row, hop, &url, came);
    }
    tr_url_done(&url);
    return is_going_on;
}

void judge_ssrf(const json_t *row, struct judgement *judgement)
{
    const char *expected = json_string_value(json_object_get(row, "expect"));
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, MAX_INPUT_BYTES);
    if (expected == NULL || !judge_read_text(json_object_get(row, "url"), &text)) {
        judge_fail(judgement, "a row without 'url' or a verdict in 'expect'");
        return;
    }
    tr_text_add_string(&judgement->wanted, expected);
    const bool allows = is_allowed(row, &text, &judgement->came);
    if (allows) {
        tr_text_add_string(&judgement->came, "allow");
    }
    judgement->has_passed =
        strcmp(expected, "either") == 0 || strcmp(expected, allows ? "allow" : "block") == 0;
}
