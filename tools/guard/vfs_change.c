/* One of the files of the virtual file system (see vfs_parts.h): making folders, moving, deleting.
 */
#include "tools/guard/vfs_change.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/call.h"

enum { NEW_FOLDER_MODE = 0755 };

/* ---- shared ---- */

enum tr_status tr_vfs_fail_changed(struct tr_call *call, const char *path)
{
    return tr_fail(call, "File was changed meanwhile: %s; read it again", path);
}

void tr_vfs_flush_folder(int folder)
{
    const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

pthread_mutex_t *tr_vfs_lock(const struct tr_vfs *vfs, const struct tr_vfs_place *place)
{
    uint32_t hash = 2166136261u;
    for (const char *at = place->path; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    }
    pthread_mutex_t *lock = &vfs->locks[hash % TR_VFS_LOCKS];
    (void)pthread_mutex_lock(lock);
    return lock;
}

/* ---- folders ---- */

/* Make the folder at the plain path, whose own folder is there. One that appeared meanwhile is
 * well. */
static enum tr_status make_one(struct tr_call *call, const struct tr_vfs *vfs,
                               const struct tr_mount *mount, const char *plain, const char *path)
{
    char parent[TR_VFS_PATH_BYTES];
    const char *slash = strrchr(plain, '/');
    const size_t length = slash != NULL ? (size_t)(slash - plain) : 0;
    memcpy(parent, plain, length);
    parent[length] = '\0';
    const int folder = tr_beneath_open(vfs, mount->root, parent);
    if (folder < 0) {
        return tr_vfs_fail(call, path, errno);
    }
    const char *name = slash != NULL ? slash + 1 : plain;
    const int error = mkdirat(folder, name, NEW_FOLDER_MODE) == 0 ? 0 : errno;
    if (error == 0) {
        tr_vfs_flush_folder(folder);
    }
    (void)close(folder);
    return error == 0 || error == EEXIST ? TR_OK : tr_vfs_fail(call, path, error);
}

static bool is_there(const struct tr_vfs *vfs, const struct tr_mount *mount, const char *plain)
{
    const int folder = tr_beneath_open(vfs, mount->root, plain);
    if (folder >= 0) {
        (void)close(folder);
    }
    return folder >= 0;
}

enum tr_status tr_vfs_make_parents(struct tr_call *call, const struct tr_vfs *vfs,
                                   const struct tr_vfs_spot *spot, const char *path)
{
    const struct tr_mount *mount = spot->place.mount;
    char plain[TR_VFS_PATH_BYTES];
    memcpy(plain, spot->place.path, sizeof(plain));
    TR_TRY(tr_vfs_need(call, spot, path, TR_RIGHT_CREATE));
    for (char *slash = strchr(plain, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!is_there(vfs, mount, plain)) {
            if (!(tr_mount_rights(mount, plain) & TR_RIGHT_CREATE)) {
                return tr_vfs_block(call, "Path blocked: the mount %s allows no folder above %s",
                                    mount->name, path);
            }
            TR_TRY(make_one(call, vfs, mount, plain, path));
        }
        *slash = '/';
    }
    return TR_OK;
}

enum tr_status tr_vfs_make_folder(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                                  bool makes_parents, bool *ret_is_new)
{
    tr_auto(vfs_spot) struct tr_vfs_spot spot = { 0 };
    TR_TRY(tr_vfs_resolve(call, vfs, path, TR_VFS_FOLLOW, &spot));
    TR_TRY(tr_vfs_need(call, &spot, path, TR_RIGHT_CREATE));
    if (spot.exists) {
        *ret_is_new = false;
        return S_ISDIR(spot.found.st_mode) ? TR_OK : tr_vfs_fail(call, path, EEXIST);
    }
    if (!spot.has_folder && !makes_parents) {
        return tr_fail(call, "The folder above is missing: %s; make it first, or ask for parents",
                       path);
    }
    if (!spot.has_folder) {
        TR_TRY(tr_vfs_make_parents(call, vfs, &spot, path));
    }
    TR_TRY(make_one(call, vfs, spot.place.mount, spot.place.path, path));
    *ret_is_new = true;
    return TR_OK;
}

/* ---- moving and deleting ---- */

/* A link, a FIFO, a device: nothing that tools work with. The root is its mount's. */
static enum tr_status need_movable(struct tr_call *call, const struct tr_vfs_spot *spot,
                                   const char *path)
{
    TR_TRY(tr_vfs_need_found(call, spot, path));
    if (spot->place.path[0] == '\0') {
        return tr_vfs_block(call, "Path blocked: %s is the mount itself", path);
    }
    if (!S_ISREG(spot->found.st_mode) && !S_ISDIR(spot->found.st_mode)) {
        return tr_vfs_block(call, "Path blocked: %s is a link or no regular file", path);
    }
    return TR_OK;
}

/* Rights and mounts are bound to paths: what lies below such a path must not get another one. */
static bool has_rules_below(const struct tr_vfs *vfs, const struct tr_vfs_place *place)
{
    const struct tr_mount *mount = place->mount;
    for (size_t i = 0; i < mount->override_count; i++) {
        if (tr_path_is_below(mount->overrides[i].path, place->path)) {
            return true;
        }
    }
    char inner[2 * TR_VFS_PATH_BYTES];
    (void)snprintf(inner, sizeof(inner), "%s%s%s", mount->path, *mount->path != '\0' ? "/" : "",
                   place->path);
    for (size_t i = 0; i < vfs->count; i++) {
        if (&vfs->mounts[i] != mount && tr_path_is_below(vfs->mounts[i].path, inner)) {
            return true;
        }
    }
    return false;
}

static enum tr_status check_folder_move(struct tr_call *call, const struct tr_vfs *vfs,
                                        const struct tr_vfs_spot *from,
                                        const struct tr_vfs_spot *to, const char *path)
{
    if (from->place.mount != to->place.mount) {
        return tr_vfs_block(call, "Path blocked: the folder %s cannot leave its mount", path);
    }
    if (tr_path_is_below(to->place.path, from->place.path)) {
        return tr_fail(call, "A folder cannot be moved into itself: %s", path);
    }
    if (has_rules_below(vfs, &from->place) || has_rules_below(vfs, &to->place)) {
        return tr_vfs_block(
            call, "Path blocked: the rights of %s, or in it, are bound to its place", path);
    }
    if (to->rights != from->rights) {
        return tr_vfs_block(call, "Path blocked: the folder %s would come to other rights", path);
    }
    return TR_OK;
}

static enum tr_status check_target(struct tr_call *call, const struct tr_vfs_spot *from,
                                   const struct tr_vfs_spot *to, const char *path, bool may_replace)
{
    TR_TRY(tr_vfs_need(call, to, path, to->exists ? TR_RIGHT_WRITE : TR_RIGHT_CREATE));
    if (to->exists && S_ISDIR(to->found.st_mode)) {
        return tr_fail(call, "A folder has that name: %s; say the whole new path", path);
    }
    if (to->exists && (!may_replace || !S_ISREG(from->found.st_mode))) {
        return tr_vfs_fail(call, path, EEXIST);
    }
    if (S_ISREG(from->found.st_mode)) {
        TR_TRY(tr_vfs_need_file(call, to, path));
    }
    if (!to->has_folder) {
        return tr_fail(call, "The folder above is missing: %s; make it with directory_create",
                       path);
    }
    const int64_t limit = to->place.mount->max_file_bytes;
    return S_ISDIR(from->found.st_mode) || from->found.st_size <= limit
               ? TR_OK
               : tr_fail(call, "File too large: the mount of %s allows %lld bytes", path,
                         (long long)limit);
}

static int rename_spot(const struct tr_vfs_spot *from, const struct tr_vfs_spot *to)
{
    return to->exists ? renameat(from->folder, from->name, to->folder, to->name)
                      : tr_beneath_rename_new(from->folder, from->name, to->folder, to->name);
}

enum tr_status tr_vfs_move(struct tr_call *call, const struct tr_vfs *vfs, const char *from,
                           const char *to, bool may_replace)
{
    tr_auto(vfs_spot) struct tr_vfs_spot source = { 0 };
    tr_auto(vfs_spot) struct tr_vfs_spot target = { 0 };
    TR_TRY(tr_vfs_resolve(call, vfs, from, TR_VFS_KEEP_LAST, &source));
    TR_TRY(tr_vfs_need(call, &source, from, TR_RIGHT_READ | TR_RIGHT_DELETE));
    TR_TRY(need_movable(call, &source, from));
    TR_TRY(tr_vfs_resolve(call, vfs, to, TR_VFS_FOLLOW, &target));
    TR_TRY(check_target(call, &source, &target, to, may_replace));
    if (S_ISDIR(source.found.st_mode)) {
        TR_TRY(check_folder_move(call, vfs, &source, &target, from));
    }
    if (rename_spot(&source, &target) != 0) {
        if (errno == EXDEV) {
            return tr_fail(call,
                           "Another disk: %s cannot be moved there; write it there and "
                           "delete it here",
                           from);
        }
        return tr_vfs_fail(call, to, errno);
    }
    tr_vfs_flush_folder(source.folder);
    tr_vfs_flush_folder(target.folder);
    return TR_OK;
}

enum tr_status tr_vfs_delete(struct tr_call *call, const struct tr_vfs *vfs, const char *path)
{
    tr_auto(vfs_spot) struct tr_vfs_spot spot = { 0 };
    TR_TRY(tr_vfs_resolve(call, vfs, path, TR_VFS_KEEP_LAST, &spot));
    TR_TRY(tr_vfs_need(call, &spot, path, TR_RIGHT_DELETE));
    TR_TRY(need_movable(call, &spot, path));
    const int flags = S_ISDIR(spot.found.st_mode) ? AT_REMOVEDIR : 0;
    if (unlinkat(spot.folder, spot.name, flags) != 0) {
        return tr_vfs_fail(call, path, errno == EEXIST ? ENOTEMPTY : errno);
    }
    tr_vfs_flush_folder(spot.folder);
    return TR_OK;
}
