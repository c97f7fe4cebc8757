/* One of the files of the virtual file system (see vfs_parts.h): why something was refused, in
 * words that hold no physical path. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/core/call.h"
#include "tools/core/text.h"
#include "tools/guard/vfs_parts.h"

/* The list of mounts, for who asked for a path that none of them has. */
enum { MAX_LIST_BYTES = 1024 };

enum tr_status tr_vfs_block(struct tr_call *call, const char *format, ...)
{
    char text[TR_VFS_PATH_BYTES + MAX_LIST_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    (void)tr_fail(call, "%s", text);
    return TR_PATH_BLOCKED;
}

static enum tr_status block_mounts(struct tr_call *call, const struct tr_vfs *vfs, const char *path)
{
    if (vfs->count == 0) {
        return tr_vfs_block(call, "There are no files here: the operator has mounted no folder");
    }
    tr_auto(text) struct tr_text list;
    tr_text_init(&list, MAX_LIST_BYTES);
    for (size_t i = 0; i < vfs->count && list.status == TR_OK; i++) {
        tr_text_printf(&list, "%s%s", i == 0 ? "" : ", ", vfs->mounts[i].name);
    }
    const bool is_whole = list.status == TR_OK;
    return tr_vfs_block(call, "Path blocked: %s is below no mount. %s%s", path,
                        is_whole ? "There are: " : "The tool list_mounts tells them",
                        is_whole ? tr_text_string(&list) : "");
}

enum tr_status tr_vfs_fail_path(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                                enum tr_path_verdict verdict)
{
    switch (verdict) {
    case TR_PATH_EMPTY: return tr_vfs_block(call, "Path blocked: it is empty");
    case TR_PATH_TOO_LONG:
        return tr_vfs_block(call,
                            "Path blocked: it or one of its names is too long (%d bytes, "
                            "%d for a name)",
                            TR_VFS_PATH_BYTES - 1, TR_VFS_NAME_BYTES - 1);
    case TR_PATH_NOT_UTF8: return tr_vfs_block(call, "Path blocked: it is not UTF-8 text");
    case TR_PATH_FINE:
    case TR_PATH_NO_MOUNT: break;
    }
    return block_mounts(call, vfs, path);
}

/* What is not worth a sentence of its own. */
static enum tr_status fail_otherwise(struct tr_call *call, const char *path, int error)
{
    char reason[128];
    if (strerror_r(error, reason, sizeof(reason)) != 0) {
        (void)snprintf(reason, sizeof(reason), "error %d", error);
    }
    return tr_fail(call, "The file system refuses %s: %s", path, reason);
}

enum tr_status tr_vfs_fail(struct tr_call *call, const char *path, int error)
{
    switch (error) {
    case ENOENT: return tr_fail(call, "File not found: %s", path);
    case EEXIST: return tr_fail(call, "File exists already: %s", path);
    case ENOTDIR:
        return tr_fail(
            call, "Not a folder: %s, or a folder in it; directory_list shows what there is", path);
    case EISDIR: return tr_fail(call, "Is a folder, not a file: %s", path);
    case ENOTEMPTY:
        return tr_fail(call, "Folder is not empty: %s; delete what is in it first", path);
    case ENAMETOOLONG: return tr_fail(call, "The name is too long: %s", path);
    case EACCES:
    case EPERM:
        return tr_fail(call, "No permission: the gateway itself may not do that with %s", path);
    case EROFS: return tr_fail(call, "The file system of %s is read only", path);
    case ENOSPC:
    case EDQUOT:
        return tr_fail(call, "The disk is full: %s was left as it was; delete something first",
                       path);
    case EFBIG: return tr_fail(call, "The file would become too large: %s", path);
    case EMFILE:
    case ENFILE: return TR_BUSY;
    case ENOMEM: return TR_NO_MEMORY;
    case EXDEV: return tr_vfs_block(call, "Path blocked: %s leads out of its mount", path);
    case ELOOP: return tr_vfs_block(call, "Path blocked: %s leads through too many links", path);
    default: return fail_otherwise(call, path, error);
    }
}

static const char *first_right(unsigned rights)
{
    static const char *const names[] = { "reading", "changing", "creating", "deleting" };
    for (size_t i = 0; i < TR_COUNT_OF(names); i++) {
        if (rights & 1u << i) {
            return names[i];
        }
    }
    return "anything";
}

enum tr_status tr_vfs_need(struct tr_call *call, const struct tr_vfs_spot *spot, const char *path,
                           unsigned rights)
{
    const unsigned missing = rights & ~spot->rights;
    if (missing != 0) {
        return tr_vfs_block(call, "Path blocked: the mount %s does not allow %s %s",
                            spot->place.mount->name, first_right(missing), path);
    }
    if (spot->is_hidden && (rights & TR_RIGHT_CREATE)) {
        return tr_vfs_block(call, "Path blocked: the mount %s does not allow the name of %s",
                            spot->place.mount->name, path);
    }
    return TR_OK;
}

enum tr_status tr_vfs_need_found(struct tr_call *call, const struct tr_vfs_spot *spot,
                                 const char *path)
{
    return spot->exists ? TR_OK : tr_vfs_fail(call, path, ENOENT);
}

enum tr_status tr_vfs_need_file(struct tr_call *call, const struct tr_vfs_spot *spot,
                                const char *path)
{
    if (!spot->exists) {
        return spot->place.is_folder ? tr_vfs_fail(call, path, EISDIR) : TR_OK;
    }
    if (S_ISDIR(spot->found.st_mode)) {
        return tr_vfs_fail(call, path, EISDIR);
    }
    if (!S_ISREG(spot->found.st_mode)) {
        return tr_vfs_block(call, "Path blocked: %s is no regular file", path);
    }
    return TR_OK;
}

enum tr_status tr_vfs_check_stop(const struct tr_call *call)
{
    if (!tr_call_should_stop(call)) {
        return TR_OK;
    }
    return atomic_load_explicit(&call->is_cancelled, memory_order_relaxed) ? TR_CANCELLED
                                                                           : TR_TIMEOUT;
}
