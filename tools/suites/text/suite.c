#include "tools/suites/text/text.h"

/* In the order in which callers see them. */
static const struct tr_tool *const text_tools[] = {
    &translate_tool,
    &text_stats_tool,
    &json_query_tool,
};

const struct tr_suite text_suite = {
    TR_SUITE_HEADER,
    .name = "text",
    .version = "1.0.0",
    .description = "Pure tools for texts and JSON documents: they reach nothing and keep nothing",
    .tools = text_tools,
    .tool_count = TR_COUNT_OF(text_tools),
};
