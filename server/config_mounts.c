/* One of the steps of loading a configuration: `mounts`. */
#include <stdio.h>

#include "server/config_parts.h"
#include "tools/core/limits.h"
#include "tools/guard/vfs.h"

/* The items are bound as const: the list with the right roots is a new one. */
static enum tr_status find_roots(const struct tr_config_loading *loading)
{
    struct config_file *file = loading->file;
    const size_t count = file->mounts.count;
    struct mount_settings *mounts =
        TR_NEW(&loading->config->arena, struct mount_settings, count + 1);
    if (mounts == NULL) {
        return tr_config_refuse_memory(loading);
    }
    for (size_t i = 0; i < count; i++) {
        mounts[i] = file->mounts.items[i];
        mounts[i].root = tr_config_path(loading, mounts[i].root);
        if (mounts[i].root == NULL) {
            return tr_config_refuse_memory(loading);
        }
    }
    file->mounts.items = mounts;
    return TR_OK;
}

enum tr_status tr_config_read_mounts(const struct tr_config_loading *loading)
{
    TR_TRY(find_roots(loading));
    struct tr_vfs *vfs = NULL;
    struct tr_fault fault = { .where = "" };
    const enum tr_status status =
        tr_vfs_new(loading->file->mounts.items, loading->file->mounts.count, &vfs, &fault);
    tr_vfs_free(vfs);
    if (status == TR_NO_MEMORY) {
        return tr_config_refuse_memory(loading);
    }
    if (status != TR_OK) {
        char pointer[TR_FAULT_WHERE_BYTES + sizeof("/mounts")];
        (void)snprintf(pointer, sizeof(pointer), "/mounts%s", fault.where);
        return tr_config_refuse(loading, pointer, "%s", fault.what);
    }
    return TR_OK;
}
