/* toolrest call NAME: in this process, or by a gateway that runs. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cli.h"
#include "server/cli_load.h"
#include "server/cli_output.h"
#include "server/cli_parameters.h"
#include "server/http_client.h"
#include "server/services.h"
#include "tools/core/clock.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/pipeline.h"
#include "tools/core/registry.h"
#include "tools/core/text.h"

enum { MAX_ANSWER_BYTES = 256 * 1024 * 1024, MAX_URL_BYTES = 4096 };

static const char key_variable[] = "TOOLREST_KEY";

/* ---- the answer ---- */

/* What people want to see: the result, or the error and what is wrong. */
static enum tr_exit print_for_people(const json_t *answer)
{
    const json_t *violations = json_object_get(answer, "violations");
    const char *error = json_string_value(json_object_get(answer, "error"));
    if (error != NULL && json_array_size(violations) == 0) {
        tr_cli_complain("%s", error);
    }
    size_t index = 0;
    json_t *violation = NULL;
    json_array_foreach (violations, index, violation) {
        tr_cli_complain("%s", json_string_value(json_object_get(violation, "message")));
    }
    json_t *result = json_object_get(answer, "result");
    return result != NULL && !json_is_null(result) ? tr_cli_print_json(json_incref(result))
                                                   : TR_EXIT_OK;
}

/* `text` is an envelope or a problem document (DESIGN section 2); only the latter has a `code`. */
static enum tr_exit print_answer(const struct tr_cli_options *options, const struct tr_text *text)
{
    json_auto_t *answer = NULL;
    struct tr_fault fault = { .where = "" };
    if (tr_json_parse(tr_text_string(text), text->length, &answer, &fault) != TR_OK
        || !json_is_boolean(json_object_get(answer, "success"))) {
        tr_cli_complain("The answer is not a gateway's: %s",
                        answer == NULL ? fault.what : "it has no 'success'");
        return TR_EXIT_REFUSED;
    }
    const enum tr_exit printed = tr_cli_wants_json(options)
                                     ? tr_cli_print_text(tr_text_string(text))
                                     : print_for_people(answer);
    if (printed != TR_EXIT_OK) {
        return printed;
    }
    if (json_is_true(json_object_get(answer, "success"))) {
        return TR_EXIT_OK;
    }
    return json_object_get(answer, "code") != NULL ? TR_EXIT_REFUSED : TR_EXIT_TOOL_SAID_NO;
}

/* ---- by a gateway ---- */

static bool is_tool_name(const char *name)
{
    return *name != '\0'
           && name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")]
                  == '\0';
}

static enum tr_exit call_remote(const struct tr_cli_options *options,
                                const struct tr_text *parameters)
{
    const char *name = options->words.items[0];
    if (!is_tool_name(name)) {
        tr_cli_complain("'%s' is no name of a tool", name);
        return TR_EXIT_USAGE;
    }
    size_t base_length = strlen(options->url);
    while (base_length > 0 && options->url[base_length - 1] == '/') {
        base_length--;
    }
    char url[MAX_URL_BYTES];
    if (snprintf(url, sizeof(url), "%.*s/tools/%s", (int)base_length, options->url, name)
        >= (int)sizeof(url)) {
        tr_cli_complain("--url: is too long");
        return TR_EXIT_USAGE;
    }
    const struct tr_http_query query = {
        .url = url,
        .json_body = tr_text_string(parameters),
        .key = options->key != NULL ? options->key : getenv(key_variable),
        .timeout_ms = (long)TR_MAX_TIMEOUT_MS,
    };
    tr_auto(text) struct tr_text answer = { 0 };
    tr_text_init(&answer, MAX_ANSWER_BYTES);
    long http_status = 0;
    struct tr_fault fault = { .where = "" };
    if (tr_http_ask(&query, &answer, &http_status, &fault) != TR_OK) {
        return tr_cli_refuse(&fault);
    }
    return print_answer(options, &answer);
}

/* ---- in this process ---- */

static enum tr_exit run_tool(const struct tr_cli_options *options, const struct tr_entry *entry,
                             struct tr_call *call, const struct tr_text *parameters)
{
    struct tr_run run = { .entry = NULL };
    tr_run_init(&run, entry, call, tr_text_string(parameters), parameters->length);
    tr_auto(text) struct tr_text answer = { 0 };
    tr_text_init(&answer, MAX_ANSWER_BYTES);
    const enum tr_status status = tr_run_all(&run, &answer);
    tr_run_done(&run);
    if (answer.status != TR_OK || answer.length == 0) {
        tr_cli_complain("%s", tr_status_info(status)->title);
        return TR_EXIT_REFUSED;
    }
    return print_answer(options, &answer);
}

static enum tr_exit call_local(const struct tr_cli_options *options,
                               const struct tr_text *parameters)
{
    tr_auto(cli_load) struct tr_cli_load load;
    if (!tr_cli_load(options, &load)) {
        return TR_EXIT_REFUSED;
    }
    const char *name = options->words.items[0];
    const struct tr_entry *entry = tr_registry_find(load.registry, name);
    if (entry == NULL) {
        return tr_cli_refuse_tool(options, load.registry, name);
    }
    tr_auto(services) struct tr_services services = { 0 };
    struct tr_fault fault = { .where = "" };
    if (tr_services_init(&services, &load.config, &fault) != TR_OK) {
        return tr_cli_refuse(&fault);
    }
    struct tr_call call;
    tr_call_init(&call);
    call.services = &services;
    call.deadline_ms = tr_clock_ms() + entry->timeout_ms;
    const enum tr_exit code = run_tool(options, entry, &call, parameters);
    tr_call_done(&call);
    return code;
}

/* ---- the command ---- */

static enum tr_exit check_flags(const struct tr_cli_options *options)
{
    const bool is_remote = options->url != NULL;
    if (is_remote && (options->config != NULL || options->plugins.count != 0)) {
        tr_cli_complain(
            "toolrest call: --url is for another gateway, --config and --plugin are for "
            "a call in this process");
        return TR_EXIT_USAGE;
    }
    if (!is_remote && options->key != NULL) {
        tr_cli_complain("toolrest call: --key goes with --url");
        return TR_EXIT_USAGE;
    }
    return TR_EXIT_OK;
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    enum tr_exit code = check_flags(options);
    if (code != TR_EXIT_OK) {
        return code;
    }
    tr_auto(text) struct tr_text parameters = { 0 };
    tr_text_init(&parameters, MAX_ANSWER_BYTES);
    code = tr_cli_parameters(options->words.items + 1, options->words.count - 1, &parameters);
    if (code != TR_EXIT_OK) {
        return code;
    }
    return options->url != NULL ? call_remote(options, &parameters)
                                : call_local(options, &parameters);
}

const struct tr_cli_command tr_cli_call = {
    .name = "call",
    .words = "NAME [key=text | key:=JSON | @FILE]...",
    .min_words = 1,
    .max_words = (size_t)-1,
    .summary = "Call a tool",
    .details = "  key=text   a text; numbers and the like are read as the tool's schema says\n"
               "  key:=JSON  any JSON value\n"
               "  @FILE      a JSON object with the parameters; @- reads standard input",
    .flags = { &tr_flag_config, &tr_flag_plugin, &tr_flag_url, &tr_flag_key, &tr_flag_json },
    .run = run,
};
