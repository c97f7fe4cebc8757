/* What the test upstream answers to which path. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include <jansson.h>

#include "tests/peer/peer_parts.h"

enum { MAX_VALUE_BYTES = 8 * 1024, MAX_LINE_BYTES = 16 * 1024 };

/* ---- reading the request ---- */

static int hex_value(char digit)
{
    return isdigit((unsigned char)digit) ? digit - '0' : (tolower((unsigned char)digit) - 'a') + 10;
}

/* The value of `name` in the query, decoded, or "". */
static void find_value(const struct peer_request *request, const char *name, char *room)
{
    char target[MAX_VALUE_BYTES];
    size_t length = 0;
    room[0] = '\0';
    (void)snprintf(target, sizeof(target), "%.*s", (int)request->target_length, request->target);
    const char *at = strchr(target, '?');
    while (at != NULL
           && !(strncmp(at + 1, name, strlen(name)) == 0 && at[strlen(name) + 1] == '=')) {
        at = strchr(at + 1, '&');
    }
    if (at == NULL) {
        return;
    }
    for (at += strlen(name) + 2; *at != '\0' && *at != '&'; at++) {
        const bool is_escape = at[0] == '%' && isxdigit((unsigned char)at[1]);
        room[length++] = is_escape ? (char)(hex_value(at[1]) * 16 + hex_value(at[2])) : *at;
        at += is_escape ? 2 : 0;
    }
    room[length] = '\0';
}

static size_t find_number(const struct peer_request *request, const char *name, size_t without)
{
    char value[MAX_VALUE_BYTES];
    find_value(request, name, value);
    return *value != '\0' ? strtoul(value, NULL, 10) : without;
}

static bool is_path(const struct peer_request *request, const char *path)
{
    const size_t length = strcspn(request->target, "? ");
    return length == strlen(path) && strncmp(request->target, path, length) == 0;
}

/* ---- writing the answer ---- */

__attribute__((format(printf, 2, 3))) static void add_line(struct peer_bytes *out,
                                                           const char *format, ...)
{
    char line[MAX_LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    peer_add_text(out, line);
    peer_add_text(out, "\r\n");
}

static void answer_with(struct peer_connection *connection, const struct peer_request *request,
                        int status, const char *type, const char *body, size_t length)
{
    struct peer_bytes *out = &connection->out;
    add_line(out, "HTTP/1.1 %d Test", status);
    add_line(out, "Content-Type: %s", type);
    add_line(out, "Content-Length: %zu", length);
    add_line(out, "%s", "");
    if (strcmp(request->method, "HEAD") != 0) {
        peer_add(out, body, length);
    }
}

static void answer_text(struct peer_connection *connection, const struct peer_request *request,
                        int status, const char *text)
{
    answer_with(connection, request, status, "text/plain", text, strlen(text));
}

static void answer_status(struct peer_connection *connection, const struct peer_request *request)
{
    const int status = (int)strtol(request->target + sizeof("/status/") - 1, NULL, 10);
    answer_text(connection, request, status, "status");
}

static json_t *headers_of(const struct peer_request *request)
{
    json_t *headers = json_object();
    for (const char *line = strchr(request->head, '\n'); line != NULL; line = strchr(line, '\n')) {
        line++;
        const char *colon = strchr(line, ':');
        const size_t length = strcspn(line, "\r\n");
        if (colon == NULL || colon >= line + length) {
            continue;
        }
        char name[MAX_VALUE_BYTES];
        (void)snprintf(name, sizeof(name), "%.*s", (int)(colon - line), line);
        for (char *at = name; *at != '\0'; at++) {
            *at = (char)tolower((unsigned char)*at);
        }
        const char *value = colon + 1 + strspn(colon + 1, " ");
        (void)json_object_set_new(headers, name,
                                  json_stringn(value, (size_t)(line + length - value)));
    }
    return headers;
}

static void answer_echo(struct peer_connection *connection, const struct peer_request *request)
{
    json_t *echo =
        json_pack("{s:s, s:s%, s:o, s:s%}", "method", request->method, "target", request->target,
                  (size_t)request->target_length, "headers", headers_of(request), "body",
                  request->body, (size_t)request->body_length);
    char *text = json_dumps(echo, JSON_COMPACT);
    json_decref(echo);
    answer_with(connection, request, 200, "application/json", text != NULL ? text : "",
                text != NULL ? strlen(text) : 0);
    free(text);
}

static void answer_headers(struct peer_connection *connection, const struct peer_request *request)
{
    (void)request;
    struct peer_bytes *out = &connection->out;
    peer_add_text(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Plain:  a value \r\n"
                       "Set-Cookie: session=1\r\nX-Accel-Redirect: /secret\r\nX-Empty:\r\n"
                       "Keep-Alive: timeout=5\r\nX-Twice: first\r\nX-Twice: second\r\n\r\nok");
}

static void answer_redirect(struct peer_connection *connection, const struct peer_request *request)
{
    char target[MAX_VALUE_BYTES];
    struct peer_bytes *out = &connection->out;
    const size_t body = find_number(request, "body", 0);
    find_value(request, "to", target);
    add_line(out, "HTTP/1.1 %zu Test", find_number(request, "status", 302));
    add_line(out, "Location: %s", target);
    add_line(out, "Content-Length: %zu", body);
    add_line(out, "%s", "");
    for (size_t i = 0; i < body; i++) {
        peer_add(out, "r", 1);
    }
}

static void answer_circle(struct peer_connection *connection, const struct peer_request *request)
{
    (void)request;
    peer_add_text(&connection->out,
                  "HTTP/1.1 302 Found\r\nLocation: /circle\r\nContent-Length: 0\r\n\r\n");
}

static void answer_slow(struct peer_connection *connection, const struct peer_request *request)
{
    answer_text(connection, request, 200, "slow");
    connection->due_ms = peer_now_ms() + (int64_t)find_number(request, "ms", 1000);
}

static void answer_bytes(struct peer_connection *connection, const struct peer_request *request)
{
    const size_t length = find_number(request, "n", 0);
    char *body = malloc(length + 1);
    if (body == NULL) {
        peer_die("memory");
        return;
    }
    memset(body, 'x', length);
    answer_with(connection, request, 200, "text/plain", body, length);
    free(body);
}

static void answer_drip(struct peer_connection *connection, const struct peer_request *request)
{
    answer_bytes(connection, request);
    connection->drip_ms = (int64_t)find_number(request, "ms", 1);
}

static void answer_chunked(struct peer_connection *connection, const struct peer_request *request)
{
    struct peer_bytes *out = &connection->out;
    peer_add_text(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const size_t count = find_number(request, "n", 3);
    for (size_t i = 0; i < count; i++) {
        peer_add_text(out, "5;name=value\r\nchunk\r\n");
    }
    peer_add_text(out, "0\r\nX-Trailer: late\r\n\r\n");
}

static void answer_head(struct peer_connection *connection, const struct peer_request *request)
{
    struct peer_bytes *out = &connection->out;
    const size_t length = find_number(request, "n", 0);
    peer_add_text(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ");
    for (size_t i = 0; i < length; i++) {
        peer_add(out, "h", 1);
    }
    peer_add_text(out, "\r\n\r\n");
}

static size_t compress_blanks(size_t length, unsigned char *room, size_t room_bytes)
{
    static unsigned char blanks[64 * 1024];
    z_stream stream = { .next_out = room, .avail_out = (uInt)room_bytes };
    memset(blanks, ' ', sizeof(blanks));
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 9, 0) != Z_OK) {
        peer_die("zlib");
    }
    while (length > 0) {
        const size_t part = length < sizeof(blanks) ? length : sizeof(blanks);
        stream.next_in = blanks;
        stream.avail_in = (uInt)part;
        (void)deflate(&stream, Z_NO_FLUSH);
        length -= part;
    }
    (void)deflate(&stream, Z_FINISH);
    (void)deflateEnd(&stream);
    return stream.total_out;
}

static void add_gzip(struct peer_connection *connection, const void *body, size_t length)
{
    struct peer_bytes *out = &connection->out;
    peer_add_text(out, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n");
    add_line(out, "Content-Length: %zu", length);
    add_line(out, "%s", "");
    peer_add(out, body, length);
}

static void answer_gzip(struct peer_connection *connection, const struct peer_request *request)
{
    const size_t plain = find_number(request, "n", 1000);
    const size_t room_bytes = plain / 500 + 1024;
    unsigned char *room = malloc(room_bytes);
    if (room == NULL) {
        peer_die("memory");
        return;
    }
    add_gzip(connection, room, compress_blanks(plain, room, room_bytes));
    free(room);
}

static void answer_bad_gzip(struct peer_connection *connection, const struct peer_request *request)
{
    (void)request;
    add_gzip(connection, "this is no gzip", 15);
}

static void answer_cut(struct peer_connection *connection, const struct peer_request *request)
{
    (void)request;
    peer_add_text(&connection->out, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
    connection->closes = true;
}

static void answer_garbage(struct peer_connection *connection, const struct peer_request *request)
{
    (void)request;
    peer_add_text(&connection->out, "220 mail.example ESMTP\r\n250 go ahead\r\n");
    connection->closes = true;
}

static void answer_nothing(struct peer_connection *connection, const struct peer_request *request)
{
    (void)request;
    connection->closes = true;
}

static void answer_interim(struct peer_connection *connection, const struct peer_request *request)
{
    peer_add_text(&connection->out, "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n");
    answer_text(connection, request, 200, "late");
}

/* What the query says, whatever follows in the path: any upstream that a tool may know. */
static void answer_say(struct peer_connection *connection, const struct peer_request *request)
{
    char type[MAX_VALUE_BYTES];
    char body[MAX_VALUE_BYTES];
    find_value(request, "type", type);
    find_value(request, "body", body);
    answer_with(connection, request, (int)find_number(request, "status", 200),
                *type != '\0' ? type : "application/json", body, strlen(body));
}

static void hang(struct peer_connection *connection, const struct peer_request *request)
{
    (void)request;
    connection->due_ms = INT64_MAX;
}

static void answer_held(struct peer_connection *connection, const struct peer_request *request)
{
    answer_text(connection, request, 200, "held");
    connection->due_ms = INT64_MAX;
    connection->is_held = true;
}

static const struct {
    const char *path;
    void (*answer)(struct peer_connection *connection, const struct peer_request *request);
} answers[] = {
    { "/bad-gzip", answer_bad_gzip }, { "/bytes", answer_bytes },
    { "/chunked", answer_chunked },   { "/circle", answer_circle },

    { "/cut", answer_cut },           { "/drip", answer_drip },
    { "/echo", answer_echo },         { "/garbage", answer_garbage },
    { "/gzip", answer_gzip },         { "/hang", hang },
    { "/head", answer_head },         { "/headers", answer_headers },
    { "/interim", answer_interim },   { "/nothing", answer_nothing },
    { "/redirect", answer_redirect }, { "/slow", answer_slow },
    { "/held", answer_held },
};

void peer_answer(struct peer_connection *connection, const struct peer_request *request)
{
    if (strncmp(request->target, "/status/", sizeof("/status/") - 1) == 0) {
        answer_status(connection, request);
        return;
    }
    if (strncmp(request->target, "/say/", sizeof("/say/") - 1) == 0) {
        answer_say(connection, request);
        return;
    }
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (is_path(request, answers[i].path)) {
            answers[i].answer(connection, request);
            return;
        }
    }
    answer_text(connection, request, 404, "no such path");
}
