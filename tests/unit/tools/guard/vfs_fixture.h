/* vfs_fixture.h - a temporary folder with two mounts, "/data" (ro) on its folder data and "/work"
 * (rw) on its folder work, and a call to use them with. */
#ifndef TR_TESTS_UNIT_TOOLS_GUARD_VFS_FIXTURE_H
#define TR_TESTS_UNIT_TOOLS_GUARD_VFS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tools/core/call.h"
#include "tools/core/limits.h"
#include "tools/guard/mount_settings.h"
#include "tools/guard/vfs.h"

/* What another mount than the two is made of; zeroed members are usual ones. */
struct fixture_mount {
    const char *path, *root;  /* the root below the temporary folder */
    enum mount_preset preset; /* absent: ro */
    const struct mount_override *overrides;
    size_t override_count;
    int64_t max_file_bytes;
    const char *const *hidden;
    size_t hidden_count;
};

struct vfs_fixture {
    struct folder folder;
    struct tr_vfs *vfs;
    struct tr_call call;
};

static inline enum tr_status fixture_vfs(const struct folder *folder,
                                         const struct fixture_mount *mounts, size_t count,
                                         struct tr_vfs **ret_vfs, struct tr_fault *fault)
{
    struct mount_settings settings[8] = { { .path = NULL } };
    char roots[8][256];
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(roots[i], sizeof(roots[i]), "%s/%s", folder->path, mounts[i].root);
        settings[i].path = mounts[i].path;
        settings[i].root = roots[i];
        settings[i].rights.choice = MOUNT_RIGHTS_PRESET;
        settings[i].rights.preset =
            mounts[i].preset != MOUNT_PRESET_ABSENT ? mounts[i].preset : MOUNT_RO;
        settings[i].overrides.items = mounts[i].overrides;
        settings[i].overrides.count = mounts[i].override_count;
        settings[i].max_file_bytes =
            mounts[i].max_file_bytes != 0 ? mounts[i].max_file_bytes : 1000;
        settings[i].hidden.items = mounts[i].hidden;
        settings[i].hidden.count = mounts[i].hidden_count;
    }
    return tr_vfs_new(settings, count, ret_vfs, fault);
}

/* The temporary folder with an empty data and work; then mount what the test wants. */
static inline void fixture_start(struct vfs_fixture *fixture)
{
    *fixture = (struct vfs_fixture){ .vfs = NULL };
    folder_make(&fixture->folder);
    folder_mkdir(&fixture->folder, "data");
    folder_mkdir(&fixture->folder, "work");
    tr_call_init(&fixture->call);
}

static inline void fixture_mount(struct vfs_fixture *fixture, const struct fixture_mount *mounts,
                                 size_t count)
{
    struct tr_fault fault = { .what = "" };
    if (fixture_vfs(&fixture->folder, mounts, count, &fixture->vfs, &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
}

static inline void fixture_mount_usual(struct vfs_fixture *fixture)
{
    const struct fixture_mount mounts[] = {
        { .path = "/data", .root = "data" },
        { .path = "/work", .root = "work", .preset = MOUNT_RW },
    };
    fixture_mount(fixture, mounts, 2);
}

static inline void fixture_end(struct vfs_fixture *fixture)
{
    tr_vfs_free(fixture->vfs);
    tr_call_done(&fixture->call);
    folder_remove(&fixture->folder);
}

/* ---- what calls give; the sentence of a refusal is fixture->call.failure ---- */

static inline enum tr_status fixture_read(struct vfs_fixture *fixture, const char *path,
                                          const char **ret_text)
{
    struct tr_vfs_content content;
    fixture->call.failure = NULL;
    const enum tr_status status =
        tr_vfs_read_all(&fixture->call, fixture->vfs, path, 1000000, &content);
    *ret_text = status == TR_OK ? content.bytes : NULL;
    return status;
}

static inline void assert_reads(struct vfs_fixture *fixture, const char *path, const char *text)
{
    const char *got = NULL;
    if (fixture_read(fixture, path, &got) != TR_OK) {
        fail_msg("%s: %s", path, fixture->call.failure);
    }
    assert_string_equal(got, text);
}

static inline void assert_said(const struct vfs_fixture *fixture, const char *path,
                               enum tr_status got, enum tr_status status, const char *sentence)
{
    const char *said = fixture->call.failure != NULL ? fixture->call.failure : "(nothing)";
    if (got != status || strcmp(said, sentence) != 0) {
        fail_msg("%s: status %d: %s", path, (int)got, said);
    }
}

static inline void assert_not_read(struct vfs_fixture *fixture, const char *path,
                                   enum tr_status status, const char *sentence)
{
    const char *got = NULL;
    assert_said(fixture, path, fixture_read(fixture, path, &got), status, sentence);
}

static inline enum tr_status fixture_write(struct vfs_fixture *fixture, const char *path,
                                           enum tr_write_mode mode, const char *text)
{
    const struct tr_vfs_change change = { .mode = mode, .bytes = text, .length = strlen(text) };
    struct tr_vfs_changed changed;
    fixture->call.failure = NULL;
    return tr_vfs_write(&fixture->call, fixture->vfs, path, &change, &changed);
}

#endif
