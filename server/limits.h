/* limits.h - the server's bounds that are not configuration. */
#ifndef TR_SERVER_LIMITS_H
#define TR_SERVER_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* A larger body is parsed by a worker: 64 KiB of JSON hold an event thread up for over a
 * millisecond. */
#define TR_INLINE_BODY_BYTES ((size_t)16 * 1024)

/* How long the calls of a batch may hold an event thread up before the rest of them goes to the
 * workers. */
#define TR_INLINE_BATCH_MS ((int64_t)2)

/* Calls in one POST /calls. */
enum { TR_MAX_BATCH_CALLS = 64 };

#endif
