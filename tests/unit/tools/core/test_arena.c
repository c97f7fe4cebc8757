#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"
#include "tools/core/limits.h"

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 1024 * 1024);

    for (size_t size = 1; size < 300; size++) {
        unsigned char *memory = tr_arena_alloc(&arena, 1, size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(memory[i], 0);
            memory[i] = 0xAA;
        }
    }
}

static void arena_keeps_earlier_blocks_when_it_grows(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 1024 * 1024);

    char *small = tr_arena_strndup(&arena, "keep", 4);
    char *big = tr_arena_alloc(&arena, 1, TR_ARENA_BLOCK_BYTES * 3);
    char *after = tr_arena_strndup(&arena, "me", 2);

    assert_non_null(big);
    assert_string_equal(small, "keep");
    assert_string_equal(after, "me");
    /* The big block did not push the small one aside: both texts share a block. */
    assert_true(after > small && after < small + TR_ARENA_BLOCK_BYTES);
}

static void arena_stops_at_its_limit(void **state)
{
    (void)state;
    const size_t unit = _Alignof(max_align_t);
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, unit * 4);

    assert_non_null(tr_arena_alloc(&arena, 3, unit));
    assert_null(tr_arena_alloc(&arena, 2, unit));
    assert_int_equal(tr_arena_status(&arena), TR_BODY_TOO_LARGE);
    assert_non_null(tr_arena_alloc(&arena, 1, unit));
    assert_null(tr_arena_alloc(&arena, 1, 1));
}

static void arena_refuses_a_product_that_overflows(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, SIZE_MAX);

    assert_null(tr_arena_alloc(&arena, SIZE_MAX / 2, 3));
    assert_null(tr_arena_alloc(&arena, SIZE_MAX, 1));
}

static void arena_says_out_of_memory_when_malloc_fails(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 1024);

    alloc_fail_at(1);
    void *memory = tr_arena_alloc(&arena, 1, 1);

    assert_true(alloc_fail_stop());
    assert_null(memory);
    assert_int_equal(tr_arena_status(&arena), TR_NO_MEMORY);
}

static char order[8];
static size_t destroyed;

static void note_destruction(void *thing)
{
    order[destroyed++] = *(const char *)thing;
}

static void arena_destroys_guests_newest_first(void **state)
{
    (void)state;
    static char first = 'a';
    static char second = 'b';
    struct tr_arena arena;
    tr_arena_init(&arena, 1024);
    destroyed = 0;

    assert_true(tr_arena_adopt(&arena, &first, note_destruction));
    assert_true(tr_arena_adopt(&arena, &second, note_destruction));
    assert_int_equal(destroyed, 0);
    tr_arena_done(&arena);

    assert_int_equal(destroyed, 2);
    assert_memory_equal(order, "ba", 2);
}

static void arena_destroys_a_guest_that_finds_no_room(void **state)
{
    (void)state;
    static char guest = 'g';
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 1);
    destroyed = 0;

    assert_false(tr_arena_adopt(&arena, &guest, note_destruction));
    assert_int_equal(destroyed, 1);
}

static void arena_can_be_used_again_after_done(void **state)
{
    (void)state;
    struct tr_arena arena;
    tr_arena_init(&arena, 64);

    assert_non_null(tr_arena_alloc(&arena, 1, 64));
    tr_arena_done(&arena);
    assert_non_null(tr_arena_alloc(&arena, 1, 64));
    tr_arena_done(&arena);
    tr_arena_done(&arena);
}

static void arena_formats_text_of_any_length(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 64 * 1024);

    assert_string_equal(tr_arena_printf(&arena, "%s=%d", "x", 5), "x=5");
    const char *wide = tr_arena_printf(&arena, "%20000d", 1);
    assert_int_equal(wide[19999], '1');
    assert_int_equal(wide[20000], '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_keeps_earlier_blocks_when_it_grows),
        cmocka_unit_test(arena_stops_at_its_limit),
        cmocka_unit_test(arena_refuses_a_product_that_overflows),
        cmocka_unit_test(arena_says_out_of_memory_when_malloc_fails),
        cmocka_unit_test(arena_destroys_guests_newest_first),
        cmocka_unit_test(arena_destroys_a_guest_that_finds_no_room),
        cmocka_unit_test(arena_can_be_used_again_after_done),
        cmocka_unit_test(arena_formats_text_of_any_length),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
