#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/place.h"
#include "tools/core/report.h"
#include "tools/core/text.h"
#include "tools/core/violation.h"

static const struct tr_place root = { 0 };
static const struct tr_place opts = { .parent = &root, .key = "opts" };
static const struct tr_place k = { .parent = &opts, .key = "k" };
static const struct tr_place tags = { .parent = &root, .key = "tags" };
static const struct tr_place second = { .parent = &tags, .index = 1 };
static const struct tr_place deep = { .parent = &second, .key = "x" };
static const struct tr_place odd = { .parent = &root, .key = "a/b~c" };
static const struct tr_place nameless = { .parent = &root, .key = "" };

static void place_is_a_json_pointer_and_a_readable_name(void **state)
{
    (void)state;
    static const struct {
        const struct tr_place *place;
        const char *pointer, *name;
    } cases[] = {
        { &root, "", "(body)" },
        { &opts, "/opts", "opts" },
        { &k, "/opts/k", "opts.k" },
        { &second, "/tags/1", "tags[1]" },
        { &deep, "/tags/1/x", "tags[1].x" },
        { &odd, "/a~1b~0c", "a/b~c" },
        { &nameless, "/", "" },
    };
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 100);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_text_reset(&text);
        tr_place_write_pointer(cases[i].place, &text);
        assert_string_equal(tr_text_string(&text), cases[i].pointer);
        tr_text_reset(&text);
        tr_place_write_name(cases[i].place, &text);
        assert_string_equal(tr_text_string(&text), cases[i].name);
    }
}

static void violations_are_collected_in_order_without_repetition(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 64 * 1024);
    struct tr_violations list = { .arena = &arena };
    assert_false(tr_violations_any(&list));

    tr_violations_add(&list, &k, "type", "first %d", 1);
    tr_violations_add(&list, &k, "type", "again");
    tr_violations_add(&list, &k, "enum", "second");

    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].pointer, "/opts/k");
    assert_string_equal(list.items[0].message, "first 1");
    assert_string_equal(tr_violations_join(&list), "first 1; second");
    assert_string_equal(tr_violations_name(&list, &k), "opts.k");
}

static void violations_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 1024 * 1024);
    struct tr_violations list = { .arena = &arena };

    for (size_t i = 0; i < TR_MAX_VIOLATIONS + 3; i++) {
        const struct tr_place item = { .parent = &tags, .index = i };
        tr_violations_add(&list, &item, "type", "wrong");
    }

    assert_int_equal(list.count, TR_MAX_VIOLATIONS);
    assert_int_equal(list.dropped, 3);
}

static void violations_are_never_forgotten_for_want_of_memory(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 8);
    struct tr_violations list = { .arena = &arena };

    tr_violations_add(&list, &k, "type", "wrong");

    assert_int_equal(list.count, 0);
    assert_true(tr_violations_any(&list));
}

static void violations_keep_a_long_key_within_bounds(void **state)
{
    (void)state;
    static char key[5000];
    memset(key, 'k', sizeof(key) - 1);
    const struct tr_place place = { .parent = &root, .key = key };
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 64 * 1024);
    struct tr_violations list = { .arena = &arena };

    const struct tr_place below = { .parent = &place, .key = "a" };

    tr_violations_add(&list, &place, "type", "Parameter '%s' is wrong", key);
    tr_violations_add(&list, &below, "type", "Parameter '%s' is wrong",
                      tr_violations_name(&list, &below));

    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].pointer, "/…");
    assert_string_equal(tr_violations_name(&list, &below), "…");
    assert_true(arena.used < 10 * 1024);
}

static void report_lists_each_place_once(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 64 * 1024);
    struct tr_report report = { .arena = &arena };
    assert_false(tr_report_any(&report));

    tr_report_place(&report, &report.coerced, &k);
    tr_report_place(&report, &report.coerced, &k);
    tr_report_text(&report, &report.warnings, "careful");

    assert_int_equal(report.coerced.count, 1);
    assert_string_equal(report.coerced.items[0], "/opts/k");
    assert_string_equal(report.warnings.items[0], "careful");
    assert_true(tr_report_any(&report));
}

static void report_says_when_it_is_incomplete(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, 1024 * 1024);
    struct tr_report report = { .arena = &arena };

    for (size_t i = 0; i < TR_MAX_REPORTED; i++) {
        const struct tr_place item = { .parent = &tags, .index = i };
        tr_report_place(&report, &report.ignored, &item);
    }
    assert_false(report.is_incomplete);
    tr_report_place(&report, &report.ignored, &k);

    assert_int_equal(report.ignored.count, TR_MAX_REPORTED);
    assert_true(report.is_incomplete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(place_is_a_json_pointer_and_a_readable_name),
        cmocka_unit_test(violations_are_collected_in_order_without_repetition),
        cmocka_unit_test(violations_beyond_the_limit_are_counted),
        cmocka_unit_test(violations_are_never_forgotten_for_want_of_memory),
        cmocka_unit_test(violations_keep_a_long_key_within_bounds),
        cmocka_unit_test(report_lists_each_place_once),
        cmocka_unit_test(report_says_when_it_is_incomplete),
    };
    return cmocka_run_group_tests_name("violation", tests, NULL, NULL);
}
