/* log.h - the access log: one JSON line a request, buffered, written by whoever fills the buffer
 * and by a flush every second. */
#ifndef TR_MIDDLEWARE_LOG_H
#define TR_MIDDLEWARE_LOG_H

#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_log;

/* Lines go to descriptor `fd`, which is borrowed. NULL when out of memory. */
TR_MALLOC struct tr_log *tr_log_new(int fd);
void tr_log_free(struct tr_log *log); /* flushes; NULL is accepted */

/* Append one whole line (with its newline). Thread-safe; never blocks for longer than one
 * write(2); a line that finds no room because the descriptor does not drain is dropped and
 * counted, and the next line that fits says how many were lost. */
void tr_log_line(struct tr_log *log, const char *line, size_t length);

void tr_log_flush(struct tr_log *log);

#endif
