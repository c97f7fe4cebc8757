#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "server/catalog.h"
#include "server/filter.h"
#include "tests/support/described_suite.h"

struct filter_case {
    struct tr_catalog_filter filter;
    bool is_wanted;
};

/* About the tool `book` of category `travel` in the suite `described`: "Books a hotel room. ..." */
static const struct filter_case cases[] = {
    { .filter = { 0 }, .is_wanted = true },
    { .filter = { .category = "travel" }, .is_wanted = true },
    { .filter = { .category = "Travel" }, .is_wanted = false },
    { .filter = { .category = "trav" }, .is_wanted = false },
    { .filter = { .suite = "described" }, .is_wanted = true },
    { .filter = { .suite = "described", .category = "text" }, .is_wanted = false },
    { .filter = { .query = "hotel" }, .is_wanted = true },
    { .filter = { .query = "HOTEL" }, .is_wanted = true },
    { .filter = { .query = " hotel\tBOOK  travel " }, .is_wanted = true },
    { .filter = { .query = "hotel moon" }, .is_wanted = false },
    { .filter = { .query = "hotel room" }, .is_wanted = true },
    { .filter = { .query = "ote" }, .is_wanted = true },
    { .filter = { .query = "  " }, .is_wanted = true },
    { .filter = { .query = "described" }, .is_wanted = false },
};

static void each_filter_wants_what_it_says(void **state)
{
    (void)state;
    struct tr_registry *registry = described_registry();
    const struct tr_entry *book = tr_registry_find(registry, "book");

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (tr_filter_wants(&cases[i].filter, book) != cases[i].is_wanted) {
            fail_msg("case %zu", i);
        }
    }

    assert_true(tr_filter_wants(NULL, book));
    tr_registry_unref(registry);
}

static void only_an_empty_filter_wants_all(void **state)
{
    (void)state;
    const struct tr_catalog_filter filters[] = {
        { .category = "x" },
        { .suite = "x" },
        { .query = "x" },
    };
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        assert_false(tr_filter_wants_all(&filters[i]));
    }
    assert_true(tr_filter_wants_all(NULL));
    assert_true(tr_filter_wants_all(&(struct tr_catalog_filter){ 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_filter_wants_what_it_says),
        cmocka_unit_test(only_an_empty_filter_wants_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
