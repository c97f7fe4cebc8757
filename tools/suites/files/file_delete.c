/* file_delete - the end of a file or of an empty folder. */
#include "tools/suites/files/files.h"

struct file_delete_request {
    const char *path;
};

struct file_delete_response {
    const char *path;
};

static const struct tr_field file_delete_request_fields[] = {
    {
        TR_FIELD(file_delete_request, path),
        .description = "The file or empty folder to delete, as '/work/draft.txt'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/work/draft.txt"),
    },
};
static TR_TYPE(file_delete_request, "What to delete");

static const struct tr_field file_delete_response_fields[] = {
    {
        TR_FIELD(file_delete_response, path),
        .description = "What is not there any more",
        .required = true,
    },
};
static TR_TYPE(file_delete_response, "What was deleted");

static enum tr_status delete (struct tr_call *call, const struct tr_vfs *vfs,
                              const struct file_delete_request *request,
                              struct file_delete_response *response) {
    response->path = request->path; return tr_vfs_delete(call, vfs, request->path);
}

TR_FILE_TOOL(file_delete, delete, file_delete_request, file_delete_response,
             .description = "Delete one file, or one folder that is empty, for good. A folder with "
                            "files in it is deleted file by file.",
             .annotations = { .destructive = true },
             .example_json = TR_JSON({ "path": "/work/draft.txt" }));
