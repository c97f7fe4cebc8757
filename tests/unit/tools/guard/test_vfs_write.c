#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/tools/guard/vfs_fixture.h"
#include "tools/core/descriptor.h"

static void assert_writes(struct vfs_fixture *fixture, const char *path, enum tr_write_mode mode,
                          const char *text, bool is_new, int64_t size)
{
    const struct tr_vfs_change change = { .mode = mode, .bytes = text, .length = strlen(text) };
    struct tr_vfs_changed changed = { .is_new = !is_new };
    if (tr_vfs_write(&fixture->call, fixture->vfs, path, &change, &changed) != TR_OK) {
        fail_msg("%s: %s", path, fixture->call.failure);
    }
    assert_int_equal(changed.is_new, is_new);
    assert_int_equal(changed.size_bytes, size);
}

static void files_are_created_replaced_and_appended_to(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    fixture_mount_usual(&fixture);
    const struct folder *folder = &fixture.folder;

    assert_writes(&fixture, "/work/a", TR_WRITE_CREATE, "one", true, 3);
    assert_string_equal(folder_text(folder, "work/a"), "one");
    assert_writes(&fixture, "/work/a", TR_WRITE_APPEND, "+two", false, 7);
    assert_string_equal(folder_text(folder, "work/a"), "one+two");
    assert_writes(&fixture, "/work/a", TR_WRITE_REPLACE, "3", false, 1);
    assert_string_equal(folder_text(folder, "work/a"), "3");
    assert_writes(&fixture, "/work/b", TR_WRITE_APPEND, "b", true, 1);
    assert_writes(&fixture, "/work/c", TR_WRITE_REPLACE, "", true, 0);
    assert_string_equal(folder_text(folder, "work/c"), "");
    assert_int_equal(folder_count(folder, "work"), 3);

    fixture_end(&fixture);
}

static void assert_not_written(struct vfs_fixture *fixture, const char *path,
                               enum tr_write_mode mode, enum tr_status status, const char *sentence)
{
    assert_said(fixture, path, fixture_write(fixture, path, mode, "12345678901"), status, sentence);
}

static void what_may_not_be_written_stays_as_it_is(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    const struct folder *folder = &fixture.folder;
    folder_put(folder, "secret.txt", "SECRET");
    folder_put(folder, "data/a", "A");
    folder_put(folder, "work/w", "W");
    folder_mkdir(folder, "work/folder");
    folder_fifo(folder, "work/fifo");
    folder_link(folder, "work/out", "../secret.txt");
    folder_link(folder, "work/gone", "../new");
    fixture_mount_usual(&fixture);

    assert_not_written(&fixture, "/data/a", TR_WRITE_REPLACE, TR_PATH_BLOCKED,
                       "Path blocked: the mount /data does not allow changing /data/a");
    assert_not_written(&fixture, "/data/n", TR_WRITE_REPLACE, TR_PATH_BLOCKED,
                       "Path blocked: the mount /data does not allow creating /data/n");
    assert_not_written(&fixture, "/work/w", TR_WRITE_CREATE, TR_TOOL_FAILED,
                       "File exists already: /work/w");
    assert_not_written(&fixture, "/work/folder", TR_WRITE_REPLACE, TR_TOOL_FAILED,
                       "Is a folder, not a file: /work/folder");
    assert_not_written(&fixture, "/work/new/", TR_WRITE_REPLACE, TR_TOOL_FAILED,
                       "Is a folder, not a file: /work/new/");
    assert_not_written(&fixture, "/work", TR_WRITE_REPLACE, TR_TOOL_FAILED,
                       "Is a folder, not a file: /work");
    assert_not_written(&fixture, "/work/fifo", TR_WRITE_APPEND, TR_PATH_BLOCKED,
                       "Path blocked: /work/fifo is no regular file");
    assert_not_written(&fixture, "/work/out", TR_WRITE_REPLACE, TR_PATH_BLOCKED,
                       "Path blocked: /work/out leads out of its mount");
    assert_not_written(&fixture, "/work/gone", TR_WRITE_CREATE, TR_PATH_BLOCKED,
                       "Path blocked: /work/gone leads out of its mount");
    assert_not_written(&fixture, "/work/../new", TR_WRITE_CREATE, TR_PATH_BLOCKED,
                       "Path blocked: /work/../new leads out of its mount");
    assert_not_written(&fixture, "/work/no/file", TR_WRITE_CREATE, TR_TOOL_FAILED,
                       "File not found: /work/no/file");

    assert_string_equal(folder_text(folder, "secret.txt"), "SECRET");
    assert_string_equal(folder_text(folder, "data/a"), "A");
    assert_string_equal(folder_text(folder, "work/w"), "W");
    assert_int_equal(folder_count(folder, "work"), 5);
    assert_int_equal(folder_count(folder, "."), 3);
    fixture_end(&fixture);
}

static void rights_to_change_and_to_create_are_two(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    folder_put(&fixture.folder, "work/old", "O");
    folder_mkdir(&fixture.folder, "work/add");
    folder_put(&fixture.folder, "work/add/old", "O");
    static const enum mount_right create[] = { MOUNT_READ, MOUNT_CREATE };
    const struct mount_override override = {
        .path = "add",
        .rights = { .choice = MOUNT_RIGHTS_LIST, .list = { create, 2 } },
    };
    const struct fixture_mount mount = {
        .path = "/w",
        .root = "work",
        .preset = MOUNT_RW,
        .overrides = &override,
        .override_count = 1,
    };
    fixture_mount(&fixture, &mount, 1);

    assert_int_equal(fixture_write(&fixture, "/w/old", TR_WRITE_APPEND, "x"), TR_OK);
    assert_int_equal(fixture_write(&fixture, "/w/add/new", TR_WRITE_APPEND, "x"), TR_OK);
    assert_int_equal(fixture_write(&fixture, "/w/add/old", TR_WRITE_APPEND, "x"), TR_PATH_BLOCKED);
    assert_int_equal(fixture_write(&fixture, "/w/add/new", TR_WRITE_REPLACE, "x"), TR_PATH_BLOCKED);

    fixture_end(&fixture);
}

static void hidden_names_cannot_be_made(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    static const char *const hidden[] = { "*.key" };
    const struct fixture_mount mount = {
        .path = "/w",
        .root = "work",
        .preset = MOUNT_RW,
        .hidden = hidden,
        .hidden_count = 1,
    };
    fixture_mount(&fixture, &mount, 1);

    assert_not_written(&fixture, "/w/a.key", TR_WRITE_CREATE, TR_PATH_BLOCKED,
                       "Path blocked: the mount /w does not allow the name of /w/a.key");
    assert_not_written(&fixture, "/w/.toolrest-1.tmp", TR_WRITE_CREATE, TR_PATH_BLOCKED,
                       "Path blocked: the mount /w does not allow the name of /w/.toolrest-1.tmp");

    assert_int_equal(folder_count(&fixture.folder, "work"), 0);
    fixture_end(&fixture);
}

static void a_file_does_not_outgrow_its_mount(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    const struct fixture_mount mount = {
        .path = "/w",
        .root = "work",
        .preset = MOUNT_RW,
        .max_file_bytes = 11,
    };
    fixture_mount(&fixture, &mount, 1);

    assert_int_equal(fixture_write(&fixture, "/w/a", TR_WRITE_CREATE, "1234567890"), TR_OK);
    assert_int_equal(fixture_write(&fixture, "/w/a", TR_WRITE_APPEND, "1"), TR_OK);
    assert_said(&fixture, "/w/a", fixture_write(&fixture, "/w/a", TR_WRITE_APPEND, "2"),
                TR_TOOL_FAILED, "File too large: /w/a would have 12 bytes, its mount allows 11");
    assert_string_equal(folder_text(&fixture.folder, "work/a"), "12345678901");

    fixture_end(&fixture);
}

static void parents_are_made_when_asked_for(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    folder_mkdir(&fixture.folder, "work/real");
    folder_link(&fixture.folder, "work/link", "real");
    fixture_mount_usual(&fixture);
    const struct tr_vfs_change change = {
        .bytes = "x", .length = 1, .makes_parents = true, .mode = TR_WRITE_CREATE
    };
    struct tr_vfs_changed changed;

    assert_int_equal(tr_vfs_write(&fixture.call, fixture.vfs, "/work/a/b/c", &change, &changed),
                     TR_OK);
    assert_int_equal(tr_vfs_write(&fixture.call, fixture.vfs, "/work/link/d/e", &change, &changed),
                     TR_OK);
    assert_int_equal(tr_vfs_write(&fixture.call, fixture.vfs, "/data/a/b", &change, &changed),
                     TR_PATH_BLOCKED);
    assert_int_equal(tr_vfs_write(&fixture.call, fixture.vfs, "/work/n/../../x", &change, &changed),
                     TR_TOOL_FAILED);

    assert_string_equal(folder_text(&fixture.folder, "work/a/b/c"), "x");
    assert_string_equal(folder_text(&fixture.folder, "work/real/d/e"), "x");
    assert_int_equal(folder_count(&fixture.folder, "data"), 0);
    fixture_end(&fixture);
}

static void a_replaced_file_keeps_its_mode_and_other_links_their_content(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    struct stat now;
    fixture_start(&fixture);
    folder_put(&fixture.folder, "outside", "old");
    assert_int_equal(linkat(fixture.folder.fd, "outside", fixture.folder.fd, "work/a", 0), 0);
    assert_int_equal(fchmodat(fixture.folder.fd, "work/a", 0640, 0), 0);
    fixture_mount_usual(&fixture);

    assert_writes(&fixture, "/work/a", TR_WRITE_REPLACE, "new", false, 3);

    assert_int_equal(fstatat(fixture.folder.fd, "work/a", &now, 0), 0);
    assert_int_equal(now.st_mode & 07777, 0640);
    assert_string_equal(folder_text(&fixture.folder, "outside"), "old");
    fixture_end(&fixture);
}

static void a_file_that_changed_is_not_written(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    struct tr_file_info then;
    struct tr_vfs_changed changed;
    fixture_start(&fixture);
    folder_put(&fixture.folder, "work/a", "one");
    fixture_mount_usual(&fixture);
    assert_int_equal(tr_vfs_stat(&fixture.call, fixture.vfs, "/work/a", &then), TR_OK);
    const struct tr_vfs_change change = {
        .bytes = "two", .length = 3, .mode = TR_WRITE_REPLACE, .unless_changed = &then
    };

    assert_int_equal(tr_vfs_write(&fixture.call, fixture.vfs, "/work/a", &change, &changed), TR_OK);
    assert_said(&fixture, "/work/a",
                tr_vfs_write(&fixture.call, fixture.vfs, "/work/a", &change, &changed),
                TR_TOOL_FAILED, "File was changed meanwhile: /work/a; read it again");

    fixture_end(&fixture);
}

/* ---- at once ---- */

enum { THREADS = 4, APPENDS = 25 };

static void *append_often(void *context)
{
    struct vfs_fixture *fixture = context;
    for (size_t i = 0; i < APPENDS; i++) {
        struct tr_call call;
        tr_call_init(&call);
        const struct tr_vfs_change change = { .bytes = "x", .length = 1, .mode = TR_WRITE_APPEND };
        struct tr_vfs_changed changed;
        if (tr_vfs_write(&call, fixture->vfs, "/work/log", &change, &changed) != TR_OK) {
            abort();
        }
        tr_call_done(&call);
    }
    return NULL;
}

static void appending_at_once_loses_nothing(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    pthread_t threads[THREADS];
    fixture_start(&fixture);
    fixture_mount_usual(&fixture);

    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, append_often, &fixture), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }

    assert_int_equal(strlen(folder_text(&fixture.folder, "work/log")), THREADS * APPENDS);
    fixture_end(&fixture);
}

/* ---- bad times ---- */

static void a_cancelled_call_writes_nothing(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    folder_put(&fixture.folder, "work/a", "old");
    fixture_mount_usual(&fixture);
    atomic_store(&fixture.call.is_cancelled, true);

    assert_int_equal(fixture_write(&fixture, "/work/a", TR_WRITE_REPLACE, "new"), TR_CANCELLED);

    assert_string_equal(folder_text(&fixture.folder, "work/a"), "old");
    assert_int_equal(folder_count(&fixture.folder, "work"), 1);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_created_replaced_and_appended_to),
        cmocka_unit_test(what_may_not_be_written_stays_as_it_is),
        cmocka_unit_test(rights_to_change_and_to_create_are_two),
        cmocka_unit_test(hidden_names_cannot_be_made),
        cmocka_unit_test(a_file_does_not_outgrow_its_mount),
        cmocka_unit_test(parents_are_made_when_asked_for),
        cmocka_unit_test(a_replaced_file_keeps_its_mode_and_other_links_their_content),
        cmocka_unit_test(a_file_that_changed_is_not_written),
        cmocka_unit_test(appending_at_once_loses_nothing),
        cmocka_unit_test(a_cancelled_call_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
