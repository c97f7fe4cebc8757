/* library_log.h - what the HTTP library has to say, on standard error. It quotes what clients send,
 * so the text is escaped, and clients must not be able to fill a disk, so the lines are counted. */
#ifndef TR_SERVER_LIBRARY_LOG_H
#define TR_SERVER_LIBRARY_LOG_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"

/* Print one message. At most a handful of lines a second; how many were left out is said with the
 * next line. Any thread. `context` is not used: the form is the library's. */
TR_PRINTF(2, 0) void tr_library_log(void *context, const char *format, va_list arguments);

/* The work of tr_library_log(): write the line for a message that comes at `now_ms` into `out`,
 * which has `room` bytes. Gives its length, 0 when there is nothing to print. Not thread-safe. */
TR_PRINTF(4, 0)
size_t tr_library_log_line(char *out, size_t room, int64_t now_ms, const char *format,
                           va_list arguments);

#endif
