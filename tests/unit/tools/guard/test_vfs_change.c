#include "tests/unit/tools/guard/vfs_fixture.h"
#include "tools/core/descriptor.h"

static void start(struct vfs_fixture *fixture)
{
    fixture_start(fixture);
    const struct folder *folder = &fixture->folder;
    folder_put(folder, "secret.txt", "SECRET");
    folder_put(folder, "data/a", "A");
    folder_put(folder, "work/w", "W");
    folder_mkdir(folder, "work/folder");
    folder_put(folder, "work/folder/x", "X");
    folder_mkdir(folder, "work/empty");
    folder_link(folder, "work/link", "w");
    folder_link(folder, "work/out", "../secret.txt");
    folder_link(folder, "work/outside", "..");
}

/* ---- folders ---- */

static void assert_makes(struct vfs_fixture *fixture, const char *path, bool makes_parents,
                         enum tr_status status, const char *sentence)
{
    bool is_new = false;
    fixture->call.failure = NULL;
    assert_said(fixture, path,
                tr_vfs_make_folder(&fixture->call, fixture->vfs, path, makes_parents, &is_new),
                status, sentence);
    assert_int_equal(is_new, status == TR_OK);
}

static void folders_are_made(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    bool is_new = true;
    start(&fixture);
    fixture_mount_usual(&fixture);

    assert_makes(&fixture, "/work/new", false, TR_OK, "(nothing)");
    assert_makes(&fixture, "/work/a/b/c/", true, TR_OK, "(nothing)");
    assert_int_equal(tr_vfs_make_folder(&fixture.call, fixture.vfs, "/work/empty", false, &is_new),
                     TR_OK);
    assert_false(is_new);
    assert_makes(&fixture, "/work/d/e", false, TR_TOOL_FAILED,
                 "The folder above is missing: /work/d/e; make it first, or ask for parents");
    assert_makes(&fixture, "/work/w", true, TR_TOOL_FAILED, "File exists already: /work/w");
    assert_makes(&fixture, "/data/new", true, TR_PATH_BLOCKED,
                 "Path blocked: the mount /data does not allow creating /data/new");
    assert_makes(&fixture, "/work/../new", true, TR_PATH_BLOCKED,
                 "Path blocked: /work/../new leads out of its mount");
    assert_makes(&fixture, "/work/outside/new", true, TR_PATH_BLOCKED,
                 "Path blocked: /work/outside/new leads out of its mount");

    assert_true(folder_has(&fixture.folder, "work/new"));
    assert_true(folder_has(&fixture.folder, "work/a/b/c"));
    assert_false(folder_has(&fixture.folder, "new"));
    fixture_end(&fixture);
}

static void no_folder_is_made_on_the_way_where_it_is_not_allowed(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    const struct mount_override override = {
        .path = "a/b",
        .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_RW } },
    };
    const struct fixture_mount mount = {
        .path = "/w", .root = "work", .overrides = &override, .override_count = 1
    };
    fixture_mount(&fixture, &mount, 1);

    assert_makes(&fixture, "/w/a/b/c", true, TR_PATH_BLOCKED,
                 "Path blocked: the mount /w allows no folder above /w/a/b/c");

    assert_false(folder_has(&fixture.folder, "work/a"));
    fixture_end(&fixture);
}

/* ---- deleting ---- */

static void assert_deletes(struct vfs_fixture *fixture, const char *path, enum tr_status status,
                           const char *sentence)
{
    fixture->call.failure = NULL;
    assert_said(fixture, path, tr_vfs_delete(&fixture->call, fixture->vfs, path), status, sentence);
}

static void files_and_empty_folders_are_deleted(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    fixture_mount_usual(&fixture);

    assert_deletes(&fixture, "/work/w", TR_OK, "(nothing)");
    assert_deletes(&fixture, "/work/empty", TR_OK, "(nothing)");
    assert_deletes(&fixture, "/work/folder", TR_TOOL_FAILED,
                   "Folder is not empty: /work/folder; delete what is in it first");
    assert_deletes(&fixture, "/work/nothing", TR_TOOL_FAILED, "File not found: /work/nothing");
    assert_deletes(&fixture, "/work/out", TR_PATH_BLOCKED,
                   "Path blocked: /work/out is a link or no regular file");
    assert_deletes(&fixture, "/work/folder/../out", TR_PATH_BLOCKED,
                   "Path blocked: /work/folder/../out is a link or no regular file");
    assert_deletes(&fixture, "/work/outside/secret.txt", TR_PATH_BLOCKED,
                   "Path blocked: /work/outside/secret.txt leads out of its mount");
    assert_deletes(&fixture, "/work", TR_PATH_BLOCKED, "Path blocked: /work is the mount itself");
    assert_deletes(&fixture, "/work/folder/..", TR_PATH_BLOCKED,
                   "Path blocked: /work/folder/.. is the mount itself");
    assert_deletes(&fixture, "/data/a", TR_PATH_BLOCKED,
                   "Path blocked: the mount /data does not allow deleting /data/a");

    assert_false(folder_has(&fixture.folder, "work/w"));
    assert_false(folder_has(&fixture.folder, "work/empty"));
    assert_true(folder_has(&fixture.folder, "work/out"));
    assert_true(folder_has(&fixture.folder, "secret.txt"));
    fixture_end(&fixture);
}

/* ---- moving ---- */

static void assert_moves(struct vfs_fixture *fixture, const char *from, const char *to,
                         bool may_replace, enum tr_status status, const char *sentence)
{
    fixture->call.failure = NULL;
    assert_said(fixture, from, tr_vfs_move(&fixture->call, fixture->vfs, from, to, may_replace),
                status, sentence);
}

static void files_and_folders_are_moved(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    fixture_mount_usual(&fixture);

    assert_moves(&fixture, "/work/w", "/work/empty/v", false, TR_OK, "(nothing)");
    assert_moves(&fixture, "/work/folder", "/work/empty/folder", false, TR_OK, "(nothing)");
    assert_moves(&fixture, "/work/empty/v", "/work/empty/folder/x", true, TR_OK, "(nothing)");

    assert_string_equal(folder_text(&fixture.folder, "work/empty/folder/x"), "W");
    assert_false(folder_has(&fixture.folder, "work/w"));
    assert_false(folder_has(&fixture.folder, "work/empty/v"));
    fixture_end(&fixture);
}

static void what_cannot_be_moved_stays(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    fixture_mount_usual(&fixture);

    assert_moves(&fixture, "/work/w", "/work/folder/x", false, TR_TOOL_FAILED,
                 "File exists already: /work/folder/x");
    assert_moves(&fixture, "/work/w", "/work/folder", true, TR_TOOL_FAILED,
                 "A folder has that name: /work/folder; say the whole new path");
    assert_moves(&fixture, "/work/folder", "/work/w", true, TR_TOOL_FAILED,
                 "File exists already: /work/w");
    assert_moves(&fixture, "/work/folder", "/work/folder/y", false, TR_TOOL_FAILED,
                 "A folder cannot be moved into itself: /work/folder");
    assert_moves(&fixture, "/work/w", "/work/no/w", false, TR_TOOL_FAILED,
                 "The folder above is missing: /work/no/w; make it with directory_create");
    assert_moves(&fixture, "/work/no", "/work/x", false, TR_TOOL_FAILED,
                 "File not found: /work/no");
    assert_moves(&fixture, "/data/a", "/work/a", false, TR_PATH_BLOCKED,
                 "Path blocked: the mount /data does not allow deleting /data/a");
    assert_moves(&fixture, "/work/w", "/data/w", false, TR_PATH_BLOCKED,
                 "Path blocked: the mount /data does not allow creating /data/w");
    assert_moves(&fixture, "/work/w", "/work/../w", false, TR_PATH_BLOCKED,
                 "Path blocked: /work/../w leads out of its mount");
    assert_moves(&fixture, "/work/out", "/work/in", false, TR_PATH_BLOCKED,
                 "Path blocked: /work/out is a link or no regular file");
    assert_moves(&fixture, "/work/w", "/work/out", true, TR_PATH_BLOCKED,
                 "Path blocked: /work/out leads out of its mount");
    assert_moves(&fixture, "/work", "/work/x", false, TR_PATH_BLOCKED,
                 "Path blocked: /work is the mount itself");

    assert_string_equal(folder_text(&fixture.folder, "work/w"), "W");
    assert_string_equal(folder_text(&fixture.folder, "secret.txt"), "SECRET");
    fixture_end(&fixture);
}

static void a_folder_does_not_leave_the_rights_that_are_bound_to_it(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_mkdir(&fixture.folder, "work/box");
    folder_mkdir(&fixture.folder, "work/box/closed");
    const struct mount_override override = {
        .path = "box/closed",
        .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_NONE } },
    };
    const struct fixture_mount mounts[] = {
        { .path = "/w",
          .root = "work",
          .preset = MOUNT_RW,
          .overrides = &override,
          .override_count = 1 },
        { .path = "/w/folder/inner", .root = "data", .preset = MOUNT_RW },
        { .path = "/d", .root = "data", .preset = MOUNT_RW },
    };
    fixture_mount(&fixture, mounts, 3);

    assert_moves(&fixture, "/w/box", "/w/open", false, TR_PATH_BLOCKED,
                 "Path blocked: the rights of /w/box, or in it, are bound to its place");
    assert_moves(&fixture, "/w/folder", "/w/open", false, TR_PATH_BLOCKED,
                 "Path blocked: the rights of /w/folder, or in it, are bound to its place");
    assert_moves(&fixture, "/w/empty", "/d/open", false, TR_PATH_BLOCKED,
                 "Path blocked: the folder /w/empty cannot leave its mount");
    assert_moves(&fixture, "/w/w", "/d/w", false, TR_OK, "(nothing)");

    fixture_end(&fixture);
}

static void without_delete_nothing_is_moved_away(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    const struct fixture_mount mount = { .path = "/w", .root = "work", .preset = MOUNT_RWND };
    fixture_mount(&fixture, &mount, 1);

    assert_moves(&fixture, "/w/w", "/w/v", false, TR_PATH_BLOCKED,
                 "Path blocked: the mount /w does not allow deleting /w/w");
    assert_deletes(&fixture, "/w/w", TR_PATH_BLOCKED,
                   "Path blocked: the mount /w does not allow deleting /w/w");

    fixture_end(&fixture);
}

/* ---- listing ---- */

static void a_folder_lists_what_is_not_hidden(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_put(&fixture.folder, "work/x.key", "K");
    folder_put(&fixture.folder, "work/.toolrest-1-2-3.tmp", "");
    folder_put(&fixture.folder, "work/bad\xff", "");
    static const char *const hidden[] = { "*.key" };
    const struct fixture_mount mount = {
        .path = "/w", .root = "work", .hidden = hidden, .hidden_count = 1
    };
    fixture_mount(&fixture, &mount, 1);
    tr_auto(vfs_folder) struct tr_vfs_folder folder = { .stream = NULL };
    struct tr_vfs_entry entry;
    size_t count = 0;

    assert_int_equal(tr_vfs_open_folder(&fixture.call, fixture.vfs, "/w", &folder), TR_OK);
    while (tr_vfs_next(&folder, &entry)) {
        count++;
        if (strcmp(entry.name, "w") == 0) {
            assert_int_equal(entry.info.kind, TR_FILE_REGULAR);
            assert_int_equal(entry.info.size_bytes, 1);
        } else if (strcmp(entry.name, "out") == 0) {
            assert_int_equal(entry.info.kind, TR_FILE_LINK);
        } else if (strcmp(entry.name, "folder") == 0) {
            assert_int_equal(entry.info.kind, TR_FILE_FOLDER);
        }
    }

    assert_int_equal(count, 6);
    tr_vfs_close_folder(&folder);
    fixture_end(&fixture);
}

static void what_is_no_folder_is_not_listed(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    struct tr_vfs_folder folder;
    start(&fixture);
    fixture_mount_usual(&fixture);

    assert_said(&fixture, "/work/w",
                tr_vfs_open_folder(&fixture.call, fixture.vfs, "/work/w", &folder), TR_TOOL_FAILED,
                "Not a folder: /work/w, or a folder in it; directory_list shows what there is");
    assert_int_equal(tr_vfs_open_folder(&fixture.call, fixture.vfs, "/work/..", &folder),
                     TR_PATH_BLOCKED);
    assert_int_equal(tr_vfs_open_folder(&fixture.call, fixture.vfs, "/work/outside", &folder),
                     TR_PATH_BLOCKED);

    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_made),
        cmocka_unit_test(no_folder_is_made_on_the_way_where_it_is_not_allowed),
        cmocka_unit_test(files_and_empty_folders_are_deleted),
        cmocka_unit_test(files_and_folders_are_moved),
        cmocka_unit_test(what_cannot_be_moved_stays),
        cmocka_unit_test(a_folder_does_not_leave_the_rights_that_are_bound_to_it),
        cmocka_unit_test(without_delete_nothing_is_moved_away),
        cmocka_unit_test(a_folder_lists_what_is_not_hidden),
        cmocka_unit_test(what_is_no_folder_is_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
