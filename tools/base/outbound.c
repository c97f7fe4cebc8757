#include "tools/base/outbound.h"

#include <string.h>
#include <strings.h>

#include "tools/core/call.h"
#include "tools/core/json.h"
#include "tools/core/text.h"
#include "tools/guard/header_guard.h"

/* ---- prepare ---- */

/* The place for a field of this name: of the one that is there, or a new one behind the others. */
static struct tr_out_header *find_place(struct tr_out_header *headers, size_t count,
                                        const char *name)
{
    size_t at = 0;
    while (at < count && strcasecmp(headers[at].name, name) != 0) {
        at++;
    }
    return &headers[at];
}

enum tr_status tr_outbound_set_header(struct tr_call *call, struct tr_outbound *outbound,
                                      const char *name, const char *value)
{
    const size_t count = outbound->header_count;
    struct tr_out_header *headers =
        count < TR_MAX_OUT_HEADERS ? TR_NEW(&call->arena, struct tr_out_header, count + 1) : NULL;
    if (headers == NULL) {
        return TR_NO_MEMORY;
    }
    if (count != 0) {
        memcpy(headers, outbound->headers, count * sizeof(*headers));
    }
    struct tr_out_header *place = find_place(headers, count, name);
    outbound->header_count += place == headers + count ? 1 : 0;
    *place = (struct tr_out_header){ .name = name, .value = value };
    outbound->headers = headers;
    return TR_OK;
}

enum tr_status tr_outbound_set_json(struct tr_call *call, struct tr_outbound *outbound,
                                    const json_t *value)
{
    tr_auto(text) struct tr_text text = { 0 };
    tr_text_init(&text, call->arena.limit);
    tr_json_write(&text, value);
    if (text.status != TR_OK) {
        return text.status == TR_INTERNAL ? TR_INTERNAL : TR_NO_MEMORY;
    }
    outbound->body = tr_arena_strndup(&call->arena, tr_text_string(&text), text.length);
    outbound->body_length = text.length;
    if (outbound->body == NULL) {
        return TR_NO_MEMORY;
    }
    return tr_outbound_set_header(call, outbound, "Content-Type", "application/json");
}

/* ---- receive ---- */

const char *tr_inbound_header(const struct tr_inbound *inbound, const char *name)
{
    for (size_t i = 0; i < inbound->header_count; i++) {
        if (strcasecmp(inbound->headers[i].name, name) == 0) {
            return inbound->headers[i].value;
        }
    }
    return NULL;
}

enum tr_status tr_inbound_require_success(struct tr_call *call, const struct tr_inbound *inbound)
{
    if (inbound->status >= 200 && inbound->status <= 299) {
        return TR_OK;
    }
    return tr_fail(call, "The upstream answered with HTTP status %d", inbound->status);
}

enum tr_status tr_inbound_json(struct tr_call *call, const struct tr_inbound *inbound,
                               const json_t **ret_value)
{
    json_t *value = NULL;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status =
        tr_json_parse(inbound->body, inbound->body_length, &value, &fault);
    if (status == TR_NO_MEMORY) {
        return status;
    }
    if (status != TR_OK) {
        return tr_fail(call, "The upstream answered with something that is not JSON: %s",
                       fault.what);
    }
    if (!tr_arena_adopt_json(&call->arena, value)) {
        return TR_NO_MEMORY;
    }
    *ret_value = value;
    return TR_OK;
}
