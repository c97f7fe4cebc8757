#include "tests/support/raw_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_SECONDS = 30 };

static int try_connect(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    const struct timeval patience = { .tv_sec = PATIENCE_SECONDS };
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0) {
        return fd;
    }
    close(fd);
    return -1;
}

int raw_connect(uint16_t port)
{
    const int fd = try_connect(port);
    assert_true(fd >= 0);
    return fd;
}

bool raw_can_connect(uint16_t port)
{
    const int fd = try_connect(port);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

bool raw_try_send(int fd, const char *bytes, size_t length)
{
    while (length != 0) {
        const ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0) {
            assert_true(errno == EPIPE || errno == ECONNRESET);
            return false;
        }
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

void raw_send(int fd, const char *bytes, size_t length)
{
    assert_true(raw_try_send(fd, bytes, length));
}

void raw_send_text(int fd, const char *text)
{
    raw_send(fd, text, strlen(text));
}

/* Bytes received; 0 at the end of the stream, however it ends. */
static size_t receive(int fd, char *room, size_t room_bytes)
{
    const ssize_t received = recv(fd, room, room_bytes, 0);
    if (received < 0 && errno != ECONNRESET) {
        fail_msg("nothing came: %s", strerror(errno));
    }
    return received > 0 ? (size_t)received : 0;
}

static bool receive_head(int fd, struct raw_answer *answer)
{
    size_t length = 0;
    *answer->head = '\0';
    /* One by one: what follows belongs to the body, or to the next answer. */
    while (strstr(answer->head + (length > 4 ? length - 4 : 0), "\r\n\r\n") == NULL) {
        assert_true(length + 1 < sizeof(answer->head));
        if (receive(fd, answer->head + length, 1) == 0) {
            assert_int_equal(length, 0);
            return false;
        }
        answer->head[++length] = '\0';
    }
    assert_int_equal(strncmp(answer->head, "HTTP/1.1 ", 9), 0);
    answer->status = (int)strtol(answer->head + 9, NULL, 10);
    return true;
}

bool raw_read_head(int fd, struct raw_answer *answer)
{
    answer->body_length = 0;
    answer->body[0] = '\0';
    return receive_head(fd, answer);
}

bool raw_read(int fd, struct raw_answer *answer)
{
    char text[32];
    if (!raw_read_head(fd, answer)) {
        return false;
    }
    const bool has_body = answer->status >= 200 && answer->status != 204 && answer->status != 304;
    if (!has_body || !raw_header(answer, "Content-Length", text, sizeof(text))) {
        return true;
    }
    const size_t length = (size_t)strtoul(text, NULL, 10);
    assert_true(length < sizeof(answer->body));
    while (answer->body_length < length) {
        const size_t received =
            receive(fd, answer->body + answer->body_length, length - answer->body_length);
        assert_int_not_equal(received, 0);
        answer->body_length += received;
    }
    answer->body[length] = '\0';
    return true;
}

bool raw_is_closed(int fd)
{
    char byte;
    return receive(fd, &byte, 1) == 0;
}

bool raw_header(const struct raw_answer *answer, const char *name, char *room, size_t room_bytes)
{
    const size_t length = strlen(name);
    for (const char *line = strstr(answer->head, "\r\n"); line != NULL;
         line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            const char *value = line + length + 1 + strspn(line + length + 1, " ");
            (void)snprintf(room, room_bytes, "%.*s", (int)strcspn(value, "\r"), value);
            return true;
        }
    }
    return false;
}
