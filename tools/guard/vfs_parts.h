/* vfs_parts.h - how the files of the virtual file system work together. For vfs*.c and their tests
 * alone. */
#ifndef TR_TOOLS_GUARD_VFS_PARTS_H
#define TR_TOOLS_GUARD_VFS_PARTS_H

#include <pthread.h>
#include <sys/stat.h>

#include "tools/core/arena.h"
#include "tools/guard/mount_settings.h"
#include "tools/guard/vfs.h"

enum { TR_VFS_LOCKS = 16 };

/* What the names of temporary files start with; they do not exist for tools. */
#define TR_VFS_TEMPORARY ".toolrest-"

struct tr_mount_override {
    const char *path; /* plain: "archive/2024" */
    unsigned rights;
};

struct tr_mount {
    const char *name; /* as it is shown: "/data" */
    const char *path; /* plain: "data"; "" for "/" */
    int root;         /* an open folder */
    unsigned rights;
    const struct tr_mount_override *overrides;
    size_t override_count;
    int64_t max_file_bytes;
    const char *const *hidden;
    size_t hidden_count;
};

struct tr_vfs {
    struct tr_arena arena;
    struct tr_mount *mounts; /* in the order in which they were given */
    size_t count;
    bool walks;             /* there is no openat2() */
    pthread_mutex_t *locks; /* TR_VFS_LOCKS; each for the files whose path has its hash */
};

/* ---- vfs_mount.c ---- */

/* Fill `out` from what the operator wrote as `mounts`[index]; opens the root. Memory from `arena`.
 */
TR_MUST_USE enum tr_status tr_mount_init(const struct mount_settings *settings, size_t index,
                                         struct tr_arena *arena, struct tr_mount *out,
                                         struct tr_fault *reterr);

/* What is allowed at the plain path `path` below the mount. */
unsigned tr_mount_rights(const struct tr_mount *mount, const char *path);

/* Does the name, a single component, not exist for tools? */
bool tr_mount_hides(const struct tr_mount *mount, const char *name, size_t length);

/* ---- vfs_path.c: paths as texts, nothing is looked up ---- */

/* A place below a mount. */
struct tr_vfs_place {
    const struct tr_mount *mount;
    bool is_folder;               /* it was written with a slash at its end */
    char path[TR_VFS_PATH_BYTES]; /* below the root: "a/b", "" for the root; ".." may be in it */
};

enum tr_path_verdict {
    TR_PATH_FINE,
    TR_PATH_EMPTY,
    TR_PATH_TOO_LONG,
    TR_PATH_NOT_UTF8,
    TR_PATH_NO_MOUNT,
};

/* Find the place of a virtual path. `ret_place` is written when the path is fine. */
enum tr_path_verdict tr_vfs_place(const struct tr_vfs *vfs, const char *path, size_t length,
                                  struct tr_vfs_place *ret_place);

/* `text` without its empty and "." components and outer slashes; false when it does not fit. */
TR_MUST_USE bool tr_path_plain(const char *text, size_t length, char out[TR_VFS_PATH_BYTES]);

/* Is the plain path `path` the folder `folder`, or below it? "" is the folder of everything. */
bool tr_path_is_below(const char *path, const char *folder);

/* Does the plain path have a component ".."? */
bool tr_path_climbs(const char *path);

/* Is any component of the plain path hidden by the mount? */
bool tr_path_is_hidden(const struct tr_mount *mount, const char *path);

/* Does the mount still hold the place, or is it another one's by the longer name? */
bool tr_vfs_owns(const struct tr_vfs *vfs, const struct tr_mount *mount, const char *path);

/* ---- vfs_beneath.c: what POSIX has no words for; each gives -1 and errno on failure ---- */

/* Open the folder at the plain path below `root` so that only its path counts: without following
 * any link (ELOOP) and without leaving the root (EXDEV). "" is the root itself. */
int tr_beneath_open(const struct tr_vfs *vfs, int root, const char *path);

/* Does the kernel have openat2(), and is it allowed here? */
bool tr_beneath_is_supported(int root);

/* Rename within the two open folders; refuses with EEXIST when `to` is there. */
int tr_beneath_rename_new(int from_folder, const char *from, int to_folder, const char *to);

/* ---- vfs_resolve.c ---- */

/* A place that was looked up: its open folder and its name in there, which is no link and not "..",
 * unless links were to be left alone. For the root itself the name is ".". It points into itself:
 * not to be copied. */
struct tr_vfs_spot {
    struct tr_vfs_place place; /* its path is plain, without links and ".." */
    bool has_folder;           /* false: the folder does not exist */
    int folder;
    const char *name; /* in place.path, or "." */
    bool exists;
    bool is_hidden;    /* and therefore does not exist */
    struct stat found; /* when it exists */
    unsigned rights;
};

enum tr_vfs_links { TR_VFS_FOLLOW, TR_VFS_KEEP_LAST };

/* Look `path` up. A spot that does not exist is no failure. */
TR_MUST_USE enum tr_status tr_vfs_resolve(struct tr_call *call, const struct tr_vfs *vfs,
                                          const char *path, enum tr_vfs_links links,
                                          struct tr_vfs_spot *ret_spot);
void tr_vfs_spot_done(struct tr_vfs_spot *spot);

static inline void tr_vfs_spot_drop(struct tr_vfs_spot *spot)
{
    tr_vfs_spot_done(spot);
}

struct tr_file_info tr_vfs_info(const struct stat *found, unsigned rights);

/* ---- vfs_fault.c: every sentence ---- */

/* "What no mount or right allows": the sentence is `format`. */
TR_PRINTF(2, 3)
enum tr_status tr_vfs_block(struct tr_call *call, const char *format, ...);

/* Why the file system refused `path`. */
enum tr_status tr_vfs_fail(struct tr_call *call, const char *path, int error);

/* The path was no place. */
enum tr_status tr_vfs_fail_path(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                                enum tr_path_verdict verdict);

/* TR_OK when `spot` has every right of `rights`; else blocked, with the right that lacks. */
TR_MUST_USE enum tr_status tr_vfs_need(struct tr_call *call, const struct tr_vfs_spot *spot,
                                       const char *path, unsigned rights);

/* TR_OK when the spot is there. */
TR_MUST_USE enum tr_status tr_vfs_need_found(struct tr_call *call, const struct tr_vfs_spot *spot,
                                             const char *path);

/* TR_OK when the spot may be a regular file: it is one, or is not there and not written as a
 * folder. */
TR_MUST_USE enum tr_status tr_vfs_need_file(struct tr_call *call, const struct tr_vfs_spot *spot,
                                            const char *path);

/* Why a long operation should stop: TR_OK when it should not. */
TR_MUST_USE enum tr_status tr_vfs_check_stop(const struct tr_call *call);

#endif
