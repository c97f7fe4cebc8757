/* files.h - the suite of tools that work on mounted files, and what they share. */
#ifndef TR_TOOLS_SUITES_FILES_FILES_H
#define TR_TOOLS_SUITES_FILES_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/base/file_tool.h"
#include "tools/core/suite.h"
#include "tools/core/tool.h"

extern const struct tr_tool directory_create_tool, directory_list_tool, file_delete_tool,
    file_edit_tool, file_info_tool, file_move_tool, file_read_tool, file_search_tool,
    file_write_tool, list_mounts_tool;

extern const struct tr_suite files_suite;

/* ---- shared ---- */

/* Characters of a path; the virtual file system counts the bytes. */
#define FILE_PATH_LENGTH TR_RANGE(1, TR_VFS_PATH_BYTES - 1)

enum file_encoding { FILE_ENCODING_ABSENT, FILE_UTF8, FILE_BASE64 };
extern const char *const file_encoding_names[3];

enum file_kind {
    FILE_KIND_ABSENT,
    FILE_KIND_FILE,
    FILE_KIND_FOLDER,
    FILE_KIND_LINK,
    FILE_KIND_OTHER
};
extern const char *const file_kind_names[5];

enum file_right {
    FILE_RIGHT_ABSENT,
    FILE_RIGHT_READ,
    FILE_RIGHT_WRITE,
    FILE_RIGHT_CREATE,
    FILE_RIGHT_DELETE,
};
extern const char *const file_right_names[5];

struct file_rights {
    TR_SPAN(enum file_right) list;
};

enum file_kind tr_file_kind_of(enum tr_file_kind kind);

/* The rights of the bits `rights`, by name. False when the call's memory is used up. */
TR_MUST_USE bool tr_file_rights_of(struct tr_call *call, unsigned rights, struct file_rights *out);

/* A time as RFC 3339 in UTC, "2030-01-31T12:00:00Z". NULL when the call's memory is used up. */
const char *tr_file_time(struct tr_call *call, int64_t since_1970_ns);

/* How many bytes of `bytes` are text that an answer can carry: UTF-8 without NUL. */
size_t tr_file_text_length(const char *bytes, size_t length);

/* `folder` and `name` as one path. NULL when the call's memory is used up. */
const char *tr_file_join(struct tr_call *call, const char *folder, const char *name);

#endif
