#include "server/call_headers.h"

#include <string.h>
#include <strings.h>

#include "middleware/header_list.h"
#include "tools/core/base.h"

static bool is_named(const struct tr_header *header, const char *name, size_t length)
{
    return header->name_length == length && strncasecmp(header->name, name, length) == 0;
}

static bool names(const struct tr_header *connection, const char *name)
{
    const struct tr_value list = { connection->value, connection->value_length };
    struct tr_cursor cursor = tr_cursor_at(list);
    while (!tr_cursor_is_done(&cursor)) {
        const struct tr_value option = tr_cursor_token(&cursor);
        if (option.length == strlen(name) && strncasecmp(option.bytes, name, option.length) == 0) {
            return true;
        }
        cursor.at += option.length == 0 ? 1 : 0;
    }
    return false;
}

/* Why the header does not go on although it is wanted; NULL when it does, or did not come, which
 * *ret_header tells. */
static const char *look_up(const struct tr_request *request, const char *name,
                           const struct tr_header **ret_header)
{
    const size_t length = strlen(name);
    const char *reason = NULL;
    *ret_header = NULL;
    for (size_t i = 0; i < request->header_count; i++) {
        const struct tr_header *header = &request->headers[i];
        if (is_named(header, "connection", strlen("connection")) && names(header, name)) {
            reason = "Connection names it";
        } else if (is_named(header, name, length) && *ret_header != NULL) {
            reason = "it came more than once";
        } else if (is_named(header, name, length)) {
            *ret_header = header;
        }
    }
    return reason;
}

static bool copy(struct tr_call *call, const char *name, const struct tr_header *header,
                 struct tr_call_header *ret_copy)
{
    const struct tr_value value = tr_value_trim(header->value, header->value_length);
    char *bytes = TR_NEW(&call->arena, char, value.length + 1);
    if (bytes == NULL) {
        return false;
    }
    memcpy(bytes, value.bytes, value.length);
    *ret_copy = (struct tr_call_header){
        .name = name,
        .value = bytes,
        .value_length = value.length,
    };
    return true;
}

static const char *const *wanted_by(const struct tr_entry *entry, size_t *ret_count)
{
    const struct tr_base *base = entry->tool->base;
    *ret_count = 0;
    return base != NULL && base->caller_headers != NULL
               ? base->caller_headers(entry->base_state, ret_count)
               : NULL;
}

bool tr_call_set_headers(struct tr_call *call, const struct tr_request *request,
                         const struct tr_entry *entry)
{
    size_t count = 0;
    const char *const *wanted = wanted_by(entry, &count);
    struct tr_call_context *context = &call->context;
    struct tr_call_header *headers =
        count != 0 ? TR_NEW(&call->arena, struct tr_call_header, count) : NULL;
    context->headers = headers;
    for (size_t i = 0; headers != NULL && i < count; i++) {
        const struct tr_header *header = NULL;
        const char *reason = look_up(request, wanted[i], &header);
        if (header != NULL && reason != NULL) {
            tr_warn(call, "Header %.64s was not sent: %s", wanted[i], reason);
        } else if (header != NULL) {
            if (!copy(call, wanted[i], header, &headers[context->header_count])) {
                return false;
            }
            context->header_count++;
        }
    }
    return count == 0 || headers != NULL;
}
