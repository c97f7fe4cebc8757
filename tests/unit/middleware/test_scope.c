#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "middleware/keyring.h"
#include "middleware/scope.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"

enum { ARENA_BYTES = 64 * 1024 };

static const char *const ab[] = { "a", "b" };
static const char *const ba[] = { "b", "a", "b" };
static const char *const abc[] = { "a", "b", "c" };
static const char *const stars[] = { "x", "**" };

static void scopes_are_numbered_without_gaps(void **state)
{
    (void)state;
    struct tr_principal principals[] = {
        { .name = "0", .tools = ab, .tool_count = 2 },
        { .name = "1", .tools = abc, .tool_count = 3 },
        { .name = "2", .tools = ba, .tool_count = 3 },
        { .name = "3" },
        { .name = "4", .tools = stars, .tool_count = 2 },
        { .name = "5", .tools = ab, .tool_count = 0 },
        { .name = "6", .tools = ab, .tool_count = 1 },
    };
    enum { COUNT = sizeof(principals) / sizeof(principals[0]), SCOPES = 5 };
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, ARENA_BYTES);
    size_t count = 0;

    assert_true(tr_scopes_assign(principals, COUNT, &arena, &count));

    assert_int_equal(count, SCOPES);
    assert_int_equal(principals[0].scope, principals[2].scope);
    assert_int_equal(principals[3].scope, principals[4].scope);
    size_t seen[SCOPES] = { 0 };
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(principals[i].scope < SCOPES);
        seen[principals[i].scope]++;
    }
    for (size_t i = 0; i < SCOPES; i++) {
        assert_true(seen[i] != 0);
    }
}

static void the_globs_themselves_stay_as_they_were(void **state)
{
    (void)state;
    struct tr_principal principal = { .name = "0", .tools = ba, .tool_count = 3 };
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, ARENA_BYTES);
    size_t count = 0;

    assert_true(tr_scopes_assign(&principal, 1, &arena, &count));

    assert_ptr_equal(principal.tools, ba);
    assert_int_equal(principal.tool_count, 3);
}

static bool assign(void *context)
{
    (void)context;
    struct tr_principal principals[] = {
        { .name = "0", .tools = ab, .tool_count = 2 },
        { .name = "1" },
    };
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, ARENA_BYTES);
    size_t count = 0;
    return tr_scopes_assign(principals, 2, &arena, &count);
}

static void assigning_survives_out_of_memory(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(assign, NULL) >= 1);

    struct tr_principal principal = { .name = "0", .tools = ab, .tool_count = 2 };
    size_t count = 0;
    for (size_t limit = 0; limit < 48; limit += 16) {
        tr_auto(arena) struct tr_arena small;
        tr_arena_init(&small, limit);
        assert_false(tr_scopes_assign(&principal, 1, &small, &count));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_are_numbered_without_gaps),
        cmocka_unit_test(the_globs_themselves_stay_as_they_were),
        cmocka_unit_test(assigning_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
