/* A bare libmicrohttpd server: reads a POST body, throws it away and answers the bytes of a file.
 * What the gateway's own work costs is measured against it: the same library, the same settings, no
 * work.
 *
 *   bench_bare ANSWER_FILE THREADS      prints the port, runs until SIGTERM */
#include <arpa/inet.h>
#include <linux/net.h> /* SO_REUSEPORT, which POSIX does not know */
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

enum {
    MAX_ANSWER_BYTES = 64 * 1024,
    MAX_HEADERS = 32,
    MAX_LINE_BYTES = 512,
    MAX_THREADS = 64,
    POOL_BYTES = 16 * 1024,
    CONNECTION_LIMIT = 12000,
    IDLE_TIMEOUT_S = 60,
};

struct header {
    char name[MAX_LINE_BYTES];
    const char *value; /* in `name`, behind its end */
};

struct answer {
    char bytes[MAX_ANSWER_BYTES];
    size_t length;
    struct header headers[MAX_HEADERS];
    size_t header_count;
};

static enum MHD_Result send_answer(struct MHD_Connection *connection, struct answer *answer)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->length, answer->bytes, MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        return MHD_NO;
    }
    MHD_add_response_header(response, "Content-Type", "application/json");
    for (size_t i = 0; i < answer->header_count; i++) {
        MHD_add_response_header(response, answer->headers[i].name, answer->headers[i].value);
    }
    const enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_length, void **request)
{
    (void)url;
    (void)method;
    (void)version;
    (void)upload;
    if (*request == NULL) {
        *request = connection; /* any mark will do: the headers have been seen */
        return MHD_YES;
    }
    if (*upload_length != 0) {
        *upload_length = 0;
        return MHD_YES;
    }
    return send_answer(connection, context);
}

static bool read_answer(const char *path, struct answer *answer)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    answer->length = fread(answer->bytes, 1, sizeof(answer->bytes), file);
    const bool has_read = ferror(file) == 0 && answer->length < sizeof(answer->bytes);
    fclose(file);
    return has_read;
}

static bool read_headers(const char *path, struct answer *answer)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    while (answer->header_count < MAX_HEADERS) {
        struct header *header = &answer->headers[answer->header_count];
        if (fgets(header->name, sizeof(header->name), file) == NULL) {
            break;
        }
        header->name[strcspn(header->name, "\r\n")] = '\0';
        char *colon = strstr(header->name, ": ");
        if (colon != NULL) {
            *colon = '\0';
            header->value = colon + 2;
            answer->header_count++;
        }
    }
    fclose(file);
    return true;
}

/* A listening socket on loopback that shares *port with the ones before; 0 takes a free port. */
static int listen_on(uint16_t *port)
{
    const int on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(*port),
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    socklen_t length = sizeof(address);
    const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
    if (socket_fd < 0 || setsockopt(socket_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0
        || setsockopt(socket_fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) != 0
        || bind(socket_fd, (struct sockaddr *)&address, sizeof(address)) != 0
        || listen(socket_fd, SOMAXCONN) != 0
        || getsockname(socket_fd, (struct sockaddr *)&address, &length) != 0) {
        return -1;
    }
    *port = ntohs(address.sin_port);
    return socket_fd;
}

/* One daemon with one thread, as the gateway has one for each of its event threads. */
static struct MHD_Daemon *start_daemon(struct answer *answer, uint16_t *port)
{
    const int socket_fd = listen_on(port);
    if (socket_fd < 0) {
        return NULL;
    }
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, answer,
        MHD_OPTION_LISTEN_SOCKET, socket_fd, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTION_LIMIT, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_TIMEOUT_S, MHD_OPTION_END);
}

int main(int argc, char **argv)
{
    static struct answer answer;
    const long threads = argc == 3 || argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    if (threads < 1 || threads > MAX_THREADS || !read_answer(argv[2], &answer)
        || (argc == 4 && !read_headers(argv[3], &answer))) {
        fprintf(stderr, "usage: bench_bare THREADS ANSWER_FILE [HEADERS_FILE]\n");
        return 2;
    }
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop,
                NULL); /* before the threads start, so that none of them gets it */

    struct MHD_Daemon *daemons[MAX_THREADS] = { NULL };
    uint16_t port = 0;
    for (long i = 0; i < threads; i++) {
        daemons[i] = start_daemon(&answer, &port);
        if (daemons[i] == NULL) {
            fprintf(stderr, "bench_bare: cannot listen\n");
            return 3;
        }
    }
    printf("%u\n", (unsigned)port);
    fflush(stdout);
    int signal_number = 0;
    sigwait(&stop, &signal_number);
    for (long i = 0; i < threads; i++) {
        MHD_stop_daemon(daemons[i]);
    }
    return 0;
}
