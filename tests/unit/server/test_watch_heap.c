#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "server/watch.h"
#include "server/watch_heap.h"
#include "tests/support/alloc_fail.h"

enum { ITEMS = 200 };

/* The same numbers in every run. */
static int64_t next_number(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int64_t)(*seed >> 20);
}

static void items_come_out_earliest_first_whatever_is_taken_out_between(void **state)
{
    (void)state;
    static struct tr_watch_item items[ITEMS];
    struct tr_watch_heap heap;
    uint32_t seed = 1;
    assert_true(tr_watch_heap_init(&heap, ITEMS));
    for (size_t i = 0; i < ITEMS; i++) {
        items[i].deadline_ms = next_number(&seed);
        tr_watch_heap_add(&heap, &items[i]);
    }

    for (size_t i = 0; i < ITEMS; i += 3) {
        tr_watch_heap_remove(&heap, &items[i]);
        tr_watch_heap_remove(&heap, &items[i]); /* not in any more: nothing happens */
    }

    int64_t before = -1;
    size_t count = 0;
    for (struct tr_watch_item *first = tr_watch_heap_first(&heap); first != NULL;
         first = tr_watch_heap_first(&heap)) {
        assert_true(first->deadline_ms >= before);
        assert_int_not_equal((first - items) % 3, 0);
        before = first->deadline_ms;
        tr_watch_heap_remove(&heap, first);
        count++;
    }
    assert_int_equal(count, ITEMS - (ITEMS + 2) / 3);
    tr_watch_heap_done(&heap);
}

static bool make_heap(void *context)
{
    struct tr_watch_heap heap;
    (void)context;
    const bool is_made = tr_watch_heap_init(&heap, 1);
    tr_watch_heap_done(&heap);
    return is_made;
}

static void heap_says_when_there_is_no_memory(void **state)
{
    (void)state;
    alloc_fail_each(make_heap, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_out_earliest_first_whatever_is_taken_out_between),
        cmocka_unit_test(heap_says_when_there_is_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
