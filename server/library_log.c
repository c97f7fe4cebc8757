#include "server/library_log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/clock.h"

enum {
    LINES_PER_WINDOW = 10,
    WINDOW_MS = 1000,
    MESSAGE_BYTES = 256,
    LINE_BYTES = MESSAGE_BYTES * 4 + 64,
};

/* What it says whenever we tell it to close a connection. */
static const char own_doing[] = "Application reported internal error";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows, and the stream */
static int64_t window_start_ms;
static unsigned lines_in_window;
static unsigned left_out;

/* May another line be printed now? */
static bool take_turn(int64_t now_ms)
{
    if (now_ms - window_start_ms >= WINDOW_MS || window_start_ms == 0) {
        window_start_ms = now_ms;
        lines_in_window = 0;
    }
    if (lines_in_window >= LINES_PER_WINDOW) {
        left_out++;
        return false;
    }
    lines_in_window++;
    return true;
}

/* Append the printable form of `message`, without its line ends. Gives the new length. */
static size_t escape(char *out, size_t length, size_t room, const char *message)
{
    for (; *message != '\0' && room - length > sizeof("\\xNN\n"); message++) {
        const unsigned char byte = (unsigned char)*message;
        if (byte == '\n' || byte == '\r') {
            continue;
        }
        const bool is_plain = byte >= ' ' && byte < 0x7F && byte != '\\';
        const int bytes = snprintf(out + length, room - length, is_plain ? "%c" : "\\x%02X", byte);
        length += bytes > 0 ? (size_t)bytes : 0;
    }
    return length;
}

size_t tr_library_log_line(char *out, size_t room, int64_t now_ms, const char *format,
                           va_list arguments)
{
    char message[MESSAGE_BYTES];
    (void)vsnprintf(message, sizeof(message), format, arguments);
    if (strncmp(message, own_doing, sizeof(own_doing) - 1) == 0 || !take_turn(now_ms)) {
        return 0;
    }
    const int start = left_out == 0
                          ? snprintf(out, room, "toolrest: http: ")
                          : snprintf(out, room, "toolrest: http: (%u left out) ", left_out);
    left_out = 0;
    if (start < 0 || (size_t)start >= room) {
        return 0;
    }
    size_t length = escape(out, (size_t)start, room, message);
    out[length++] = '\n';
    return length;
}

void tr_library_log(void *context, const char *format, va_list arguments)
{
    (void)context;
    char line[LINE_BYTES];
    pthread_mutex_lock(&lock);
    const size_t length = tr_library_log_line(line, sizeof(line), tr_clock_ms(), format, arguments);
    pthread_mutex_unlock(&lock);
    if (length != 0 && write(STDERR_FILENO, line, length) < 0) {
        return; /* nobody is left to tell */
    }
}
