/* vfs_change.h - what the files of the virtual file system that change something share. */
#ifndef TR_TOOLS_GUARD_VFS_CHANGE_H
#define TR_TOOLS_GUARD_VFS_CHANGE_H

#include "tools/guard/vfs_parts.h"

/* Somebody else changed `path` between two looks. */
enum tr_status tr_vfs_fail_changed(struct tr_call *call, const char *path);

/* Make the folders above a spot whose folder is not there. */
TR_MUST_USE enum tr_status tr_vfs_make_parents(struct tr_call *call, const struct tr_vfs *vfs,
                                               const struct tr_vfs_spot *spot, const char *path);

/* Ask the disk to keep the names in an open folder; one that cannot be flushed is left alone. */
void tr_vfs_flush_folder(int folder);

/* Lock the place against other calls that change it; unlock what it gives. */
pthread_mutex_t *tr_vfs_lock(const struct tr_vfs *vfs, const struct tr_vfs_place *place);

#endif
