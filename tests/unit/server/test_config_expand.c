#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/config_parts.h"
#include "server/yaml.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"

enum { ARENA_BYTES = 1024 * 1024, LIMIT_BYTES = 64 * 1024 };

static char folder[] = "/tmp/toolrest-test-expand-XXXXXX/";

static void write_file(const char *name, const char *bytes, size_t length)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static int make_folder(void **state)
{
    (void)state;
    folder[strlen(folder) - 1] = '\0';
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    folder[strlen(folder)] = '/';
    return setenv("TR_TEST_A", "alpha", 1) | setenv("TR_TEST_EMPTY", "", 1)
           | setenv("TR_TEST_NESTED", "${TR_TEST_A}", 1) | setenv("TR_TEST_BAD", "\xff", 1)
           | unsetenv("TR_TEST_UNSET");
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Expand the YAML text in place of a file named "f". */
static enum tr_status expand(const char *yaml, json_t **ret_value, struct tr_fault *reterr)
{
    static const struct tr_config_source source = { .path = "f" };
    struct tr_config config = { .path = source.path };
    tr_arena_init(&config.arena, ARENA_BYTES);
    struct tr_config_loading loading = {
        .source = &source,
        .folder = folder,
        .config = &config,
        .reterr = reterr,
    };
    const struct tr_yaml_source yaml_source = { .bytes = yaml,
                                                .length = strlen(yaml),
                                                .name = "f" };
    enum tr_status status =
        tr_yaml_parse(&yaml_source, &config.arena, ret_value, &config.marks, reterr);
    if (status == TR_OK) {
        status = tr_config_expand(&loading, *ret_value);
    }
    tr_arena_done(&config.arena);
    return status;
}

static void assert_expands(const char *text, const char *expected)
{
    char yaml[128];
    (void)snprintf(yaml, sizeof(yaml), "k: '%s'", text);
    json_auto_t *value = NULL;
    struct tr_fault fault;

    assert_int_equal(expand(yaml, &value, &fault), TR_OK);

    assert_string_equal(json_string_value(json_object_get(value, "k")), expected);
}

static void expand_replaces_variables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "plain", "plain" },
        { "${TR_TEST_A}", "alpha" },
        { "<${TR_TEST_A}${TR_TEST_A}>", "<alphaalpha>" },
        { "${TR_TEST_EMPTY}", "" },
        { "$TR_TEST_A", "$TR_TEST_A" },
        { "$", "$" },
        { "a$b $$ $", "a$b $$ $" },
        { "$${TR_TEST_A}", "${TR_TEST_A}" },
        { "$${", "${" },
        { "$$${TR_TEST_A}", "$${TR_TEST_A}" },
        { "$${${TR_TEST_A}}", "${alpha}" },
        { "}{", "}{" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_expands(cases[i].text, cases[i].expected);
    }
}

static void expand_does_not_look_again_at_what_it_put_in(void **state)
{
    (void)state;
    assert_expands("${TR_TEST_NESTED}", "${TR_TEST_A}");
    write_file("nested", "${TR_TEST_A}", 12);
    assert_expands("${file:nested}", "${TR_TEST_A}");
    remove_file("nested");
}

static void expand_reaches_every_text_and_no_key(void **state)
{
    (void)state;
    json_auto_t *value = NULL;
    struct tr_fault fault;

    assert_int_equal(
        expand("a: [x, {b: '${TR_TEST_A}'}]\n'${TR_TEST_UNSET}': null", &value, &fault), TR_OK);

    char *text = json_dumps(value, JSON_COMPACT);
    assert_string_equal(text, "{\"a\":[\"x\",{\"b\":\"alpha\"}],\"${TR_TEST_UNSET}\":null}");
    free(text);
}

static void expand_reads_files_and_cuts_one_newline(void **state)
{
    (void)state;
    static const struct {
        const char *content, *expected;
    } cases[] = {
        { "secret", "<secret>" },
        { "secret\n", "<secret>" },
        { "secret\n\n", "<secret\n>" },
        { "\nsecret", "<\nsecret>" },
        { "", "<>" },
        { "\n", "<>" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        write_file("s", cases[i].content, strlen(cases[i].content));
        assert_expands("<${file:s}>", cases[i].expected);
        assert_expands("<${file:./s}>", cases[i].expected);
    }
    remove_file("s");
}

static void expand_refuses_with_the_place_of_the_key(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *where, *what;
    } cases[] = {
        { "a: 1\nb: ['', '${TR_TEST_UNSET}']", "f:2",
          "b[1]: needs the environment variable TR_TEST_UNSET" },
        { "a:\n  b: ${}", "f:2", "a.b: has a ${...}" },
        { "a: ${1A}", "f:1", "a: has a ${...}" },
        { "a: ${A-B}", "f:1", "a: has a ${...}" },
        { "a: '${A B}'", "f:1", "a: has a ${...}" },
        { "a: ${TR_TEST_A", "f:1", "a: has a ${ without its }" },
        { "a: '${file:'", "f:1", "a: has a ${ without its }" },
        { "a: ${file:}", "f:1", "without a usable path" },
        { "a: ${file:missing}", "f:1", "missing: No such file" },
        { "a: ${file:/tmp}", "f:1", "Is a directory" },
        { "a: ${TR_TEST_BAD}", "f:1", "a: is not UTF-8" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *value = NULL;
        struct tr_fault fault;

        assert_int_equal(expand(cases[i].yaml, &value, &fault), TR_INVALID_PARAMETERS);

        assert_string_equal(fault.where, cases[i].where);
        assert_non_null(strstr(fault.what, cases[i].what));
    }
}

static void expand_refuses_a_file_with_a_nul(void **state)
{
    (void)state;
    json_auto_t *value = NULL;
    struct tr_fault fault;
    write_file("nul", "a\0b", 3);

    assert_int_equal(expand("a: ${file:nul}", &value, &fault), TR_INVALID_PARAMETERS);

    assert_non_null(strstr(fault.what, "is not UTF-8"));
    remove_file("nul");
}

static void expand_is_bounded(void **state)
{
    (void)state;
    static char big[LIMIT_BYTES + 1];
    memset(big, 'x', sizeof(big));
    for (size_t size = LIMIT_BYTES - 1; size <= LIMIT_BYTES + 1; size++) {
        json_auto_t *value = NULL;
        struct tr_fault fault;
        write_file("big", big, size);

        const enum tr_status status = expand("a: ${file:big}", &value, &fault);

        assert_int_equal(status, size <= LIMIT_BYTES ? TR_OK : TR_INVALID_PARAMETERS);
    }
    json_auto_t *twice = NULL;
    struct tr_fault fault;
    write_file("big", big, LIMIT_BYTES);
    assert_int_equal(expand("a: ${TR_TEST_A}${file:big}", &twice, &fault), TR_INVALID_PARAMETERS);
    remove_file("big");
}

static bool expand_once(void *context)
{
    (void)context;
    json_auto_t *value = NULL;
    struct tr_fault fault;
    return expand("a: ['x${TR_TEST_A}']", &value, &fault) == TR_OK;
}

static void expand_reports_a_lack_of_memory(void **state)
{
    (void)state;
    alloc_fail_each(expand_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expand_replaces_variables),
        cmocka_unit_test(expand_does_not_look_again_at_what_it_put_in),
        cmocka_unit_test(expand_reaches_every_text_and_no_key),
        cmocka_unit_test(expand_reads_files_and_cuts_one_newline),
        cmocka_unit_test(expand_refuses_with_the_place_of_the_key),
        cmocka_unit_test(expand_refuses_a_file_with_a_nul),
        cmocka_unit_test(expand_is_bounded),
        cmocka_unit_test(expand_reports_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
