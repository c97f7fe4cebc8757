#include "tools/suites/files/file_tree.h"

#include <stdlib.h>
#include <string.h>

#include "tools/core/call.h"
#include "tools/suites/files/files.h"

enum { STOP_INTERVAL = 64 };

/* The entries of one folder, in the call's memory. */
struct batch {
    struct file_tree_entry *items;
    size_t count, room;
};

static bool make_room(struct tr_call *call, struct batch *batch)
{
    if (batch->count < batch->room) {
        return true;
    }
    const size_t room = batch->room != 0 ? 2 * batch->room : 32;
    struct file_tree_entry *items = TR_NEW(&call->arena, struct file_tree_entry, room);
    if (items == NULL) {
        return false;
    }
    if (batch->count != 0) {
        memcpy(items, batch->items, batch->count * sizeof(*items));
    }
    batch->items = items;
    batch->room = room;
    return true;
}

static enum tr_status add(struct file_tree *tree, const char *folder,
                          const struct tr_vfs_entry *found, struct batch *batch)
{
    const char *path = tr_file_join(tree->call, folder, found->name);
    if (path == NULL || !make_room(tree->call, batch)) {
        return TR_NO_MEMORY;
    }
    batch->items[batch->count++] = (struct file_tree_entry){
        .path = path,
        .name = path + strlen(path) - strlen(found->name),
        .info = found->info,
    };
    return TR_OK;
}

/* The folder is closed again before any other is opened: a deep tree holds one descriptor. */
static enum tr_status read_folder(struct file_tree *tree, const char *folder, struct batch *batch)
{
    tr_auto(vfs_folder) struct tr_vfs_folder open = { .stream = NULL };
    TR_TRY(tr_vfs_open_folder(tree->call, tree->vfs, folder, &open));
    struct tr_vfs_entry found;
    while (tr_vfs_next(&open, &found)) {
        if (tree->seen >= tree->limit) {
            tree->is_full = true;
            return TR_OK;
        }
        tree->seen++;
        if (tree->seen % STOP_INTERVAL == 0 && tr_call_should_stop(tree->call)) {
            return TR_TIMEOUT;
        }
        TR_TRY(add(tree, folder, &found, batch));
    }
    return TR_OK;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct file_tree_entry *)left)->name,
                  ((const struct file_tree_entry *)right)->name);
}

static enum tr_status walk(struct file_tree *tree, const char *folder, int64_t depth);

static enum tr_status enter(struct file_tree *tree, const char *folder, int64_t depth)
{
    const enum tr_status status = walk(tree, folder, depth);
    if (status == TR_TOOL_FAILED || status == TR_PATH_BLOCKED) {
        tree->call->failure = NULL;
        return TR_OK;
    }
    return status;
}

static enum tr_status walk(struct file_tree *tree, const char *folder, int64_t depth)
{
    struct batch batch = { .items = NULL };
    TR_TRY(read_folder(tree, folder, &batch));
    if (batch.count != 0) {
        qsort(batch.items, batch.count, sizeof(*batch.items), by_name);
    }
    for (size_t i = 0; i < batch.count && !tree->is_done; i++) {
        const struct file_tree_entry *entry = &batch.items[i];
        TR_TRY(tree->visit(tree->context, entry));
        if (entry->info.kind == TR_FILE_FOLDER && depth > 1 && !tree->is_done) {
            TR_TRY(enter(tree, entry->path, depth - 1));
        }
    }
    return TR_OK;
}

enum tr_status tr_file_tree_walk(struct file_tree *tree, const char *folder)
{
    return walk(tree, folder, tree->depth);
}
