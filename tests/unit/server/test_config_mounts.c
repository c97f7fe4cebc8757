#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "server/config.h"
#include "server/services.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/folder.h"
#include "tools/guard/vfs.h"

static struct folder folder;

static int start(void **state)
{
    (void)state;
    folder_make(&folder);
    folder_mkdir(&folder, "data");
    folder_put(&folder, "file", "");
    return 0;
}

static int end(void **state)
{
    (void)state;
    folder_remove(&folder);
    return 0;
}

static enum tr_status load(const char *yaml, struct tr_config *config, struct tr_fault *fault)
{
    char path[FOLDER_PATH_BYTES + 16];
    folder_put(&folder, "file.yaml", yaml);
    (void)snprintf(path, sizeof(path), "%s/file.yaml", folder.path);
    const struct tr_config_source source = { .path = path };
    return tr_config_load(&source, config, fault);
}

static void assert_refused(const char *yaml, int line, const char *what)
{
    struct tr_config config;
    struct tr_fault fault = { .what = "" };
    char where[FOLDER_PATH_BYTES + 32];
    (void)snprintf(where, sizeof(where), "%s/file.yaml:%d", folder.path, line);

    assert_int_equal(load(yaml, &config, &fault), TR_INVALID_PARAMETERS);

    assert_string_equal(fault.where, where);
    assert_string_equal(fault.what, what);
}

static void a_root_is_relative_to_the_file(void **state)
{
    (void)state;
    struct tr_config config;
    struct tr_fault fault = { .what = "" };
    struct tr_services services = { .files = NULL };
    if (load("mounts:\n"
             "  - {path: /data, root: ./data}\n"
             "  - path: /other\n"
             "    root: /tmp\n"
             "    rights: [read, create]\n"
             "    max_file_bytes: 10\n",
             &config, &fault)
        != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }

    assert_int_equal(tr_services_init(&services, &config, &fault), TR_OK);

    assert_int_equal(tr_vfs_mount_count(services.files), 2);
    assert_int_equal(tr_vfs_mount(services.files, 0).rights, TR_RIGHT_READ);
    assert_int_equal(tr_vfs_mount(services.files, 0).max_file_bytes, 16777216);
    assert_int_equal(tr_vfs_mount(services.files, 1).rights, TR_RIGHT_READ | TR_RIGHT_CREATE);
    assert_int_equal(tr_vfs_mount(services.files, 1).max_file_bytes, 10);
    tr_services_done(&services);
    tr_config_done(&config);
}

static void without_mounts_there_are_none(void **state)
{
    (void)state;
    struct tr_config config;
    struct tr_fault fault = { .what = "" };
    struct tr_services services = { .files = NULL };
    assert_int_equal(load("server: {}\n", &config, &fault), TR_OK);

    assert_int_equal(tr_services_init(&services, &config, &fault), TR_OK);

    assert_int_equal(tr_vfs_mount_count(services.files), 0);
    tr_services_done(&services);
    tr_config_done(&config);
}

static void a_wrong_mount_is_named_with_its_line(void **state)
{
    (void)state;
    assert_refused("mounts:\n  - {path: /a, root: data}\n  - {path: /b, root: nothing}\n", 3,
                   "mounts[1].root: cannot be opened as a folder: No such file or directory");
    assert_refused("mounts:\n  - {path: a, root: data}\n", 2,
                   "mounts[0].path: must be absolute and plain, as '/data'");
    assert_refused("mounts:\n  - {path: /a, root: data}\n  - {path: /a, root: data}\n", 3,
                   "mounts[1].path: '/a' is in the list twice");
    assert_refused("mounts:\n  - path: /a\n    root: data\n    hidden:\n      - a/b\n", 5,
                   "mounts[0].hidden[0]: must be a name with * and ?; for a path use an override "
                   "with 'none'");
    assert_refused("mounts:\n  - {path: /a}\n", 2, "mounts[0].root: is required");
}

static void rights_are_a_word_or_a_list(void **state)
{
    (void)state;
    static const char *const good[] = { "ro", "rw", "rwnd", "none", "[]", "[read, delete]" };
    static const char *const bad[] = { "w", "[execute]", "[read, read]", "7" };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct tr_config config;
        struct tr_fault fault = { .what = "" };
        char yaml[128];
        (void)snprintf(yaml, sizeof(yaml), "mounts: [{path: /a, root: data, rights: %s}]\n",
                       good[i]);
        assert_int_equal(load(yaml, &config, &fault), TR_OK);
        tr_config_done(&config);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct tr_config config;
        struct tr_fault fault = { .what = "" };
        char yaml[128];
        (void)snprintf(yaml, sizeof(yaml), "mounts: [{path: /a, root: data, rights: %s}]\n",
                       bad[i]);
        assert_int_equal(load(yaml, &config, &fault), TR_INVALID_PARAMETERS);
        assert_non_null(strstr(fault.what, "mounts[0].rights"));
    }
}

static bool load_once(void *context)
{
    (void)context;
    struct tr_config config;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status =
        load("mounts: [{path: /a, root: data, hidden: [x], overrides: [{path: b, rights: rw}]}]\n",
             &config, &fault);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    if (status == TR_OK) {
        tr_config_done(&config);
    }
    return status == TR_OK;
}

static void loading_mounts_survives_a_lack_of_memory(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(load_once, NULL) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_is_relative_to_the_file),
        cmocka_unit_test(without_mounts_there_are_none),
        cmocka_unit_test(a_wrong_mount_is_named_with_its_line),
        cmocka_unit_test(rights_are_a_word_or_a_list),
        cmocka_unit_test(loading_mounts_survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, start, end);
}
