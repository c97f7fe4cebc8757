/* One of the files of the listener (see listener_parts.h): the head of a request. */
#include <string.h>

#include "server/framing.h"
#include "server/listener_parts.h"
#include "server/request_target.h"

static enum tr_method method_of(const char *text)
{
    static const struct {
        const char *text;
        enum tr_method method;
    } methods[] = {
        { "POST", TR_METHOD_POST },
        { "GET", TR_METHOD_GET },
        { "HEAD", TR_METHOD_HEAD },
        { "OPTIONS", TR_METHOD_OPTIONS },
    };
    for (size_t at = 0; at < sizeof(methods) / sizeof(methods[0]); at++) {
        if (strcmp(text, methods[at].text) == 0) {
            return methods[at].method;
        }
    }
    return TR_METHOD_OTHER;
}

struct header_row {
    struct tr_header *next, *end;
};

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *name,
                                   size_t name_length, const char *value, size_t value_length)
{
    struct header_row *row = context;
    (void)kind;
    if (row->next == row->end) {
        return MHD_NO;
    }
    *row->next++ = (struct tr_header){
        .name = name,
        .value = value != NULL ? value : "",
        .name_length = name_length,
        .value_length = value != NULL ? value_length : 0,
    };
    return MHD_YES;
}

static enum tr_status take_headers(struct tr_pending *pending)
{
    struct tr_exchange *exchange = &pending->exchange;
    struct tr_request *request = &exchange->request;
    struct MHD_Connection *mhd = pending->connection->mhd;
    const int count = MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, NULL, NULL);
    request->header_count = count > 0 ? (size_t)count : 0;
    struct tr_header *headers =
        TR_NEW(&exchange->arena, struct tr_header, request->header_count + 1);
    if (headers == NULL || request->target == NULL) {
        request->header_count = 0;
        return TR_NO_MEMORY;
    }
    struct header_row row = { .next = headers, .end = headers + request->header_count };
    (void)MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, take_header, &row);
    request->header_count = (size_t)(row.next - headers);
    request->headers = headers;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    request->header_bytes = info != NULL ? info->header_size : 0;
    return TR_OK;
}

#if MHD_VERSION < TR_STRICT_MHD_VERSION
static enum tr_status check_layout(const struct tr_request *request, const char *url,
                                   struct tr_fault *reterr)
{
    const struct tr_head_layout layout = {
        .method = request->method_text,
        .target = url,
        .version = request->version,
        .target_length = strlen(request->target),
        .headers = request->headers,
        .header_count = request->header_count,
        .head_bytes = request->header_bytes,
    };
    return tr_head_is_plain(&layout)
               ? TR_OK
               : tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                           "The request head must consist of plain lines that end in CRLF, "
                           "without NUL or folded headers");
}
#else
static enum tr_status check_layout(const struct tr_request *request, const char *url,
                                   struct tr_fault *reterr)
{
    (void)request;
    (void)url;
    (void)reterr;
    return TR_OK;
}
#endif

enum tr_status tr_head_check(struct tr_pending *pending, const char *url, struct tr_fault *reterr)
{
    struct tr_exchange *exchange = &pending->exchange;
    struct tr_request *request = &exchange->request;
    const size_t limit = pending->connection->thread->listener->options.pool_bytes / 2;
    struct tr_framing framing;
    struct tr_target target;
    request->method = method_of(request->method_text);
    TR_TRY(take_headers(pending));
    tr_exchange_index(exchange);
    TR_TRY(tr_framing_check(request, limit, &framing, reterr));
    TR_TRY(check_layout(request, url, reterr));
    TR_TRY(tr_target_parse(&exchange->arena, request->target, request->method == TR_METHOD_OPTIONS,
                           &target, reterr));
    request->content_length = framing.content_length;
    request->is_chunked = framing.is_chunked;
    request->path = target.path;
    request->query = target.query;
    return TR_OK;
}
