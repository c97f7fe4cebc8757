/* list_mounts - where files are, and what may be done with them. */
#include "tools/suites/files/files.h"

struct file_mount {
    const char *path;
    TR_SPAN(enum file_right) rights;
    int64_t max_file_bytes;
};

struct list_mounts_response {
    TR_SPAN(struct file_mount) mounts;
};

static const struct tr_field file_mount_fields[] = {
    {
        TR_FIELD(file_mount, path),
        .description = "The folder that paths start with",
        .required = true,
    },
    {
        TR_LIST_OF_ENUM(file_mount, rights, file_right),
        .description = "What may be done there; folders below may have other rights, which "
                       "file_info tells",
        .required = true,
    },
    {
        TR_FIELD(file_mount, max_file_bytes),
        .description = "The largest file that is read or written",
        .range = TR_AT_LEAST(1),
        .required = true,
    },
};
static TR_TYPE(file_mount, "A folder for tools");

static const struct tr_field list_mounts_response_fields[] = {
    {
        TR_LIST_OF(list_mounts_response, mounts, file_mount),
        .description = "All mounts; none means that there are no files here",
        .required = true,
    },
};
static TR_TYPE(list_mounts_response, "Where files are");

static enum tr_status list(struct tr_call *call, const struct tr_vfs *vfs,
                           const struct tr_empty *request, struct list_mounts_response *response)
{
    (void)request;
    const size_t count = tr_vfs_mount_count(vfs);
    struct file_mount *mounts = TR_NEW(&call->arena, struct file_mount, count + 1);
    if (mounts == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const struct tr_mount_info info = tr_vfs_mount(vfs, i);
        struct file_rights rights;
        if (!tr_file_rights_of(call, info.rights, &rights)) {
            return TR_NO_MEMORY;
        }
        mounts[i].path = info.path;
        mounts[i].rights.items = rights.list.items;
        mounts[i].rights.count = rights.list.count;
        mounts[i].max_file_bytes = info.max_file_bytes;
    }
    response->mounts.items = mounts;
    response->mounts.count = count;
    return TR_OK;
}

TR_FILE_TOOL(list_mounts, list, tr_empty, list_mounts_response,
             .description = "List the folders that hold files, and what may be done in each. Use "
                            "it first: every path of the file tools starts with one of them.",
             .annotations = { .read_only = true, .idempotent = true }, .example_json = TR_JSON({}));
