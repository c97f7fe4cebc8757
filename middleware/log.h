/* log.h - the access log: whole lines, collected in memory and written by a thread of its own, so
 * that serving never waits for a disk or a pipe. */
#ifndef TR_MIDDLEWARE_LOG_H
#define TR_MIDDLEWARE_LOG_H

#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_log;

/* Bytes of lines that may wait to be written. */
enum { TR_LOG_BUFFER_BYTES = 1024 * 1024 };

/* Lines go to descriptor `fd`, which is borrowed. They are written when half of the buffer is full,
 * and a second after the first at the latest. NULL when out of memory or threads. */
TR_MALLOC struct tr_log *tr_log_new(int fd);
void tr_log_free(struct tr_log *log); /* flushes; NULL is accepted */

/* Append one whole line (with its newline). Thread-safe; never waits for the descriptor. A line
 * that finds no room because the descriptor does not drain is dropped and counted, and the next
 * line that fits follows {"lost_lines":N}. */
void tr_log_line(struct tr_log *log, const char *line, size_t length);

/* Write what there is, in the calling thread. */
void tr_log_flush(struct tr_log *log);

#endif
