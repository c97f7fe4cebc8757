/* watch_heap.h - the pending calls by deadline, earliest first: a binary heap over room that is
 * taken once, so that adding cannot fail. */
#ifndef TR_SERVER_WATCH_HEAP_H
#define TR_SERVER_WATCH_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_watch_item;

struct tr_watch_heap {
    struct tr_watch_item **items; /* 1-based; owns the array, borrows the items */
    size_t count;
};

/* Room for `limit` items. False when out of memory. */
TR_MUST_USE bool tr_watch_heap_init(struct tr_watch_heap *heap, size_t limit);
void tr_watch_heap_done(struct tr_watch_heap *heap);

/* Put in by item->deadline_ms, which must not change until it is taken out. */
void tr_watch_heap_add(struct tr_watch_heap *heap, struct tr_watch_item *item);

/* Take out; nothing happens when it is not in. */
void tr_watch_heap_remove(struct tr_watch_heap *heap, struct tr_watch_item *item);

/* The one with the earliest deadline, NULL when empty. */
struct tr_watch_item *tr_watch_heap_first(const struct tr_watch_heap *heap);

#endif
