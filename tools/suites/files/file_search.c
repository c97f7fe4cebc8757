/* file_search - files by their names, and lines by what is in them. */
#include <string.h>

#include "tools/core/glob.h"
#include "tools/core/limits.h"
#include "tools/core/pattern.h"
#include "tools/core/utf8.h"
#include "tools/suites/files/file_tree.h"
#include "tools/suites/files/files.h"

enum {
    MAX_DEPTH = 32,
    MAX_ENTRIES = 20 * 1000,
    MAX_MATCHES = 1000,
    SHOWN_BYTES = 300,         /* of a line that is longer */
    WINDOW_BYTES = 256 * 1024, /* a longer line is searched in pieces */
    ANSWER_BYTES = 512 * 1024, /* of paths and lines; six times as much when all is escaped */
    OUTPUT_BYTES = 4 * 1024 * 1024,
    PROBE_BYTES = 8 * 1024, /* that tell a text from what is none */
};
#define MAX_SEARCHED_BYTES ((int64_t)256 * 1024 * 1024)
#define MAX_STEPS          ((uint64_t)400 * 1000 * 1000)

struct file_search_request {
    const char *path;
    const char *glob;
    const char *pattern;
    bool ignore_case;
    int64_t depth;
    int64_t limit;
};

struct file_search_match {
    const char *path;
    struct tr_opt_int line;
    const char *text;
};

struct file_search_response {
    TR_SPAN(struct file_search_match) matches;
    int64_t files_searched;
    int64_t files_skipped;
    bool truncated;
};

static const struct tr_field file_search_request_fields[] = {
    {
        TR_FIELD(file_search_request, path),
        .description = "The folder to search, as '/data'",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/data"),
    },
    {
        TR_FIELD(file_search_request, glob),
        .description = "Look only at files with such a name, with * and ?, as '*.txt'",
        .length = TR_RANGE(1, TR_VFS_NAME_BYTES - 1),
        .example_json = TR_JSON("*.txt"),
    },
    {
        TR_FIELD(file_search_request, pattern),
        .description = "A regular expression (ECMA-262) to find in a line; without it the files "
                       "themselves are found",
        .length = TR_RANGE(1, 1000),
        .example_json = TR_JSON("TODO|FIXME"),
    },
    {
        TR_FIELD(file_search_request, ignore_case),
        .description = "Whether upper and lower case are the same in the pattern",
        .default_json = TR_JSON(false),
    },
    {
        TR_FIELD(file_search_request, depth),
        .description = "How deep to go: 1 for the folder alone",
        .range = TR_RANGE(1, MAX_DEPTH),
        .default_json = TR_JSON(32),
    },
    {
        TR_FIELD(file_search_request, limit),
        .description = "How many matches to answer with at most",
        .range = TR_RANGE(1, MAX_MATCHES),
        .default_json = TR_JSON(100),
    },
};
static TR_TYPE(file_search_request, "Where to search, and for what");

static const struct tr_field file_search_match_fields[] = {
    {
        TR_FIELD(file_search_match, path),
        .description = "The file, ready for the other tools",
        .required = true,
    },
    {
        TR_FIELD(file_search_match, line),
        .description = "The number of the line, counted from 1, when there was a pattern",
        .range = TR_AT_LEAST(1),
    },
    {
        TR_FIELD(file_search_match, text),
        .description = "The line, cut when it is long, when there was a pattern",
    },
};
static TR_TYPE(file_search_match, "A place that was found");

static const struct tr_field file_search_response_fields[] = {
    {
        TR_LIST_OF(file_search_response, matches, file_search_match),
        .description = "What was found, by path and line",
        .required = true,
    },
    {
        TR_FIELD(file_search_response, files_searched),
        .description = "How many files were looked into, or at",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(file_search_response, files_skipped),
        .description = "How many were not, being no UTF-8 text, too large, or closed to reading",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(file_search_response, truncated),
        .description = "Whether the search ended before everything was searched: narrow it",
        .required = true,
    },
};
static TR_TYPE(file_search_response, "What was found");

/* ---- one search ---- */

struct search {
    struct tr_call *call;
    const struct tr_vfs *vfs;
    const struct file_search_request *request;
    struct file_search_response *response;
    const struct tr_pattern *pattern; /* NULL: names alone */
    struct file_search_match *matches;
    size_t count;
    size_t answer_bytes;
    uint64_t steps;     /* of the pattern that are left */
    int64_t bytes_left; /* to read */
    char *window;
    struct file_tree tree;
    bool is_over; /* a bound was reached, or there are matches enough */
};

/* One more than may be answered tells that there are more. */
static enum tr_status add(struct search *search, const char *path, int64_t line, const char *text)
{
    search->answer_bytes += strlen(path) + (text != NULL ? strlen(text) : 0);
    if (search->count == (size_t)search->request->limit || search->answer_bytes > ANSWER_BYTES) {
        search->is_over = true;
        return TR_OK;
    }
    search->matches[search->count++] = (struct file_search_match){
        .path = path,
        .line = { .has = line != 0, .value = line },
        .text = text,
    };
    return TR_OK;
}

/* ---- lines ---- */

static enum tr_status take_line(struct search *search, const char *path, int64_t number,
                                const char *bytes, size_t length)
{
    if (length != 0 && bytes[length - 1] == '\r') {
        length--;
    }
    if (tr_file_text_length(bytes, length) != length) {
        return TR_OK;
    }
    switch (tr_pattern_match_within(search->pattern, bytes, length, &search->steps)) {
    case TR_MATCH_NO: return TR_OK;
    case TR_MATCH_YES: break;
    case TR_MATCH_GAVE_UP:
        if (search->steps == 0) {
            search->is_over = true;
            return TR_OK;
        }
        return tr_fail(search->call,
                       "The pattern takes too many steps at line %lld of %s: make it simpler, "
                       "without nested repetitions",
                       (long long)number, path);
    }
    const size_t shown = length <= SHOWN_BYTES ? length : tr_utf8_cut(bytes, SHOWN_BYTES);
    const char *text = tr_arena_strndup(&search->call->arena, bytes, shown);
    return text != NULL ? add(search, path, number, text) : TR_NO_MEMORY;
}

/* A file in the reading: what is in the window is `length` bytes, of which a line may go on. */
struct reading {
    const char *path;
    struct tr_vfs_file file;
    int64_t offset; /* of the file, behind the window */
    size_t length;
    int64_t line;
};

/* Every line in the window that ends there; at the end of the file, or where the window is too
 * short for a line, also the last. What is left over moves to the start of the window. */
static enum tr_status take_lines(struct search *search, struct reading *reading, bool is_end)
{
    const char *at = search->window;
    const char *end = at + reading->length;
    while (at < end && !search->is_over) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        const bool fills_window = at == search->window && reading->length == WINDOW_BYTES;
        if (line_end == NULL && !is_end && !fills_window) {
            break;
        }
        const char *stop = line_end != NULL ? line_end : end;
        TR_TRY(take_line(search, reading->path, reading->line, at, (size_t)(stop - at)));
        reading->line += line_end != NULL;
        at = stop + (line_end != NULL);
    }
    reading->length = (size_t)(end - at);
    memmove(search->window, at, reading->length);
    return TR_OK;
}

static enum tr_status fill_window(struct search *search, struct reading *reading, bool *ret_is_end)
{
    size_t got = 0;
    const size_t room = WINDOW_BYTES - reading->length;
    TR_TRY(tr_vfs_read(search->call, &reading->file, reading->offset,
                       search->window + reading->length, room, &got));
    reading->offset += (int64_t)got;
    reading->length += got;
    search->bytes_left -= (int64_t)got;
    *ret_is_end = got < room;
    return TR_OK;
}

static bool is_text(const struct search *search, const struct reading *reading)
{
    const size_t length = reading->length < PROBE_BYTES ? reading->length : PROBE_BYTES;
    const size_t whole = length < reading->length ? tr_utf8_cut(search->window, length) : length;
    return tr_file_text_length(search->window, whole) == whole;
}

static enum tr_status read_lines(struct search *search, struct reading *reading)
{
    bool is_end = false;
    TR_TRY(fill_window(search, reading, &is_end));
    if (!is_text(search, reading)) {
        search->response->files_skipped++;
        return TR_OK;
    }
    search->response->files_searched++;
    for (;;) {
        TR_TRY(take_lines(search, reading, is_end));
        if (is_end || search->is_over) {
            return TR_OK;
        }
        if (search->bytes_left <= 0) {
            search->is_over = true;
            return TR_OK;
        }
        TR_TRY(fill_window(search, reading, &is_end));
    }
}

/* ---- files ---- */

static enum tr_status look_into(struct search *search, const char *path)
{
    struct reading reading = { .path = path, .line = 1 };
    enum tr_status status = tr_vfs_open(search->call, search->vfs, path, &reading.file);
    if (status == TR_TOOL_FAILED || status == TR_PATH_BLOCKED) {
        search->call->failure = NULL;
        search->response->files_skipped++;
        return TR_OK;
    }
    TR_TRY(status);
    status = read_lines(search, &reading);
    tr_vfs_close(&reading.file);
    return status;
}

static enum tr_status look_at(struct search *search, const struct file_tree_entry *entry)
{
    const char *glob = search->request->glob;
    if (entry->info.kind != TR_FILE_REGULAR
        || (glob != NULL && !tr_glob_match(glob, entry->name))) {
        return TR_OK;
    }
    if (search->pattern != NULL) {
        return look_into(search, entry->path);
    }
    search->response->files_searched++;
    return add(search, entry->path, 0, NULL);
}

static enum tr_status visit(void *context, const struct file_tree_entry *entry)
{
    struct search *search = context;
    const enum tr_status status = look_at(search, entry);
    search->tree.is_done = search->is_over;
    return status;
}

static enum tr_status prepare(struct search *search)
{
    const struct file_search_request *request = search->request;
    search->matches =
        TR_NEW(&search->call->arena, struct file_search_match, (size_t)request->limit);
    search->window = tr_alloc(search->call, WINDOW_BYTES, 1);
    if (search->matches == NULL || search->window == NULL) {
        return TR_NO_MEMORY;
    }
    if (request->pattern == NULL) {
        return TR_OK;
    }
    struct tr_fault fault = { .what = "" };
    const unsigned flags = request->ignore_case ? TR_PATTERN_IGNORE_CASE : 0;
    const enum tr_status status = tr_pattern_compile_with(&search->call->arena, request->pattern,
                                                          flags, &search->pattern, &fault);
    return status == TR_INVALID_PARAMETERS
               ? tr_fail(search->call, "The pattern is no regular expression: %s", fault.what)
               : status;
}

static enum tr_status search_files(struct tr_call *call, const struct tr_vfs *vfs,
                                   const struct file_search_request *request,
                                   struct file_search_response *response)
{
    struct search search = {
        .call = call,
        .vfs = vfs,
        .request = request,
        .response = response,
        .steps = MAX_STEPS,
        .bytes_left = MAX_SEARCHED_BYTES,
    };
    search.tree = (struct file_tree){
        .call = call,
        .vfs = vfs,
        .depth = request->depth,
        .limit = MAX_ENTRIES,
        .visit = visit,
        .context = &search,
    };
    TR_TRY(prepare(&search));
    TR_TRY(tr_file_tree_walk(&search.tree, request->path));
    response->matches.items = search.matches;
    response->matches.count = search.count;
    response->truncated = search.is_over || search.tree.is_full;
    return TR_OK;
}

TR_FILE_TOOL(file_search, search_files, file_search_request, file_search_response,
             .description =
                 "Find files by name, or lines in text files by a regular expression, in a folder "
                 "and below it. Use it to find out where something is said; then read the lines "
                 "around it with file_read and start_line.",
             .annotations = { .read_only = true, .idempotent = true },
             .output_limit_bytes = OUTPUT_BYTES,
             .example_json = TR_JSON({ "path": "/data", "glob": "*.txt", "pattern": "TODO" }));
