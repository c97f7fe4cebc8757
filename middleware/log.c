#include "middleware/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "middleware/decimal.h"

enum {
    WAKE_AT_BYTES = TR_LOG_BUFFER_BYTES / 2,
    NOTE_BYTES = 48, /* of {"lost_lines":N} */
    STALL_MS = 1000, /* how long a descriptor that takes nothing is waited for */
};

struct buffer {
    size_t length;
    char bytes[TR_LOG_BUFFER_BYTES];
};

struct tr_log {
    int fd;
    pthread_t thread;

    pthread_mutex_t lock; /* for the members from here to `is_stopping` */
    pthread_cond_t wake;
    struct buffer *filling;
    uint64_t lost;
    bool is_stopping;

    pthread_mutex_t writing; /* held around write(2); for the members below */
    struct buffer *spare;    /* empty unless being written */
    bool is_torn;            /* a line was written in part only */

    struct buffer buffers[2];
};

/* ---- writing: `writing` is held ---- */

static bool wait_for_room(int fd)
{
    struct pollfd descriptor = { .fd = fd, .events = POLLOUT };
    return poll(&descriptor, 1, STALL_MS) > 0;
}

/* How many of the bytes could be written. */
static size_t write_bytes(int fd, const char *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        const ssize_t count = write(fd, bytes + done, length - done);
        if (count >= 0) {
            done += (size_t)count;
            continue;
        }
        const bool is_full = errno == EAGAIN || errno == EWOULDBLOCK;
        if (errno != EINTR && !(is_full && wait_for_room(fd))) {
            break;
        }
    }
    return done;
}

static uint64_t count_lines(const char *bytes, size_t length)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < length; i++) {
        lines += bytes[i] == '\n' ? 1 : 0;
    }
    return lines;
}

/* The number of lines that were not written. */
static uint64_t write_lines(struct tr_log *log, const struct buffer *buffer)
{
    if (log->is_torn && write_bytes(log->fd, "\n", 1) == 1) {
        log->is_torn = false;
    }
    const size_t done = write_bytes(log->fd, buffer->bytes, buffer->length);
    if (done == buffer->length) {
        return 0;
    }
    log->is_torn = done != 0 && buffer->bytes[done - 1] != '\n';
    return count_lines(buffer->bytes + done, buffer->length - done);
}

void tr_log_flush(struct tr_log *log)
{
    (void)pthread_mutex_lock(&log->writing);
    (void)pthread_mutex_lock(&log->lock);
    struct buffer *full = log->filling;
    if (full->length != 0) {
        log->filling = log->spare;
        log->spare = full;
    }
    (void)pthread_mutex_unlock(&log->lock);

    if (full->length != 0) {
        const uint64_t lost = write_lines(log, full);
        full->length = 0;
        (void)pthread_mutex_lock(&log->lock);
        log->lost += lost;
        (void)pthread_mutex_unlock(&log->lock);
    }
    (void)pthread_mutex_unlock(&log->writing);
}

/* ---- collecting ---- */

static void append(struct buffer *buffer, const char *bytes, size_t length)
{
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
}

static void append_note(struct buffer *buffer, uint64_t lost)
{
    static const char before[] = "{\"lost_lines\":";
    char note[NOTE_BYTES];
    memcpy(note, before, sizeof(before) - 1);
    char *end = tr_write_decimal(note + sizeof(before) - 1, lost);
    *end++ = '}';
    *end++ = '\n';
    append(buffer, note, (size_t)(end - note));
}

void tr_log_line(struct tr_log *log, const char *line, size_t length)
{
    (void)pthread_mutex_lock(&log->lock);
    struct buffer *buffer = log->filling;
    const size_t before = buffer->length;
    const size_t note = log->lost != 0 ? NOTE_BYTES : 0;
    if (length + note > sizeof(buffer->bytes) - before) {
        log->lost++;
    } else {
        if (log->lost != 0) {
            append_note(buffer, log->lost);
            log->lost = 0;
        }
        append(buffer, line, length);
    }
    const bool is_due = before == 0 || (before < WAKE_AT_BYTES && buffer->length >= WAKE_AT_BYTES);
    (void)pthread_mutex_unlock(&log->lock);
    if (is_due) {
        (void)pthread_cond_signal(&log->wake);
    }
}

/* ---- the thread ---- */

/* `lock` is held. Returns when there is something to write and it should not wait longer. */
static void wait_for_lines(struct tr_log *log)
{
    while (!log->is_stopping && log->filling->length == 0) {
        (void)pthread_cond_wait(&log->wake, &log->lock);
    }
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    int outcome = 0;
    while (!log->is_stopping && log->filling->length < WAKE_AT_BYTES && outcome == 0) {
        outcome = pthread_cond_timedwait(&log->wake, &log->lock, &until);
    }
}

static void *run(void *context)
{
    struct tr_log *log = context;
    (void)pthread_mutex_lock(&log->lock);
    while (!log->is_stopping) {
        wait_for_lines(log);
        (void)pthread_mutex_unlock(&log->lock);
        tr_log_flush(log);
        (void)pthread_mutex_lock(&log->lock);
    }
    (void)pthread_mutex_unlock(&log->lock);
    return NULL;
}

static bool init_wake(pthread_cond_t *wake)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    const bool is_made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
                         && pthread_cond_init(wake, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return is_made;
}

/* Signals are for the threads that expect them. */
static bool start_thread(struct tr_log *log)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_running = pthread_create(&log->thread, NULL, run, log) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_running;
}

struct tr_log *tr_log_new(int fd)
{
    struct tr_log *log = malloc(sizeof(*log));
    if (log == NULL) {
        return NULL;
    }
    log->fd = fd;
    log->lost = 0;
    log->is_stopping = false;
    log->is_torn = false;
    log->buffers[0].length = 0;
    log->buffers[1].length = 0;
    log->filling = &log->buffers[0];
    log->spare = &log->buffers[1];
    (void)pthread_mutex_init(&log->lock, NULL);
    (void)pthread_mutex_init(&log->writing, NULL);
    if (!init_wake(&log->wake)) {
        free(log);
        return NULL;
    }
    if (!start_thread(log)) {
        (void)pthread_cond_destroy(&log->wake);
        free(log);
        return NULL;
    }
    return log;
}

void tr_log_free(struct tr_log *log)
{
    if (log == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&log->lock);
    log->is_stopping = true;
    (void)pthread_mutex_unlock(&log->lock);
    (void)pthread_cond_signal(&log->wake);
    (void)pthread_join(log->thread, NULL);
    tr_log_flush(log);
    (void)pthread_cond_destroy(&log->wake);
    (void)pthread_mutex_destroy(&log->writing);
    (void)pthread_mutex_destroy(&log->lock);
    free(log);
}
