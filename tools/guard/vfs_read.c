/* One of the files of the virtual file system (see vfs_parts.h): looking at files and reading them.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "tools/core/call.h"
#include "tools/guard/vfs_parts.h"

/* Between two looks whether the call should stop. */
enum { PIECE_BYTES = 1024 * 1024 };

enum tr_status tr_vfs_stat(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                           struct tr_file_info *ret_info)
{
    tr_auto(vfs_spot) struct tr_vfs_spot spot = { 0 };
    TR_TRY(tr_vfs_resolve(call, vfs, path, TR_VFS_FOLLOW, &spot));
    TR_TRY(tr_vfs_need(call, &spot, path, TR_RIGHT_READ));
    TR_TRY(tr_vfs_need_found(call, &spot, path));
    *ret_info = tr_vfs_info(&spot.found, spot.rights);
    return TR_OK;
}

static enum tr_status refuse_size(struct tr_call *call, const char *path, int64_t size,
                                  int64_t limit)
{
    return tr_fail(call, "File too large: %s has %lld bytes, its mount allows %lld", path,
                   (long long)size, (long long)limit);
}

/* What is open is judged, whatever was there when it was looked up. Without O_NONBLOCK a FIFO that
 * came in between would hold the thread. */
static enum tr_status open_spot(struct tr_call *call, const struct tr_vfs_spot *spot,
                                const char *path, struct tr_vfs_file *out)
{
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const int fd = openat(spot->folder, spot->name, flags);
    if (fd < 0) {
        return tr_vfs_fail(call, path, errno);
    }
    out->fd = fd;
    out->is_open = true;
    struct stat found;
    if (fstat(fd, &found) != 0) {
        return tr_vfs_fail(call, path, errno);
    }
    if (!S_ISREG(found.st_mode)) {
        return tr_vfs_block(call, "Path blocked: %s is no regular file", path);
    }
    out->info = tr_vfs_info(&found, spot->rights);
    const int64_t limit = spot->place.mount->max_file_bytes;
    return out->info.size_bytes <= limit ? TR_OK
                                         : refuse_size(call, path, out->info.size_bytes, limit);
}

enum tr_status tr_vfs_open(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                           struct tr_vfs_file *ret_file)
{
    tr_auto(vfs_spot) struct tr_vfs_spot spot = { 0 };
    TR_TRY(tr_vfs_resolve(call, vfs, path, TR_VFS_FOLLOW, &spot));
    TR_TRY(tr_vfs_need(call, &spot, path, TR_RIGHT_READ));
    TR_TRY(tr_vfs_need_found(call, &spot, path));
    TR_TRY(tr_vfs_need_file(call, &spot, path));
    struct tr_vfs_file file = { 0 };
    const enum tr_status status = open_spot(call, &spot, path, &file);
    if (status != TR_OK) {
        tr_vfs_close(&file);
        return status;
    }
    *ret_file = file;
    return TR_OK;
}

void tr_vfs_close(struct tr_vfs_file *file)
{
    if (file->is_open) {
        (void)close(file->fd);
    }
    *file = (struct tr_vfs_file){ 0 };
}

enum tr_status tr_vfs_read(struct tr_call *call, const struct tr_vfs_file *file, int64_t offset,
                           void *buffer, size_t room, size_t *ret_got)
{
    size_t got = 0;
    while (got < room) {
        TR_TRY(tr_vfs_check_stop(call));
        const size_t want = room - got < PIECE_BYTES ? room - got : PIECE_BYTES;
        const ssize_t count =
            pread(file->fd, (unsigned char *)buffer + got, want, (off_t)(offset + (int64_t)got));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return tr_vfs_fail(call, "the file", errno);
        }
        if (count == 0) {
            break;
        }
        got += (size_t)count;
    }
    *ret_got = got;
    return TR_OK;
}

enum tr_status tr_vfs_read_all(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                               size_t limit_bytes, struct tr_vfs_content *ret_content)
{
    tr_auto(vfs_file) struct tr_vfs_file file = { 0 };
    TR_TRY(tr_vfs_open(call, vfs, path, &file));
    if ((uint64_t)file.info.size_bytes > limit_bytes) {
        return tr_fail(call, "File too large: %s has %lld bytes, this tool takes %zu", path,
                       (long long)file.info.size_bytes, limit_bytes);
    }
    const size_t size = (size_t)file.info.size_bytes;
    char *bytes = tr_alloc(call, size + 1, 1);
    if (bytes == NULL) {
        return TR_NO_MEMORY;
    }
    size_t got = 0;
    TR_TRY(tr_vfs_read(call, &file, 0, bytes, size, &got));
    bytes[got] = '\0';
    *ret_content = (struct tr_vfs_content){ .bytes = bytes, .length = got, .info = file.info };
    return TR_OK;
}
