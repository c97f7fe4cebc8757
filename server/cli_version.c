/* toolrest version: of the program, and of the libraries that it runs with. */
#include <stdio.h>

#include <jansson.h>

#include "middleware/secret.h"
#include "server/cli.h"
#include "server/cli_output.h"
#include "server/http_client.h"
#include "server/listener.h"
#include "server/yaml.h"
#include "tools/core/descriptor.h"
#include "tools/core/pattern.h"

struct library {
    const char *name;
    const char *(*version)(void);
};

/* Sorted by name. */
static const struct library libraries[] = {
    {
        .name = "jansson",
        .version = jansson_version_str,
    },
    {
        .name = "libcurl",
        .version = tr_http_client_version,
    },
    {
        .name = "libmicrohttpd",
        .version = tr_listener_version,
    },
    {
        .name = "libyaml",
        .version = tr_yaml_version,
    },
    {
        .name = "openssl",
        .version = tr_secret_version,
    },
    {
        .name = "pcre2",
        .version = tr_pattern_version,
    },
};

static enum tr_exit print_json(void)
{
    json_auto_t *versions = json_object();
    for (size_t i = 0; i < TR_COUNT_OF(libraries); i++) {
        if (json_object_set_new(versions, libraries[i].name, json_string(libraries[i].version()))
            != 0) {
            return tr_cli_refuse_memory();
        }
    }
    return tr_cli_print_json(json_pack("{s:s,s:O}", "version", TR_VERSION, "libraries", versions));
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    if (tr_cli_wants_json(options)) {
        return print_json();
    }
    (void)printf("toolrest %s\n", TR_VERSION);
    for (size_t i = 0; i < TR_COUNT_OF(libraries); i++) {
        (void)printf("  %-13s  %s\n", libraries[i].name, libraries[i].version());
    }
    return TR_EXIT_OK;
}

const struct tr_cli_command tr_cli_version = {
    .name = "version",
    .summary = "Print the version, and those of the libraries in use",
    .flags = { &tr_flag_json },
    .run = run,
};
