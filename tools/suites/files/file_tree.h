/* file_tree.h - everything below a folder, in order, within bounds. */
#ifndef TR_TOOLS_SUITES_FILES_FILE_TREE_H
#define TR_TOOLS_SUITES_FILES_FILE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"
#include "tools/guard/vfs.h"

struct tr_call;

/* Both texts live as long as the call. */
struct file_tree_entry {
    const char *path; /* the folder as it was given, and what follows */
    const char *name;
    struct tr_file_info info;
};

/* One walk; fill in all but the last three. */
struct file_tree {
    struct tr_call *call;
    const struct tr_vfs *vfs;
    int64_t depth; /* 1: the folder alone */
    size_t limit;  /* entries that are visited at most */

    /* For each entry, a folder before what is in it; what is not TR_OK ends the walk. */
    enum tr_status (*visit)(void *context, const struct file_tree_entry *entry);
    void *context;

    bool is_done; /* set by visit(): enough was seen */
    bool is_full; /* there was more than the limit */
    size_t seen;
};

/* Visit what is below `folder`, the entries of each folder by their names. Links are visited but
 * not followed; a folder below that cannot be read is visited but not entered. */
TR_MUST_USE enum tr_status tr_file_tree_walk(struct file_tree *tree, const char *folder);

#endif
