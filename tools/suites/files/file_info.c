/* file_info - what is at a path. */
#include "tools/suites/files/files.h"

struct file_info_request {
    const char *path;
};

struct file_info_response {
    const char *path;
    enum file_kind kind;
    struct tr_opt_int size_bytes;
    const char *modified;
    TR_SPAN(enum file_right) rights;
};

static const struct tr_field file_info_request_fields[] = {
    {
        TR_FIELD(file_info_request, path),
        .description = "The file or folder, as '/data/notes.txt'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/data/notes.txt"),
    },
};
static TR_TYPE(file_info_request, "A path");

static const struct tr_field file_info_response_fields[] = {
    {
        TR_FIELD(file_info_response, path),
        .description = "The path, as it was asked for",
        .required = true,
    },
    {
        TR_ENUM(file_info_response, kind, file_kind),
        .description = "What is there; a link that may be followed counts as what it leads to",
        .required = true,
    },
    {
        TR_FIELD(file_info_response, size_bytes),
        .description = "Size of a file",
        .range = TR_AT_LEAST(0),
    },
    {
        TR_FIELD(file_info_response, modified),
        .description = "When it was last changed, UTC",
        .format = "date-time",
        .required = true,
    },
    {
        TR_LIST_OF_ENUM(file_info_response, rights, file_right),
        .description = "What the mount allows there",
        .required = true,
    },
};
static TR_TYPE(file_info_response, "What is at a path");

static enum tr_status inform(struct tr_call *call, const struct tr_vfs *vfs,
                             const struct file_info_request *request,
                             struct file_info_response *response)
{
    struct tr_file_info info;
    struct file_rights rights;
    TR_TRY(tr_vfs_stat(call, vfs, request->path, &info));
    response->path = request->path;
    response->kind = tr_file_kind_of(info.kind);
    response->size_bytes = (struct tr_opt_int){
        .has = info.kind == TR_FILE_REGULAR,
        .value = info.size_bytes,
    };
    response->modified = tr_file_time(call, info.modified_ns);
    if (response->modified == NULL || !tr_file_rights_of(call, info.rights, &rights)) {
        return TR_NO_MEMORY;
    }
    response->rights.items = rights.list.items;
    response->rights.count = rights.list.count;
    return TR_OK;
}

TR_FILE_TOOL(file_info, inform, file_info_request, file_info_response,
             .description = "Tell whether a path is a file or a folder, how large it is, when it "
                            "was changed and what may be done with it, without reading it.",
             .annotations = { .read_only = true, .idempotent = true },
             .example_json = TR_JSON({ "path": "/data/notes.txt" }));
