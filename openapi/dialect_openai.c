/* Chat Completions of OpenAI and of everything compatible with it: the whole schema is read, but
 * its root must be a plain object. */
#include "openapi/dialect.h"
#include "openapi/function_tool.h"
#include "openapi/subset.h"

enum { DESCRIPTION_CHARACTERS = 1024 };

static json_t *describe(const struct tr_subject *subject, json_t *dropped)
{
    static const struct tr_subset subset = { .root_drops = tr_subset_combinators };
    const struct tr_function_rules rules = {
        .subset = &subset,
        .description_characters = DESCRIPTION_CHARACTERS,
    };
    return tr_function_tool(subject->entry, &rules, dropped);
}

const struct tr_dialect tr_dialect_openai = {
    .name = "openai",
    .description = "Function tools of OpenAI's Chat Completions",
    .shape_json = tr_function_tool_shape,
    .describe = describe,
};
