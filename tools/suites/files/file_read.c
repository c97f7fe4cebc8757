/* file_read - the content of a file, or a part of it. */
#include <string.h>

#include "tools/core/base64.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"
#include "tools/suites/files/files.h"

/* One answer. Six times as much when every byte has to be escaped in JSON. */
enum { ANSWER_BYTES = 256 * 1024, OUTPUT_BYTES = 2 * 1024 * 1024, PIECE_BYTES = 64 * 1024 };

struct file_read_request {
    const char *path;
    struct tr_opt_int start_line;
    struct tr_opt_int max_lines;
    struct tr_opt_int offset;
    struct tr_opt_int max_bytes;
    enum file_encoding encoding;
};

struct file_read_response {
    const char *path;
    const char *content;
    enum file_encoding encoding;
    int64_t size_bytes;
    const char *modified;
    int64_t offset;
    struct tr_opt_int first_line;
    struct tr_opt_int last_line;
    bool truncated;
    struct tr_opt_int next_line;
    struct tr_opt_int next_offset;
};

static const struct tr_field file_read_request_fields[] = {
    {
        TR_FIELD(file_read_request, path),
        .description = "The file, as '/data/notes.txt'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/data/notes.txt"),
    },
    {
        TR_FIELD(file_read_request, start_line),
        .description = "The first line to read, counted from 1",
        .range = TR_AT_LEAST(1),
    },
    {
        TR_FIELD(file_read_request, max_lines),
        .description = "How many lines to read at most",
        .range = TR_RANGE(1, 1000000),
    },
    {
        TR_FIELD(file_read_request, offset),
        .description = "The first byte to read, counted from 0; instead of lines",
        .range = TR_AT_LEAST(0),
    },
    {
        TR_FIELD(file_read_request, max_bytes),
        .description = "How many bytes to read at most; instead of lines",
        .range = TR_RANGE(1, ANSWER_BYTES),
    },
    {
        TR_ENUM(file_read_request, encoding, file_encoding),
        .description = "utf-8 for text, base64 for any other file; with base64 a range is in bytes",
        .default_json = TR_JSON("utf-8"),
    },
};
static TR_TYPE(file_read_request, "A file, and which part of it");

static const struct tr_field file_read_response_fields[] = {
    {
        TR_FIELD(file_read_response, path),
        .description = "The file, as it was asked for",
        .required = true,
    },
    {
        TR_FIELD(file_read_response, content),
        .description = "What is in the file at the place asked for; line ends are kept",
        .required = true,
    },
    {
        TR_ENUM(file_read_response, encoding, file_encoding),
        .description = "How the content is written",
        .required = true,
    },
    {
        TR_FIELD(file_read_response, size_bytes),
        .description = "Size of the whole file",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(file_read_response, modified),
        .description = "When the file was last changed, UTC",
        .format = "date-time",
        .required = true,
    },
    {
        TR_FIELD(file_read_response, offset),
        .description = "The byte of the file where the content starts",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(file_read_response, first_line),
        .description = "Number of the first line of the content, when lines were read",
    },
    {
        TR_FIELD(file_read_response, last_line),
        .description = "Number of its last line; one less than the first for an empty file",
    },
    {
        TR_FIELD(file_read_response, truncated),
        .description = "Whether the file goes on behind the content",
        .required = true,
    },
    {
        TR_FIELD(file_read_response, next_line),
        .description = "Where it goes on: start_line of the next call",
    },
    {
        TR_FIELD(file_read_response, next_offset),
        .description = "Where it goes on: offset of the next call, when that is not at the start "
                       "of a line or bytes were asked for",
    },
};
static TR_TYPE(file_read_response, "A part of a file");

static const char *check_range(struct tr_call *call, const struct file_read_request *request)
{
    (void)call;
    const bool has_lines = request->start_line.has || request->max_lines.has;
    const bool has_bytes = request->offset.has || request->max_bytes.has;
    if (has_lines && has_bytes) {
        return "Ask for lines (start_line, max_lines) or for bytes (offset, max_bytes), not both";
    }
    if (has_lines && request->encoding == FILE_BASE64) {
        return "base64 has no lines: ask for bytes (offset, max_bytes)";
    }
    return NULL;
}
TR_VALIDATOR(check_range, file_read_request)

/* ---- a window of bytes ---- */

struct window {
    const char *bytes; /* with a NUL behind */
    size_t length;
    int64_t offset;
};

/* Up to `limit` bytes from `offset` on, which is not behind the end. */
static enum tr_status read_window(struct tr_call *call, const struct tr_vfs_file *file,
                                  int64_t offset, size_t limit, struct window *ret_window)
{
    const int64_t left = file->info.size_bytes - offset;
    const size_t room = left < (int64_t)limit ? (size_t)left : limit;
    char *bytes = tr_alloc(call, room + 1, 1);
    if (bytes == NULL) {
        return TR_NO_MEMORY;
    }
    size_t got = 0;
    TR_TRY(tr_vfs_read(call, file, offset, bytes, room, &got));
    bytes[got] = '\0';
    *ret_window = (struct window){ .bytes = bytes, .length = got, .offset = offset };
    return TR_OK;
}

static bool has_more(const struct tr_vfs_file *file, const struct window *window)
{
    return window->offset + (int64_t)window->length < file->info.size_bytes;
}

/* Refuse what is no text; a character that the window cuts in two stays for the next one. */
static enum tr_status check_text(struct tr_call *call, const struct tr_vfs_file *file,
                                 struct window *window, const char *path)
{
    if (has_more(file, window)) {
        window->length = tr_utf8_cut(window->bytes, window->length);
    }
    const size_t good = tr_file_text_length(window->bytes, window->length);
    if (good < window->length) {
        const int64_t at = window->offset + (int64_t)good;
        return tr_fail(call,
                       "Not UTF-8 text: %s at byte %lld; ask with encoding 'base64', or with an "
                       "offset at the start of a character",
                       path, (long long)at);
    }
    return TR_OK;
}

static const char *copy_of(struct tr_call *call, const struct window *window)
{
    return tr_arena_strndup(&call->arena, window->bytes, window->length);
}

/* ---- bytes ---- */

static void tell_next_byte(const struct tr_vfs_file *file, const struct window *window,
                           struct file_read_response *response)
{
    response->offset = window->offset;
    response->truncated = has_more(file, window);
    response->next_offset = (struct tr_opt_int){
        .has = response->truncated,
        .value = window->offset + (int64_t)window->length,
    };
}

static enum tr_status encode(struct tr_call *call, const struct window *window,
                             const char **ret_content)
{
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, (size_t)2 * ANSWER_BYTES);
    tr_base64_add(&out, window->bytes, window->length);
    *ret_content = out.status == TR_OK
                       ? tr_arena_strndup(&call->arena, tr_text_string(&out), out.length)
                       : NULL;
    return *ret_content != NULL ? TR_OK : TR_NO_MEMORY;
}

static enum tr_status read_bytes(struct tr_call *call, const struct tr_vfs_file *file,
                                 const struct file_read_request *request,
                                 struct file_read_response *response)
{
    const int64_t offset = request->offset.has ? request->offset.value : 0;
    const size_t room = request->max_bytes.has ? (size_t)request->max_bytes.value : ANSWER_BYTES;
    if (offset > file->info.size_bytes) {
        return tr_fail(call, "Behind the end: %s has %lld bytes", request->path,
                       (long long)file->info.size_bytes);
    }
    struct window window;
    TR_TRY(read_window(call, file, offset, room, &window));
    if (request->encoding == FILE_BASE64) {
        tell_next_byte(file, &window, response);
        return encode(call, &window, &response->content);
    }
    TR_TRY(check_text(call, file, &window, request->path));
    if (window.length == 0 && has_more(file, &window)) {
        return tr_fail(call, "max_bytes is too small for the character at byte %lld of %s",
                       (long long)offset, request->path);
    }
    tell_next_byte(file, &window, response);
    response->content = copy_of(call, &window);
    return response->content != NULL ? TR_OK : TR_NO_MEMORY;
}

/* ---- lines ---- */

/* The first `count` lines at most; gives how many bytes they have and how many lines there were. */
static size_t take_lines(const struct window *window, int64_t count, int64_t *ret_lines)
{
    const char *at = window->bytes;
    const char *end = window->bytes + window->length;
    int64_t lines = 0;
    while (at < end && lines < count) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        at = line_end != NULL ? line_end + 1 : end;
        lines++;
    }
    *ret_lines = lines;
    return (size_t)(at - window->bytes);
}

/* How far the search for a line has come. */
struct line_search {
    int64_t line;   /* the number of the line that starts or goes on at `offset` */
    int64_t offset; /* of a byte that was not looked at yet */
    bool is_start;  /* the line starts there */
};

static enum tr_status skip_lines(struct tr_call *call, const struct tr_vfs_file *file,
                                 int64_t number, struct line_search *search)
{
    char *piece = tr_alloc(call, PIECE_BYTES, 1);
    if (piece == NULL) {
        return TR_NO_MEMORY;
    }
    while (search->line < number) {
        struct window window = { .bytes = piece };
        TR_TRY(tr_vfs_read(call, file, search->offset, piece, PIECE_BYTES, &window.length));
        if (window.length == 0) {
            return TR_OK;
        }
        int64_t lines = 0;
        const size_t taken = take_lines(&window, number - search->line, &lines);
        search->is_start = piece[taken - 1] == '\n';
        search->line += search->is_start ? lines : lines - 1;
        search->offset += (int64_t)taken;
    }
    return TR_OK;
}

/* The byte where line `number` starts; the first line is always there. */
static enum tr_status find_line(struct tr_call *call, const struct tr_vfs_file *file,
                                int64_t number, const char *path, int64_t *ret_offset)
{
    struct line_search search = { .line = 1, .is_start = true };
    if (number > 1) {
        TR_TRY(skip_lines(call, file, number, &search));
        if (search.line < number || search.offset >= file->info.size_bytes) {
            return tr_fail(call, "Behind the end: %s has %lld lines", path,
                           (long long)(search.is_start ? search.line - 1 : search.line));
        }
    }
    *ret_offset = search.offset;
    return TR_OK;
}

/* An answer that is full ends at the end of a line, unless it holds none. */
static void cut_at_line(struct window *window)
{
    size_t length = window->length;
    while (length != 0 && window->bytes[length - 1] != '\n') {
        length--;
    }
    window->length = length != 0 ? length : window->length;
}

static void tell_next_line(const struct tr_vfs_file *file, const struct window *window,
                           int64_t first, int64_t lines, struct file_read_response *response)
{
    tell_next_byte(file, window, response);
    const bool at_line = window->length == 0 || window->bytes[window->length - 1] == '\n';
    response->first_line = (struct tr_opt_int){ .has = true, .value = first };
    response->last_line = (struct tr_opt_int){ .has = true, .value = first + lines - 1 };
    if (response->truncated && at_line) {
        response->next_line = (struct tr_opt_int){ .has = true, .value = first + lines };
        response->next_offset.has = false;
    }
}

static enum tr_status read_lines(struct tr_call *call, const struct tr_vfs_file *file,
                                 const struct file_read_request *request,
                                 struct file_read_response *response)
{
    const int64_t first = request->start_line.has ? request->start_line.value : 1;
    const int64_t count = request->max_lines.has ? request->max_lines.value : INT64_MAX;
    int64_t offset = 0;
    struct window window;
    TR_TRY(find_line(call, file, first, request->path, &offset));
    TR_TRY(read_window(call, file, offset, ANSWER_BYTES, &window));
    int64_t lines = 0;
    const bool is_full = has_more(file, &window);
    window.length = take_lines(&window, count, &lines);
    if (is_full && window.length == ANSWER_BYTES) {
        cut_at_line(&window);
        (void)take_lines(&window, count, &lines);
    }
    TR_TRY(check_text(call, file, &window, request->path));
    tell_next_line(file, &window, first, lines, response);
    response->content = copy_of(call, &window);
    return response->content != NULL ? TR_OK : TR_NO_MEMORY;
}

static enum tr_status read_file(struct tr_call *call, const struct tr_vfs *vfs,
                                const struct file_read_request *request,
                                struct file_read_response *response)
{
    tr_auto(vfs_file) struct tr_vfs_file file = { 0 };
    TR_TRY(tr_vfs_open(call, vfs, request->path, &file));
    response->path = request->path;
    response->encoding = request->encoding;
    response->size_bytes = file.info.size_bytes;
    response->modified = tr_file_time(call, file.info.modified_ns);
    if (response->modified == NULL) {
        return TR_NO_MEMORY;
    }
    const bool wants_bytes = request->offset.has || request->max_bytes.has;
    return wants_bytes || request->encoding == FILE_BASE64
               ? read_bytes(call, &file, request, response)
               : read_lines(call, &file, request, response);
}

TR_FILE_TOOL(
    file_read, read_file, file_read_request, file_read_response,
    .description = "Read a file: all of it, some lines, or some bytes. Use it to see what a text "
                   "file holds; a long one comes in parts, and next_line or next_offset say where "
                   "to go on. Files that are no text are read with encoding 'base64'.",
    .annotations = { .read_only = true, .idempotent = true }, .output_limit_bytes = OUTPUT_BYTES,
    .example_json = TR_JSON({ "path": "/data/notes.txt" }), .validate = check_range_entry);
