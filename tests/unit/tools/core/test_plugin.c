#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tools/core/descriptor.h"
#include "tools/core/registry.h"

#define PLUGIN(name) TR_TEST_PLUGIN_DIR "/" name ".so"

static int make_registry(void **state)
{
    *state = tr_registry_new();
    return *state != NULL ? 0 : -1;
}

static int drop_registry(void **state)
{
    tr_registry_unref(*state);
    return 0;
}

static void a_plugin_brings_its_suite_and_tools(void **state)
{
    struct tr_registry *registry = *state;

    const enum tr_status status = tr_registry_add_plugin(registry, PLUGIN("fixtures"), NULL, NULL);
    tr_registry_seal(registry);

    assert_int_equal(status, TR_OK);
    const struct tr_entry *echo = tr_registry_find(registry, "echo");
    assert_non_null(echo);
    assert_string_equal(echo->suite->suite->name, "fixtures");
    assert_string_equal(echo->suite->origin, PLUGIN("fixtures"));
    assert_true(echo->suite->is_plugin);
    assert_non_null(tr_registry_find(registry, "test_tool_with_null"));
}

/* Wherever the copy ended. */
static void a_plugin_that_is_cut_short_is_refused(void **state)
{
    struct tr_registry *registry = *state;
    char path[] = "/tmp/toolrest-cut-XXXXXX";
    static char bytes[1024 * 1024];
    FILE *whole = fopen(PLUGIN("no_symbol"), "rb");
    assert_non_null(whole);
    const size_t length = fread(bytes, 1, sizeof(bytes), whole);
    assert_int_equal(fclose(whole), 0);
    const int copy = mkstemp(path);
    assert_true(copy >= 0);
    for (size_t kept = 0; kept < length; kept += 64) {
        assert_int_equal(ftruncate(copy, 0), 0);
        assert_int_equal(pwrite(copy, bytes, kept, 0), kept);

        assert_int_equal(tr_registry_add_plugin(registry, path, NULL, NULL), TR_INVALID_PARAMETERS);
    }
    assert_int_equal(close(copy), 0);
    assert_int_equal(unlink(path), 0);
}

static void what_cannot_be_loaded_is_refused_and_leaves_nothing_behind(void **state)
{
    static const struct {
        const char *path, *what;
    } cases[] = {
        { PLUGIN("missing"), "there is no such plugin file" },
        { TR_TEST_PLUGIN_DIR, "is no file" },
        { TR_TEST_SOURCE_DIR "/README.md", "cannot be loaded: invalid ELF header" },
        { PLUGIN("no_symbol"), "no symbol toolrest_plugin" },
        { PLUGIN("wrong_abi"), "another version of toolrest" },
        { PLUGIN("failing_initialize"), "the plugin does not want to start" },
    };
    struct tr_registry *registry = *state;
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_registry_add_plugin(registry, cases[i].path, NULL, &fault);

        assert_int_equal(status, TR_INVALID_PARAMETERS);
        assert_string_equal(fault.where, cases[i].path);
        if (strstr(fault.what, cases[i].what) == NULL) {
            fail_msg("%s: '%s' does not say '%s'", fault.where, fault.what, cases[i].what);
        }
        assert_int_equal(tr_registry_tool_count(registry), 0);
        assert_int_equal(tr_registry_suite_count(registry), 0);
    }
}

static void a_plugin_loads_after_others_were_refused(void **state)
{
    struct tr_registry *registry = *state;
    assert_int_not_equal(tr_registry_add_plugin(registry, PLUGIN("wrong_abi"), NULL, NULL), TR_OK);
    assert_int_not_equal(tr_registry_add_plugin(registry, PLUGIN("failing_initialize"), NULL, NULL),
                         TR_OK);

    assert_int_equal(tr_registry_add_plugin(registry, PLUGIN("fixtures"), NULL, NULL), TR_OK);

    assert_null(tr_registry_find(registry, "unreachable"));
    assert_non_null(tr_registry_find(registry, "echo"));
}

static void a_plugin_is_refused_the_second_time(void **state)
{
    struct tr_registry *registry = *state;
    struct tr_fault fault = { .what = "" };
    assert_int_equal(tr_registry_add_plugin(registry, PLUGIN("fixtures"), NULL, NULL), TR_OK);
    const size_t count = tr_registry_tool_count(registry);

    const enum tr_status status =
        tr_registry_add_plugin(registry, PLUGIN("fixtures"), NULL, &fault);

    assert_int_equal(status, TR_INVALID_PARAMETERS);
    assert_non_null(strstr(fault.what, "already loaded from " PLUGIN("fixtures")));
    assert_int_equal(tr_registry_tool_count(registry), count);
}

static void settings_for_a_plugin_without_any_are_refused(void **state)
{
    struct tr_registry *registry = *state;
    struct tr_fault fault = { .what = "" };
    json_auto_t *settings = json_pack("{s:{s:i}}", "fixtures", "a", 1);

    const enum tr_status status =
        tr_registry_add_plugin(registry, PLUGIN("fixtures"), settings, &fault);

    assert_int_equal(status, TR_INVALID_PARAMETERS);
    assert_non_null(strstr(fault.what, "no settings"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_plugin_brings_its_suite_and_tools, make_registry,
                                        drop_registry),
        cmocka_unit_test_setup_teardown(a_plugin_that_is_cut_short_is_refused, make_registry,
                                        drop_registry),
        cmocka_unit_test_setup_teardown(what_cannot_be_loaded_is_refused_and_leaves_nothing_behind,
                                        make_registry, drop_registry),
        cmocka_unit_test_setup_teardown(a_plugin_loads_after_others_were_refused, make_registry,
                                        drop_registry),
        cmocka_unit_test_setup_teardown(a_plugin_is_refused_the_second_time, make_registry,
                                        drop_registry),
        cmocka_unit_test_setup_teardown(settings_for_a_plugin_without_any_are_refused,
                                        make_registry, drop_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
