/* One of the files of the listener (see listener_parts.h): the answer. */
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "middleware/blob.h"
#include "middleware/chain.h"
#include "server/listener_parts.h"
#include "tools/core/clock.h"

enum {
    SEND_GRACE_MS = 30 * 1000, /* for any answer to be taken by its client, */
    SEND_BYTES_PER_MS = 4,     /* and more for a large one */
    LINGER_MS = 2 * 1000,      /* for a refused body to end */
    HEAD_BYTES = 8 * 1024,     /* of an answer that is written directly */
    DATE_BYTES = sizeof("Sun, 06 Nov 1994 08:49:37 GMT"),
};

/* ---- through the library ---- */

static void drop_blob(void *blob)
{
    tr_blob_unref(blob);
}

/* A response with the body of the answer, which goes over to it without a copy. NULL without
 * memory. */
static struct MHD_Response *take_body(struct tr_answer *answer)
{
    size_t length = 0;
    if (answer->blob != NULL) {
        struct tr_blob *blob = answer->blob;
        struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback_cls(
            blob->length, blob->bytes, drop_blob, blob);
        answer->blob = response != NULL ? NULL : blob;
        return response;
    }
    if (answer->constant != NULL) {
        const struct MHD_IoVec whole = { answer->constant, strlen(answer->constant) };
        return MHD_create_response_from_iovec(&whole, 1, NULL, NULL);
    }
    if (answer->body.length == 0) {
        static char nothing[1];
        return MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
    }
    char *bytes = tr_text_take(&answer->body, &length);
    return bytes == NULL ? NULL
                         : MHD_create_response_from_buffer(length, bytes, MHD_RESPMEM_MUST_FREE);
}

/* The library refuses a value with a line end in it, and so it is never sent. */
static void add_headers(struct MHD_Response *response, const struct tr_answer *answer)
{
    if (answer->content_type != NULL) {
        (void)MHD_add_response_header(response, "Content-Type", answer->content_type);
    }
    for (size_t at = 0; at < answer->header_count; at++) {
        const struct tr_answer_header *header = &answer->headers[at];
        (void)MHD_add_response_header(response, header->name, header->value);
    }
    if (answer->must_close) {
        (void)MHD_add_response_header(response, "Connection", "close");
    }
}

enum MHD_Result tr_answer_queue(struct tr_pending *pending)
{
    struct tr_connection *connection = pending->connection;
    struct tr_answer *answer = &pending->exchange.answer;
    struct tr_listener *listener = connection->thread->listener;
    size_t length = 0;
    (void)tr_answer_bytes(answer, &length);
    if (atomic_load_explicit(&listener->is_draining, memory_order_relaxed)) {
        answer->must_close = true;
    }
    struct MHD_Response *response = take_body(answer);
    if (response == NULL) {
        return MHD_NO;
    }
    add_headers(response, answer);
    const int64_t now_ms = pending->exchange.left_ns / INT64_C(1000000);
    const int64_t time_ms = SEND_GRACE_MS + (int64_t)(length / SEND_BYTES_PER_MS);
    (void)tr_watch_due(&connection->item, now_ms + time_ms);
    pending->stage = TR_STAGE_ANSWERED;
    const enum MHD_Result result =
        MHD_queue_response(connection->mhd, (unsigned)answer->http_status, response);
    MHD_destroy_response(response);
    return result;
}

/* ---- past the library ---- */

static void write_date(struct tr_text *out)
{
    struct tm parts;
    char date[DATE_BYTES];
    const time_t now = (time_t)(tr_clock_real_ms() / 1000);
    if (gmtime_r(&now, &parts) != NULL
        && strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", &parts) != 0) {
        tr_text_printf(out, "Date: %s\r\n", date);
    }
}

static void write_head(struct tr_text *out, const struct tr_answer *answer, size_t length)
{
    const char *reason = MHD_get_reason_phrase_for((unsigned)answer->http_status);
    tr_text_printf(out, "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Length: %zu\r\n",
                   answer->http_status, reason, length);
    write_date(out);
    if (answer->content_type != NULL) {
        tr_text_printf(out, "Content-Type: %s\r\n", answer->content_type);
    }
    for (size_t at = 0; at < answer->header_count; at++) {
        const struct tr_answer_header *header = &answer->headers[at];
        if (strpbrk(header->value, "\r\n") == NULL) {
            tr_text_printf(out, "%s: %s\r\n", header->name, header->value);
        }
    }
    tr_text_add_string(out, "\r\n");
}

/* Nothing else is being sent: the library starts to write only once it has a response. What does
 * not fit into the socket's buffer at once is lost, but a problem document does fit. */
void tr_answer_write(struct tr_pending *pending)
{
    struct tr_connection *connection = pending->connection;
    struct tr_exchange *exchange = &pending->exchange;
    tr_chain_leave(exchange);
    size_t length = 0;
    const char *body = tr_answer_bytes(&exchange->answer, &length);
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, HEAD_BYTES + length);
    write_head(&out, &exchange->answer, length);
    tr_text_add(&out, body, exchange->request.method == TR_METHOD_HEAD ? 0 : length);
    pending->stage = TR_STAGE_DISCARDING;
    if (out.status == TR_OK) {
        (void)send(connection->item.fd, out.bytes, out.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    (void)shutdown(connection->item.fd, SHUT_WR);
    (void)tr_watch_due(&connection->item, tr_clock_ms() + LINGER_MS);
}
