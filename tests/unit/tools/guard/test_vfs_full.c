/* What happens when the disk is full: on a file system of one megabyte that the test mounts. Where
 * that is not permitted (it takes root) the tests are skipped. */
#include <stdlib.h>
#include <sys/mount.h>

#include "tests/unit/tools/guard/vfs_fixture.h"

enum { DISK_BYTES = 1024 * 1024, OLD_BYTES = 300 * 1024 };

static char disk_path[256];

static bool mount_disk(struct vfs_fixture *fixture)
{
    (void)snprintf(disk_path, sizeof(disk_path), "%s/work", fixture->folder.path);
    if (mount("tmpfs", disk_path, "tmpfs", 0, "size=1m,mode=0755") == 0) {
        return true;
    }
    print_message("Skipped: a small tmpfs cannot be mounted here\n");
    return false;
}

/* The mount's root is opened after the disk was mounted, so its files are the disk's. */
static bool start(struct vfs_fixture *fixture, char *old)
{
    fixture_start(fixture);
    if (!mount_disk(fixture)) {
        fixture_end(fixture);
        return false;
    }
    const struct fixture_mount mount_all = {
        .path = "/work", .root = "work", .preset = MOUNT_RW, .max_file_bytes = 100 * DISK_BYTES
    };
    fixture_mount(fixture, &mount_all, 1);
    memset(old, 'o', OLD_BYTES);
    folder_write(&fixture->folder, "work/file", old, OLD_BYTES);
    return true;
}

static void end(struct vfs_fixture *fixture)
{
    tr_vfs_free(fixture->vfs);
    fixture->vfs = NULL;
    assert_int_equal(umount(disk_path), 0);
    fixture_end(fixture);
}

static void assert_is_old(struct vfs_fixture *fixture, const char *old)
{
    struct tr_vfs_content content;
    assert_int_equal(
        tr_vfs_read_all(&fixture->call, fixture->vfs, "/work/file", DISK_BYTES, &content), TR_OK);
    assert_int_equal(content.length, OLD_BYTES);
    assert_memory_equal(content.bytes, old, OLD_BYTES);
    assert_int_equal(folder_count(&fixture->folder, "work"), 1);
}

static void a_full_disk_changes_nothing(void **state)
{
    (void)state;
    static char old[OLD_BYTES];
    static char bytes[DISK_BYTES];
    static const enum tr_write_mode modes[] = { TR_WRITE_REPLACE, TR_WRITE_APPEND };
    struct vfs_fixture fixture;
    if (!start(&fixture, old)) {
        skip();
    }
    memset(bytes, 'n', sizeof(bytes));
    for (size_t i = 0; i < TR_COUNT_OF(modes); i++) {
        const struct tr_vfs_change change = { .mode = modes[i],
                                              .bytes = bytes,
                                              .length = DISK_BYTES - OLD_BYTES / 2 };
        struct tr_vfs_changed changed;

        const enum tr_status status =
            tr_vfs_write(&fixture.call, fixture.vfs, "/work/file", &change, &changed);

        assert_said(&fixture, "/work/file", status, TR_TOOL_FAILED,
                    "The disk is full: /work/file was left as it was; delete something first");
        assert_is_old(&fixture, old);
    }
    end(&fixture);
}

static void a_full_disk_gets_no_new_file(void **state)
{
    (void)state;
    static char old[OLD_BYTES];
    static char bytes[DISK_BYTES];
    struct vfs_fixture fixture;
    if (!start(&fixture, old)) {
        skip();
    }
    const struct tr_vfs_change change = { .mode = TR_WRITE_CREATE,
                                          .bytes = bytes,
                                          .length = sizeof(bytes) };
    struct tr_vfs_changed changed;

    assert_int_equal(tr_vfs_write(&fixture.call, fixture.vfs, "/work/new", &change, &changed),
                     TR_TOOL_FAILED);

    assert_false(folder_has(&fixture.folder, "work/new"));
    assert_is_old(&fixture, old);
    end(&fixture);
}

static void what_fits_is_written_on_a_nearly_full_disk(void **state)
{
    (void)state;
    static char old[OLD_BYTES];
    struct vfs_fixture fixture;
    if (!start(&fixture, old)) {
        skip();
    }

    assert_int_equal(fixture_write(&fixture, "/work/file", TR_WRITE_REPLACE, "small"), TR_OK);

    assert_string_equal(folder_text(&fixture.folder, "work/file"), "small");
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_changes_nothing),
        cmocka_unit_test(a_full_disk_gets_no_new_file),
        cmocka_unit_test(what_fits_is_written_on_a_nearly_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
