/* One of the files of the virtual file system (see vfs_parts.h): from a virtual path to an open
 * folder and a name in it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/call.h"
#include "tools/guard/vfs_parts.h"

/* Links that one path may lead through, as for the kernel; looks at a path that changes meanwhile.
 */
enum { MAX_LINKS = 40, MAX_LOOKS = 16 };

/* ---- making a path plain: no links, no ".." ---- */

/* Functions give 0, or an errno: EXDEV for a path that leaves its mount. */
struct climb {
    const struct tr_vfs *vfs;
    const struct tr_mount *mount;
    enum tr_vfs_links links;
    int link_count;
    char done[TR_VFS_PATH_BYTES]; /* plain, and no component is a link */
    char todo[TR_VFS_PATH_BYTES]; /* starts there */
};

static int open_done(const struct climb *climb)
{
    return tr_beneath_open(climb->vfs, climb->mount->root, climb->done);
}

static int push(struct climb *climb, const char *name)
{
    const size_t used = strlen(climb->done);
    const size_t length = strlen(name);
    if (used + length + 2 > sizeof(climb->done)) {
        return ENAMETOOLONG;
    }
    char *end = climb->done + used;
    if (used != 0) {
        *end++ = '/';
    }
    memcpy(end, name, length + 1);
    return 0;
}

/* The last component of `done` has to be a folder, or nothing is above it. */
static int go_up(struct climb *climb)
{
    if (climb->done[0] == '\0') {
        return EXDEV;
    }
    const int folder = open_done(climb);
    if (folder < 0) {
        return errno;
    }
    (void)close(folder);
    char *slash = strrchr(climb->done, '/');
    *(slash != NULL ? slash : climb->done) = '\0';
    return 0;
}

/* Where nothing is there are no links either: the rest is plain, unless it turns back. */
static int go_nowhere(struct climb *climb, const char *name)
{
    if (tr_path_climbs(climb->todo)) {
        return ENOENT;
    }
    const int error = push(climb, name);
    if (error != 0 || climb->todo[0] == '\0') {
        return error;
    }
    char rest[TR_VFS_PATH_BYTES];
    memcpy(rest, climb->todo, sizeof(rest));
    climb->todo[0] = '\0';
    return push(climb, rest);
}

/* Go on with what the link says in place of its name. */
static int follow(struct climb *climb, const char *target)
{
    char joined[2 * TR_VFS_PATH_BYTES];
    if (++climb->link_count > MAX_LINKS) {
        return ELOOP;
    }
    if (*target == '/') {
        return EXDEV;
    }
    const size_t length = strlen(target);
    memcpy(joined, target, length);
    joined[length] = '/';
    memcpy(joined + length + 1, climb->todo, strlen(climb->todo) + 1);
    return tr_path_plain(joined, strlen(joined), climb->todo) ? 0 : ENAMETOOLONG;
}

static int go_into(struct climb *climb, const char *name)
{
    char target[TR_VFS_PATH_BYTES];
    const int folder = open_done(climb);
    if (folder < 0) {
        return errno;
    }
    const ssize_t length = readlinkat(folder, name, target, sizeof(target));
    const int error = errno;
    (void)close(folder);
    if (length < 0) {
        return error == EINVAL ? push(climb, name)
                               : (error == ENOENT ? go_nowhere(climb, name) : error);
    }
    if (climb->links == TR_VFS_KEEP_LAST && climb->todo[0] == '\0') {
        return push(climb, name);
    }
    if ((size_t)length >= sizeof(target)) {
        return ENAMETOOLONG;
    }
    target[length] = '\0';
    return follow(climb, target);
}

/* Take the first component off `todo`, which is plain and not empty. */
static void take(struct climb *climb, char name[TR_VFS_NAME_BYTES])
{
    const size_t length = strcspn(climb->todo, "/");
    memcpy(name, climb->todo, length);
    name[length] = '\0';
    const char *rest = climb->todo + length + (climb->todo[length] == '/');
    memmove(climb->todo, rest, strlen(rest) + 1);
}

/* Make `path` plain, in place. It is judged again by who opens it: what was looked at here may have
 * changed since. */
static int make_plain(const struct tr_vfs *vfs, const struct tr_mount *mount,
                      enum tr_vfs_links links, char path[TR_VFS_PATH_BYTES])
{
    struct climb climb = { .vfs = vfs, .mount = mount, .links = links };
    memcpy(climb.todo, path, TR_VFS_PATH_BYTES);
    int error = 0;
    while (error == 0 && climb.todo[0] != '\0') {
        char name[TR_VFS_NAME_BYTES];
        take(&climb, name);
        if (tr_mount_hides(mount, name, strlen(name))) {
            error = ENOENT;
        } else {
            error = strcmp(name, "..") == 0 ? go_up(&climb) : go_into(&climb, name);
        }
    }
    if (error == 0 && !tr_vfs_owns(vfs, mount, climb.done)) {
        error = EXDEV; /* what is there has another mount's folder in front of it */
    }
    memcpy(path, climb.done, TR_VFS_PATH_BYTES);
    return error;
}

/* ---- looking it up ---- */

/* Open the spot's folder and see what has its name. ELOOP: there is a link in the path. */
static int look(const struct tr_vfs *vfs, enum tr_vfs_links links, struct tr_vfs_spot *spot)
{
    char folder[TR_VFS_PATH_BYTES];
    const char *path = spot->place.path;
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    memcpy(folder, path, length);
    folder[length] = '\0';
    spot->name = slash != NULL ? slash + 1 : path;
    if (*path == '\0') {
        spot->name = ".";
    }
    spot->folder = tr_beneath_open(vfs, spot->place.mount->root, folder);
    if (spot->folder < 0) {
        return errno == ENOENT ? 0 : errno;
    }
    spot->has_folder = true;
    spot->exists = fstatat(spot->folder, spot->name, &spot->found, AT_SYMLINK_NOFOLLOW) == 0;
    if (!spot->exists) {
        return errno == ENOENT ? 0 : errno;
    }
    if (links == TR_VFS_FOLLOW && S_ISLNK(spot->found.st_mode)) {
        return ELOOP;
    }
    return spot->place.is_folder && !S_ISDIR(spot->found.st_mode) ? ENOTDIR : 0;
}

static void forget(struct tr_vfs_spot *spot)
{
    if (spot->has_folder) {
        (void)close(spot->folder);
    }
    spot->has_folder = false;
    spot->exists = false;
}

/* Until what was made plain and what is opened are the same. */
static int look_until_plain(const struct tr_vfs *vfs, enum tr_vfs_links links,
                            struct tr_vfs_spot *spot)
{
    char given[TR_VFS_PATH_BYTES];
    memcpy(given, spot->place.path, sizeof(given));
    bool is_plain = !tr_path_climbs(given);
    int error = ELOOP;
    for (int looks = 0; looks < MAX_LOOKS && error == ELOOP; looks++) {
        forget(spot);
        if (!is_plain) {
            memcpy(spot->place.path, given, sizeof(given));
            error = make_plain(vfs, spot->place.mount, links, spot->place.path);
            if (error != 0) {
                continue;
            }
        }
        is_plain = false;
        spot->rights = tr_mount_rights(spot->place.mount, spot->place.path);
        spot->is_hidden = tr_path_is_hidden(spot->place.mount, spot->place.path);
        error = spot->rights == 0 || spot->is_hidden ? 0 : look(vfs, links, spot);
    }
    return error;
}

enum tr_status tr_vfs_resolve(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                              enum tr_vfs_links links, struct tr_vfs_spot *ret_spot)
{
    memset(ret_spot, 0, sizeof(*ret_spot));
    const enum tr_path_verdict verdict = tr_vfs_place(vfs, path, strlen(path), &ret_spot->place);
    if (verdict != TR_PATH_FINE) {
        return tr_vfs_fail_path(call, vfs, path, verdict);
    }
    const int error = look_until_plain(vfs, links, ret_spot);
    if (error != 0) {
        return tr_vfs_fail(call, path, error);
    }
    if (ret_spot->rights == 0) {
        return tr_vfs_need(call, ret_spot, path, TR_RIGHT_READ);
    }
    return TR_OK;
}

void tr_vfs_spot_done(struct tr_vfs_spot *spot)
{
    forget(spot);
}

/* ---- what was found ---- */

static enum tr_file_kind kind_of(mode_t mode)
{
    if (S_ISREG(mode)) {
        return TR_FILE_REGULAR;
    }
    if (S_ISDIR(mode)) {
        return TR_FILE_FOLDER;
    }
    return S_ISLNK(mode) ? TR_FILE_LINK : TR_FILE_OTHER;
}

struct tr_file_info tr_vfs_info(const struct stat *found, unsigned rights)
{
    enum { NS_PER_SECOND = 1000 * 1000 * 1000 };
    return (struct tr_file_info){
        .kind = kind_of(found->st_mode),
        .size_bytes = S_ISREG(found->st_mode) ? (int64_t)found->st_size : 0,
        .modified_ns = (int64_t)found->st_mtim.tv_sec * NS_PER_SECOND + found->st_mtim.tv_nsec,
        .device = found->st_dev,
        .number = found->st_ino,
        .rights = rights,
    };
}
