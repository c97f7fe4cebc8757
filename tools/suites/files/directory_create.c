/* directory_create - a new folder. */
#include "tools/suites/files/files.h"

struct directory_create_request {
    const char *path;
    bool create_parents;
};

struct directory_create_response {
    const char *path;
    bool created;
};

static const struct tr_field directory_create_request_fields[] = {
    {
        TR_FIELD(directory_create_request, path),
        .description = "The folder to make, as '/work/drafts'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/work/drafts"),
    },
    {
        TR_FIELD(directory_create_request, create_parents),
        .description = "Whether to make the folders above when they are missing",
        .default_json = TR_JSON(true),
    },
};
static TR_TYPE(directory_create_request, "A folder to make");

static const struct tr_field directory_create_response_fields[] = {
    {
        TR_FIELD(directory_create_response, path),
        .description = "The folder, as it was asked for",
        .required = true,
    },
    {
        TR_FIELD(directory_create_response, created),
        .description = "Whether it is new; false when it was there already",
        .required = true,
    },
};
static TR_TYPE(directory_create_response, "A folder that is there");

static enum tr_status create(struct tr_call *call, const struct tr_vfs *vfs,
                             const struct directory_create_request *request,
                             struct directory_create_response *response)
{
    response->path = request->path;
    return tr_vfs_make_folder(call, vfs, request->path, request->create_parents,
                              &response->created);
}

TR_FILE_TOOL(directory_create, create, directory_create_request, directory_create_response,
             .description = "Make a folder, with the folders above it. One that is there already "
                            "is well. file_write makes the folders it needs by itself.",
             .annotations = { .idempotent = true },
             .example_json = TR_JSON({ "path": "/work/drafts" }));
