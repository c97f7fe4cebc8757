#include "tests/support/alloc_fail.h"
#include "tests/unit/tools/guard/vfs_fixture.h"

static void assert_refused(const struct vfs_fixture *fixture, const struct fixture_mount *mounts,
                           size_t count, const char *where, const char *what)
{
    struct tr_vfs *vfs = NULL;
    struct tr_fault fault = { .what = "" };

    const enum tr_status status = fixture_vfs(&fixture->folder, mounts, count, &vfs, &fault);

    assert_int_equal(status, TR_INVALID_PARAMETERS);
    assert_null(vfs);
    assert_string_equal(fault.where, where);
    assert_string_equal(fault.what, what);
}

static void mount_paths_are_absolute_and_plain(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    static const char *const bad[] = { "data", "/data/", "//data", "/a/../b", "/a/./b", "", "/.." };
    for (size_t i = 0; i < TR_COUNT_OF(bad); i++) {
        const struct fixture_mount mount = { .path = bad[i], .root = "data" };
        assert_refused(&fixture, &mount, 1, "/0/path", "must be absolute and plain, as '/data'");
    }
    fixture_end(&fixture);
}

static void a_path_is_mounted_once(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    const struct fixture_mount mounts[] = {
        { .path = "/data", .root = "data" },
        { .path = "/work", .root = "work" },
        { .path = "/data", .root = "work" },
    };

    assert_refused(&fixture, mounts, 3, "/2/path", "'/data' is in the list twice");

    fixture_end(&fixture);
}

static void a_root_is_a_folder(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    folder_put(&fixture.folder, "file", "");
    const struct fixture_mount missing[] = { { .path = "/a", .root = "data" },
                                             { .path = "/b", .root = "nothing" } };
    const struct fixture_mount file = { .path = "/a", .root = "file" };

    assert_refused(&fixture, missing, 2, "/1/root",
                   "cannot be opened as a folder: No such file or directory");
    assert_refused(&fixture, &file, 1, "/0/root", "cannot be opened as a folder: Not a directory");

    fixture_end(&fixture);
}

static void overrides_are_plain_and_there_once(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    static const char *const bad[] = { "", "/", "/a", "a/", "..", "a/../b", "a//b", "." };
    for (size_t i = 0; i < TR_COUNT_OF(bad); i++) {
        const struct mount_override override = { .path = bad[i] };
        const struct fixture_mount mount = {
            .path = "/a", .root = "data", .overrides = &override, .override_count = 1
        };
        assert_refused(&fixture, &mount, 1, "/0/overrides/0/path",
                       "must be a plain path below the mount, as 'drafts'");
    }
    const struct mount_override twice[] = { { .path = "b" }, { .path = "c" }, { .path = "b" } };
    const struct fixture_mount mount = {
        .path = "/a", .root = "data", .overrides = twice, .override_count = 3
    };
    assert_refused(&fixture, &mount, 1, "/0/overrides/2/path", "is in the list twice");
    fixture_end(&fixture);
}

static void hidden_names_are_names(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    static const char *const bad[] = { "", "a/b", "[ab]" };
    for (size_t i = 0; i < TR_COUNT_OF(bad); i++) {
        const struct fixture_mount mount = {
            .path = "/a", .root = "data", .hidden = &bad[i], .hidden_count = 1
        };
        assert_refused(&fixture, &mount, 1, "/0/hidden/0",
                       "must be a name with * and ?; for a path use an override with 'none'");
    }
    fixture_end(&fixture);
}

static void mounts_tell_their_names_rights_and_limits(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    const struct fixture_mount mounts[] = {
        { .path = "/", .root = "data", .preset = MOUNT_RWND, .max_file_bytes = 7 },
        { .path = "/n", .root = "work", .preset = MOUNT_NONE },
    };
    fixture_mount(&fixture, mounts, 2);

    const struct tr_mount_info first = tr_vfs_mount(fixture.vfs, 0);
    const struct tr_mount_info second = tr_vfs_mount(fixture.vfs, 1);

    assert_int_equal(tr_vfs_mount_count(fixture.vfs), 2);
    assert_string_equal(first.path, "/");
    assert_int_equal(first.rights, TR_RIGHT_READ | TR_RIGHT_WRITE | TR_RIGHT_CREATE);
    assert_int_equal(first.max_file_bytes, 7);
    assert_int_equal(second.rights, 0);
    fixture_end(&fixture);
}

static void without_mounts_every_path_is_blocked(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    fixture_mount(&fixture, NULL, 0);

    assert_not_read(&fixture, "/a", TR_PATH_BLOCKED,
                    "There are no files here: the operator has mounted no folder");

    fixture_end(&fixture);
}

static bool mount_all(void *context)
{
    static const char *const hidden[] = { ".git", "*.key" };
    static const struct mount_override overrides[] = { { .path = "a" }, { .path = "b/c" } };
    const struct fixture_mount mounts[] = {
        { .path = "/data",
          .root = "data",
          .overrides = overrides,
          .override_count = 2,
          .hidden = hidden,
          .hidden_count = 2 },
        { .path = "/work", .root = "work" },
    };
    const struct vfs_fixture *fixture = context;
    struct tr_vfs *vfs = NULL;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status = fixture_vfs(&fixture->folder, mounts, 2, &vfs, &fault);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    tr_vfs_free(vfs);
    return status == TR_OK;
}

static void mounting_survives_a_lack_of_memory(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    assert_true(alloc_fail_each(mount_all, &fixture) > 1);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mount_paths_are_absolute_and_plain),
        cmocka_unit_test(a_path_is_mounted_once),
        cmocka_unit_test(a_root_is_a_folder),
        cmocka_unit_test(overrides_are_plain_and_there_once),
        cmocka_unit_test(hidden_names_are_names),
        cmocka_unit_test(mounts_tell_their_names_rights_and_limits),
        cmocka_unit_test(without_mounts_every_path_is_blocked),
        cmocka_unit_test(mounting_survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
