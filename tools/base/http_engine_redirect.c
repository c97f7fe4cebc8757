/* One of the files of the HTTP engine (see http_engine_parts.h): redirects, which are followed hop
 * by hop, so that the URL guard sees each of them. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/base/http_engine_parts.h"
#include "tools/base/http_head.h"
#include "tools/guard/header_guard.h"

/* ---- what a hop sends ---- */

const char *tr_hop_method(const struct tr_transfer *transfer)
{
    const struct tr_outbound *outbound = transfer->request.outbound;
    if (transfer->has_lost_body) {
        return "GET";
    }
    if (outbound->method != NULL) {
        return outbound->method;
    }
    return outbound->body != NULL ? "POST" : "GET";
}

bool tr_hop_has_body(const struct tr_transfer *transfer)
{
    return transfer->request.outbound->body != NULL && !transfer->has_lost_body;
}

/* A field about the body, which went with it (RFC 9110 section 15.4). */
static bool is_about_body(const struct tr_out_header *header)
{
    return strncasecmp(header->name, "Content-", sizeof("Content-") - 1) == 0;
}

/* A field that is for the first origin only: what the header guard calls a credential, and whatever
 * carries the secret. */
static bool is_credential(const struct tr_transfer *transfer, const struct tr_out_header *header)
{
    const char *secret = transfer->request.outbound->secret;
    const struct tr_header_field field = tr_header_field_of(header);
    return (secret != NULL && *secret != '\0' && strstr(header->value, secret) != NULL)
           || tr_header_guard_out(&field, NULL) != TR_HEADER_PASS;
}

bool tr_hop_sends_header(const struct tr_transfer *transfer, const struct tr_out_header *header)
{
    return !(transfer->has_lost_body && is_about_body(header))
           && !(transfer->has_lost_credentials && is_credential(transfer, header));
}

/* ---- following ---- */

enum {
    MOVED_PERMANENTLY = 301,
    FOUND = 302,
    SEE_OTHER = 303,
    TEMPORARY_REDIRECT = 307,
    PERMANENT_REDIRECT = 308,
};

static bool is_redirect(int status)
{
    return status == MOVED_PERMANENTLY || status == FOUND || status == SEE_OTHER
           || status == TEMPORARY_REDIRECT || status == PERMANENT_REDIRECT;
}

const char *tr_redirect_target(const struct tr_transfer *transfer, size_t *ret_length)
{
    const struct tr_http_answer *answer = transfer->request.answer;
    if (!transfer->request.outbound->follows_redirects || !is_redirect(answer->status)) {
        return NULL;
    }
    const char *target = tr_http_head_find(tr_text_string(&answer->head), "Location", ret_length);
    return target != NULL && *ret_length != 0 ? target : NULL;
}

/* Does the next hop ask by GET? 303 always, 301 and 302 after POST, as every browser does. */
static bool becomes_get(const struct tr_transfer *transfer)
{
    const char *method = tr_hop_method(transfer);
    switch (transfer->request.answer->status) {
    case SEE_OTHER: return strcmp(method, "HEAD") != 0;
    case MOVED_PERMANENTLY:
    case FOUND: return strcmp(method, "POST") == 0;
    default: return false;
    }
}

/* Go to `next`, which is the transfer's from here on. */
static void enter(struct tr_transfer *transfer, struct tr_url *next)
{
    transfer->has_lost_body = transfer->has_lost_body || becomes_get(transfer);
    transfer->has_lost_credentials =
        transfer->has_lost_credentials || !tr_url_is_same_origin(&transfer->url, next);
    tr_url_done(&transfer->url);
    transfer->url = *next;
    tr_queue_enter(transfer);
}

void tr_redirect_follow(struct tr_transfer *transfer, const char *location, size_t length)
{
    struct tr_url next = { .normal = NULL };
    struct tr_fault fault = { .what = "" };
    char *text = NULL;
    if (++transfer->redirects > TR_MAX_REDIRECTS) {
        tr_transfer_end(transfer, TR_TOOL_FAILED, TR_HTTP_FAILURE_REDIRECTS, NULL);
        return;
    }
    enum tr_status status = tr_url_resolve(transfer->url.normal, location, length, &text, &fault);
    if (status == TR_OK) {
        status = tr_url_guard_check(transfer->request.policy, text, strlen(text), &next, &fault);
    }
    free(text);
    if (status == TR_OK) {
        enter(transfer, &next);
    } else {
        tr_transfer_end(transfer, status,
                        status == TR_NO_MEMORY ? TR_HTTP_FAILURE_MEMORY : TR_HTTP_FAILURE_BLOCKED,
                        fault.what);
    }
}
