#include "server/cli_load.h"

#include "openapi/dialect.h"
#include "server/cli_output.h"
#include "server/suites.h"
#include "tools/core/problem.h"
#include "tools/core/registry.h"
#include "tools/core/text.h"

enum { MAX_LIST_BYTES = 512, MAX_PROBLEM_BYTES = 4096 };

bool tr_cli_load_config(const struct tr_cli_options *options, struct tr_config *ret_config)
{
    const struct tr_config_source source = {
        .path = options->config,
        .listen = options->listen,
        .plugins = options->plugins.items,
        .plugin_count = options->plugins.count,
        .is_dev = options->is_dev,
    };
    struct tr_fault fault = { .where = "" };
    if (tr_config_load(&source, ret_config, &fault) != TR_OK) {
        (void)tr_cli_refuse(&fault);
        return false;
    }
    return true;
}

bool tr_cli_load(const struct tr_cli_options *options, struct tr_cli_load *ret_load)
{
    *ret_load = (struct tr_cli_load){ .registry = NULL };
    if (!tr_cli_load_config(options, &ret_load->config)) {
        return false;
    }
    struct tr_fault fault = { .where = "" };
    if (tr_suites_load(&ret_load->config, &ret_load->registry, &fault) != TR_OK) {
        (void)tr_cli_refuse(&fault);
        tr_cli_load_done(ret_load);
        return false;
    }
    return true;
}

void tr_cli_load_done(struct tr_cli_load *load)
{
    tr_registry_unref(load->registry);
    load->registry = NULL;
    tr_config_done(&load->config);
}

const struct tr_dialect *tr_cli_dialect(const struct tr_cli_options *options)
{
    size_t count = 0;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    if (options->format == NULL) {
        return dialects[0];
    }
    const struct tr_dialect *found = tr_dialect_find(options->format);
    if (found == NULL) {
        tr_auto(text) struct tr_text names = { 0 };
        tr_text_init(&names, MAX_LIST_BYTES);
        for (size_t i = 0; i < count; i++) {
            tr_text_printf(&names, "%s%s", i == 0 ? "" : ", ", dialects[i]->name);
        }
        tr_cli_complain("--format: must be one of: %s", tr_text_string(&names));
    }
    return found;
}

enum tr_exit tr_cli_refuse_tool(const struct tr_cli_options *options,
                                const struct tr_registry *registry, const char *name)
{
    const char *nearest = tr_registry_nearest(registry, name);
    tr_auto(text) struct tr_text detail = { 0 };
    tr_text_init(&detail, MAX_LIST_BYTES);
    tr_text_printf(&detail, "Tool '%.128s' not found", name);
    if (nearest != NULL) {
        tr_text_printf(&detail, "; did you mean '%s'?", nearest);
    }
    tr_cli_complain("%s", tr_text_string(&detail));
    if (tr_cli_wants_json(options)) {
        tr_auto(text) struct tr_text problem = { 0 };
        tr_text_init(&problem, MAX_PROBLEM_BYTES);
        tr_problem_write(&problem, TR_UNKNOWN_TOOL, tr_text_string(&detail), NULL, NULL);
        (void)tr_cli_print_text(tr_text_string(&problem));
    }
    return TR_EXIT_REFUSED;
}
