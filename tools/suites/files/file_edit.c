/* file_edit - one piece of a text file becomes another. */
#include <string.h>

#include "tools/core/text.h"
#include "tools/suites/files/edit_diff.h"
#include "tools/suites/files/files.h"

enum {
    MAX_FILE_BYTES = 4 * 1024 * 1024,
    MAX_EDITED_BYTES = 8 * 1024 * 1024,
    MAX_TEXT = 1000 * 1000,
    MAX_REPLACEMENTS = 100 * 1000,
    MAX_DIFF_BYTES = 64 * 1024,
    SHOWN_LINES = 10, /* of an ambiguous text */
};

struct file_edit_request {
    const char *path;
    const char *old_text;
    const char *new_text;
    bool all;
    bool dry_run;
};

struct file_edit_response {
    const char *path;
    int64_t replacements;
    bool written;
    int64_t size_bytes;
    const char *diff;
};

static const struct tr_field file_edit_request_fields[] = {
    {
        TR_FIELD(file_edit_request, path),
        .description = "The file, as '/work/notes.txt'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/work/notes.txt"),
    },
    {
        TR_FIELD(file_edit_request, old_text),
        .description = "What is there now, to the letter: blanks, line ends and all; long enough "
                       "to be there only once",
        .length = TR_RANGE(1, MAX_TEXT),
        .required = true,
        .example_json = TR_JSON("First line"),
    },
    {
        TR_FIELD(file_edit_request, new_text),
        .description = "What is to be there instead; empty to delete",
        .length = TR_AT_MOST(MAX_TEXT),
        .required = true,
        .example_json = TR_JSON("Title"),
    },
    {
        TR_FIELD(file_edit_request, all),
        .description = "Whether to replace the text wherever it is",
        .default_json = TR_JSON(false),
    },
    {
        TR_FIELD(file_edit_request, dry_run),
        .description = "Whether to show the change only, and write nothing",
        .default_json = TR_JSON(false),
    },
};
static TR_TYPE(file_edit_request, "A change of a text file");

static const struct tr_field file_edit_response_fields[] = {
    {
        TR_FIELD(file_edit_response, path),
        .description = "The file, as it was asked for",
        .required = true,
    },
    {
        TR_FIELD(file_edit_response, replacements),
        .description = "How often the text was replaced",
        .range = TR_AT_LEAST(1),
        .required = true,
    },
    {
        TR_FIELD(file_edit_response, written),
        .description = "Whether the file was changed; false for a dry run",
        .required = true,
    },
    {
        TR_FIELD(file_edit_response, size_bytes),
        .description = "Size of the file with the change",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(file_edit_response, diff),
        .description = "The change as a unified diff; its first hunks when it is long",
        .required = true,
    },
};
static TR_TYPE(file_edit_response, "What was changed");

static const char *check_texts(struct tr_call *call, const struct file_edit_request *request)
{
    (void)call;
    return strcmp(request->old_text, request->new_text) == 0
               ? "Parameters 'old_text' and 'new_text' are the same: nothing would change"
               : NULL;
}
TR_VALIDATOR(check_texts, file_edit_request)

/* ---- finding ---- */

/* Every place of the old text, up to MAX_REPLACEMENTS. */
static enum tr_status find(struct tr_call *call, const struct file_edit_request *request,
                           const struct tr_vfs_content *content, struct edit_list *out)
{
    *out = (struct edit_list){
        .text = content->bytes,
        .length = content->length,
        .old_length = strlen(request->old_text),
        .new_text = request->new_text,
        .new_length = strlen(request->new_text),
    };
    size_t count = 0;
    for (const char *at = content->bytes; (at = strstr(at, request->old_text)) != NULL;
         at += out->old_length) {
        if (++count > MAX_REPLACEMENTS) {
            return tr_fail(call, "Text found more than %d times in %s: say more of it",
                           MAX_REPLACEMENTS, request->path);
        }
    }
    size_t *offsets = TR_NEW(&call->arena, size_t, count + 1);
    if (offsets == NULL) {
        return TR_NO_MEMORY;
    }
    out->offsets = offsets;
    for (const char *at = content->bytes; out->count < count; at += out->old_length) {
        at = strstr(at, request->old_text);
        offsets[out->count++] = (size_t)(at - content->bytes);
    }
    return TR_OK;
}

static enum tr_status fail_missing(struct tr_call *call, const struct file_edit_request *request,
                                   const struct edit_list *edits)
{
    const bool has_other_ends = strchr(request->old_text, '\n') != NULL
                                && strstr(edits->text, "\r\n") != NULL
                                && strstr(request->old_text, "\r\n") == NULL;
    return tr_fail(call, "Text not found in %s%s: read the file and give the text to the letter",
                   request->path,
                   has_other_ends ? ", whose lines end in CR LF, which old_text does not have"
                                  : "");
}

static enum tr_status fail_ambiguous(struct tr_call *call, const struct file_edit_request *request,
                                     const struct edit_list *edits)
{
    tr_auto(text) struct tr_text lines;
    tr_text_init(&lines, MAX_FILE_BYTES);
    size_t line = 1;
    size_t seen = 0;
    for (size_t i = 0; i < edits->count && i < SHOWN_LINES; i++) {
        for (; seen < edits->offsets[i]; seen++) {
            line += edits->text[seen] == '\n';
        }
        tr_text_printf(&lines, "%s%zu", i == 0 ? "" : ", ", line);
    }
    return tr_fail(call,
                   "Text found %zu times in %s, at line %s%s: give more of what is around it, or "
                   "set 'all'",
                   edits->count, request->path, tr_text_string(&lines),
                   edits->count > SHOWN_LINES ? ", ..." : "");
}

/* ---- changing ---- */

static enum tr_status read_text(struct tr_call *call, const struct tr_vfs *vfs, const char *path,
                                struct tr_vfs_content *ret_content)
{
    TR_TRY(tr_vfs_read_all(call, vfs, path, MAX_FILE_BYTES, ret_content));
    if (tr_file_text_length(ret_content->bytes, ret_content->length) != ret_content->length) {
        return tr_fail(call, "Not UTF-8 text: %s; file_write replaces it as a whole", path);
    }
    return TR_OK;
}

static enum tr_status show(struct tr_call *call, const struct edit_list *edits,
                           struct file_edit_response *response)
{
    tr_auto(text) struct tr_text diff;
    tr_text_init(&diff, MAX_DIFF_BYTES);
    if (!tr_edit_diff_write(edits, &diff)) {
        if (diff.status == TR_NO_MEMORY) {
            return TR_NO_MEMORY;
        }
        tr_warn(call, "The diff is too long to be shown as a whole");
    }
    response->diff = tr_arena_strndup(&call->arena, tr_text_string(&diff), diff.length);
    return response->diff != NULL ? TR_OK : TR_NO_MEMORY;
}

static enum tr_status write_edited(struct tr_call *call, const struct tr_vfs *vfs,
                                   const struct file_edit_request *request,
                                   const struct tr_vfs_content *content, const struct tr_text *text)
{
    const struct tr_vfs_change change = {
        .mode = TR_WRITE_REPLACE,
        .bytes = tr_text_string(text),
        .length = text->length,
        .unless_changed = &content->info,
    };
    struct tr_vfs_changed changed;
    return tr_vfs_write(call, vfs, request->path, &change, &changed);
}

static enum tr_status edit(struct tr_call *call, const struct tr_vfs *vfs,
                           const struct file_edit_request *request,
                           struct file_edit_response *response)
{
    struct tr_vfs_content content;
    struct edit_list edits;
    TR_TRY(read_text(call, vfs, request->path, &content));
    TR_TRY(find(call, request, &content, &edits));
    if (edits.count == 0) {
        return fail_missing(call, request, &edits);
    }
    if (edits.count > 1 && !request->all) {
        return fail_ambiguous(call, request, &edits);
    }
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, MAX_EDITED_BYTES);
    (void)tr_edit_apply(&edits, 0, 0, edits.length, &text);
    if (text.status != TR_OK) {
        return text.status == TR_NO_MEMORY
                   ? TR_NO_MEMORY
                   : tr_fail(call, "File too large: %s would have more than %d bytes",
                             request->path, MAX_EDITED_BYTES);
    }
    TR_TRY(show(call, &edits, response));
    if (!request->dry_run) {
        TR_TRY(write_edited(call, vfs, request, &content, &text));
    }
    response->path = request->path;
    response->replacements = (int64_t)edits.count;
    response->written = !request->dry_run;
    response->size_bytes = (int64_t)text.length;
    return TR_OK;
}

TR_FILE_TOOL(
    file_edit, edit, file_edit_request, file_edit_response,
    .description = "Replace a piece of a text file by another one, to the letter. Use it for small "
                   "changes: it refuses a text that is not there or is there more than once, shows "
                   "the change as a diff, and with 'dry_run' writes nothing.",
    .annotations = { .destructive = true },
    .example_json =
        TR_JSON({ "path": "/work/notes.txt", "old_text": "First line", "new_text": "Title" }),
    .validate = check_texts_entry);
