/* A load generator: a fixed number of copies of one request over keep-alive connections.
 *
 *   bench_load PORT CONNECTIONS REQUESTS REQUEST_FILE
 *   bench_load free-port
 *
 * The file holds the bytes of one whole HTTP/1.1 request. Every answer must be a 200 with a
 * Content-Length. Prints `N requests/s`. The second form prints a port that is free. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_CONNECTIONS = 16384,
    MAX_REQUEST_BYTES = 1024 * 1024,
    MAX_HEAD_BYTES = 16 * 1024,
    READ_BYTES = 64 * 1024,
    MAX_EVENTS = 256,
    SILENCE_MS = 20 * 1000, /* no answer for so long: the server hangs */
};

struct connection {
    int fd;
    size_t sent; /* of the request that is on its way */
    char head[MAX_HEAD_BYTES];
    size_t head_length; /* of the answer, as far as it is there */
    size_t body_left;
    bool is_in_body;
};

static struct {
    uint16_t port;
    char request[MAX_REQUEST_BYTES];
    size_t request_length;
    long to_send, to_finish;
    int epoll_fd;
} load;

static void die(const char *what)
{
    fprintf(stderr, "bench_load: %s%s%s\n", what, errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    exit(1);
}

/* Send what is left of the request, as far as the socket takes it. */
static void send_more(struct connection *connection)
{
    while (connection->sent < load.request_length) {
        const ssize_t count = send(connection->fd, load.request + connection->sent,
                                   load.request_length - connection->sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EAGAIN) {
            return;
        }
        if (count < 0) {
            die("send");
        }
        connection->sent += (size_t)count;
    }
}

static void start_request(struct connection *connection)
{
    if (load.to_send == 0) {
        return;
    }
    load.to_send--;
    connection->sent = 0;
    send_more(connection);
}

/* The Content-Length of a whole head; every answer has one. */
static size_t content_length(const char *head)
{
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, "Content-Length:", 15) == 0) {
            return strtoul(line + 17, NULL, 10);
        }
    }
    errno = 0;
    die("an answer without Content-Length");
    return 0;
}

/* Add to the head what belongs to it; gives the number of bytes that did. */
static size_t take_head(struct connection *connection, const char *bytes, size_t length)
{
    const size_t before = connection->head_length;
    const size_t room = sizeof(connection->head) - 1 - before;
    const size_t count = length < room ? length : room;
    memcpy(connection->head + before, bytes, count);
    connection->head[before + count] = '\0';
    connection->head_length = before + count;
    const char *end = strstr(connection->head, "\r\n\r\n");
    if (end == NULL) {
        if (count == room) {
            errno = 0;
            die("an answer whose head does not end");
        }
        return count;
    }
    const size_t head_length = (size_t)(end - connection->head) + 4;
    connection->head[head_length] = '\0';
    if (strncmp(connection->head, "HTTP/1.1 200", 12) != 0) {
        fprintf(stderr, "%s", connection->head);
        errno = 0;
        die("an answer that is not 200");
    }
    connection->is_in_body = true;
    connection->body_left = content_length(connection->head);
    return head_length - before;
}

static void take_bytes(struct connection *connection, const char *bytes, size_t length)
{
    while (length > 0) {
        if (!connection->is_in_body) {
            const size_t used = take_head(connection, bytes, length);
            bytes += used;
            length -= used;
        }
        const size_t used = length < connection->body_left ? length : connection->body_left;
        connection->body_left -= used;
        bytes += used;
        length -= used;
        if (connection->is_in_body && connection->body_left == 0) {
            connection->is_in_body = false;
            connection->head_length = 0;
            load.to_finish--;
            start_request(connection);
        }
    }
}

static void receive(struct connection *connection)
{
    char bytes[READ_BYTES];
    const ssize_t count = recv(connection->fd, bytes, sizeof(bytes), 0);
    if (count > 0) {
        take_bytes(connection, bytes, (size_t)count);
    } else if (count == 0) {
        errno = 0;
        die("the server closed a connection");
    } else if (errno != EAGAIN) {
        die("recv");
    }
}

static void connect_one(struct connection *connection)
{
    const int on = 1;
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(load.port),
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->fd < 0
        || connect(connection->fd, (const struct sockaddr *)&address, sizeof(address)) != 0
        || setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0
        || fcntl(connection->fd, F_SETFL, O_NONBLOCK) != 0) {
        die("connect");
    }
    struct epoll_event event = { .events = EPOLLIN | EPOLLOUT | EPOLLET,
                                 .data = { .ptr = connection } };
    if (epoll_ctl(load.epoll_fd, EPOLL_CTL_ADD, connection->fd, &event) != 0) {
        die("epoll_ctl");
    }
}

/* Edge-triggered: one read a turn may leave bytes behind, so it is repeated until there are none.
 */
static void receive_all(struct connection *connection)
{
    errno = 0;
    while (errno != EAGAIN) {
        receive(connection);
    }
}

static void run(void)
{
    struct epoll_event events[MAX_EVENTS];
    while (load.to_finish > 0) {
        const int count = epoll_wait(load.epoll_fd, events, MAX_EVENTS, SILENCE_MS);
        if (count < 0) {
            die("epoll_wait");
        }
        if (count == 0) {
            errno = 0;
            die("the server does not answer");
        }
        for (int i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;
            if ((events[i].events & EPOLLOUT) != 0) {
                send_more(connection);
            }
            if ((events[i].events & ~(uint32_t)EPOLLOUT) != 0) {
                receive_all(connection);
            }
        }
    }
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void read_request(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        die(path);
    }
    load.request_length = fread(load.request, 1, sizeof(load.request), file);
    fclose(file);
}

static int print_free_port(void)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    socklen_t length = sizeof(address);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0
        || getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        die("bind");
    }
    printf("%u\n", (unsigned)ntohs(address.sin_port));
    close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "free-port") == 0) {
        return print_free_port();
    }
    const long connections = argc == 5 ? strtol(argv[2], NULL, 10) : 0;
    if (connections < 1 || connections > MAX_CONNECTIONS) {
        fprintf(stderr, "usage: bench_load PORT CONNECTIONS REQUESTS REQUEST_FILE\n");
        return 2;
    }
    const long requests = strtol(argv[3], NULL, 10);
    load.port = (uint16_t)strtoul(argv[1], NULL, 10);
    load.to_send = requests;
    load.to_finish = requests;
    load.epoll_fd = epoll_create1(0);
    read_request(argv[4]);

    struct connection *all = calloc((size_t)connections, sizeof(*all));
    if (all == NULL || load.epoll_fd < 0) {
        die("start");
    }
    for (long i = 0; i < connections; i++) {
        all[i].sent = load.request_length;
        connect_one(&all[i]);
    }
    const double started = now_s();
    for (long i = 0; i < connections; i++) {
        start_request(&all[i]);
    }
    run();
    printf("%.0f requests/s\n", (double)requests / (now_s() - started));
    for (long i = 0; i < connections; i++) {
        close(all[i].fd);
    }
    free(all);
    return 0;
}
