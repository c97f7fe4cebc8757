/* The floor of an outbound call: libcurl's multi interface under epoll, and nothing else.
 *
 *   bench_multi URL TRANSFERS REQUESTS
 *
 * Asks for the URL so many times, with so many transfers at once over kept connections. Every
 * answer must be a 200. Prints `N requests/s M us CPU per request`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

#include <curl/curl.h>

enum { MAX_TRANSFERS = 4096, MAX_EVENTS = 256, SILENCE_MS = 20 * 1000 };

static struct {
    CURLM *multi;
    int epoll_fd;
    int64_t due_ms; /* when libcurl wants to be called; -1: not at all */
    long to_send, to_finish;
} loop;

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_multi: %s\n", what);
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t cpu_us(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000
           + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *known)
{
    (void)easy;
    (void)context;
    struct epoll_event event = { .data.fd = fd };
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (what == CURL_POLL_REMOVE) {
        return epoll_ctl(loop.epoll_fd, EPOLL_CTL_DEL, fd, NULL) * 0;
    }
    (void)epoll_ctl(loop.epoll_fd, known == NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
    (void)curl_multi_assign(loop.multi, fd, &loop);
    return 0;
}

static int set_timer(CURLM *multi, long timeout_ms, void *context)
{
    (void)multi;
    (void)context;
    loop.due_ms = timeout_ms < 0 ? -1 : now_ns() / 1000000 + timeout_ms;
    return 0;
}

static size_t drop(char *bytes, size_t size, size_t count, void *context)
{
    (void)bytes;
    (void)context;
    return size * count;
}

static void start(CURL *easy)
{
    if (loop.to_send > 0) {
        loop.to_send--;
        (void)curl_multi_add_handle(loop.multi, easy);
    }
}

static void reap(void)
{
    int left = 0;
    for (CURLMsg *message = curl_multi_info_read(loop.multi, &left); message != NULL;
         message = curl_multi_info_read(loop.multi, &left)) {
        CURL *easy = message->easy_handle;
        long status = 0;
        (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        if (message->data.result != CURLE_OK || status != 200) {
            die(curl_easy_strerror(message->data.result));
        }
        (void)curl_multi_remove_handle(loop.multi, easy);
        loop.to_finish--;
        start(easy);
    }
}

static void turn(void)
{
    struct epoll_event events[MAX_EVENTS];
    int running = 0;
    const int64_t left_ms = loop.due_ms < 0 ? SILENCE_MS : loop.due_ms - now_ns() / 1000000;
    const int count = epoll_wait(loop.epoll_fd, events, MAX_EVENTS, left_ms > 0 ? (int)left_ms : 0);
    for (int i = 0; i < count; i++) {
        const int work = (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0)
                         | (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
        (void)curl_multi_socket_action(loop.multi, events[i].data.fd, work, &running);
    }
    if (loop.due_ms >= 0 && loop.due_ms <= now_ns() / 1000000) {
        loop.due_ms = -1;
        (void)curl_multi_socket_action(loop.multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    reap();
}

static void open_loop(long transfers)
{
    loop.epoll_fd = epoll_create1(0);
    loop.multi = curl_multi_init();
    (void)curl_multi_setopt(loop.multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    (void)curl_multi_setopt(loop.multi, CURLMOPT_TIMERFUNCTION, set_timer);
    (void)curl_multi_setopt(loop.multi, CURLMOPT_MAXCONNECTS, transfers);
}

int main(int count, char **words)
{
    if (count != 4) {
        die("usage: bench_multi URL TRANSFERS REQUESTS");
    }
    const long transfers = strtol(words[2], NULL, 10);
    const long requests = strtol(words[3], NULL, 10);
    if (transfers < 1 || transfers > MAX_TRANSFERS || requests < 1) {
        die("how many?");
    }
    open_loop(transfers);
    loop.to_send = requests;
    loop.to_finish = requests;
    const int64_t start_ns = now_ns();
    for (long i = 0; i < transfers; i++) {
        CURL *easy = curl_easy_init();
        (void)curl_easy_setopt(easy, CURLOPT_URL, words[1]);
        (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
        start(easy);
    }
    while (loop.to_finish > 0) {
        turn();
    }
    const double seconds = (double)(now_ns() - start_ns) / 1e9;
    (void)printf("%.0f requests/s %.2f us CPU per request\n", (double)requests / seconds,
                 (double)cpu_us() / (double)requests);
    return 0;
}
