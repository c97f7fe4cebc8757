#include "tools/suites/data/data.h"

/* In the order in which callers see them. */
static const struct tr_tool *const data_tools[] = {
    &csv_read_tool,  &regex_extract_tool, &time_now_tool,      &time_convert_tool,
    &hash_text_tool, &uuid_new_tool,      &base64_encode_tool, &base64_decode_tool,
};

const struct tr_suite data_suite = {
    TR_SUITE_HEADER,
    .name = "data",
    .version = "1.0.0",
    .description = "Exact work on data that a language model should not do in its head: tables, "
                   "patterns, digests, times, identifiers and encodings",
    .tools = data_tools,
    .tool_count = TR_COUNT_OF(data_tools),
};
