/* One of the files of the virtual file system (see vfs_parts.h): writing a file as a whole.
 *
 * The bytes go to a temporary file in the same folder, which is flushed and then renamed: whatever
 * happens on the way, under the name of the file there is the old content or the new one. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/call.h"
#include "tools/core/clock.h"
#include "tools/guard/vfs_change.h"
#include "tools/guard/vfs_parts.h"

enum { PIECE_BYTES = 256 * 1024, MAX_NAMES = 100 };
enum { NEW_FILE_MODE = 0644, MODE_BITS = 0777 };

/* One file in the making. */
struct making {
    struct tr_call *call;
    const struct tr_vfs_change *change;
    const struct tr_vfs_spot *spot;
    const char *path; /* as the caller wrote it */
    int fd;           /* of the temporary file */
    char temporary[64];
};

/* ---- the temporary file ---- */

/* Unlike any name that is there: the kernel says so. */
static enum tr_status open_temporary(struct making *making)
{
    static atomic_uint counter;
    for (int names = 0; names < MAX_NAMES; names++) {
        (void)snprintf(making->temporary, sizeof(making->temporary),
                       TR_VFS_TEMPORARY "%ld-%u-%llx.tmp", (long)getpid(),
                       atomic_fetch_add(&counter, 1), (unsigned long long)tr_clock_real_ms());
        making->fd = openat(making->spot->folder, making->temporary,
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, NEW_FILE_MODE);
        if (making->fd >= 0) {
            return TR_OK;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return tr_vfs_fail(making->call, making->path, errno);
}

static enum tr_status write_bytes(const struct making *making, const char *bytes, size_t length)
{
    while (length != 0) {
        TR_TRY(tr_vfs_check_stop(making->call));
        const ssize_t count = write(making->fd, bytes, length < PIECE_BYTES ? length : PIECE_BYTES);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return tr_vfs_fail(making->call, making->path, count < 0 ? errno : ENOSPC);
        }
        bytes += count;
        length -= (size_t)count;
    }
    return TR_OK;
}

static enum tr_status copy_bytes(const struct making *making, int from)
{
    char piece[64 * 1024];
    for (;;) {
        const ssize_t count = read(from, piece, sizeof(piece));
        if (count == 0) {
            return TR_OK;
        }
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return tr_vfs_fail(making->call, making->path, errno);
        }
        TR_TRY(write_bytes(making, piece, (size_t)count));
    }
}

static enum tr_status copy_old(const struct making *making)
{
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const int from = openat(making->spot->folder, making->spot->name, flags);
    struct stat found;
    if (from < 0) {
        return tr_vfs_fail(making->call, making->path, errno);
    }
    const bool is_same = fstat(from, &found) == 0 && found.st_dev == making->spot->found.st_dev
                         && found.st_ino == making->spot->found.st_ino;
    const enum tr_status status =
        is_same ? copy_bytes(making, from) : tr_vfs_fail_changed(making->call, making->path);
    (void)close(from);
    return status;
}

/* A file that replaces another keeps its mode, and its owner where the gateway may give files away.
 */
static enum tr_status dress(const struct making *making)
{
    const struct stat *old = &making->spot->found;
    if (!making->spot->exists) {
        return TR_OK;
    }
    (void)!fchown(making->fd, old->st_uid, old->st_gid);
    return fchmod(making->fd, old->st_mode & MODE_BITS) == 0
               ? TR_OK
               : tr_vfs_fail(making->call, making->path, errno);
}

static enum tr_status fill(const struct making *making)
{
    TR_TRY(dress(making));
    if (making->spot->exists && making->change->mode == TR_WRITE_APPEND) {
        TR_TRY(copy_old(making));
    }
    TR_TRY(write_bytes(making, making->change->bytes, making->change->length));
    return fsync(making->fd) == 0 ? TR_OK : tr_vfs_fail(making->call, making->path, errno);
}

/* ---- taking the place of the file ---- */

static enum tr_status put_in_place(const struct making *making)
{
    const int folder = making->spot->folder;
    const char *name = making->spot->name;
    const int result = making->spot->exists
                           ? renameat(folder, making->temporary, folder, name)
                           : tr_beneath_rename_new(folder, making->temporary, folder, name);
    return result == 0 ? TR_OK : tr_vfs_fail(making->call, making->path, errno);
}

static enum tr_status make_file(struct making *making)
{
    TR_TRY(open_temporary(making));
    enum tr_status status = fill(making);
    if (close(making->fd) != 0 && status == TR_OK) {
        status = tr_vfs_fail(making->call, making->path, errno);
    }
    if (status == TR_OK) {
        status = put_in_place(making);
    }
    if (status != TR_OK) {
        (void)unlinkat(making->spot->folder, making->temporary, 0);
        return status;
    }
    tr_vfs_flush_folder(making->spot->folder);
    return TR_OK;
}

/* ---- may it be written? ---- */

static enum tr_status check_size(const struct making *making, int64_t size)
{
    const int64_t limit = making->spot->place.mount->max_file_bytes;
    return size <= limit
               ? TR_OK
               : tr_fail(making->call,
                         "File too large: %s would have %lld bytes, its mount allows %lld",
                         making->path, (long long)size, (long long)limit);
}

static bool is_as_it_was(const struct tr_vfs_spot *spot, const struct tr_file_info *then)
{
    const struct tr_file_info now = tr_vfs_info(&spot->found, spot->rights);
    return spot->exists && now.device == then->device && now.number == then->number
           && now.size_bytes == then->size_bytes && now.modified_ns == then->modified_ns;
}

static enum tr_status check(const struct making *making, int64_t size)
{
    const struct tr_vfs_spot *spot = making->spot;
    TR_TRY(tr_vfs_need(making->call, spot, making->path,
                       spot->exists ? TR_RIGHT_WRITE : TR_RIGHT_CREATE));
    TR_TRY(tr_vfs_need_file(making->call, spot, making->path));
    if (spot->exists && making->change->mode == TR_WRITE_CREATE) {
        return tr_vfs_fail(making->call, making->path, EEXIST);
    }
    if (making->change->unless_changed != NULL
        && !is_as_it_was(spot, making->change->unless_changed)) {
        return tr_vfs_fail_changed(making->call, making->path);
    }
    return check_size(making, size);
}

/* Under the lock of the path. */
static enum tr_status write_spot(struct tr_call *call, const struct tr_vfs_spot *spot,
                                 const char *path, const struct tr_vfs_change *change,
                                 struct tr_vfs_changed *ret_changed)
{
    struct making making = { .call = call, .change = change, .spot = spot, .path = path };
    const bool is_added = spot->exists && change->mode == TR_WRITE_APPEND;
    const int64_t size = (int64_t)change->length + (is_added ? (int64_t)spot->found.st_size : 0);
    TR_TRY(check(&making, size));
    if (!spot->has_folder) {
        return tr_vfs_fail(call, path, ENOENT);
    }
    TR_TRY(make_file(&making));
    *ret_changed = (struct tr_vfs_changed){ .is_new = !spot->exists, .size_bytes = size };
    return TR_OK;
}

/* The lock is found by the plain path, and the file is looked at again once it is held. */
enum tr_status tr_vfs_write(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                            const struct tr_vfs_change *change, struct tr_vfs_changed *ret_changed)
{
    tr_auto(vfs_spot) struct tr_vfs_spot first = { 0 };
    TR_TRY(tr_vfs_resolve(call, vfs, path, TR_VFS_FOLLOW, &first));
    if (!first.has_folder && change->makes_parents) {
        TR_TRY(tr_vfs_make_parents(call, vfs, &first, path));
    }
    pthread_mutex_t *lock = tr_vfs_lock(vfs, &first.place);
    tr_auto(vfs_spot) struct tr_vfs_spot spot = { 0 };
    enum tr_status status = tr_vfs_resolve(call, vfs, path, TR_VFS_FOLLOW, &spot);
    if (status == TR_OK) {
        status = write_spot(call, &spot, path, change, ret_changed);
    }
    (void)pthread_mutex_unlock(lock);
    return status;
}
