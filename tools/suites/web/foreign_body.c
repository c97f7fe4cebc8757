#include "tools/suites/web/foreign_body.h"

#include <stdbool.h>

#include "tools/base/outbound.h"
#include "tools/core/base64.h"
#include "tools/core/call.h"
#include "tools/core/json.h"
#include "tools/core/text.h"
#include "tools/suites/web/charset.h"
#include "tools/suites/web/foreign.h"
#include "tools/suites/web/media_type.h"

enum { JSON_BYTES = 1024 * 1024 }; /* parsed, a document takes many times its bytes */

/* Leaves body->json NULL, with a warning, when it cannot be JSON. */
static enum tr_status read_json(struct tr_call *call, const struct tr_inbound *inbound,
                                struct tr_foreign_body *body)
{
    if (inbound->is_truncated || inbound->body_length > JSON_BYTES) {
        tr_warn(call, "The body is too long to be parsed as JSON and is given as text");
        return TR_OK;
    }
    json_t *value = NULL;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status =
        tr_json_parse(inbound->body, inbound->body_length, &value, &fault);
    if (status == TR_MALFORMED_JSON) {
        tr_warn(call, "The body is given as text, for it is not the JSON that it says to be: %s",
                fault.what);
        return TR_OK;
    }
    if (status != TR_OK || !tr_arena_adopt_json(&call->arena, value)) {
        return TR_NO_MEMORY;
    }
    body->json = value;
    return TR_OK;
}

static enum tr_status read_base64(struct tr_call *call, const struct tr_inbound *inbound,
                                  struct tr_foreign_body *body)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 2 * inbound->body_length + 4);
    tr_base64_add(&text, inbound->body, inbound->body_length);
    TR_TRY(text.status);
    body->base64 = tr_arena_strndup(&call->arena, tr_text_string(&text), text.length);
    return body->base64 != NULL ? TR_OK : TR_NO_MEMORY;
}

static bool is_binary(const struct tr_media_type *type, const struct tr_inbound *inbound)
{
    return type->kind == TR_MEDIA_BINARY
           || (type->kind == TR_MEDIA_UNKNOWN
               && !tr_charset_is_plain(inbound->body, inbound->body_length));
}

enum tr_status tr_foreign_body_read(struct tr_call *call, const struct tr_inbound *inbound,
                                    struct tr_foreign_body *ret_body)
{
    const struct tr_media_type type =
        tr_media_type_read(tr_inbound_header(inbound, "Content-Type"));
    *ret_body = (struct tr_foreign_body){ .text = NULL };
    if (inbound->body_length != 0 && is_binary(&type, inbound)) {
        return read_base64(call, inbound, ret_body);
    }
    if (inbound->body_length != 0 && type.kind == TR_MEDIA_JSON) {
        TR_TRY(read_json(call, inbound, ret_body));
    }
    if (ret_body->json != NULL) {
        return TR_OK;
    }
    return tr_foreign_text(call, inbound->body, inbound->body_length, type.charset,
                           &ret_body->text);
}
