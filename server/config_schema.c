/* The configuration file, described: its keys, their rules and their defaults. */
#include "server/config.h"

static const struct tr_field config_server_fields[] = {
    {
        TR_FIELD(config_server, listen),
        .description = "Address and port to listen on; ':8080' means every address",
        .default_json = TR_JSON("127.0.0.1:8080"),
    },
    {
        TR_FIELD(config_server, external_url),
        .description = "The URL under which callers reach the gateway, behind its proxy",
        .example_json = TR_JSON("https://tools.example.com/gw"),
    },
    {
        TR_LIST(config_server, trusted_proxies),
        .description = "Networks of the proxies whose Forwarded headers are believed",
        .count = TR_AT_MOST(256),
        .example_json = TR_JSON(["10.0.0.0/8"]),
    },
    {
        TR_LIST(config_server, cors_origins),
        .description = "Origins whose pages may call the gateway from a browser; '*' means any",
        .count = TR_AT_MOST(256),
        .example_json = TR_JSON(["https://app.example.com"]),
    },
    {
        TR_FIELD(config_server, threads),
        .description = "Threads that serve connections; 0 means one for each core",
        .range = TR_RANGE(0, 256),
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(config_server, workers),
        .description = "Threads that run blocking tools; 0 means eight for each core",
        .range = TR_RANGE(0, 4096),
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(config_server, queue_limit),
        .description = "Calls that may wait for a worker before the next one is refused as busy",
        .range = TR_RANGE(1, 1000000),
        .default_json = TR_JSON(1024),
    },
    {
        TR_FIELD(config_server, connection_limit),
        .description = "Connections that may be open at once",
        .range = TR_RANGE(1, 1000000),
        .default_json = TR_JSON(12000),
    },
    {
        TR_FIELD(config_server, per_address_limit),
        .description = "Connections that one address may open at once; 0 means no limit, as it "
                       "must be where a proxy stands in front",
        .range = TR_RANGE(0, 1000000),
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(config_server, body_limit_bytes),
        .description = "Size of the largest request body that is read",
        .range = TR_RANGE(1, 16777216),
        .default_json = TR_JSON(1048576),
    },
    {
        TR_FIELD(config_server, idle_timeout_ms),
        .description = "How long a connection may be silent",
        .range = TR_RANGE(1000, 3600000),
        .default_json = TR_JSON(60000),
    },
    {
        TR_FIELD(config_server, header_timeout_ms),
        .description = "How long the head of a request may take, from its first byte",
        .range = TR_RANGE(100, 3600000),
        .default_json = TR_JSON(10000),
    },
    {
        TR_FIELD(config_server, body_timeout_ms),
        .description = "How long the body of a request may take",
        .range = TR_RANGE(100, 3600000),
        .default_json = TR_JSON(30000),
    },
    {
        TR_FIELD(config_server, drain_timeout_ms),
        .description = "How long running calls may go on after SIGTERM; below the ten seconds "
                       "after which containers are killed",
        .range = TR_RANGE(0, 3600000),
        .default_json = TR_JSON(8000),
    },
    {
        TR_FIELD(config_server, access_log),
        .description = "Whether each request is logged as one line of JSON",
        .default_json = TR_JSON(true),
    },
};
static TR_TYPE(config_server, "How the gateway is reached, and its bounds");

static const struct tr_field config_http_fields[] = {
    {
        TR_FIELD(config_http, transfer_limit),
        .description = "Requests to upstreams that may be under way at once",
        .range = TR_RANGE(1, 65536),
        .default_json = TR_JSON(8192),
    },
    {
        TR_FIELD(config_http, queue_limit),
        .description = "Requests to upstreams that may wait for their turn before the next one is "
                       "refused as busy",
        .range = TR_RANGE(0, 65536),
        .default_json = TR_JSON(4096),
    },
    {
        TR_FIELD(config_http, per_host_limit),
        .description = "Requests that one upstream gets at once; 0 means no limit",
        .range = TR_RANGE(0, 65536),
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(config_http, ca_file),
        .description = "File of the certificate authorities that upstreams are checked against; "
                       "the system's when left out. A relative path starts at the folder of this "
                       "file",
        .length = TR_RANGE(1, 4095),
        .example_json = TR_JSON("./ca.pem"),
    },
};
static TR_TYPE(config_http, "How tools reach upstreams");

static const struct tr_field config_key_fields[] = {
    {
        TR_FIELD(config_key, name),
        .description = "Who holds the key; the log and the tools see this name",
        .length = TR_RANGE(1, 64),
        .required = true,
        .example_json = TR_JSON("ci"),
    },
    {
        TR_FIELD(config_key, sha256),
        .description = "SHA-256 of the key in hexadecimal; 'toolrest key new' prints both",
        .required = true,
        .secret = true,
    },
    {
        TR_LIST(config_key, tools),
        .description = "Tools that the key may use, with * and ?; every tool when left out",
        .count = TR_RANGE(1, 1024),
        .length = TR_RANGE(1, 64),
        .example_json = TR_JSON(["weather", "file_*"]),
    },
    {
        TR_FIELD(config_key, expires),
        .description = "The date (from its first moment, UTC) or date-time when the key ends",
        .example_json = TR_JSON("2030-01-01"),
    },
};
static TR_TYPE(config_key, "One API key, known by its digest alone");

static const struct tr_field config_auth_fields[] = {
    {
        TR_LIST_OF(config_auth, keys, config_key),
        .description = "The API keys; without any, only loopback addresses are served",
        .count = TR_AT_MOST(100000),
    },
};
static TR_TYPE(config_auth, "Who may call");

static const struct tr_field config_file_fields[] = {
    {
        TR_OBJECT(config_file, server, config_server),
        .description = "How the gateway is reached, and its bounds",
        .default_json = TR_JSON({}),
    },
    {
        TR_OBJECT(config_file, http, config_http),
        .description = "How tools reach upstreams",
        .default_json = TR_JSON({}),
    },
    {
        TR_OBJECT(config_file, auth, config_auth),
        .description = "Who may call",
        .default_json = TR_JSON({}),
    },
    {
        TR_LIST_OF(config_file, mounts, mount_settings),
        .description = "Folders for the file tools; none when left out",
        .count = TR_AT_MOST(256),
    },
    {
        TR_LIST(config_file, plugins),
        .description = "Plugins to load; a relative path starts at the folder of this file",
        .count = TR_AT_MOST(256),
        .length = TR_RANGE(1, 4095),
        .example_json = TR_JSON(["./plugins/weather.so"]),
    },
    {
        TR_FIELD(config_file, suites),
        .description = "Settings of the suites, by the name of the suite",
    },
    {
        TR_FIELD(config_file, tools),
        .description = "The tools to offer, each a name or {name: {defaults, timeout_ms, "
                       "output_limit_bytes}}; every tool when left out",
    },
};
TR_TYPE(config_file, "The configuration of a gateway");
