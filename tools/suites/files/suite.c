#include "tools/suites/files/files.h"

/* In the order in which callers see them. */
static const struct tr_tool *const files_tools[] = {
    &list_mounts_tool, &directory_list_tool,   &file_info_tool, &file_read_tool,
    &file_search_tool, &file_write_tool,       &file_edit_tool, &file_move_tool,
    &file_delete_tool, &directory_create_tool,
};

const struct tr_suite files_suite = {
    TR_SUITE_HEADER,
    .name = "files",
    .version = "1.0.0",
    .description = "Read, search and change the files of the mounted folders, and nothing else",
    .tools = files_tools,
    .tool_count = TR_COUNT_OF(files_tools),
};
