#include "tests/peer/peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/peer/peer_parts.h"

enum { MAX_EVENTS = 256, READ_BYTES = 16 * 1024, TICK_MS = 5, BACKLOG = 4096, PATIENCE_MS = 30000 };

void peer_die(const char *what)
{
    (void)fprintf(stderr, "peer: %s: %s\n", what, strerror(errno));
    exit(1);
}

int64_t peer_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- bytes ---- */

void peer_add(struct peer_bytes *bytes, const void *more, size_t length)
{
    if (bytes->length + length + 1 > bytes->room) {
        const size_t room = (bytes->length + length + 1) * 2;
        char *grown = realloc(bytes->bytes, room);
        if (grown == NULL) {
            peer_die("memory");
            return;
        }
        bytes->bytes = grown;
        bytes->room = room;
    }
    memcpy(bytes->bytes + bytes->length, more, length);
    bytes->length += length;
    bytes->bytes[bytes->length] = '\0';
}

void peer_add_text(struct peer_bytes *bytes, const char *text)
{
    peer_add(bytes, text, strlen(text));
}

static void clear(struct peer_bytes *bytes)
{
    free(bytes->bytes);
    *bytes = (struct peer_bytes){ .bytes = NULL };
}

/* ---- the two kinds of connections ---- */

/* Bytes, 0 at the end of the stream, -1 when there is nothing to do now. */
static ssize_t read_some(struct peer_connection *connection, char *room, size_t length)
{
    if (connection->ssl == NULL) {
        const ssize_t count = recv(connection->fd, room, length, 0);
        return count >= 0 || errno == EAGAIN ? count : 0;
    }
    const int count = SSL_read(connection->ssl, room, (int)length);
    const int error = SSL_get_error(connection->ssl, count);
    return count > 0                                                       ? count
           : error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? -1
                                                                           : 0;
}

static ssize_t write_some(struct peer_connection *connection, const char *bytes, size_t length)
{
    if (connection->ssl == NULL) {
        const ssize_t count = send(connection->fd, bytes, length, MSG_NOSIGNAL);
        return count >= 0 || errno == EAGAIN ? count : 0;
    }
    const int count = SSL_write(connection->ssl, bytes, (int)length);
    const int error = SSL_get_error(connection->ssl, count);
    return count > 0                                                       ? count
           : error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? -1
                                                                           : 0;
}

/* ---- life of a connection ---- */

static void open_connection(struct peer *peer, int fd)
{
    const int yes = 1;
    struct peer_connection *connection = calloc(1, sizeof(*connection));
    if (connection == NULL) {
        peer_die("memory");
        return;
    }
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };
    connection->fd = fd;
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    if (peer->tls != NULL) {
        connection->ssl = SSL_new(peer->tls);
        (void)SSL_set_fd(connection->ssl, fd);
        SSL_set_accept_state(connection->ssl);
    }
    (void)epoll_ctl(peer->epoll_fd, EPOLL_CTL_ADD, fd, &event);
    TAILQ_INSERT_TAIL(&peer->connections, connection, link);
    atomic_fetch_add(&peer->accepted, 1);
    atomic_fetch_add(&peer->open, 1);
}

static void close_connection(struct peer *peer, struct peer_connection *connection)
{
    TAILQ_REMOVE(&peer->connections, connection, link);
    SSL_free(connection->ssl);
    (void)close(connection->fd);
    clear(&connection->in);
    clear(&connection->out);
    free(connection);
    atomic_fetch_sub(&peer->open, 1);
}

/* ---- requests ---- */

static size_t content_length(const char *head)
{
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, "Content-Length:", 15) == 0) {
            return strtoul(line + 17, NULL, 10);
        }
    }
    return 0;
}

/* Answer the first request of what came in, if all of it is there, and forget it. */
static void take_request(struct peer *peer, struct peer_connection *connection)
{
    struct peer_bytes *in = &connection->in;
    char *end = in->length > 0 && !connection->is_busy ? strstr(in->bytes, "\r\n\r\n") : NULL;
    if (end == NULL) {
        return;
    }
    end[2] = '\0';
    const size_t head_length = (size_t)(end - in->bytes) + 4;
    const size_t whole = head_length + content_length(in->bytes);
    if (in->length < whole) {
        end[2] = '\r';
        return;
    }
    struct peer_request request = {
        .head = in->bytes,
        .body = in->bytes + head_length,
        .body_length = whole - head_length,
    };
    const size_t method_length = strcspn(request.head, " ");
    (void)snprintf(request.method, sizeof(request.method), "%.*s", (int)method_length,
                   request.head);
    request.target = request.head + method_length + (request.head[method_length] == ' ' ? 1 : 0);
    request.target_length = strcspn(request.target, " \r");
    connection->is_busy = true;
    peer_answer(connection, &request);
    memmove(in->bytes, in->bytes + whole, in->length - whole + 1);
    in->length -= whole;
    atomic_fetch_add(&peer->requests, 1);
}

static void end_answer(struct peer *peer, struct peer_connection *connection)
{
    clear(&connection->out);
    connection->sent = 0;
    connection->due_ms = 0;
    connection->drip_ms = 0;
    connection->is_busy = false;
    take_request(peer, connection);
}

/* False when the connection is at its end. */
static bool send_answer(struct peer *peer, struct peer_connection *connection)
{
    while (connection->is_busy && connection->due_ms <= peer_now_ms()) {
        const size_t left = connection->out.length - connection->sent;
        if (left == 0) {
            if (connection->closes) {
                return false;
            }
            end_answer(peer, connection);
            continue;
        }
        const ssize_t count = write_some(connection, connection->out.bytes + connection->sent,
                                         connection->drip_ms != 0 ? 1 : left);
        if (count <= 0) {
            return count < 0;
        }
        connection->sent += (size_t)count;
        connection->due_ms = connection->drip_ms != 0 ? peer_now_ms() + connection->drip_ms : 0;
    }
    return true;
}

/* False as above. */
static bool receive(struct peer *peer, struct peer_connection *connection)
{
    char room[READ_BYTES];
    for (;;) {
        const ssize_t count = read_some(connection, room, sizeof(room));
        if (count <= 0) {
            return count < 0;
        }
        peer_add(&connection->in, room, (size_t)count);
        if (connection->in.length > PEER_REQUEST_BYTES) {
            return false;
        }
        take_request(peer, connection);
    }
}

static void watch(struct peer *peer, struct peer_connection *connection)
{
    const bool wants_out = connection->is_busy && connection->due_ms == 0;
    struct epoll_event event = {
        .events = EPOLLIN | (wants_out ? EPOLLOUT : 0u),
        .data.ptr = connection,
    };
    (void)epoll_ctl(peer->epoll_fd, EPOLL_CTL_MOD, connection->fd, &event);
}

static void serve(struct peer *peer, struct peer_connection *connection)
{
    if (receive(peer, connection) && send_answer(peer, connection)) {
        watch(peer, connection);
    } else {
        close_connection(peer, connection);
    }
}

/* ---- the thread ---- */

static void accept_all(struct peer *peer)
{
    for (int fd = accept(peer->listen_fd, NULL, NULL); fd >= 0;
         fd = accept(peer->listen_fd, NULL, NULL)) {
        open_connection(peer, fd);
    }
}

/* Answers whose moment has come. */
static void send_due(struct peer *peer)
{
    const int64_t now_ms = peer_now_ms();
    struct peer_connection *next = NULL;
    for (struct peer_connection *at = TAILQ_FIRST(&peer->connections); at != NULL; at = next) {
        next = TAILQ_NEXT(at, link);
        if (at->is_held && atomic_load(&peer->has_released)) {
            at->is_held = false;
            at->due_ms = now_ms;
        }
        if (at->is_busy && at->due_ms != 0 && at->due_ms <= now_ms) {
            serve(peer, at);
        }
    }
}

static void *run(void *context)
{
    struct peer *peer = context;
    struct epoll_event events[MAX_EVENTS];
    while (!atomic_load(&peer->is_stopping)) {
        const int count = epoll_wait(peer->epoll_fd, events, MAX_EVENTS, TICK_MS);
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr == NULL) {
                accept_all(peer);
            } else {
                serve(peer, events[i].data.ptr);
            }
        }
        send_due(peer);
    }
    while (!TAILQ_EMPTY(&peer->connections)) {
        close_connection(peer, TAILQ_FIRST(&peer->connections));
    }
    return NULL;
}

/* ---- life ---- */

static void listen_on(struct peer *peer, uint16_t port)
{
    const int yes = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    socklen_t length = sizeof(address);
    peer->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)setsockopt(peer->listen_fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (bind(peer->listen_fd, (const struct sockaddr *)&address, sizeof(address)) != 0
        || listen(peer->listen_fd, BACKLOG) != 0
        || getsockname(peer->listen_fd, (struct sockaddr *)&address, &length) != 0) {
        peer_die("listen");
    }
    peer->port = ntohs(address.sin_port);
}

struct peer *peer_start(const struct peer_options *options)
{
    struct peer *peer = calloc(1, sizeof(*peer));
    if (peer == NULL) {
        peer_die("memory");
        return NULL;
    }
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = NULL };
    sigset_t pipe;
    TAILQ_INIT(&peer->connections);
    listen_on(peer, options->port);
    if (options->is_tls) {
        peer->tls = peer_make_tls(peer->ca_file);
    }
    peer->epoll_fd = epoll_create1(0);
    (void)epoll_ctl(peer->epoll_fd, EPOLL_CTL_ADD, peer->listen_fd, &event);
    /* OpenSSL writes without MSG_NOSIGNAL; the new thread inherits the mask. */
    sigset_t before;
    (void)sigemptyset(&pipe);
    (void)sigaddset(&pipe, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe, &before);
    if (pthread_create(&peer->thread, NULL, run, peer) != 0) {
        peer_die("thread");
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return peer;
}

void peer_stop(struct peer *peer)
{
    atomic_store(&peer->is_stopping, true);
    (void)pthread_join(peer->thread, NULL);
    (void)close(peer->epoll_fd);
    (void)close(peer->listen_fd);
    SSL_CTX_free(peer->tls);
    if (*peer->ca_file != '\0') {
        (void)unlink(peer->ca_file);
    }
    free(peer);
}

/* ---- questions ---- */

uint16_t peer_port(const struct peer *peer)
{
    return peer->port;
}

const char *peer_ca_file(const struct peer *peer)
{
    return peer->tls != NULL ? peer->ca_file : NULL;
}

size_t peer_connections(const struct peer *peer)
{
    return atomic_load(&peer->accepted);
}

size_t peer_requests(const struct peer *peer)
{
    return atomic_load(&peer->requests);
}

size_t peer_open(const struct peer *peer)
{
    return atomic_load(&peer->open);
}

void peer_release(struct peer *peer)
{
    atomic_store(&peer->has_released, true);
}

static void wait_a_moment(void)
{
    const struct timespec slice = { .tv_nsec = 1000L * 1000 };
    (void)nanosleep(&slice, NULL);
}

bool peer_wait_for_requests(const struct peer *peer, size_t count)
{
    const int64_t end_ms = peer_now_ms() + PATIENCE_MS;
    while (peer_requests(peer) < count && peer_now_ms() < end_ms) {
        wait_a_moment();
    }
    return peer_requests(peer) >= count;
}

bool peer_wait_for_open(const struct peer *peer, size_t count)
{
    const int64_t end_ms = peer_now_ms() + PATIENCE_MS;
    while (peer_open(peer) > count && peer_now_ms() < end_ms) {
        wait_a_moment();
    }
    return peer_open(peer) <= count;
}
