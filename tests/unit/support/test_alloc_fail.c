#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/text.h"

static void only_the_nth_allocation_is_refused(void **state)
{
    (void)state;

    alloc_fail_at(2);
    /* volatile, or a compiler may leave out what it sees freed again. */
    void *volatile first = malloc(1);
    void *volatile second = calloc(1, 1);
    void *volatile third = strdup("x");

    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_true(alloc_fail_stop());
    free(first);
    free(third);
}

static void nothing_is_refused_after_a_stop(void **state)
{
    (void)state;

    alloc_fail_at(1);
    assert_false(alloc_fail_stop());
    void *volatile block = malloc(1);

    assert_non_null(block);
    free(block);
}

static void a_refused_realloc_leaves_the_block_alone(void **state)
{
    (void)state;
    char *block = strndup("kept", 4);
    assert_non_null(block);

    alloc_fail_at(1);
    char *bigger = realloc(block, 100);
    char *kept = bigger == NULL ? block : bigger;

    assert_true(alloc_fail_stop());
    assert_null(bigger);
    assert_string_equal(kept, "kept");
    free(kept);
}

static void the_product_is_refused(void **state)
{
    (void)state;
    struct tr_text text;
    tr_text_init(&text, 100);

    alloc_fail_at(1);
    tr_text_add_string(&text, "x");

    assert_true(alloc_fail_stop());
    assert_int_equal(text.status, TR_NO_MEMORY);
    tr_text_done(&text);
}

/* Three allocations: the object, the list in it, the hash table's entry for it. */
static bool make_json(void *context)
{
    size_t *attempts = context;
    (*attempts)++;
    json_auto_t *value = json_object();
    return value != NULL && json_object_set_new(value, "list", json_array()) == 0;
}

static void each_runs_until_nothing_is_refused_and_reaches_jansson(void **state)
{
    (void)state;
    size_t attempts = 0;

    const size_t allocations = alloc_fail_each(make_json, &attempts);

    assert_true(allocations >= 3);
    assert_int_equal(attempts, allocations + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_nth_allocation_is_refused),
        cmocka_unit_test(nothing_is_refused_after_a_stop),
        cmocka_unit_test(a_refused_realloc_leaves_the_block_alone),
        cmocka_unit_test(the_product_is_refused),
        cmocka_unit_test(each_runs_until_nothing_is_refused_and_reaches_jansson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
