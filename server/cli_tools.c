/* toolrest tools: what there is. */
#include <stdio.h>
#include <string.h>

#include "openapi/dialect.h"
#include "server/cli.h"
#include "server/cli_load.h"
#include "server/cli_output.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"

/* How long the first sentence is; the rest is for `toolrest show`. */
static int first_sentence(const char *description)
{
    const char *end = strstr(description, ". ");
    return (int)(end != NULL ? (size_t)(end - description) + 1 : strlen(description));
}

static enum tr_exit print_table(const struct tr_registry *registry)
{
    for (size_t i = 0; i < tr_registry_tool_count(registry); i++) {
        const struct tr_entry *entry = tr_registry_tool(registry, i);
        const char *description = entry->tool->description;
        (void)printf("%-24s  %.*s\n", entry->tool->name, first_sentence(description), description);
    }
    return TR_EXIT_OK;
}

static enum tr_exit print_described(const struct tr_cli_load *load,
                                    const struct tr_dialect *dialect)
{
    json_auto_t *list = json_array();
    if (list == NULL) {
        return tr_cli_refuse_memory();
    }
    for (size_t i = 0; i < tr_registry_tool_count(load->registry); i++) {
        const struct tr_subject subject = {
            .entry = tr_registry_tool(load->registry, i),
            .base_url = load->config.base_url,
            .needs_key = load->config.key_count != 0,
        };
        if (json_array_append_new(list, dialect->describe(&subject, NULL)) != 0) {
            return tr_cli_refuse_memory();
        }
    }
    json_t *all = tr_json_take(&list);
    return tr_cli_print_json(dialect->wrap != NULL ? dialect->wrap(all) : all);
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    const struct tr_dialect *dialect = tr_cli_dialect(options);
    if (dialect == NULL) {
        return TR_EXIT_USAGE;
    }
    tr_auto(cli_load) struct tr_cli_load load;
    if (!tr_cli_load(options, &load)) {
        return TR_EXIT_REFUSED;
    }
    if (options->format == NULL && !tr_cli_wants_json(options)) {
        return print_table(load.registry);
    }
    return print_described(&load, dialect);
}

const struct tr_cli_command tr_cli_tools = {
    .name = "tools",
    .summary = "List the tools",
    .flags = { &tr_flag_config, &tr_flag_plugin, &tr_flag_format, &tr_flag_json },
    .run = run,
};
