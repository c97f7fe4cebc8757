/* directory_list - what is in a folder, and below it. */
#include <stdlib.h>
#include <string.h>

#include "tools/core/glob.h"
#include "tools/suites/files/file_tree.h"
#include "tools/suites/files/files.h"

enum { MAX_DEPTH = 10, MAX_PAGE = 1000, MAX_ENTRIES = 20 * 1000 };

/* Of the paths on one page, which takes six times as much when every byte has to be escaped in
 * JSON. */
enum { PAGE_BYTES = 256 * 1024, OUTPUT_BYTES = 2 * 1024 * 1024 };

enum directory_sort {
    DIRECTORY_SORT_ABSENT,
    DIRECTORY_BY_NAME,
    DIRECTORY_BY_SIZE,
    DIRECTORY_BY_TIME
};

struct directory_list_request {
    const char *path;
    int64_t depth;
    const char *glob;
    enum directory_sort sort;
    bool reverse;
    int64_t start;
    int64_t limit;
};

struct directory_entry {
    const char *path;
    enum file_kind kind;
    struct tr_opt_int size_bytes;
    const char *modified;
};

struct directory_list_response {
    const char *path;
    TR_SPAN(struct directory_entry) entries;
    int64_t total;
    bool truncated;
    struct tr_opt_int next_start;
};

static const char *const directory_sort_names[] = {
    [DIRECTORY_BY_NAME] = "name",
    [DIRECTORY_BY_SIZE] = "size",
    [DIRECTORY_BY_TIME] = "modified",
};

static const struct tr_field directory_list_request_fields[] = {
    {
        TR_FIELD(directory_list_request, path),
        .description = "The folder, as '/data'; list_mounts tells where to start",
        .length = FILE_PATH_LENGTH,
        .required = true,
        .example_json = TR_JSON("/data"),
    },
    {
        TR_FIELD(directory_list_request, depth),
        .description = "How deep to go: 1 for the folder alone, 2 for its folders too, ...",
        .range = TR_RANGE(1, MAX_DEPTH),
        .default_json = TR_JSON(1),
    },
    {
        TR_FIELD(directory_list_request, glob),
        .description = "List only what has such a name, with * and ?, as '*.txt'",
        .length = TR_RANGE(1, TR_VFS_NAME_BYTES - 1),
        .example_json = TR_JSON("*.txt"),
    },
    {
        TR_ENUM(directory_list_request, sort, directory_sort),
        .description = "By path, the largest first, or the latest first",
        .default_json = TR_JSON("name"),
    },
    {
        TR_FIELD(directory_list_request, reverse),
        .description = "Whether to turn the order round",
        .default_json = TR_JSON(false),
    },
    {
        TR_FIELD(directory_list_request, start),
        .description = "The first entry to answer with, counted from 0",
        .range = TR_AT_LEAST(0),
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(directory_list_request, limit),
        .description = "How many entries to answer with at most",
        .range = TR_RANGE(1, MAX_PAGE),
        .default_json = TR_JSON(200),
    },
};
static TR_TYPE(directory_list_request, "A folder, and what to list of it");

static const struct tr_field directory_entry_fields[] = {
    {
        TR_FIELD(directory_entry, path),
        .description = "Its path, ready for the other tools",
        .required = true,
    },
    {
        TR_ENUM(directory_entry, kind, file_kind),
        .description = "What it is; links are listed as such, others can be neither read nor "
                       "written",
        .required = true,
    },
    {
        TR_FIELD(directory_entry, size_bytes),
        .description = "Size of a file",
        .range = TR_AT_LEAST(0),
    },
    {
        TR_FIELD(directory_entry, modified),
        .description = "When it was last changed, UTC",
        .format = "date-time",
        .required = true,
    },
};
static TR_TYPE(directory_entry, "A file or a folder");

static const struct tr_field directory_list_response_fields[] = {
    {
        TR_FIELD(directory_list_response, path),
        .description = "The folder, as it was asked for",
        .required = true,
    },
    {
        TR_LIST_OF(directory_list_response, entries, directory_entry),
        .description = "What is there, in the order asked for",
        .required = true,
    },
    {
        TR_FIELD(directory_list_response, total),
        .description = "How many entries there are on all pages",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(directory_list_response, truncated),
        .description = "Whether there is more than was looked at or answered",
        .required = true,
    },
    {
        TR_FIELD(directory_list_response, next_start),
        .description = "Where the next page starts: start of the next call",
    },
};
static TR_TYPE(directory_list_response, "What is in a folder");

/* ---- gathering ---- */

struct found {
    const char *path;
    struct tr_file_info info;
};

/* One listing in the making; everything in the call's memory. */
struct listing {
    struct tr_call *call;
    const struct directory_list_request *request;
    struct found *items;
    size_t count, room;
    bool is_full; /* there was more than may be looked at */
};

static bool make_room(struct listing *listing)
{
    if (listing->count < listing->room) {
        return true;
    }
    const size_t room = listing->room != 0 ? 2 * listing->room : 64;
    struct found *items = TR_NEW(&listing->call->arena, struct found, room);
    if (items == NULL) {
        return false;
    }
    if (listing->count != 0) {
        memcpy(items, listing->items, listing->count * sizeof(*items));
    }
    listing->items = items;
    listing->room = room;
    return true;
}

static enum tr_status take(void *context, const struct file_tree_entry *entry)
{
    struct listing *listing = context;
    const char *glob = listing->request->glob;
    if (glob != NULL && !tr_glob_match(glob, entry->name)) {
        return TR_OK;
    }
    if (!make_room(listing)) {
        return TR_NO_MEMORY;
    }
    listing->items[listing->count++] = (struct found){ .path = entry->path, .info = entry->info };
    return TR_OK;
}

static enum tr_status gather(struct listing *listing, const struct tr_vfs *vfs)
{
    struct file_tree tree = {
        .call = listing->call,
        .vfs = vfs,
        .depth = listing->request->depth,
        .limit = MAX_ENTRIES,
        .visit = take,
        .context = listing,
    };
    TR_TRY(tr_file_tree_walk(&tree, listing->request->path));
    listing->is_full = tree.is_full;
    return TR_OK;
}

/* ---- sorting ---- */

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct found *)left)->path, ((const struct found *)right)->path);
}

/* Equal ones by name, so that pages fit together. */
static int by_size(const void *left, const void *right)
{
    const int64_t one = ((const struct found *)left)->info.size_bytes;
    const int64_t other = ((const struct found *)right)->info.size_bytes;
    return one != other ? (one < other) - (one > other) : by_name(left, right);
}

static int by_time(const void *left, const void *right)
{
    const int64_t one = ((const struct found *)left)->info.modified_ns;
    const int64_t other = ((const struct found *)right)->info.modified_ns;
    return one != other ? (one < other) - (one > other) : by_name(left, right);
}

static void sort(struct listing *listing)
{
    static int (*const orders[])(const void *, const void *) = {
        [DIRECTORY_SORT_ABSENT] = by_name,
        [DIRECTORY_BY_NAME] = by_name,
        [DIRECTORY_BY_SIZE] = by_size,
        [DIRECTORY_BY_TIME] = by_time,
    };
    if (listing->count == 0) {
        return;
    }
    qsort(listing->items, listing->count, sizeof(*listing->items), orders[listing->request->sort]);
    for (size_t i = 0; listing->request->reverse && i < listing->count / 2; i++) {
        const struct found swapped = listing->items[i];
        listing->items[i] = listing->items[listing->count - 1 - i];
        listing->items[listing->count - 1 - i] = swapped;
    }
}

/* ---- answering ---- */

static enum tr_status describe(struct tr_call *call, const struct found *found,
                               struct directory_entry *out)
{
    const bool is_file = found->info.kind == TR_FILE_REGULAR;
    out->path = found->path;
    out->kind = tr_file_kind_of(found->info.kind);
    out->size_bytes = (struct tr_opt_int){ .has = is_file, .value = found->info.size_bytes };
    out->modified = tr_file_time(call, found->info.modified_ns);
    return out->modified != NULL ? TR_OK : TR_NO_MEMORY;
}

/* How many entries from `start` on make a page. */
static size_t page_size(const struct listing *listing, size_t start)
{
    size_t bytes = 0;
    size_t count = 0;
    while (start + count < listing->count && count < (size_t)listing->request->limit) {
        bytes += strlen(listing->items[start + count].path);
        if (bytes > PAGE_BYTES) {
            break;
        }
        count++;
    }
    return count;
}

static enum tr_status answer(const struct listing *listing,
                             struct directory_list_response *response)
{
    const size_t start = (uint64_t)listing->request->start < listing->count
                             ? (size_t)listing->request->start
                             : listing->count;
    const size_t left = listing->count - start;
    const size_t count = page_size(listing, start);
    struct directory_entry *entries =
        TR_NEW(&listing->call->arena, struct directory_entry, count + 1);
    if (entries == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        TR_TRY(describe(listing->call, &listing->items[start + i], &entries[i]));
    }
    response->path = listing->request->path;
    response->entries.items = entries;
    response->entries.count = count;
    response->total = (int64_t)listing->count;
    response->truncated = listing->is_full || count < left;
    response->next_start = (struct tr_opt_int){
        .has = count < left,
        .value = (int64_t)(start + count),
    };
    return TR_OK;
}

static enum tr_status list(struct tr_call *call, const struct tr_vfs *vfs,
                           const struct directory_list_request *request,
                           struct directory_list_response *response)
{
    struct listing listing = { .call = call, .request = request };
    TR_TRY(gather(&listing, vfs));
    if (listing.is_full) {
        tr_warn(call, "Only the first %d entries were looked at: list a folder further down",
                MAX_ENTRIES);
    }
    sort(&listing);
    return answer(&listing, response);
}

TR_FILE_TOOL(
    directory_list, list, directory_list_request, directory_list_response,
    .description = "List the files and folders in a folder, with sizes and times, sorted and in "
                   "pages. Use it to find out what there is before reading; to look into files use "
                   "file_search.",
    .annotations = { .read_only = true, .idempotent = true }, .output_limit_bytes = OUTPUT_BYTES,
    .example_json = TR_JSON({ "path": "/data", "depth": 2, "glob": "*.txt" }));
