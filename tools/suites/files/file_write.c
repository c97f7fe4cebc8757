/* file_write - a new file, or new content for one. */
#include <string.h>

#include "tools/core/base64.h"
#include "tools/core/text.h"
#include "tools/suites/files/files.h"

/* Of the content in one call; the gateway's limit for bodies is lower unless it was raised. */
enum { MAX_CONTENT = 16 * 1024 * 1024 };

static const char backup_suffix[] = ".bak";

enum file_write_mode {
    FILE_WRITE_MODE_ABSENT,
    FILE_WRITE_CREATE,
    FILE_WRITE_OVERWRITE,
    FILE_WRITE_APPEND,
};

struct file_write_request {
    const char *path;
    const char *content;
    enum file_write_mode mode;
    enum file_encoding encoding;
    bool create_parents;
    bool backup;
};

struct file_write_response {
    const char *path;
    bool created;
    int64_t size_bytes;
    const char *backup_path;
};

static const char *const file_write_mode_names[] = {
    [FILE_WRITE_CREATE] = "create",
    [FILE_WRITE_OVERWRITE] = "overwrite",
    [FILE_WRITE_APPEND] = "append",
};

static const struct tr_field file_write_request_fields[] = {
    {
        TR_FIELD(file_write_request, path),
        .description = "The file, as '/work/notes.txt'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/work/notes.txt"),
    },
    {
        TR_FIELD(file_write_request, content),
        .description = "What to write",
        .length = TR_AT_MOST(MAX_CONTENT),
        .required = true,
        .example_json = TR_JSON("First line\nSecond line\n"),
    },
    {
        TR_ENUM(file_write_request, mode, file_write_mode),
        .description = "create refuses a file that is there; overwrite puts the content in its "
                       "place; append puts it behind its end; each makes a file that is missing",
        .default_json = TR_JSON("create"),
    },
    {
        TR_ENUM(file_write_request, encoding, file_encoding),
        .description = "How the content is written here; base64 for what is no text",
        .default_json = TR_JSON("utf-8"),
    },
    {
        TR_FIELD(file_write_request, create_parents),
        .description = "Whether to make the folders above when they are missing",
        .default_json = TR_JSON(true),
    },
    {
        TR_FIELD(file_write_request, backup),
        .description = "Whether to keep what was there as a file with '.bak' behind its name, in "
                       "place of an older one",
        .default_json = TR_JSON(false),
    },
};
static TR_TYPE(file_write_request, "A file and its content");

static const struct tr_field file_write_response_fields[] = {
    {
        TR_FIELD(file_write_response, path),
        .description = "The file, as it was asked for",
        .required = true,
    },
    {
        TR_FIELD(file_write_response, created),
        .description = "Whether the file is new",
        .required = true,
    },
    {
        TR_FIELD(file_write_response, size_bytes),
        .description = "Size of the file now",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(file_write_response, backup_path),
        .description = "Where the old content is, when there was some and it was to be kept",
    },
};
static TR_TYPE(file_write_response, "What was written");

static enum tr_status decode(struct tr_call *call, const struct file_write_request *request,
                             struct tr_vfs_change *change)
{
    change->bytes = request->content;
    change->length = strlen(request->content);
    if (request->encoding != FILE_BASE64) {
        return TR_OK;
    }
    tr_auto(text) struct tr_text bytes;
    tr_text_init(&bytes, MAX_CONTENT);
    if (!tr_base64_decode(request->content, change->length, &bytes)) {
        return bytes.status == TR_OK
                   ? tr_fail(call, "The content is not base64 (RFC 4648 section 4, with padding, "
                                   "without line breaks)")
                   : TR_NO_MEMORY;
    }
    change->length = bytes.length;
    change->bytes = tr_arena_strndup(&call->arena, tr_text_string(&bytes), bytes.length);
    return change->bytes != NULL ? TR_OK : TR_NO_MEMORY;
}

/* A file that is missing needs no backup. One that changes between its backup and the writing is
 * refused by `change`, which remembers how it was. */
static enum tr_status keep_old(struct tr_call *call, const struct tr_vfs *vfs,
                               const struct file_write_request *request, struct tr_file_info *old,
                               struct tr_vfs_change *change, struct file_write_response *response)
{
    const enum tr_status found = tr_vfs_stat(call, vfs, request->path, old);
    if (found == TR_TOOL_FAILED) {
        call->failure = NULL;
        return TR_OK;
    }
    TR_TRY(found);
    struct tr_vfs_content content;
    TR_TRY(tr_vfs_read_all(call, vfs, request->path, MAX_CONTENT, &content));
    response->backup_path = tr_printf(call, "%s%s", request->path, backup_suffix);
    if (response->backup_path == NULL) {
        return TR_NO_MEMORY;
    }
    const struct tr_vfs_change copy = {
        .mode = TR_WRITE_REPLACE,
        .bytes = content.bytes,
        .length = content.length,
    };
    struct tr_vfs_changed written;
    TR_TRY(tr_vfs_write(call, vfs, response->backup_path, &copy, &written));
    *old = content.info;
    change->unless_changed = old;
    return TR_OK;
}

static enum tr_write_mode mode_of(enum file_write_mode mode)
{
    switch (mode) {
    case FILE_WRITE_OVERWRITE: return TR_WRITE_REPLACE;
    case FILE_WRITE_APPEND: return TR_WRITE_APPEND;
    case FILE_WRITE_MODE_ABSENT:
    case FILE_WRITE_CREATE: break;
    }
    return TR_WRITE_CREATE;
}

static enum tr_status write_file(struct tr_call *call, const struct tr_vfs *vfs,
                                 const struct file_write_request *request,
                                 struct file_write_response *response)
{
    struct tr_vfs_change change = {
        .mode = mode_of(request->mode),
        .makes_parents = request->create_parents,
    };
    struct tr_file_info old;
    struct tr_vfs_changed changed;
    TR_TRY(decode(call, request, &change));
    if (request->backup && change.mode != TR_WRITE_CREATE) {
        TR_TRY(keep_old(call, vfs, request, &old, &change, response));
    }
    TR_TRY(tr_vfs_write(call, vfs, request->path, &change, &changed));
    response->path = request->path;
    response->created = changed.is_new;
    response->size_bytes = changed.size_bytes;
    return TR_OK;
}

TR_FILE_TOOL(file_write, write_file, file_write_request, file_write_response,
             .description =
                 "Write a file as a whole: a new one, or with mode 'overwrite' or 'append' one "
                 "that is there. Either all of it is written or nothing changes. To change a part "
                 "of a text file use file_edit.",
             .annotations = { .destructive = true },
             .example_json = TR_JSON({ "path": "/work/notes.txt", "content": "First line\n" }));
