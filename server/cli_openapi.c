/* toolrest openapi: the document that GET /openapi.json gives to a caller who may use every tool.
 */
#include <stdlib.h>

#include "openapi/document.h"
#include "server/cli.h"
#include "server/cli_load.h"
#include "server/cli_output.h"
#include "tools/core/registry.h"

static enum tr_exit print_document(const struct tr_cli_load *load)
{
    const size_t count = tr_registry_tool_count(load->registry);
    const struct tr_entry **entries = calloc(count + 1, sizeof(*entries));
    if (entries == NULL) {
        return tr_cli_refuse_memory();
    }
    for (size_t i = 0; i < count; i++) {
        entries[i] = tr_registry_tool(load->registry, i);
    }
    const struct tr_document_facts facts = {
        .version = TR_VERSION,
        .external_url = load->config.file->server.external_url,
        .needs_key = load->config.key_count != 0,
        .entries = entries,
        .entry_count = count,
    };
    json_t *document = tr_document_render(&facts);
    free(entries);
    return tr_cli_print_json(document);
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    tr_auto(cli_load) struct tr_cli_load load;
    return tr_cli_load(options, &load) ? print_document(&load) : TR_EXIT_REFUSED;
}

const struct tr_cli_command tr_cli_openapi = {
    .name = "openapi",
    .summary = "Print the OpenAPI document of the tools",
    .flags = { &tr_flag_config, &tr_flag_plugin, &tr_flag_json },
    .run = run,
};
