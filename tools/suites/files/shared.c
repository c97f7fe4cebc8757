/* What the tools of this suite share. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tools/core/utf8.h"
#include "tools/suites/files/files.h"

const char *const file_encoding_names[3] = {
    [FILE_UTF8] = "utf-8",
    [FILE_BASE64] = "base64",
};

const char *const file_kind_names[5] = {
    [FILE_KIND_FILE] = "file",
    [FILE_KIND_FOLDER] = "folder",
    [FILE_KIND_LINK] = "link",
    [FILE_KIND_OTHER] = "other",
};

const char *const file_right_names[5] = {
    [FILE_RIGHT_READ] = "read",
    [FILE_RIGHT_WRITE] = "write",
    [FILE_RIGHT_CREATE] = "create",
    [FILE_RIGHT_DELETE] = "delete",
};

enum file_kind tr_file_kind_of(enum tr_file_kind kind)
{
    switch (kind) {
    case TR_FILE_REGULAR: return FILE_KIND_FILE;
    case TR_FILE_FOLDER: return FILE_KIND_FOLDER;
    case TR_FILE_LINK: return FILE_KIND_LINK;
    case TR_FILE_NONE:
    case TR_FILE_OTHER: break;
    }
    return FILE_KIND_OTHER;
}

bool tr_file_rights_of(struct tr_call *call, unsigned rights, struct file_rights *out)
{
    static const struct {
        unsigned bit;
        enum file_right right;
    } all[] = {
        { TR_RIGHT_READ, FILE_RIGHT_READ },
        { TR_RIGHT_WRITE, FILE_RIGHT_WRITE },
        { TR_RIGHT_CREATE, FILE_RIGHT_CREATE },
        { TR_RIGHT_DELETE, FILE_RIGHT_DELETE },
    };
    enum file_right *items = TR_NEW(&call->arena, enum file_right, TR_COUNT_OF(all));
    if (items == NULL) {
        return false;
    }
    out->list.items = items;
    out->list.count = 0;
    for (size_t i = 0; i < TR_COUNT_OF(all); i++) {
        if (rights & all[i].bit) {
            items[out->list.count++] = all[i].right;
        }
    }
    return true;
}

const char *tr_file_time(struct tr_call *call, int64_t since_1970_ns)
{
    enum { NS_PER_SECOND = 1000 * 1000 * 1000 };
    int64_t seconds = since_1970_ns / NS_PER_SECOND;
    seconds -= since_1970_ns % NS_PER_SECOND < 0;
    const time_t time = (time_t)seconds;
    struct tm parts;
    char text[64];
    if (gmtime_r(&time, &parts) == NULL
        || strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        (void)snprintf(text, sizeof(text), "1970-01-01T00:00:00Z");
    }
    return tr_printf(call, "%s", text);
}

size_t tr_file_text_length(const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length && bytes[at] != '\0') {
        const size_t step = tr_utf8_next(bytes + at, length - at, NULL);
        if (step == 0) {
            break;
        }
        at += step;
    }
    return at;
}

const char *tr_file_join(struct tr_call *call, const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const bool has_slash = length != 0 && folder[length - 1] == '/';
    return tr_printf(call, "%s%s%s", folder, has_slash ? "" : "/", name);
}
