/* vfs.h - the virtual file system: the only way of a tool to a file.
 *
 * Mounts map virtual folders to physical ones, with rights; of two mounts that hold a path the one
 * with the longer name wins. A virtual path is UTF-8 without NUL, "/data/notes.txt"; without the
 * first slash it starts at "/" all the same. "." and empty components are passed over; ".." is the
 * folder that the path has come to, not a text to cut, and never leaves the mount.
 *
 * Symbolic links that stay below the mount's root are followed, relative ones alone; all others are
 * refused. A path is first made plain (no link, no ".."), rights and hidden names are judged on the
 * plain path, and then its folder is opened by openat2() in a way in which the kernel follows no
 * link and leaves no root: who swaps a folder for a link in between makes the call fail, no more.
 * Where the kernel has no openat2() the folders are opened one by one with O_NOFOLLOW.
 *
 * Only regular files are read or written. A hard link cannot be told from the file it names: who
 * can make one below a root makes its file readable there. No physical path appears in any
 * sentence.
 *
 * Every function below that takes a call ends with TR_OK, or says why not, in a sentence with the
 * virtual path: TR_PATH_BLOCKED for what no mount or right allows, TR_TOOL_FAILED for what the
 * file system refuses ("File not found: /data/missing.txt"), TR_CANCELLED or TR_TIMEOUT where
 * it was asked to stop. Hand the status on. */
#ifndef TR_TOOLS_GUARD_VFS_H
#define TR_TOOLS_GUARD_VFS_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct mount_settings;
struct tr_call;
struct tr_vfs; /* immutable after tr_vfs_new(); usable from any thread */

enum {
    TR_VFS_PATH_BYTES = 4096, /* of a virtual path, with its NUL */
    TR_VFS_NAME_BYTES = 256,  /* of one component, with its NUL */
};

/* ---- mounts ---- */

/* Bits of a mount's rights. */
enum tr_right {
    TR_RIGHT_READ = 1u << 0,   /* read files, list folders */
    TR_RIGHT_WRITE = 1u << 1,  /* change files that are there */
    TR_RIGHT_CREATE = 1u << 2, /* add files and folders */
    TR_RIGHT_DELETE = 1u << 3, /* remove, or move away */
};

/* Open the mounts; no mounts are well too. Refuses with TR_INVALID_PARAMETERS, `where` being a
 * JSON Pointer into the list as "/1/root", a path that is not absolute and plain or is there twice,
 * a root that is no folder, an override that is no plain path below its mount or is there twice,
 * and a hidden name that is none. Borrows nothing. TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_vfs_new(const struct mount_settings *mounts, size_t count,
                                      struct tr_vfs **ret_vfs, struct tr_fault *reterr);
void tr_vfs_free(struct tr_vfs *vfs); /* NULL is accepted */

/* Resolve as on a kernel without openat2(), from now on. For tests, before the first call. */
void tr_vfs_walk(struct tr_vfs *vfs);

struct tr_mount_info {
    const char *path;
    unsigned rights;
    int64_t max_file_bytes;
};
TR_EXPORT size_t tr_vfs_mount_count(const struct tr_vfs *vfs);
TR_EXPORT struct tr_mount_info tr_vfs_mount(const struct tr_vfs *vfs, size_t index);

/* ---- looking ---- */

enum tr_file_kind { TR_FILE_NONE, TR_FILE_REGULAR, TR_FILE_FOLDER, TR_FILE_LINK, TR_FILE_OTHER };

struct tr_file_info {
    enum tr_file_kind kind;
    int64_t size_bytes;      /* of a regular file; else 0 */
    int64_t modified_ns;     /* since 1970, UTC */
    uint64_t device, number; /* the two name a file on its machine, whatever its path */
    unsigned rights;         /* what the mount allows at this place */
};

/* What is at `path`; links are followed. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_stat(struct tr_call *call, const struct tr_vfs *vfs,
                                                 const char *path, struct tr_file_info *ret_info);

/* An open folder. One that is zeroed is closed. */
struct tr_vfs_folder {
    DIR *stream;
    const struct tr_mount *mount;
    unsigned rights;
};

struct tr_vfs_entry {
    char name[TR_VFS_NAME_BYTES];
    struct tr_file_info info; /* of a link: of the link itself */
};

/* Open `path` for listing. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_open_folder(struct tr_call *call,
                                                        const struct tr_vfs *vfs, const char *path,
                                                        struct tr_vfs_folder *ret_folder);

/* The next entry, in no order, without "." and "..", hidden names, and names that are not UTF-8;
 * false at the end. */
TR_EXPORT bool tr_vfs_next(struct tr_vfs_folder *folder, struct tr_vfs_entry *ret_entry);
TR_EXPORT void tr_vfs_close_folder(struct tr_vfs_folder *folder);

/* ---- reading ---- */

/* An open regular file. One that is zeroed is closed. */
struct tr_vfs_file {
    bool is_open;
    int fd;
    struct tr_file_info info;
};

/* Open `path` for reading: a regular file no larger than the mount's limit. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_open(struct tr_call *call, const struct tr_vfs *vfs,
                                                 const char *path, struct tr_vfs_file *ret_file);
TR_EXPORT void tr_vfs_close(struct tr_vfs_file *file);

/* Up to `room` bytes from `offset` on, fewer only at the end of the file; *ret_got says how many.
 */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_read(struct tr_call *call,
                                                 const struct tr_vfs_file *file, int64_t offset,
                                                 void *buffer, size_t room, size_t *ret_got);

/* A file's bytes in the call's memory, with a NUL behind. */
struct tr_vfs_content {
    const char *bytes;
    size_t length;
    struct tr_file_info info;
};

/* The whole of `path`, which must not be larger than `limit_bytes`. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_read_all(struct tr_call *call, const struct tr_vfs *vfs,
                                                     const char *path, size_t limit_bytes,
                                                     struct tr_vfs_content *ret_content);

/* ---- changing; a file is changed as a whole or not at all ---- */

enum tr_write_mode {
    TR_WRITE_CREATE,  /* refuses a file that is there */
    TR_WRITE_REPLACE, /* or creates */
    TR_WRITE_APPEND,  /* or creates */
};

struct tr_vfs_change {
    enum tr_write_mode mode;
    const char *bytes;
    size_t length;
    bool makes_parents;
    /* Refuse when the file is no longer as it was then; NULL: however it is. */
    const struct tr_file_info *unless_changed;
};

struct tr_vfs_changed {
    bool is_new;
    int64_t size_bytes;
};

/* Write a temporary file beside it, flush it to the disk and put it in the place of `path`. The new
 * file keeps mode and owner of the old one; other hard links of the old one keep the old content.
 * Calls that change the same file do so one after the other. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_write(struct tr_call *call, const struct tr_vfs *vfs,
                                                  const char *path,
                                                  const struct tr_vfs_change *change,
                                                  struct tr_vfs_changed *ret_changed);

/* Make a folder; one that is there already is well. *ret_is_new says which. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_make_folder(struct tr_call *call,
                                                        const struct tr_vfs *vfs, const char *path,
                                                        bool makes_parents, bool *ret_is_new);

/* Move a regular file, or a folder within its mount, reading and deleting being allowed where it
 * is. A file that is there is replaced only when `may_replace`, a folder never. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_move(struct tr_call *call, const struct tr_vfs *vfs,
                                                 const char *from, const char *to,
                                                 bool may_replace);

/* Delete a regular file or an empty folder. */
TR_EXPORT TR_MUST_USE enum tr_status tr_vfs_delete(struct tr_call *call, const struct tr_vfs *vfs,
                                                   const char *path);

static inline void tr_vfs_file_drop(struct tr_vfs_file *file)
{
    tr_vfs_close(file);
}

static inline void tr_vfs_folder_drop(struct tr_vfs_folder *folder)
{
    tr_vfs_close_folder(folder);
}

#endif
