#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "server/config_parts.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"

/* What may be said about one tool: `- weather: {timeout_ms: 5000}`. */
struct config_tool {
    json_t *defaults;
    struct tr_opt_int timeout_ms;
    struct tr_opt_int output_limit_bytes;
    json_t *network;
};

static const struct tr_field config_tool_fields[] = {
    {
        TR_FIELD(config_tool, defaults),
        .description = "Values for parameters that a call leaves out",
    },
    {
        TR_FIELD(config_tool, timeout_ms),
        .description = "How long a call may take; the tool's own limit when left out",
        .range = TR_RANGE(1, TR_MAX_TIMEOUT_MS),
    },
    {
        TR_FIELD(config_tool, output_limit_bytes),
        .description = "Where a result is cut; the tool's own limit when left out",
        .range = TR_RANGE(1, 67108864),
    },
    {
        TR_FIELD(config_tool, network),
        .description = "What the tool may reach, over what its suite says; for tools that use HTTP",
    },
};
static TR_TYPE(config_tool, "A deployment's word about one tool");

static enum tr_status refuse(const struct tr_config_loading *loading, size_t index,
                             const char *reason)
{
    char pointer[TR_FAULT_WHERE_BYTES];
    (void)snprintf(pointer, sizeof(pointer), "/tools/%zu", index);
    return tr_config_refuse(loading, pointer, "%s", reason);
}

/* Bind `{defaults, timeout_ms, output_limit_bytes}`, borrowed, into the options. */
static enum tr_status read_options(const struct tr_config_loading *loading, size_t index,
                                   json_t *value, struct tr_tool_options *options)
{
    const char *pointer =
        tr_arena_printf(&loading->config->arena, "/tools/%zu/%s", index, options->name);
    if (pointer == NULL) {
        return tr_config_refuse_memory(loading);
    }
    struct config_tool tool = { .defaults = NULL };
    TR_TRY(tr_config_bind(loading, &config_tool_type, pointer, json_incref(value), &tool));
    if (tool.defaults != NULL && !json_is_object(tool.defaults)) {
        return tr_config_refuse(loading, pointer, "defaults must be a mapping of parameters");
    }
    if (tool.network != NULL) {
        json_t *base = json_pack("{s:O}", "network", tool.network);
        if (!tr_arena_adopt_json(&loading->config->arena, base)) {
            return tr_config_refuse_memory(loading);
        }
        options->base = base;
    }
    options->defaults = tool.defaults;
    options->timeout_ms = tool.timeout_ms.has ? tool.timeout_ms.value : 0;
    options->output_limit_bytes = tool.output_limit_bytes.has ? tool.output_limit_bytes.value : 0;
    return TR_OK;
}

/* `- name`, `- name:` or `- name: {...}`. */
static enum tr_status read_tool(const struct tr_config_loading *loading, size_t index, json_t *item,
                                struct tr_tool_options *options)
{
    if (json_is_string(item)) {
        options->name = json_string_value(item);
        return TR_OK;
    }
    void *member = json_object_iter(item);
    if (member == NULL || json_object_size(item) != 1) {
        return refuse(loading, index,
                      "must be the name of a tool, or one name and its options, as "
                      "'- translate' or '- translate: {timeout_ms: 5000}'");
    }
    options->name = json_object_iter_key(member);
    json_t *value = json_object_iter_value(member);
    return json_is_null(value) ? TR_OK : read_options(loading, index, value, options);
}

static bool is_known(const struct tr_tool_options *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(options[i].name, options[count].name) == 0) {
            return true;
        }
    }
    return false;
}

enum tr_status tr_config_read_tools(const struct tr_config_loading *loading)
{
    json_t *tools = loading->file->tools;
    if (tools == NULL || json_is_null(tools)) {
        return TR_OK;
    }
    if (!json_is_array(tools)) {
        return tr_config_refuse(loading, "/tools", "must be a list of tools");
    }
    const size_t count = json_array_size(tools);
    struct tr_tool_options *options =
        TR_NEW(&loading->config->arena, struct tr_tool_options, count + 1);
    if (options == NULL) {
        return tr_config_refuse_memory(loading);
    }
    for (size_t i = 0; i < count; i++) {
        TR_TRY(read_tool(loading, i, json_array_get(tools, i), &options[i]));
        if (is_known(options, i)) {
            return refuse(loading, i, "is in the list twice");
        }
    }
    loading->config->tools = options;
    loading->config->tool_count = count;
    loading->config->has_tools = true;
    return TR_OK;
}
