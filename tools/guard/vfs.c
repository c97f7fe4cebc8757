#include "tools/guard/vfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/limits.h"
#include "tools/guard/vfs_parts.h"

static enum tr_status check_duplicates(const struct tr_vfs *vfs, size_t index,
                                       struct tr_fault *reterr)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(vfs->mounts[i].path, vfs->mounts[index].path) == 0) {
            char where[TR_FAULT_WHERE_BYTES];
            (void)snprintf(where, sizeof(where), "/%zu/path", index);
            return tr_refuse(TR_INVALID_PARAMETERS, reterr, where, "'%s' is in the list twice",
                             vfs->mounts[i].name);
        }
    }
    return TR_OK;
}

static enum tr_status fill(struct tr_vfs *vfs, const struct mount_settings *mounts, size_t count,
                           struct tr_fault *reterr)
{
    vfs->mounts = TR_NEW(&vfs->arena, struct tr_mount, count + 1);
    vfs->locks = TR_NEW(&vfs->arena, pthread_mutex_t, TR_VFS_LOCKS);
    if (vfs->mounts == NULL || vfs->locks == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "out of memory");
    }
    for (size_t i = 0; i < TR_VFS_LOCKS; i++) {
        (void)pthread_mutex_init(&vfs->locks[i], NULL);
    }
    for (size_t i = 0; i < count; i++) {
        vfs->count++; /* so that what is half made is unmade */
        TR_TRY(tr_mount_init(&mounts[i], i, &vfs->arena, &vfs->mounts[i], reterr));
        TR_TRY(check_duplicates(vfs, i, reterr));
    }
    vfs->walks = count != 0 && !tr_beneath_is_supported(vfs->mounts[0].root);
    return TR_OK;
}

enum tr_status tr_vfs_new(const struct mount_settings *mounts, size_t count,
                          struct tr_vfs **ret_vfs, struct tr_fault *reterr)
{
    struct tr_vfs *vfs = calloc(1, sizeof(*vfs));
    if (vfs == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "out of memory");
    }
    tr_arena_init(&vfs->arena, TR_LOAD_ARENA_BYTES);
    const enum tr_status status = fill(vfs, mounts, count, reterr);
    if (status != TR_OK) {
        tr_vfs_free(vfs);
        return status;
    }
    *ret_vfs = vfs;
    return TR_OK;
}

void tr_vfs_free(struct tr_vfs *vfs)
{
    if (vfs == NULL) {
        return;
    }
    for (size_t i = 0; i < vfs->count; i++) {
        if (vfs->mounts[i].root >= 0) {
            (void)close(vfs->mounts[i].root);
        }
    }
    for (size_t i = 0; vfs->locks != NULL && i < TR_VFS_LOCKS; i++) {
        (void)pthread_mutex_destroy(&vfs->locks[i]);
    }
    tr_arena_done(&vfs->arena);
    free(vfs);
}

void tr_vfs_walk(struct tr_vfs *vfs)
{
    vfs->walks = true;
}

size_t tr_vfs_mount_count(const struct tr_vfs *vfs)
{
    return vfs->count;
}

struct tr_mount_info tr_vfs_mount(const struct tr_vfs *vfs, size_t index)
{
    const struct tr_mount *mount = &vfs->mounts[index];
    return (struct tr_mount_info){
        .path = mount->name,
        .rights = mount->rights,
        .max_file_bytes = mount->max_file_bytes,
    };
}
