/* The flags that several commands know, each described once. */
#include "server/cli.h"

const struct tr_cli_flag tr_flag_config = {
    TR_CLI_FLAG(config),
    .name = "config",
    .argument = "FILE",
    .summary = "The configuration to use (YAML)",
};

const struct tr_cli_flag tr_flag_plugin = {
    TR_CLI_FLAG(plugins),
    .name = "plugin",
    .argument = "PATH",
    .summary = "A plugin to load besides the configuration's; may be repeated",
};

const struct tr_cli_flag tr_flag_listen = {
    TR_CLI_FLAG(listen),
    .name = "listen",
    .argument = "ADDRESS",
    .summary = "Address and port to listen on, as 127.0.0.1:8080",
};

const struct tr_cli_flag tr_flag_dev = {
    TR_CLI_FLAG(is_dev),
    .name = "dev",
    .summary = "For development: loopback only, with a new key that is printed",
};

const struct tr_cli_flag tr_flag_json = {
    TR_CLI_FLAG(is_json),
    .name = "json",
    .summary = "Write JSON, as is done anyway when the output is no terminal",
};

const struct tr_cli_flag tr_flag_url = {
    TR_CLI_FLAG(url),
    .name = "url",
    .argument = "URL",
    .summary = "Ask the gateway that runs at this URL",
};

const struct tr_cli_flag tr_flag_key = {
    TR_CLI_FLAG(key),
    .name = "key",
    .argument = "KEY",
    .summary = "The API key for --url; better in the variable TOOLREST_KEY, which nobody sees",
};

const struct tr_cli_flag tr_flag_name = {
    TR_CLI_FLAG(name),
    .name = "name",
    .argument = "NAME",
    .summary = "Who will hold the key",
};

const struct tr_cli_flag tr_flag_format = {
    TR_CLI_FLAG(format),
    .name = "format",
    .argument = "DIALECT",
    .summary = "The dialect to describe tools in, as openai; native when left out",
};

const struct tr_cli_flag tr_flag_live = {
    TR_CLI_FLAG(is_live),
    .name = "live",
    .summary = "Ask the running gateway whether it is alive, and check nothing else",
};
