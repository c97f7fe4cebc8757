/* toolrest check: is the configuration right? toolrest check --live: is the gateway alive? */
#include <stdio.h>
#include <string.h>

#include "server/cli.h"
#include "server/cli_load.h"
#include "server/cli_output.h"
#include "server/http_client.h"
#include "tools/core/clock.h"
#include "tools/core/registry.h"
#include "tools/core/text.h"

enum { LIVE_TIMEOUT_MS = 2000, MAX_ANSWER_BYTES = 64 * 1024, MAX_URL_BYTES = 4096, HTTP_OK = 200 };

/* ---- the configuration ---- */

/* A key that has ended is no mistake in the file, but somebody may wonder. */
static size_t report_expired_keys(const struct tr_config *config)
{
    size_t count = 0;
    for (size_t i = 0; i < config->key_count; i++) {
        const struct tr_key_spec *key = &config->keys[i];
        if (key->expires_ms != 0 && key->expires_ms <= tr_clock_real_ms()) {
            tr_cli_complain("Note: the key '%s' has expired", key->name);
            count++;
        }
    }
    return count;
}

static json_t *summary_of(const struct tr_cli_load *load, const char *address, size_t expired)
{
    const struct tr_config *config = &load->config;
    return json_pack("{s:b,s:s,s:I,s:I,s:I,s:I,s:I}", "ok", 1, "listen", address, "keys",
                     (json_int_t)config->key_count, "expired_keys", (json_int_t)expired, "suites",
                     (json_int_t)tr_registry_suite_count(load->registry), "plugins",
                     (json_int_t)config->plugin_count, "tools",
                     (json_int_t)tr_registry_tool_count(load->registry));
}

/* Loading does all the work: it verifies every table, compiles every schema, holds every example
 * against its schema and starts every suite. */
static enum tr_exit check(const struct tr_cli_options *options)
{
    tr_auto(cli_load) struct tr_cli_load load;
    if (!tr_cli_load(options, &load)) {
        return TR_EXIT_REFUSED;
    }
    char address[TR_ENDPOINT_TEXT_BYTES];
    tr_endpoint_print(&load.config.listen, address);
    const size_t expired = report_expired_keys(&load.config);
    if (tr_cli_wants_json(options)) {
        return tr_cli_print_json(summary_of(&load, address, expired));
    }
    (void)printf("%s is right\n  listen   %s\n  keys     %zu\n  suites   %zu\n  plugins  %zu\n"
                 "  tools    %zu\n",
                 options->config != NULL ? options->config : "The default configuration", address,
                 load.config.key_count, tr_registry_suite_count(load.registry),
                 load.config.plugin_count, tr_registry_tool_count(load.registry));
    return TR_EXIT_OK;
}

/* ---- the gateway that runs ---- */

static enum tr_exit ask(const struct tr_cli_options *options, const char *base, bool is_local)
{
    char url[MAX_URL_BYTES];
    if (snprintf(url, sizeof(url), "%s/livez", base) >= (int)sizeof(url)) {
        tr_cli_complain("--url: is too long");
        return TR_EXIT_USAGE;
    }
    const struct tr_http_query query = {
        .url = url,
        .timeout_ms = LIVE_TIMEOUT_MS,
        .is_local = is_local,
    };
    tr_auto(text) struct tr_text answer = { 0 };
    tr_text_init(&answer, MAX_ANSWER_BYTES);
    long http_status = 0;
    struct tr_fault fault = { .where = "" };
    if (tr_http_ask(&query, &answer, &http_status, &fault) != TR_OK) {
        return tr_cli_refuse(&fault);
    }
    if (http_status != HTTP_OK) {
        tr_cli_complain("%s: answered with status %ld", url, http_status);
        return TR_EXIT_REFUSED;
    }
    if (tr_cli_wants_json(options)) {
        return tr_cli_print_json(json_pack("{s:b,s:s}", "live", 1, "url", base));
    }
    (void)printf("%s is alive\n", base);
    return TR_EXIT_OK;
}

/* Where the configuration says that the gateway listens. */
static enum tr_exit ask_configured(const struct tr_cli_options *options)
{
    tr_auto(config) struct tr_config config;
    if (!tr_cli_load_config(options, &config)) {
        return TR_EXIT_REFUSED;
    }
    char address[TR_ENDPOINT_TEXT_BYTES];
    char base[TR_ENDPOINT_TEXT_BYTES + sizeof("http://")];
    tr_endpoint_print(&config.listen, address);
    (void)snprintf(base, sizeof(base), "http://%s", address);
    return ask(options, base, true);
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    if (options->is_live) {
        return options->url != NULL ? ask(options, options->url, false) : ask_configured(options);
    }
    if (options->url != NULL) {
        tr_cli_complain("toolrest check: --url goes with --live");
        return TR_EXIT_USAGE;
    }
    return check(options);
}

const struct tr_cli_command tr_cli_check = {
    .name = "check",
    .summary = "Check the configuration, the plugins and every tool without serving",
    .details = "With --live it asks the gateway that the configuration describes, or the one at "
               "--url,\nfor /livez: for the health check of a container.",
    .flags = { &tr_flag_config, &tr_flag_plugin, &tr_flag_listen, &tr_flag_live, &tr_flag_url,
               &tr_flag_json },
    .run = run,
};
