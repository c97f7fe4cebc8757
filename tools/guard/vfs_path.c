/* One of the files of the virtual file system (see vfs_parts.h): paths as texts. */
#include <string.h>

#include "tools/core/utf8.h"
#include "tools/guard/vfs_parts.h"

static bool is_dot(const char *name, size_t length)
{
    return length == 1 && *name == '.';
}

static bool is_dot_dot(const char *name, size_t length)
{
    return length == 2 && name[0] == '.' && name[1] == '.';
}

bool tr_path_plain(const char *text, size_t length, char out[TR_VFS_PATH_BYTES])
{
    size_t used = 0;
    const char *end = text + length;
    while (text < end) {
        const char *slash = memchr(text, '/', (size_t)(end - text));
        const size_t part = slash != NULL ? (size_t)(slash - text) : (size_t)(end - text);
        if (part != 0 && !is_dot(text, part)) {
            if (part >= TR_VFS_NAME_BYTES || used + part + 2 > TR_VFS_PATH_BYTES) {
                return false;
            }
            if (used != 0) {
                out[used++] = '/';
            }
            memcpy(out + used, text, part);
            used += part;
        }
        text += part + (slash != NULL);
    }
    out[used] = '\0';
    return true;
}

bool tr_path_is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return length == 0
           || (strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/'));
}

bool tr_path_climbs(const char *path)
{
    for (;;) {
        const size_t length = strcspn(path, "/");
        if (is_dot_dot(path, length)) {
            return true;
        }
        if (path[length] == '\0') {
            return false;
        }
        path += length + 1;
    }
}

bool tr_path_is_hidden(const struct tr_mount *mount, const char *path)
{
    for (;;) {
        const size_t length = strcspn(path, "/");
        if (length != 0 && tr_mount_hides(mount, path, length)) {
            return true;
        }
        if (path[length] == '\0') {
            return false;
        }
        path += length + 1;
    }
}

static const struct tr_mount *find_mount(const struct tr_vfs *vfs, const char *path)
{
    const struct tr_mount *best = NULL;
    for (size_t i = 0; i < vfs->count; i++) {
        const struct tr_mount *mount = &vfs->mounts[i];
        if (tr_path_is_below(path, mount->path)
            && (best == NULL || strlen(mount->path) > strlen(best->path))) {
            best = mount;
        }
    }
    return best;
}

bool tr_vfs_owns(const struct tr_vfs *vfs, const struct tr_mount *mount, const char *path)
{
    const size_t prefix = strlen(mount->path);
    for (size_t i = 0; i < vfs->count; i++) {
        const struct tr_mount *other = &vfs->mounts[i];
        if (other == mount || strlen(other->path) <= prefix
            || !tr_path_is_below(other->path, mount->path)) {
            continue;
        }
        const char *inner = other->path + prefix + (prefix != 0);
        if (tr_path_is_below(path, inner)) {
            return false;
        }
    }
    return true;
}

static bool is_utf8(const char *bytes, size_t length)
{
    while (length != 0) {
        const size_t step = tr_utf8_next(bytes, length, NULL);
        if (step == 0 || *bytes == '\0') {
            return false;
        }
        bytes += step;
        length -= step;
    }
    return true;
}

/* Only a folder can be meant by "a/", "a/." and "a/..". */
static bool means_folder(const char *path, size_t length)
{
    size_t last = length;
    while (last != 0 && path[last - 1] != '/') {
        last--;
    }
    const char *name = path + last;
    const size_t rest = length - last;
    return rest == 0 || is_dot(name, rest) || is_dot_dot(name, rest);
}

enum tr_path_verdict tr_vfs_place(const struct tr_vfs *vfs, const char *path, size_t length,
                                  struct tr_vfs_place *ret_place)
{
    char plain[TR_VFS_PATH_BYTES];
    if (length == 0) {
        return TR_PATH_EMPTY;
    }
    if (length >= TR_VFS_PATH_BYTES || !tr_path_plain(path, length, plain)) {
        return TR_PATH_TOO_LONG;
    }
    if (!is_utf8(path, length)) {
        return TR_PATH_NOT_UTF8;
    }
    const struct tr_mount *mount = find_mount(vfs, plain);
    if (mount == NULL) {
        return TR_PATH_NO_MOUNT;
    }
    const size_t prefix = strlen(mount->path);
    const char *rest = plain + prefix + (prefix != 0 && plain[prefix] == '/');
    ret_place->mount = mount;
    ret_place->is_folder = means_folder(path, length);
    memcpy(ret_place->path, rest, strlen(rest) + 1);
    return TR_PATH_FINE;
}
