#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/guard/vfs_parts.h"

static struct tr_mount mounts[] = {
    { .name = "/data", .path = "data" },
    { .name = "/data/sub", .path = "data/sub" },
    { .name = "/work", .path = "work" },
};
static const struct tr_vfs vfs = { .mounts = mounts, .count = TR_COUNT_OF(mounts) };

static void a_path_is_found_below_the_mount_with_the_longest_name(void **state)
{
    (void)state;
    static const struct {
        const char *path, *mount, *rest;
        bool is_folder;
    } cases[] = {
        { "/data/a.txt", "/data", "a.txt", false },
        { "data/a.txt", "/data", "a.txt", false },
        { "//data//b///c", "/data", "b/c", false },
        { "./data/./a", "/data", "a", false },
        { "/data", "/data", "", false },
        { "/data/", "/data", "", true },
        { "/data/a/", "/data", "a", true },
        { "/data/a/.", "/data", "a", true },
        { "/data/a/..", "/data", "a/..", true },
        { "/data/a..", "/data", "a..", false },
        { "/data/...", "/data", "...", false },
        { "/data/sub/x", "/data/sub", "x", false },
        { "/data/subway", "/data", "subway", false },
        { "/data/s/../sub", "/data", "s/../sub", false },
        { "/work/\xc3\xa9\n\\x", "/work", "\xc3\xa9\n\\x", false },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_vfs_place place;

        const enum tr_path_verdict verdict =
            tr_vfs_place(&vfs, cases[i].path, strlen(cases[i].path), &place);

        assert_int_equal(verdict, TR_PATH_FINE);
        assert_string_equal(place.mount->name, cases[i].mount);
        assert_string_equal(place.path, cases[i].rest);
        assert_int_equal(place.is_folder, cases[i].is_folder);
    }
}

static void what_is_no_path_of_a_mount_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        size_t length;
        enum tr_path_verdict verdict;
    } cases[] = {
        { "", 0, TR_PATH_EMPTY },
        { "/", 1, TR_PATH_NO_MOUNT },
        { "..", 2, TR_PATH_NO_MOUNT },
        { "/database", 9, TR_PATH_NO_MOUNT },
        { "/Data", 5, TR_PATH_NO_MOUNT },
        { "../data", 7, TR_PATH_NO_MOUNT },
        { "/data\0/a", 8, TR_PATH_NOT_UTF8 },
        { "/data/\xff", 7, TR_PATH_NOT_UTF8 },
        { "/data/\xed\xa0\x80", 9, TR_PATH_NOT_UTF8 },
        { "/data/\xc0\xaf", 8, TR_PATH_NOT_UTF8 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_vfs_place place;

        assert_int_equal(tr_vfs_place(&vfs, cases[i].path, cases[i].length, &place),
                         cases[i].verdict);
    }
}

static void names_and_paths_have_their_greatest_length(void **state)
{
    (void)state;
    char path[TR_VFS_PATH_BYTES + 2];
    struct tr_vfs_place place;
    for (size_t length = 254; length <= 256; length++) {
        (void)memcpy(path, "/data/", 6);
        memset(path + 6, 'a', length);
        assert_int_equal(tr_vfs_place(&vfs, path, 6 + length, &place),
                         length < TR_VFS_NAME_BYTES ? TR_PATH_FINE : TR_PATH_TOO_LONG);
    }
    for (size_t length = TR_VFS_PATH_BYTES - 2; length <= TR_VFS_PATH_BYTES; length++) {
        for (size_t i = 0; i < length; i++) {
            path[i] = i % 2 == 0 ? '/' : 'a';
        }
        (void)memcpy(path, "/work/", 6);
        assert_int_equal(tr_vfs_place(&vfs, path, length, &place),
                         length < TR_VFS_PATH_BYTES ? TR_PATH_FINE : TR_PATH_TOO_LONG);
    }
}

static void a_path_is_below_whole_names_only(void **state)
{
    (void)state;
    assert_true(tr_path_is_below("a/b", "a"));
    assert_true(tr_path_is_below("a", "a"));
    assert_true(tr_path_is_below("a", ""));
    assert_false(tr_path_is_below("ab", "a"));
    assert_false(tr_path_is_below("a", "a/b"));
}

static void climbing_is_a_component_of_two_dots(void **state)
{
    (void)state;
    static const char *const climbing[] = { "..", "a/..", "../a", "a/../b" };
    static const char *const plain[] = { "", "a", "...", "a..b", "..a/b..", "a/...", ".. " };
    for (size_t i = 0; i < TR_COUNT_OF(climbing); i++) {
        assert_true(tr_path_climbs(climbing[i]));
    }
    for (size_t i = 0; i < TR_COUNT_OF(plain); i++) {
        assert_false(tr_path_climbs(plain[i]));
    }
}

static void another_mount_takes_what_is_below_its_longer_name(void **state)
{
    (void)state;
    assert_true(tr_vfs_owns(&vfs, &mounts[0], "a"));
    assert_true(tr_vfs_owns(&vfs, &mounts[0], "subway"));
    assert_false(tr_vfs_owns(&vfs, &mounts[0], "sub"));
    assert_false(tr_vfs_owns(&vfs, &mounts[0], "sub/x"));
    assert_true(tr_vfs_owns(&vfs, &mounts[1], "sub"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_found_below_the_mount_with_the_longest_name),
        cmocka_unit_test(what_is_no_path_of_a_mount_is_refused),
        cmocka_unit_test(names_and_paths_have_their_greatest_length),
        cmocka_unit_test(a_path_is_below_whole_names_only),
        cmocka_unit_test(climbing_is_a_component_of_two_dots),
        cmocka_unit_test(another_mount_takes_what_is_below_its_longer_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
