#include "server/listen_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/net.h> /* SO_REUSEPORT, which POSIX does not know */
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 4096 };

static bool set_option(int fd, int level, int option, int value)
{
    return setsockopt(fd, level, option, &value, sizeof(value)) == 0;
}

static bool set_options(int fd, const struct tr_endpoint *endpoint)
{
    const bool is_ipv6 = endpoint->storage.ss_family == AF_INET6;
    const bool is_wildcard = tr_endpoint_is_wildcard(endpoint);
    return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0
           && set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1)
           && (!is_ipv6 || set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, !is_wildcard));
}

/* A second gateway on the same port must fail, not take half of the requests: so the first socket
 * shares the port only once it is bound, the further ones from the start. */
static bool bind_to(int fd, struct tr_endpoint *endpoint, bool is_first)
{
    struct sockaddr *generic = (struct sockaddr *)&endpoint->storage;
    return (is_first || set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1))
           && bind(fd, generic, endpoint->length) == 0
           && set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1) && listen(fd, BACKLOG) == 0
           && getsockname(fd, generic, &endpoint->length) == 0;
}

/* The socket, -1 with errno. */
static int open_socket(struct tr_endpoint *endpoint, bool is_first)
{
    const int fd = socket(endpoint->storage.ss_family, SOCK_STREAM, 0);
    if (fd < 0 || (set_options(fd, endpoint) && bind_to(fd, endpoint, is_first))) {
        return fd;
    }
    const int reason = errno;
    (void)close(fd);
    errno = reason;
    return -1;
}

/* Every address, where there is no IPv6: every IPv4 address. */
static void become_ipv4(struct tr_endpoint *endpoint)
{
    const struct sockaddr_in any = {
        .sin_family = AF_INET,
        .sin_port = htons(tr_endpoint_port(endpoint)),
    };
    *endpoint = (struct tr_endpoint){ .length = sizeof(any) };
    memcpy(&endpoint->storage, &any, sizeof(any));
}

enum tr_status tr_listen_socket_open(struct tr_endpoint *endpoint, bool is_first, int *ret_socket,
                                     struct tr_fault *reterr)
{
    int fd = open_socket(endpoint, is_first);
    if (fd < 0 && (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)
        && endpoint->storage.ss_family == AF_INET6 && tr_endpoint_is_wildcard(endpoint)) {
        become_ipv4(endpoint);
        fd = open_socket(endpoint, is_first);
    }
    if (fd < 0) {
        const char *reason = strerror(errno);
        char text[TR_ENDPOINT_TEXT_BYTES];
        tr_endpoint_print(endpoint, text);
        return tr_refuse(TR_INTERNAL, reterr, "server.listen", "cannot listen on %s: %s", text,
                         reason);
    }
    *ret_socket = fd;
    return TR_OK;
}

size_t tr_raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    return (size_t)(setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before);
}
