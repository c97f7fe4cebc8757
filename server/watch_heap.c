#include "server/watch_heap.h"

#include <stdlib.h>

#include "server/watch.h"

bool tr_watch_heap_init(struct tr_watch_heap *heap, size_t limit)
{
    *heap = (struct tr_watch_heap){ .items = calloc(limit + 1, sizeof(struct tr_watch_item *)) };
    return heap->items != NULL;
}

void tr_watch_heap_done(struct tr_watch_heap *heap)
{
    free(heap->items);
    *heap = (struct tr_watch_heap){ 0 };
}

static void put(struct tr_watch_heap *heap, size_t place, struct tr_watch_item *item)
{
    heap->items[place] = item;
    item->heap_place = place;
}

/* Move towards the first place while earlier than the parent. */
static void rise(struct tr_watch_heap *heap, size_t place, struct tr_watch_item *item)
{
    while (place > 1 && heap->items[place / 2]->deadline_ms > item->deadline_ms) {
        put(heap, place, heap->items[place / 2]);
        place /= 2;
    }
    put(heap, place, item);
}

/* Move away from the first place while later than a child. */
static void sink(struct tr_watch_heap *heap, size_t place, struct tr_watch_item *item)
{
    for (size_t child = place * 2; child <= heap->count; child = place * 2) {
        if (child < heap->count
            && heap->items[child + 1]->deadline_ms < heap->items[child]->deadline_ms) {
            child++;
        }
        if (heap->items[child]->deadline_ms >= item->deadline_ms) {
            break;
        }
        put(heap, place, heap->items[child]);
        place = child;
    }
    put(heap, place, item);
}

void tr_watch_heap_add(struct tr_watch_heap *heap, struct tr_watch_item *item)
{
    rise(heap, ++heap->count, item);
}

void tr_watch_heap_remove(struct tr_watch_heap *heap, struct tr_watch_item *item)
{
    const size_t place = item->heap_place;
    if (place == 0) {
        return;
    }
    item->heap_place = 0;
    struct tr_watch_item *last = heap->items[heap->count];
    heap->items[heap->count--] = NULL;
    if (last == item) {
        return;
    }
    sink(heap, place, last);
    rise(heap, last->heap_place, last);
}

struct tr_watch_item *tr_watch_heap_first(const struct tr_watch_heap *heap)
{
    return heap->count != 0 ? heap->items[1] : NULL;
}
