/* file_move - another name or place for a file or a folder. */
#include "tools/suites/files/files.h"

struct file_move_request {
    const char *from;
    const char *to;
    bool overwrite;
};

struct file_move_response {
    const char *from;
    const char *to;
};

static const struct tr_field file_move_request_fields[] = {
    {
        TR_FIELD(file_move_request, from),
        .description = "The file or folder to move, as '/work/draft.txt'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/work/draft.txt"),
    },
    {
        TR_FIELD(file_move_request, to),
        .description = "Its whole new path, as '/work/done/report.txt'; the folder above has to "
                       "be there",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/work/done/report.txt"),
    },
    {
        TR_FIELD(file_move_request, overwrite),
        .description = "Whether a file at the new path is replaced; a folder never is",
        .default_json = TR_JSON(false),
    },
};
static TR_TYPE(file_move_request, "What to move, and where");

static const struct tr_field file_move_response_fields[] = {
    {
        TR_FIELD(file_move_response, from),
        .description = "Where it was",
        .required = true,
    },
    {
        TR_FIELD(file_move_response, to),
        .description = "Where it is",
        .required = true,
    },
};
static TR_TYPE(file_move_response, "What was moved");

static enum tr_status move(struct tr_call *call, const struct tr_vfs *vfs,
                           const struct file_move_request *request,
                           struct file_move_response *response)
{
    TR_TRY(tr_vfs_move(call, vfs, request->from, request->to, request->overwrite));
    response->from = request->from;
    response->to = request->to;
    return TR_OK;
}

TR_FILE_TOOL(file_move, move, file_move_request, file_move_response,
             .description = "Move or rename a file or a folder in one step. Needs the rights to "
                            "read and delete where it is and to create where it goes.",
             .annotations = { .destructive = true },
             .example_json = TR_JSON({ "from": "/work/draft.txt", "to": "/work/report.txt" }));
