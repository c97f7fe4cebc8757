#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/config.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/text.h"

#define DIGEST "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
#define OTHER  "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
#define KEYS   "auth: {keys: [{name: a, sha256: " DIGEST "}]}\n"

/* ---- a file for each test ---- */

static char folder[] = "/tmp/toolrest-test-config-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    (void)snprintf(path, sizeof(path), "%s/file.yaml", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

static void write_file(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

struct loaded {
    struct tr_config config;
    struct tr_fault fault;
    enum tr_status status;
};

static void tr_loaded_drop(struct loaded *loaded)
{
    tr_config_done(&loaded->config);
}

static struct loaded load_source(const struct tr_config_source *source)
{
    struct loaded loaded = { .status = TR_OK };
    loaded.status = tr_config_load(source, &loaded.config, &loaded.fault);
    return loaded;
}

static struct loaded load_listening(const char *yaml, const char *listen)
{
    write_file(path, yaml, strlen(yaml));
    const struct tr_config_source source = { .path = path, .listen = listen };
    return load_source(&source);
}

static struct loaded load(const char *yaml)
{
    return load_listening(yaml, NULL);
}

/* `where` is "" for the file without a line, or ":12". */
static void assert_refused(const struct loaded *loaded, const char *where, const char *what)
{
    char place[128];
    (void)snprintf(place, sizeof(place), "%s%s", path, where);
    assert_int_equal(loaded->status, TR_INVALID_PARAMETERS);
    assert_string_equal(loaded->fault.where, place);
    if (strstr(loaded->fault.what, what) == NULL) {
        assert_string_equal(loaded->fault.what, what);
    }
    assert_null(strchr(loaded->fault.what, '\n'));
    assert_null(loaded->config.file);
    assert_null(loaded->config.arena.blocks);
}

/* ---- what a configuration becomes ---- */

static void config_without_a_file_has_the_defaults(void **state)
{
    (void)state;
    const struct tr_config_source source = { .path = NULL };

    tr_auto(loaded) struct loaded loaded = load_source(&source);

    assert_int_equal(loaded.status, TR_OK);
    const struct config_server *server = &loaded.config.file->server;
    assert_string_equal(server->listen, "127.0.0.1:8080");
    assert_null(server->external_url);
    assert_int_equal(server->trusted_proxies.count, 0);
    assert_int_equal(server->cors_origins.count, 0);
    assert_int_equal(server->connection_limit, 12000);
    assert_int_equal(server->body_limit_bytes, 1024 * 1024);
    assert_int_equal(server->drain_timeout_ms, 8000);
    assert_true(server->access_log);
    assert_int_equal(tr_endpoint_port(&loaded.config.listen), 8080);
    assert_int_equal(loaded.config.key_count, 0);
    assert_int_equal(loaded.config.plugin_count, 0);
    assert_false(loaded.config.has_tools);
    assert_null(loaded.config.dev_key);
}

static void config_that_is_empty_has_the_defaults(void **state)
{
    (void)state;
    static const char *const files[] = {
        "",
        "# nothing\n",
        "server:\nauth:\nplugins:\nsuites:\ntools:\n",
        "server: {}\nauth: {keys: []}",
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        tr_auto(loaded) struct loaded loaded = load(files[i]);

        assert_int_equal(loaded.status, TR_OK);
        assert_string_equal(loaded.config.file->server.listen, "127.0.0.1:8080");
        assert_int_equal(loaded.config.file->server.queue_limit, 1024);
        assert_false(loaded.config.has_tools);
    }
}

/* Whatever says where the gateway listens. */
static void config_knows_the_url_that_callers_start_with(void **state)
{
    (void)state;
    static const struct {
        const char *file, *listen, *base_url;
    } cases[] = {
        { "", NULL, "http://127.0.0.1:8080" },
        { "", "127.0.0.1:9000", "http://127.0.0.1:9000" },
        { "server: {listen: '[::1]:81'}", NULL, "http://[::1]:81" },
        { "server: {external_url: 'https://a.example/gw/'}", "127.0.0.1:9000",
          "https://a.example/gw" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(loaded) struct loaded loaded = load_listening(cases[i].file, cases[i].listen);

        assert_int_equal(loaded.status, TR_OK);
        assert_string_equal(loaded.config.base_url, cases[i].base_url);
    }
}

static struct loaded load_full(void)
{
    assert_int_equal(setenv("TOOLREST_TEST_PORT", "8443", 1), 0);
    const struct tr_config_source source = { .path = TR_TEST_DATA_DIR "/config/full.yaml" };
    return load_source(&source);
}

static void config_file_sets_every_key_of_server(void **state)
{
    (void)state;
    tr_auto(loaded) struct loaded loaded = load_full();

    assert_int_equal(loaded.status, TR_OK);
    const struct config_server *server = &loaded.config.file->server;
    assert_string_equal(server->listen, "0.0.0.0:8443");
    assert_int_equal(tr_endpoint_port(&loaded.config.listen), 8443);
    assert_string_equal(server->external_url, "https://tools.example.com/gw");
    assert_int_equal(server->trusted_proxies.count, 2);
    assert_string_equal(server->trusted_proxies.items[1], "fd00::/8");
    assert_int_equal(server->cors_origins.count, 2);
    assert_int_equal(server->threads, 2);
    assert_int_equal(server->workers, 4);
    assert_int_equal(server->queue_limit, 10);
    assert_int_equal(server->connection_limit, 100);
    assert_int_equal(server->per_address_limit, 5);
    assert_int_equal(server->body_limit_bytes, 2048);
    assert_int_equal(server->idle_timeout_ms, 2000);
    assert_int_equal(server->header_timeout_ms, 3000);
    assert_int_equal(server->body_timeout_ms, 4000);
    assert_int_equal(server->drain_timeout_ms, 5000);
    assert_false(server->access_log);
}

static void config_file_says_how_upstreams_are_reached(void **state)
{
    (void)state;
    tr_auto(loaded) struct loaded loaded = load_full();

    assert_int_equal(loaded.status, TR_OK);
    const struct config_http *http = &loaded.config.file->http;
    assert_int_equal(http->transfer_limit, 100);
    assert_int_equal(http->queue_limit, 200);
    assert_int_equal(http->per_host_limit, 10);
    assert_string_equal(http->ca_file, TR_TEST_DATA_DIR "/config/operator.sha256");
}

static void config_file_sets_keys_plugins_suites_and_tools(void **state)
{
    (void)state;
    tr_auto(loaded) struct loaded loaded = load_full();

    assert_int_equal(loaded.status, TR_OK);
    const struct tr_config *config = &loaded.config;
    assert_int_equal(config->key_count, 2);
    assert_string_equal(config->keys[0].name, "ci");
    assert_string_equal(config->keys[0].sha256_hex, DIGEST);
    assert_int_equal(config->keys[0].tool_count, 2);
    assert_string_equal(config->keys[0].tools[1], "file_*");
    assert_true(config->keys[0].expires_ms == 1798761600000);
    assert_string_equal(config->keys[1].sha256_hex, OTHER);
    assert_null(config->keys[1].tools);
    assert_int_equal(config->keys[1].expires_ms, 0);
    assert_int_equal(config->plugin_count, 2);
    assert_string_equal(config->plugins[0], TR_TEST_DATA_DIR "/config/./plugins/weather.so");
    assert_string_equal(config->plugins[1], "/opt/toolrest/plugins/files.so");
    const json_t *web = json_object_get(config->file->suites, "web");
    assert_string_equal(json_string_value(json_object_get(web, "weather_api_key")),
                        "${not expanded}");
    assert_true(config->has_tools);
    assert_int_equal(config->tool_count, 3);
    assert_string_equal(config->tools[0].name, "translate");
    assert_string_equal(config->tools[1].name, "text_stats");
    assert_null(config->tools[1].defaults);
    assert_string_equal(config->tools[2].name, "weather");
    assert_int_equal(config->tools[2].timeout_ms, 5000);
    assert_int_equal(config->tools[2].output_limit_bytes, 1000);
    assert_string_equal(json_string_value(json_object_get(config->tools[2].defaults, "unit")),
                        "fahrenheit");
}

static void config_with_an_empty_list_of_tools_offers_none(void **state)
{
    (void)state;
    tr_auto(loaded) struct loaded loaded = load("tools: []");

    assert_int_equal(loaded.status, TR_OK);
    assert_true(loaded.config.has_tools);
    assert_int_equal(loaded.config.tool_count, 0);
}

static void config_command_line_goes_over_the_file(void **state)
{
    (void)state;
    static const char yaml[] = "server: {listen: '127.0.0.1:1'}\nplugins: [a.so]\n";
    static const char *const plugins[] = { "b.so", "/c.so" };
    write_file(path, yaml, strlen(yaml));
    const struct tr_config_source source = {
        .path = path,
        .listen = "127.0.0.1:2",
        .plugins = plugins,
        .plugin_count = 2,
    };

    tr_auto(loaded) struct loaded loaded = load_source(&source);

    assert_int_equal(loaded.status, TR_OK);
    assert_int_equal(tr_endpoint_port(&loaded.config.listen), 2);
    assert_int_equal(loaded.config.plugin_count, 3);
    char in_file[128];
    (void)snprintf(in_file, sizeof(in_file), "%s/a.so", folder);
    assert_string_equal(loaded.config.plugins[0], in_file);
    assert_string_equal(loaded.config.plugins[1], "b.so");
    assert_string_equal(loaded.config.plugins[2], "/c.so");
}

/* ---- --dev ---- */

static void config_dev_makes_a_new_key_every_time(void **state)
{
    (void)state;
    const struct tr_config_source source = { .is_dev = true };
    tr_auto(loaded) struct loaded first = load_source(&source);
    tr_auto(loaded) struct loaded second = load_source(&source);

    assert_int_equal(first.status, TR_OK);
    assert_int_equal(first.config.key_count, 1);
    assert_memory_equal(first.config.dev_key, "tr_", 3);
    assert_int_equal(strlen(first.config.keys[0].sha256_hex), 64);
    assert_string_not_equal(first.config.dev_key, second.config.dev_key);
}

static void config_dev_serves_loopback_only(void **state)
{
    (void)state;
    const struct tr_config_source source = { .is_dev = true, .listen = "0.0.0.0:80" };

    tr_auto(loaded) struct loaded loaded = load_source(&source);

    assert_int_equal(loaded.status, TR_INVALID_PARAMETERS);
    assert_string_equal(loaded.fault.where, "command line");
    assert_non_null(strstr(loaded.fault.what, "--dev serves loopback"));
}

static void config_command_line_is_named_when_it_is_wrong(void **state)
{
    (void)state;
    static const char *const listens[] = { "nonsense", ":80", "\xff" };
    for (size_t i = 0; i < sizeof(listens) / sizeof(listens[0]); i++) {
        const struct tr_config_source source = { .listen = listens[i] };

        tr_auto(loaded) struct loaded loaded = load_source(&source);

        assert_int_equal(loaded.status, TR_INVALID_PARAMETERS);
        assert_string_equal(loaded.fault.where, "command line");
        assert_memory_equal(loaded.fault.what, "--listen: ", 10);
    }
}

/* ---- refusals ---- */

static const struct {
    const char *yaml, *where, *what;
} refusals[] = {
    /* the form of the file */
    { "text", ":1", "A configuration is a mapping" },
    { "[a]", ":1", "A configuration is a mapping" },
    { "a: 1\na: 2", ":2", "The key 'a' is there twice" },
    { "server: x", ":1", "server: " },
    { "\nauth: []", ":2", "auth: " },
    /* unknown keys, with the nearest one */
    { "\nserver:\n  lisen: x", ":3", "listen" },
    { "sever: {}", ":1", "server" },
    { "nothing_like_it: 1", ":1", "nothing_like_it" },
    { "auth: {keys: [{name: a, sha265: x, sha256: " DIGEST "}]}", ":1", "sha256" },
    /* server */
    { "server:\n  threads: many", ":2", "server.threads: " },
    { "server:\n  threads: 257", ":2", "server.threads: " },
    { "server:\n  threads: -1", ":2", "server.threads: " },
    { "server:\n  queue_limit: 0", ":2", "server.queue_limit: " },
    { "server:\n  body_limit_bytes: 16777217", ":2", "server.body_limit_bytes: " },
    { "server:\n  access_log: on", ":2", "server.access_log: " },
    { "server:\n  listen: 8080", ":2", "server.listen: needs a port" },
    { "server:\n  listen: example.com:80", ":2", "server.listen: has a host" },
    { "server:\n  listen: 0.0.0.0:80", ":2", "auth.keys has no key" },
    { "server:\n  listen: ':80'", ":2", "auth.keys has no key" },
    { "server:\n  listen: '[2001:db8::1]:80'", ":2", "auth.keys has no key" },
    { "server:\n  external_url: tools.example.com", ":2", "must start with http" },
    { "server:\n  external_url: ftp://a", ":2", "must start with http" },
    { "server:\n  external_url: http://", ":2", "is no absolute URL" },
    { "server:\n  external_url: http:///a", ":2", "is no absolute URL" },
    { "server:\n  external_url: http://a@b/", ":2", "is no absolute URL" },
    { "server:\n  external_url: http://a b/", ":2", "is no absolute URL" },
    { "server:\n  external_url: http://a/?b", ":2", "no query" },
    { "server:\n  external_url: 'http://a/#b'", ":2", "no fragment" },
    { "server:\n  trusted_proxies: [10.0.0.0/8,\n    10.0.0.0/33]", ":3",
      "server.trusted_proxies[1]: is no network" },
    { "server:\n  trusted_proxies: [proxy]", ":2", "server.trusted_proxies[0]: " },
    { "server:\n  cors_origins: [https://a/]", ":2", "server.cors_origins[0]: is no origin" },
    { "server:\n  cors_origins: [https://A]", ":2", "is no origin" },
    { "server:\n  cors_origins: ['https://*.a']", ":2", "is no origin" },
    { "server:\n  cors_origins: ['null']", ":2", "is no origin" },
    { "server:\n  cors_origins: ['https://']", ":2", "is no origin" },
    /* http */
    { "http: {transfer_limit: 0}", ":1", "http.transfer_limit" },
    { "http: {per_hots_limit: 1}", ":1", "did you mean 'per_host_limit'" },
    { "http:\n  ca_file: /nonexistent", ":2", "http.ca_file: the file cannot be read" },
    /* auth */
    { "auth:\n  keys:\n    - sha256: " DIGEST, ":3", "auth.keys[0].name: is required" },
    { "auth:\n  keys:\n    - name: a", ":3", "auth.keys[0].sha256: is required" },
    { "auth:\n  keys:\n    - name: ''\n      sha256: " DIGEST, ":3", "auth.keys[0].name: " },
    { "auth:\n  keys:\n    - name: a\n      sha256: 9f86", ":4", "64 hexadecimal digits" },
    { KEYS "x: 1", ":2", "x" },
    { "auth:\n  keys:\n    - {name: a, sha256: " DIGEST ",\n       expires: soon}", ":4",
      "auth.keys[0].expires: must be a date" },
    { "auth:\n  keys:\n    - {name: a, sha256: " DIGEST ",\n       tools: []}", ":4",
      "auth.keys[0].tools: " },
    { "auth:\n  keys:\n    - {name: a, sha256: " DIGEST "}\n    - {name: a, sha256: " OTHER "}",
      ":2", "auth.keys: " },
    { "auth:\n  keys:\n    - {name: a, sha256: " DIGEST "}\n    - {name: b, sha256: " DIGEST "}",
      ":2", "auth.keys: " },
    /* plugins, suites, tools */
    { "plugins: ['']", ":1", "plugins[0]: " },
    { "suites: [web]", ":1", "suites: must be a mapping" },
    { "tools: translate", ":1", "tools: must be a list" },
    { "tools:\n  - a\n  - [b]", ":3", "tools[1]: must be the name" },
    { "tools:\n  - a: {}\n    b: {}", ":2", "tools[0]: must be the name" },
    { "tools:\n  - {}", ":2", "tools[0]: must be the name" },
    { "tools:\n  -", ":2", "tools[0]: must be the name" },
    { "tools:\n  - a\n  - b\n  - a: {}", ":4", "tools[2]: is in the list twice" },
    { "tools:\n  - a:\n      timeout_ms: 0", ":3", "tools[0].a.timeout_ms: " },
    { "tools:\n  - a:\n      timeout_ms: 3600001", ":3", "tools[0].a.timeout_ms: " },
    { "tools:\n  - a:\n      time_out: 1", ":3", "time_out" },
    { "tools:\n  - a: 5", ":2", "tools[0].a: " },
    { "tools:\n  - a:\n      defaults: [x]", ":2", "defaults must be a mapping" },
};

static void config_refuses_with_line_key_and_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        tr_auto(loaded) struct loaded loaded = load(refusals[i].yaml);

        assert_refused(&loaded, refusals[i].where, refusals[i].what);
    }
}

static void config_says_how_much_more_is_wrong(void **state)
{
    (void)state;
    tr_auto(loaded) struct loaded loaded =
        load("server:\n  threads: x\n  workers: y\n  queue_limit: z");

    assert_refused(&loaded, ":2", "server.threads: ");
    assert_non_null(strstr(loaded.fault.what, "(and 2 more)"));
}

static void config_refuses_a_file_that_cannot_be_read(void **state)
{
    (void)state;
    const struct tr_config_source source = { .path = "/no/such/file.yaml" };

    tr_auto(loaded) struct loaded loaded = load_source(&source);

    assert_int_equal(loaded.status, TR_INVALID_PARAMETERS);
    assert_string_equal(loaded.fault.where, "/no/such/file.yaml");
    assert_non_null(strstr(loaded.fault.what, "No such file"));
}

static void config_never_repeats_a_value(void **state)
{
    (void)state;
    static const char *const files[] = {
        "server: s3cret",
        "server: {threads: s3cret}",
        "server: {listen: s3cret}",
        "server: {external_url: s3cret}",
        "server: {trusted_proxies: [s3cret]}",
        "server: {cors_origins: [s3cret]}",
        "server: {access_log: s3cret}",
        "auth: {keys: [{name: a, sha256: s3cret}]}",
        "auth: {keys: [{name: a, sha256: " DIGEST ", expires: s3cret}]}",
        "auth: {keys: s3cret}",
        "suites: s3cret",
        "tools: s3cret",
        "tools: [a: s3cret]",
        "tools: [a: {timeout_ms: s3cret}]",
        "suites: {a: 's3cret ${'}",
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        tr_auto(loaded) struct loaded loaded = load(files[i]);

        assert_int_equal(loaded.status, TR_INVALID_PARAMETERS);
        assert_null(strstr(loaded.fault.what, "s3cret"));
    }
}

static bool load_once(void *context)
{
    (void)context;
    tr_auto(loaded) struct loaded loaded = load_full();
    if (loaded.status != TR_OK) {
        assert_null(loaded.config.file);
        assert_null(loaded.config.arena.blocks);
    }
    return loaded.status == TR_OK;
}

static void config_is_read_or_refused_when_memory_runs_out_somewhere(void **state)
{
    (void)state;
    alloc_fail_each(load_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(config_without_a_file_has_the_defaults),
        cmocka_unit_test(config_that_is_empty_has_the_defaults),
        cmocka_unit_test(config_knows_the_url_that_callers_start_with),
        cmocka_unit_test(config_file_sets_every_key_of_server),
        cmocka_unit_test(config_file_says_how_upstreams_are_reached),
        cmocka_unit_test(config_file_sets_keys_plugins_suites_and_tools),
        cmocka_unit_test(config_with_an_empty_list_of_tools_offers_none),
        cmocka_unit_test(config_command_line_goes_over_the_file),
        cmocka_unit_test(config_dev_makes_a_new_key_every_time),
        cmocka_unit_test(config_dev_serves_loopback_only),
        cmocka_unit_test(config_command_line_is_named_when_it_is_wrong),
        cmocka_unit_test(config_refuses_with_line_key_and_reason),
        cmocka_unit_test(config_says_how_much_more_is_wrong),
        cmocka_unit_test(config_refuses_a_file_that_cannot_be_read),
        cmocka_unit_test(config_never_repeats_a_value),
        cmocka_unit_test(config_is_read_or_refused_when_memory_runs_out_somewhere),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
