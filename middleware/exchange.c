#include "middleware/exchange.h"

#include <string.h>

#include "middleware/blob.h"
#include "middleware/policy.h"
#include "tools/core/clock.h"
#include "tools/core/utf8.h"

void tr_exchange_init(struct tr_exchange *exchange, const struct tr_policy *policy)
{
    *exchange = (struct tr_exchange){
        .policy = policy,
        .request = { .content_length = -1 },
        .body_limit_bytes = policy->body_limit_bytes,
        .started_ns = tr_clock_ns(),
        .started_real_ms = tr_clock_real_ms(),
    };
    tr_arena_init(&exchange->arena, TR_EXCHANGE_ARENA_BYTES);
    tr_text_init(&exchange->body, policy->body_limit_bytes);
    tr_text_init(&exchange->answer.body, TR_ANSWER_BODY_BYTES);
}

void tr_exchange_done(struct tr_exchange *exchange)
{
    tr_blob_unref(exchange->answer.blob);
    exchange->answer.blob = NULL;
    tr_text_done(&exchange->answer.body);
    tr_text_done(&exchange->body);
    tr_arena_done(&exchange->arena);
}

void tr_exchange_index(struct tr_exchange *exchange)
{
    struct tr_request *request = &exchange->request;
    if (!request->known.is_made) {
        tr_header_index_make(&request->known, request->headers, request->header_count);
    }
}

const struct tr_header *tr_exchange_header(const struct tr_exchange *exchange, const char *name)
{
    const struct tr_request *request = &exchange->request;
    const enum tr_known_header known = tr_known_header_find(name, strlen(name));
    if (known == TR_HEADER_UNKNOWN || request->known.values[known].bytes == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < request->header_count; i++) {
        const struct tr_header *header = &request->headers[i];
        if (tr_known_header_find(header->name, header->name_length) == known) {
            return header;
        }
    }
    return NULL;
}

const char *tr_exchange_header_string(struct tr_exchange *exchange, const char *name)
{
    const struct tr_value value =
        tr_exchange_value(exchange, tr_known_header_find(name, strlen(name)));
    if (value.bytes == NULL || memchr(value.bytes, '\0', value.length) != NULL) {
        return NULL;
    }
    return tr_arena_strndup(&exchange->arena, value.bytes, value.length);
}

static int hex_digit(char byte)
{
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Decode in place. False for a broken escape. */
static bool decode_form(char *text, size_t length, size_t *ret_length)
{
    size_t out = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '%') {
            text[out++] = text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const int high = length - i > 2 ? hex_digit(text[i + 1]) : -1;
        const int low = length - i > 2 ? hex_digit(text[i + 2]) : -1;
        if (high < 0 || low < 0) {
            return false;
        }
        text[out++] = (char)(high * 16 + low);
        i += 2;
    }
    text[out] = '\0';
    *ret_length = out;
    return true;
}

static bool is_clean_utf8(const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        const size_t step = tr_utf8_next(bytes + at, length - at, NULL);
        if (step == 0 || bytes[at] == '\0') {
            return false;
        }
        at += step;
    }
    return true;
}

/* A decoded copy in the arena; NULL when the text is malformed or there is no memory. */
static char *decoded(struct tr_arena *arena, const char *bytes, size_t length, size_t *ret_length)
{
    char *copy = tr_arena_strndup(arena, bytes, length);
    if (copy == NULL || !decode_form(copy, length, ret_length)
        || !is_clean_utf8(copy, *ret_length)) {
        return NULL;
    }
    return copy;
}

const char *tr_exchange_query(struct tr_exchange *exchange, const char *name)
{
    const char *at = exchange->request.query;
    while (at != NULL && *at != '\0') {
        const size_t pair_length = strcspn(at, "&");
        const char *equals = memchr(at, '=', pair_length);
        const size_t name_length = equals != NULL ? (size_t)(equals - at) : pair_length;
        size_t length = 0;
        const char *found = decoded(&exchange->arena, at, name_length, &length);
        if (found != NULL && strcmp(found, name) == 0) {
            const size_t skipped = equals != NULL ? name_length + 1 : name_length;
            return decoded(&exchange->arena, at + skipped, pair_length - skipped, &length);
        }
        at += pair_length;
        at += *at == '&' ? 1 : 0;
    }
    return NULL;
}
