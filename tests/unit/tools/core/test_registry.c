#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/sample_suite.h"
#include "tools/core/registry.h"

static struct tr_registry *registry;
static struct tr_fault fault;

static int start(void **state)
{
    (void)state;
    registry = tr_registry_new();
    fault = (struct tr_fault){ 0 };
    sample_initialized = 0;
    sample_cleaned_up = 0;
    sample_fails_to_initialize = false;
    return registry == NULL;
}

static int end(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

static void assert_fault_has(const char *part)
{
    char whole[TR_FAULT_WHERE_BYTES + TR_FAULT_WHAT_BYTES + 3];
    (void)snprintf(whole, sizeof(whole), "%s: %s", fault.where, fault.what);
    if (strstr(whole, part) == NULL) {
        print_error("'%s' does not contain '%s'\n", whole, part);
        fail();
    }
}

static void add_sample(void)
{
    assert_int_equal(tr_registry_add_suite(registry, &sample_suite, "built in", NULL, &fault),
                     TR_OK);
}

static void loaded_tools_are_found_by_name(void **state)
{
    (void)state;
    add_sample();
    tr_registry_seal(registry);

    assert_int_equal(tr_registry_tool_count(registry), sample_suite.tool_count);
    for (size_t i = 0; i < sample_suite.tool_count; i++) {
        const char *name = sample_suite.tools[i]->name;
        assert_ptr_equal(tr_registry_find(registry, name), tr_registry_tool(registry, i));
        assert_int_equal(tr_registry_tool(registry, i)->index, i);
    }
    assert_null(tr_registry_find(registry, "nope"));
    assert_null(tr_registry_find(registry, ""));
    assert_string_equal(tr_registry_nearest(registry, "repaet"), "repeat");
    assert_null(tr_registry_nearest(registry, "zzzzzzzz"));
}

static void an_entry_has_what_its_tool_left_to_the_suite(void **state)
{
    (void)state;
    add_sample();
    const struct tr_entry *entry = tr_registry_find(registry, "refuse");

    assert_string_equal(entry->category, "sample");
    assert_string_equal(entry->version, "1.2.3");
    assert_int_equal(entry->timeout_ms, TR_DEFAULT_TIMEOUT_MS);
    assert_int_equal(entry->output_limit_bytes, TR_OUTPUT_LIMIT_BYTES);
}

static void the_last_reference_runs_cleanup_once(void **state)
{
    (void)state;
    add_sample();
    struct tr_registry *second = tr_registry_ref(registry);

    assert_int_equal(sample_initialized, 1);
    tr_registry_unref(registry);
    assert_int_equal(sample_cleaned_up, 0);
    tr_registry_unref(second);
    assert_int_equal(sample_cleaned_up, 1);
    registry = NULL;
}

static void a_suite_cannot_be_loaded_twice(void **state)
{
    (void)state;
    add_sample();

    assert_int_equal(tr_registry_add_suite(registry, &sample_suite, "second.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);

    assert_fault_has("second.so");
    assert_fault_has("suite 'sample' is already loaded from built in");
    assert_int_equal(tr_registry_suite_count(registry), 1);
}

static void a_duplicate_tool_is_refused_naming_both_owners(void **state)
{
    (void)state;
    struct tr_suite other = sample_suite;
    other.name = "other";
    add_sample();

    assert_int_equal(tr_registry_add_suite(registry, &other, "other.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);

    assert_fault_has("other.so");
    assert_fault_has("tool repeat");
    assert_fault_has("'sample' (built in)");
    assert_int_equal(tr_registry_tool_count(registry), sample_suite.tool_count);
    assert_int_equal(sample_initialized, 1);
}

static void a_failing_initialize_leaves_nothing_behind(void **state)
{
    (void)state;
    sample_fails_to_initialize = true;

    assert_int_equal(tr_registry_add_suite(registry, &sample_suite, "x.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);

    assert_fault_has("no luck");
    assert_int_equal(tr_registry_tool_count(registry), 0);
    assert_int_equal(tr_registry_suite_count(registry), 0);
    assert_null(tr_registry_find(registry, "repeat"));
    assert_int_equal(sample_cleaned_up, 0);
    sample_fails_to_initialize = false;
    add_sample();
}

static void settings_are_bound_and_checked(void **state)
{
    (void)state;
    json_auto_t *good = json_pack("{s:s}", "greeting", "Salut");
    assert_int_equal(tr_registry_add_suite(registry, &sample_suite, "built in", good, &fault),
                     TR_OK);
    const struct sample_settings *settings = tr_registry_suite(registry, 0)->settings;
    assert_string_equal(settings->greeting, "Salut");
}

static void wrong_settings_are_refused_without_repeating_them(void **state)
{
    (void)state;
    json_auto_t *misspelt = json_pack("{s:s}", "greetin", "hidden");
    assert_int_equal(tr_registry_add_suite(registry, &sample_suite, "built in", misspelt, &fault),
                     TR_INVALID_PARAMETERS);
    assert_fault_has("greetin");
    assert_fault_has("greeting");
    assert_null(strstr(fault.what, "hidden"));
    json_auto_t *wrong = json_pack("{s:[s]}", "greeting", "hidden");
    assert_int_equal(tr_registry_add_suite(registry, &sample_suite, "built in", wrong, &fault),
                     TR_INVALID_PARAMETERS);
    assert_fault_has("/greeting");
    assert_null(strstr(fault.what, "hidden"));
}

static void a_struct_of_another_version_is_refused(void **state)
{
    (void)state;
    struct tr_suite suite = sample_suite;
    suite.abi = TR_TOOL_ABI + 1;
    assert_int_equal(tr_registry_add_suite(registry, &suite, "old.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);
    assert_fault_has("another version");

    suite = sample_suite;
    suite.size--;
    assert_int_equal(tr_registry_add_suite(registry, &suite, "old.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);

    struct tr_tool tool = *sample_suite.tools[0];
    tool.abi = TR_TOOL_ABI + 1;
    const struct tr_tool *tools[] = { &tool };
    suite = sample_suite;
    suite.tools = tools;
    suite.tool_count = 1;
    assert_int_equal(tr_registry_add_suite(registry, &suite, "old.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);
    assert_fault_has("another version");
}

static void a_tool_that_is_not_whole_is_refused_by_name(void **state)
{
    (void)state;
    const struct tr_tool good = *sample_suite.tools[0];
    struct tr_tool bad[] = { good, good, good, good, good, good };
    bad[0].name = "a b";
    bad[1].description = " ";
    bad[2].execute = NULL;
    bad[3].timeout_ms = -1;
    bad[4].example_json = TR_JSON({ "times": 1 });
    bad[5].example_json = "{";
    static const char *const reasons[] = {
        "name must match", "has no description", "has no request",
        "timeout_ms",      "'text' is missing",  "example_json",
    };
    for (size_t i = 0; i < TR_COUNT_OF(bad); i++) {
        const struct tr_tool *tools[] = { &bad[i] };
        struct tr_suite suite = sample_suite;
        suite.tools = tools;
        suite.tool_count = 1;
        assert_int_equal(tr_registry_add_suite(registry, &suite, "bad.so", NULL, &fault),
                         TR_INVALID_PARAMETERS);
        assert_fault_has(reasons[i]);
        assert_fault_has("bad.so");
    }
    assert_int_equal(sample_initialized, 0);
}

static void a_suite_with_fewer_tools_than_it_counts_is_refused(void **state)
{
    (void)state;
    const struct tr_tool *const gap[] = { NULL };
    struct tr_suite suite = sample_suite;
    suite.tool_count = 1;

    suite.tools = NULL;
    assert_int_equal(tr_registry_add_suite(registry, &suite, "bad.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);
    assert_fault_has("no list of them");

    suite.tools = gap;
    assert_int_equal(tr_registry_add_suite(registry, &suite, "bad.so", NULL, &fault),
                     TR_INVALID_PARAMETERS);
    assert_fault_has("has a gap");
}

static void a_deployment_chooses_tools_and_their_options(void **state)
{
    (void)state;
    add_sample();
    json_auto_t *defaults = json_pack("{s:s}", "times", "3");
    const struct tr_tool_options options[] = {
        { .name = "repeat", .defaults = defaults, .timeout_ms = 7, .output_limit_bytes = 99 },
        { .name = "soft" },
    };

    assert_int_equal(tr_registry_configure(registry, &options[0], &fault), TR_OK);
    assert_int_equal(tr_registry_configure(registry, &options[1], &fault), TR_OK);
    assert_int_equal(tr_registry_keep(registry, options, 2), TR_OK);
    tr_registry_seal(registry);

    assert_int_equal(tr_registry_tool_count(registry), 2);
    assert_null(tr_registry_find(registry, "refuse"));
    const struct tr_entry *entry = tr_registry_find(registry, "repeat");
    assert_int_equal(entry->timeout_ms, 7);
    assert_int_equal(entry->output_limit_bytes, 99);
    assert_int_equal(json_integer_value(json_object_get(entry->defaults, "times")), 3);
}

static void a_wrong_choice_is_refused_with_the_nearest_name(void **state)
{
    (void)state;
    add_sample();
    const struct tr_tool_options unknown = { .name = "repaet" };
    assert_int_equal(tr_registry_configure(registry, &unknown, &fault), TR_INVALID_PARAMETERS);
    assert_fault_has("did you mean 'repeat'");

    static const struct {
        const char *defaults, *reason;
    } cases[] = {
        { "{\"tmes\": 1}", "did you mean 'times'" },
        { "{\"times\": 5000}", "repeat.defaults.times" },
        { "{\"times\": [1]}", "invalid type" },
        { "[]", "mapping" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *defaults = json_loads(cases[i].defaults, 0, NULL);
        const struct tr_tool_options wrong = { .name = "repeat", .defaults = defaults };
        assert_int_equal(tr_registry_configure(registry, &wrong, &fault), TR_INVALID_PARAMETERS);
        assert_fault_has(cases[i].reason);
        json_decref(defaults);
    }
}

static bool attempt(void *context)
{
    (void)context;
    struct tr_registry *one = tr_registry_new();
    if (one == NULL) {
        return false;
    }
    const enum tr_status status =
        tr_registry_add_suite(one, &sample_suite, "built in", NULL, &fault);
    /* jansson calls a text that it has no memory to read a syntax error. */
    assert_true(status == TR_OK || status == TR_NO_MEMORY || status == TR_INVALID_PARAMETERS);
    assert_int_equal(tr_registry_tool_count(one), status == TR_OK ? sample_suite.tool_count : 0);
    tr_registry_unref(one);
    assert_int_equal(sample_initialized, sample_cleaned_up);
    return status == TR_OK;
}

static void loading_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(attempt, NULL) > 10);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(loaded_tools_are_found_by_name),
        CASE(an_entry_has_what_its_tool_left_to_the_suite),
        CASE(the_last_reference_runs_cleanup_once),
        CASE(a_suite_cannot_be_loaded_twice),
        CASE(a_duplicate_tool_is_refused_naming_both_owners),
        CASE(a_failing_initialize_leaves_nothing_behind),
        CASE(settings_are_bound_and_checked),
        CASE(wrong_settings_are_refused_without_repeating_them),
        CASE(a_struct_of_another_version_is_refused),
        CASE(a_tool_that_is_not_whole_is_refused_by_name),
        CASE(a_suite_with_fewer_tools_than_it_counts_is_refused),
        CASE(a_deployment_chooses_tools_and_their_options),
        CASE(a_wrong_choice_is_refused_with_the_nearest_name),
        CASE(loading_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
