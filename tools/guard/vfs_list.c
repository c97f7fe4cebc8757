/* One of the files of the virtual file system (see vfs_parts.h): what is in a folder. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/utf8.h"
#include "tools/guard/vfs_parts.h"

static enum tr_status open_stream(struct tr_call *call, const struct tr_vfs_spot *spot,
                                  const char *path, struct tr_vfs_folder *out)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const int fd = openat(spot->folder, spot->name, flags);
    if (fd < 0) {
        return tr_vfs_fail(call, path, errno);
    }
    DIR *stream = fdopendir(fd);
    if (stream == NULL) {
        const int error = errno;
        (void)close(fd);
        return tr_vfs_fail(call, path, error);
    }
    *out = (struct tr_vfs_folder){
        .stream = stream,
        .mount = spot->place.mount,
        .rights = spot->rights,
    };
    return TR_OK;
}

enum tr_status tr_vfs_open_folder(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                                  struct tr_vfs_folder *ret_folder)
{
    tr_auto(vfs_spot) struct tr_vfs_spot spot = { 0 };
    TR_TRY(tr_vfs_resolve(call, vfs, path, TR_VFS_FOLLOW, &spot));
    TR_TRY(tr_vfs_need(call, &spot, path, TR_RIGHT_READ));
    TR_TRY(tr_vfs_need_found(call, &spot, path));
    if (!S_ISDIR(spot.found.st_mode)) {
        return tr_vfs_fail(call, path, ENOTDIR);
    }
    return open_stream(call, &spot, path, ret_folder);
}

static bool is_utf8(const char *name)
{
    size_t length = strlen(name);
    while (length != 0) {
        const size_t step = tr_utf8_next(name, length, NULL);
        if (step == 0) {
            return false;
        }
        name += step;
        length -= step;
    }
    return true;
}

static bool is_shown(const struct tr_vfs_folder *folder, const char *name)
{
    const size_t length = strlen(name);
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && length < TR_VFS_NAME_BYTES
           && is_utf8(name) && !tr_mount_hides(folder->mount, name, length);
}

bool tr_vfs_next(struct tr_vfs_folder *folder, struct tr_vfs_entry *ret_entry)
{
    for (;;) {
        const struct dirent *found = readdir(folder->stream);
        if (found == NULL) {
            return false;
        }
        struct stat about;
        /* What has gone since is passed over. */
        if (!is_shown(folder, found->d_name)
            || fstatat(dirfd(folder->stream), found->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        memcpy(ret_entry->name, found->d_name, strlen(found->d_name) + 1);
        ret_entry->info = tr_vfs_info(&about, folder->rights);
        return true;
    }
}

void tr_vfs_close_folder(struct tr_vfs_folder *folder)
{
    if (folder->stream != NULL) {
        (void)closedir(folder->stream);
    }
    *folder = (struct tr_vfs_folder){ .stream = NULL };
}
