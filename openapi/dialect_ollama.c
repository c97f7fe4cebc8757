/* Ollama: OpenAI's shape, but its server reads few keywords and forgets the others. */
#include "openapi/dialect.h"
#include "openapi/function_tool.h"
#include "openapi/subset.h"

static const char *const keeps[] = {
    "type", "description", "properties", "required", "items", "enum", "anyOf", NULL,
};

static const char *const shows[] = { "default", "additionalProperties", NULL };

static json_t *describe(const struct tr_subject *subject, json_t *dropped)
{
    static const struct tr_subset subset = {
        .keeps = keeps,
        .shows = shows,
        .root_drops = tr_subset_combinators,
    };
    const struct tr_function_rules rules = { .subset = &subset };
    return tr_function_tool(subject->entry, &rules, dropped);
}

const struct tr_dialect tr_dialect_ollama = {
    .name = "ollama",
    .description = "Function tools of Ollama's chat API",
    .shape_json = tr_function_tool_shape,
    .describe = describe,
};
