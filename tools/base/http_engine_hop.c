/* One of the files of the HTTP engine (see http_engine_parts.h): one hop of a transfer on the wire,
 * what libcurl is told about it and what it tells back. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "tools/base/http_engine_parts.h"
#include "tools/core/clock.h"

/* Thousands of transfers wait, each with its buffer; long answers take some more system calls. */
enum { MAX_LINE_BYTES = 32 * 1024, RECEIVE_BUFFER_BYTES = 2 * 1024 };

/* ---- which address is dialled ---- */

/* One refused address ends the transfer: a name that leads to a private and to a public address is
 * an attempt to get in, and not a server with a spare. */
static bool may_dial(struct tr_transfer *transfer, const struct sockaddr *address)
{
    if (!transfer->is_blocked && tr_url_guard_address(transfer->request.policy, address)) {
        return true;
    }
    transfer->is_blocked = true;
    return false;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct tr_transfer *transfer = context;
    tr_queue_resolved(transfer);
    if (purpose != CURLSOCKTYPE_IPCXN || !may_dial(transfer, &address->addr)) {
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static bool may_dial_text(struct tr_transfer *transfer, const char *text)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        return may_dial(transfer, (const struct sockaddr *)&v4);
    }
    transfer->is_blocked = inet_pton(AF_INET6, text, &v6.sin6_addr) != 1;
    return may_dial(transfer, (const struct sockaddr *)&v6);
}

/* The connection may be an old one, which another transfer opened under another policy. */
static int check_connection(void *context, char *address, char *own_address, int port, int own_port)
{
    struct tr_transfer *transfer = context;
    (void)own_address;
    (void)port;
    (void)own_port;
    tr_queue_resolved(transfer);
    return may_dial_text(transfer, address) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

/* ---- what comes in ---- */

static bool starts_head(const char *line, size_t length)
{
    return length >= 5 && memcmp(line, "HTTP/", 5) == 0;
}

static void end_head(struct tr_transfer *transfer)
{
    long status = 0;
    size_t target_length = 0;
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    transfer->request.answer->status = (int)status;
    transfer->is_head_whole = true;
    transfer->is_redirect = tr_redirect_target(transfer, &target_length) != NULL;
}

/* One line of a head: of the answer, of an interim one before it, or of the trailer after it, which
 * is not kept. */
static size_t receive_line(char *line, size_t size, size_t count, void *context)
{
    struct tr_transfer *transfer = context;
    struct tr_text *head = &transfer->request.answer->head;
    const size_t given = size * count;
    size_t length = given;
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) {
        length--;
    }
    if (starts_head(line, length)) {
        tr_text_reset(head);
        transfer->is_head_whole = false;
    } else if (length == 0) {
        end_head(transfer);
    } else if (!transfer->is_head_whole) {
        tr_text_add(head, line, length);
        tr_text_add_char(head, '\n');
    }
    transfer->is_over_limit = head->status == TR_BODY_TOO_LARGE;
    transfer->is_short = head->status == TR_NO_MEMORY;
    return head->status == TR_OK ? given : 0;
}

static size_t max_bytes(const struct tr_transfer *transfer)
{
    const size_t wanted = transfer->request.outbound->max_bytes;
    return wanted != 0 ? wanted : TR_OUTBOUND_MAX_BYTES;
}

/* The body of a redirect is of no interest, but short ones are read, to keep the connection. */
static size_t skip_body(struct tr_transfer *transfer, size_t length)
{
    transfer->skipped += length;
    return transfer->skipped <= TR_HTTP_MAX_HEAD_BYTES ? length : 0;
}

/* False when all the answers that arrive hold too much together, or memory is used up. */
static bool keep_bytes(struct tr_transfer *transfer, const char *bytes, size_t length)
{
    struct tr_http_engine *engine = transfer->engine;
    struct tr_text *body = &transfer->request.answer->body;
    if (length > engine->options.memory_limit - engine->held_bytes) {
        transfer->is_short = true;
        return false;
    }
    tr_text_add(body, bytes, length);
    transfer->is_short = body->status != TR_OK;
    transfer->held_bytes += length;
    engine->held_bytes += length;
    return !transfer->is_short;
}

/* Decompressed bytes. */
static size_t receive_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct tr_transfer *transfer = context;
    struct tr_http_answer *answer = transfer->request.answer;
    const size_t given = size * count;
    if (transfer->is_redirect) {
        return skip_body(transfer, given);
    }
    const size_t room = max_bytes(transfer) - answer->body.length;
    const size_t taken = given < room ? given : room;
    transfer->is_over_limit = taken < given;
    return keep_bytes(transfer, bytes, taken) && !transfer->is_over_limit ? given : 0;
}

/* ---- what libcurl is told ---- */

static CURL *take_easy(struct tr_http_engine *engine)
{
    return engine->spare_count > 0 ? engine->spare[--engine->spare_count] : curl_easy_init();
}

/* Nothing of a call may reach the next one that gets this handle. */
static void give_easy(struct tr_http_engine *engine, CURL *easy)
{
    if (engine->spare_count == TR_HTTP_SPARE_EASY) {
        curl_easy_cleanup(easy);
        return;
    }
    curl_easy_reset(easy);
    engine->spare[engine->spare_count++] = easy;
}

/* Only http and https to where the URL says: nothing from the environment, no proxy, no cookies. No
 * HTTP/2: its shared connections would gather the calls of many policies. Without a folder of
 * certificates libcurl keeps the parsed file, and reading it takes 34 ms. */
static void set_constants(struct tr_transfer *transfer)
{
    const struct tr_http_engine *engine = transfer->engine;
    CURL *easy = transfer->easy;
    (void)curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_SHARE, engine->share);
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(easy, CURLOPT_PROXY, "");
    (void)curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    (void)curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    if (engine->options.ca_file != NULL) {
        (void)curl_easy_setopt(easy, CURLOPT_CAINFO, engine->options.ca_file);
    }
    (void)curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, (long)TR_HTTP_DNS_SECONDS);
    (void)curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)RECEIVE_BUFFER_BYTES);
    (void)curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    (void)curl_easy_setopt(easy, CURLOPT_USERAGENT, "toolrest/" TR_VERSION);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, check_connection);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_line);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_bytes);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
}

static void set_deadline(struct tr_transfer *transfer)
{
    long connect_ms = TR_HTTP_CONNECT_TIMEOUT_MS;
    if (transfer->request.deadline_ms != 0) {
        const int64_t left_ms = transfer->request.deadline_ms - tr_clock_ms();
        const long total_ms = left_ms > 1 ? (long)left_ms : 1; /* 0 would be none */
        (void)curl_easy_setopt(transfer->easy, CURLOPT_TIMEOUT_MS, total_ms);
        connect_ms = total_ms < connect_ms ? total_ms : connect_ms;
    }
    (void)curl_easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
}

static bool takes_body(const char *method)
{
    return strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0
           || strcmp(method, "PATCH") == 0;
}

/* A method that takes a body gets an empty one rather than none, so that its length is sent. */
static void set_method(struct tr_transfer *transfer)
{
    const struct tr_outbound *outbound = transfer->request.outbound;
    const char *method = tr_hop_method(transfer);
    const bool has_body = tr_hop_has_body(transfer);
    if (strcmp(method, "HEAD") == 0) {
        (void)curl_easy_setopt(transfer->easy, CURLOPT_NOBODY, 1L);
        return;
    }
    if (has_body || takes_body(method)) {
        const size_t length = has_body ? outbound->body_length : 0;
        (void)curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
        (void)curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDS, has_body ? outbound->body : "");
    }
    (void)curl_easy_setopt(transfer->easy, CURLOPT_CUSTOMREQUEST, method);
}

static bool add_line(struct curl_slist **list, const char *line)
{
    struct curl_slist *longer = line != NULL ? curl_slist_append(*list, line) : NULL;
    if (longer == NULL) {
        return false;
    }
    *list = longer;
    return true;
}

/* libcurl's way of writing a field without a value is a semicolon. */
static bool add_field(struct curl_slist **list, const struct tr_out_header *header)
{
    tr_auto(text) struct tr_text line = { 0 };
    tr_text_init(&line, MAX_LINE_BYTES);
    tr_text_add_string(&line, header->name);
    if (*header->value == '\0') {
        tr_text_add_char(&line, ';');
    } else {
        tr_text_add_string(&line, ": ");
        tr_text_add_string(&line, header->value);
    }
    return line.status == TR_OK && add_line(list, tr_text_string(&line));
}

static bool set_headers(struct tr_transfer *transfer)
{
    const struct tr_outbound *outbound = transfer->request.outbound;
    bool has_type = false;
    for (size_t i = 0; i < outbound->header_count; i++) {
        const struct tr_out_header *header = &outbound->headers[i];
        if (!tr_hop_sends_header(transfer, header)) {
            continue;
        }
        has_type = has_type || strcasecmp(header->name, "Content-Type") == 0;
        if (!add_field(&transfer->headers, header)) {
            return false;
        }
    }
    /* Neither wait for 100 Continue, nor call a body a form. */
    if (!add_line(&transfer->headers, "Expect:")
        || (!has_type && !add_line(&transfer->headers, "Content-Type:"))) {
        return false;
    }
    (void)curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->headers);
    return true;
}

/* ---- for tests: addresses without DNS ---- */

static bool set_addresses(struct tr_transfer *transfer, const char *addresses)
{
    tr_auto(text) struct tr_text line = { 0 };
    tr_text_init(&line, MAX_LINE_BYTES);
    tr_text_printf(&line, "%s:%u:%s", transfer->url.host.text, (unsigned)transfer->url.port,
                   addresses);
    if (line.status != TR_OK || !add_line(&transfer->addresses, tr_text_string(&line))) {
        return false;
    }
    (void)curl_easy_setopt(transfer->easy, CURLOPT_RESOLVE, transfer->addresses);
    return true;
}

/* False: the transfer has ended. */
static bool resolve_by_hook(struct tr_transfer *transfer, enum tr_http_failure *ret_failure)
{
    const struct tr_http_engine_options *options = &transfer->engine->options;
    if (options->resolve == NULL || transfer->url.host.kind != TR_HOST_NAME) {
        return true;
    }
    const char *addresses = options->resolve(options->resolve_context, transfer->url.host.text);
    if (addresses == NULL) {
        *ret_failure = TR_HTTP_FAILURE_DNS;
        return false;
    }
    return set_addresses(transfer, addresses);
}

/* ---- start and end ---- */

/* The failure that it could not be put on the wire for; NONE when it is there. */
static enum tr_http_failure put_on_wire(struct tr_transfer *transfer)
{
    enum tr_http_failure failure = TR_HTTP_FAILURE_MEMORY;
    transfer->easy = take_easy(transfer->engine);
    if (transfer->easy == NULL) {
        return failure;
    }
    set_constants(transfer);
    set_deadline(transfer);
    set_method(transfer);
    const bool is_set =
        curl_easy_setopt(transfer->easy, CURLOPT_URL, transfer->url.normal) == CURLE_OK
        && set_headers(transfer) && resolve_by_hook(transfer, &failure);
    return is_set && tr_handle_add(transfer) ? TR_HTTP_FAILURE_NONE : failure;
}

void tr_hop_start(struct tr_transfer *transfer)
{
    struct tr_http_answer *answer = transfer->request.answer;
    transfer->is_head_whole = false;
    transfer->is_redirect = false;
    transfer->skipped = 0;
    if (transfer->redirects == 0) {
        tr_text_init(&answer->head, TR_HTTP_MAX_HEAD_BYTES);
        tr_text_init(&answer->body, max_bytes(transfer));
    }
    tr_text_reset(&answer->head);
    const enum tr_http_failure failure = put_on_wire(transfer);
    if (failure != TR_HTTP_FAILURE_NONE) {
        tr_hop_stop(transfer);
        tr_queue_leave(transfer);
        tr_transfer_end(transfer, failure == TR_HTTP_FAILURE_MEMORY ? TR_NO_MEMORY : TR_TOOL_FAILED,
                        failure, NULL);
    }
}

void tr_hop_stop(struct tr_transfer *transfer)
{
    if (transfer->handle != NULL) {
        tr_handle_remove(transfer);
    }
    if (transfer->easy != NULL) {
        give_easy(transfer->engine, transfer->easy);
        transfer->easy = NULL;
    }
    curl_slist_free_all(transfer->headers);
    curl_slist_free_all(transfer->addresses);
    transfer->headers = NULL;
    transfer->addresses = NULL;
}

static enum tr_http_failure failure_of(const struct tr_transfer *transfer, CURLcode code)
{
    if (transfer->is_blocked) {
        return TR_HTTP_FAILURE_BLOCKED;
    }
    if (transfer->is_over_limit) {
        return TR_HTTP_FAILURE_TOO_LARGE;
    }
    if (transfer->is_short) {
        return TR_HTTP_FAILURE_MEMORY;
    }
    switch ((int)code) {
    case CURLE_COULDNT_RESOLVE_HOST: return TR_HTTP_FAILURE_DNS;
    case CURLE_COULDNT_CONNECT: return TR_HTTP_FAILURE_CONNECT;
    case CURLE_OPERATION_TIMEDOUT: return TR_HTTP_FAILURE_TIMEOUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return TR_HTTP_FAILURE_TLS;
    case CURLE_OUT_OF_MEMORY: return TR_HTTP_FAILURE_MEMORY;
    default: return TR_HTTP_FAILURE_PROTOCOL;
    }
}

static enum tr_status status_of(enum tr_http_failure failure)
{
    switch ((int)failure) {
    case TR_HTTP_FAILURE_NONE: return TR_OK;
    case TR_HTTP_FAILURE_BLOCKED: return TR_URL_BLOCKED;
    case TR_HTTP_FAILURE_MEMORY: return TR_NO_MEMORY;
    default: return TR_TOOL_FAILED;
    }
}

/* An answer that was cut at its cap is good enough for who asked for that. */
static bool is_cut_as_wished(const struct tr_transfer *transfer)
{
    return transfer->is_over_limit && transfer->is_head_whole
           && transfer->request.outbound->accepts_truncation;
}

void tr_hop_finished(struct tr_transfer *transfer, CURLcode code)
{
    struct tr_http_answer *answer = transfer->request.answer;
    size_t length = 0;
    answer->is_truncated = is_cut_as_wished(transfer);
    const bool is_whole = code == CURLE_OK || answer->is_truncated;
    const enum tr_http_failure failure =
        is_whole ? TR_HTTP_FAILURE_NONE : failure_of(transfer, code);
    tr_hop_stop(transfer);
    if (failure == TR_HTTP_FAILURE_DNS) {
        tr_queue_unresolved(transfer);
    }
    tr_queue_leave(transfer);
    const char *target = transfer->is_redirect ? tr_redirect_target(transfer, &length) : NULL;
    if (target != NULL && !transfer->is_blocked && (is_whole || code == CURLE_WRITE_ERROR)) {
        tr_redirect_follow(transfer, target, length);
        return;
    }
    tr_transfer_end(transfer, status_of(failure), failure,
                    failure == TR_HTTP_FAILURE_NONE ? NULL : curl_easy_strerror(code));
}

void tr_hop_release(struct tr_transfer *transfer)
{
    transfer->engine->held_bytes -= transfer->held_bytes;
}
