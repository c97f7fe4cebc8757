/* How large a body may be, and that it says it is JSON. */
#include "middleware/chain.h"
#include "middleware/header_list.h"
#include "middleware/policy.h"

static bool has_body(const struct tr_request *request)
{
    return request->content_length > 0 || request->is_chunked;
}

static bool ends_with_json(struct tr_value subtype)
{
    static const char suffix[] = "+json";
    const size_t length = sizeof(suffix) - 1;
    return subtype.length > length
           && tr_value_is((struct tr_value){ subtype.bytes + subtype.length - length, length },
                          suffix);
}

/* *( OWS ";" OWS [ name "=" value ] ): whatever they are, but a charset must be UTF-8. */
static bool are_parameters(struct tr_cursor *cursor)
{
    tr_cursor_skip_blanks(cursor);
    while (tr_cursor_skip(cursor, ';')) {
        tr_cursor_skip_blanks(cursor);
        const struct tr_value name = tr_cursor_token(cursor);
        struct tr_value value = { .length = 0 };
        if (name.length != 0
            && (!tr_cursor_skip(cursor, '=') || !tr_cursor_token_or_quoted(cursor, &value))) {
            return false;
        }
        if (tr_value_is(name, "charset") && !tr_value_is(value, "utf-8")) {
            return false;
        }
        tr_cursor_skip_blanks(cursor);
    }
    return tr_cursor_is_done(cursor);
}

static bool is_json(struct tr_value content_type)
{
    if (tr_value_is(content_type, "application/json")) {
        return true;
    }
    struct tr_cursor cursor = tr_cursor_at(content_type);
    const struct tr_value type = tr_cursor_token(&cursor);
    if (type.length == 0 || !tr_cursor_skip(&cursor, '/')) {
        return false;
    }
    const struct tr_value subtype = tr_cursor_token(&cursor);
    const bool is_plain_json = tr_value_is(type, "application") && tr_value_is(subtype, "json");
    return (is_plain_json || ends_with_json(subtype)) && are_parameters(&cursor);
}

static void refuse_other_types(struct tr_exchange *exchange)
{
    const struct tr_value type = tr_exchange_value(exchange, TR_HEADER_CONTENT_TYPE);
    if (type.bytes != NULL
        && (!is_json(type)
            || tr_header_index_is_repeated(&exchange->request.known, TR_HEADER_CONTENT_TYPE))) {
        tr_answer_problem(exchange, TR_UNSUPPORTED_MEDIA_TYPE,
                          "The body must be JSON in UTF-8: send 'Content-Type: application/json'");
    }
}

static void admit(struct tr_exchange *exchange)
{
    const struct tr_request *request = &exchange->request;
    exchange->body_limit_bytes = exchange->policy->body_limit_bytes;
    if (!has_body(request)) {
        return;
    }
    if (request->content_length > 0
        && (uint64_t)request->content_length > exchange->body_limit_bytes) {
        tr_answer_problem(exchange, TR_BODY_TOO_LARGE,
                          "The body of %lld bytes exceeds the limit of %zu bytes",
                          (long long)request->content_length, exchange->body_limit_bytes);
        return;
    }
    if (request->method == TR_METHOD_POST) {
        refuse_other_types(exchange);
    }
}

const struct tr_middleware tr_body_limit = {
    .name = "body limit",
    .admit = admit,
};
