/* toolrest serve: the gateway, from its start to the end of its last request. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/app.h"
#include "server/cli.h"
#include "server/cli_load.h"
#include "server/cli_output.h"
#include "server/listener.h"
#include "server/shell_word.h"
#include "tools/core/registry.h"
#include "tools/core/text.h"

/* A call may need a second descriptor, for an upstream; some more are the program's own. */
enum { DESCRIPTORS_PER_CONNECTION = 2, DESCRIPTORS_OF_OURS = 200 };

enum { MAX_LINE_BYTES = 64 * 1024, STOP_SECONDS = 2 };

/* ---- descriptors ---- */

/* Raise the soft limit as far as connection_limit needs it and the hard limit allows; gives what it
 * became. */
static rlim_t raise_descriptor_limit(int64_t connection_limit)
{
    struct rlimit limit = { .rlim_cur = 0 };
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    const rlim_t need = (rlim_t)connection_limit * DESCRIPTORS_PER_CONNECTION + DESCRIPTORS_OF_OURS;
    if (limit.rlim_cur >= need) {
        return limit.rlim_cur;
    }
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
}

static void report_descriptors(const struct tr_config *config)
{
    const int64_t connections = config->file->server.connection_limit;
    const rlim_t limit = raise_descriptor_limit(connections);
    tr_cli_complain("Descriptor limit %llu, connection limit %lld%s", (unsigned long long)limit,
                    (long long)connections,
                    limit < (rlim_t)connections + DESCRIPTORS_OF_OURS
                        ? ": too few descriptors, raise the hard limit (ulimit -Hn)"
                        : "");
}

/* ---- what is said at the start ---- */

/* The first tool that has an example, ready for a shell. */
static void write_curl(struct tr_text *out, const struct tr_app *app, const char *url)
{
    const struct tr_tool *tool = NULL;
    for (size_t i = 0; i < tr_registry_tool_count(app->registry) && tool == NULL; i++) {
        const struct tr_tool *candidate = tr_registry_tool(app->registry, i)->tool;
        tool = candidate->example_json != NULL ? candidate : NULL;
    }
    if (tool == NULL) {
        tr_text_printf(out, "curl -s %s/tools -H 'Authorization: Bearer %s'", url,
                       app->config->dev_key);
        return;
    }
    tr_text_printf(out,
                   "curl -s %s/tools/%s -H 'Authorization: Bearer %s' "
                   "-H 'Content-Type: application/json' -d ",
                   url, tool->name, app->config->dev_key);
    tr_shell_word(out, tool->example_json);
}

static void announce_to_program(const char *url, const char *key, const char *curl)
{
    json_auto_t *line = json_pack("{s:s,s:s*,s:s*}", "url", url, "key", key, "curl", curl);
    char *text = line != NULL ? json_dumps(line, JSON_COMPACT) : NULL;
    (void)printf("%s\n", text != NULL ? text : "{}");
    free(text);
}

/* The log's lines follow on the same descriptor, so nothing may stay in the buffer. */
static void announce(const struct tr_cli_options *options, const struct tr_app *app)
{
    struct tr_endpoint address = app->config->listen;
    char place[TR_ENDPOINT_TEXT_BYTES];
    char url[TR_ENDPOINT_TEXT_BYTES + sizeof("http://")];
    tr_endpoint_set_port(&address, tr_app_port(app));
    tr_endpoint_print(&address, place);
    (void)snprintf(url, sizeof(url), "http://%s", place);
    const char *key = app->config->dev_key;
    tr_auto(text) struct tr_text curl = { 0 };
    tr_text_init(&curl, MAX_LINE_BYTES);
    if (key != NULL) {
        write_curl(&curl, app, url);
    }
    if (options->is_json) {
        announce_to_program(url, key, key != NULL ? tr_text_string(&curl) : NULL);
    } else {
        (void)printf("Toolrest %s listens on %s%s\n", TR_VERSION, url,
                     tr_endpoint_is_wildcard(&address) ? " and every other address" : "");
        if (key != NULL) {
            (void)printf("Key for this run: %s\nTry: %s\n", key, tr_text_string(&curl));
        }
    }
    (void)fflush(stdout);
}

static void warn_about_library(void)
{
    if (tr_listener_needs_proxy()) {
        tr_cli_complain("Warning: this libmicrohttpd is older than 1.0 and lenient with malformed "
                        "requests: put a normalising proxy, as nginx, in front");
    }
}

/* ---- signals ---- */

/* Blocked before any thread starts, so that every thread inherits it and only wait_for_end() sees
 * them. Without --dev, SIGHUP changes nothing: the configuration is read at the start. */
static void block_signals(bool is_dev, sigset_t *ret_signals)
{
    (void)sigemptyset(ret_signals);
    (void)sigaddset(ret_signals, SIGTERM);
    (void)sigaddset(ret_signals, SIGINT);
    if (is_dev) {
        (void)sigaddset(ret_signals, SIGHUP);
    } else {
        (void)signal(SIGHUP, SIG_IGN);
    }
    (void)pthread_sigmask(SIG_BLOCK, ret_signals, NULL);
}

static void wait_for_end(const sigset_t *signals)
{
    int number = 0;
    while (sigwait(signals, &number) != 0) {
    }
    tr_cli_complain("Stopping: no new requests, running calls may finish");
}

static void leave_at_once(int number)
{
    static const char heedless[] = "A tool does not heed that its call was cancelled\n";
    if (number == SIGALRM) {
        const ssize_t written = write(STDERR_FILENO, heedless, sizeof(heedless) - 1);
        (void)written;
    }
    _exit(TR_EXIT_REFUSED);
}

/* A second signal, or an alarm, ends the program whatever still runs. A handler and not the default
 * action, which the first process of a container does not have. */
static void allow_second_signal(const sigset_t *signals)
{
    struct sigaction action = { .sa_handler = leave_at_once };
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGALRM, &action, NULL);
    (void)pthread_sigmask(SIG_UNBLOCK, signals, NULL);
}

/* ---- the command ---- */

static void stop(struct tr_app *app, const struct tr_config *config, const sigset_t *signals)
{
    allow_second_signal(signals);
    tr_app_quiesce(app);
    if (!tr_app_drain(app, config->file->server.drain_timeout_ms)) {
        tr_cli_complain("Calls are still running after server.drain_timeout_ms: cancelling them");
    }
    (void)alarm(STOP_SECONDS);
    tr_app_stop(app);
    (void)alarm(0);
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    sigset_t signals;
    block_signals(options->is_dev, &signals);
    tr_auto(cli_load) struct tr_cli_load load;
    if (!tr_cli_load(options, &load)) {
        return TR_EXIT_REFUSED;
    }
    report_descriptors(&load.config);
    struct tr_registry *registry = load.registry;
    load.registry = NULL;
    struct tr_app *app = NULL;
    struct tr_fault fault = { .where = "" };
    if (tr_app_start(&load.config, registry, &app, &fault) != TR_OK) {
        return tr_cli_refuse(&fault);
    }
    warn_about_library();
    announce(options, app);
    wait_for_end(&signals);
    stop(app, &load.config, &signals);
    return TR_EXIT_OK;
}

const struct tr_cli_command tr_cli_serve = {
    .name = "serve",
    .summary = "Start the gateway",
    .details =
        "SIGTERM and SIGINT let running calls finish (server.drain_timeout_ms), a second one "
        "stops\nat once. SIGHUP is ignored: the configuration is read at the start.",
    .flags = { &tr_flag_config, &tr_flag_plugin, &tr_flag_listen, &tr_flag_dev, &tr_flag_json },
    .run = run,
};
