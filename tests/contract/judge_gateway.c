#include "tests/contract/judge_gateway.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "middleware/chain.h"
#include "middleware/keyring.h"
#include "middleware/log.h"
#include "middleware/secret.h"
#include "server/app.h"
#include "server/catalog.h"
#include "server/framing.h"
#include "server/route.h"
#include "tests/contract/judge.h"

enum { BODY_LIMIT_BYTES = 1024 * 1024, HEADER_LIMIT_BYTES = 8 * 1024, MAX_VALUE_BYTES = 1 << 24 };

/* Made once, by the first request; ends with the program. */
struct gateway {
    struct config_file file;
    struct tr_config config;
    struct tr_app app;
    FILE *log;
    bool is_made;
};

static struct gateway gateway;

static bool make_tools(struct tr_app *app)
{
    struct tr_fault fault = { 0 };
    app->registry = tr_registry_new();
    return app->registry != NULL
           && tr_registry_add_plugin(app->registry, TR_TEST_PLUGIN_DIR "/fixtures.so", NULL, &fault)
                  == TR_OK;
}

static bool make_keyring(struct tr_app *app)
{
    char hex[TR_SHA256_HEX_BYTES];
    const struct tr_key_spec spec = { .name = "test", .sha256_hex = hex };
    struct tr_fault fault = { 0 };
    return tr_sha256_hex("test-key", strlen("test-key"), hex)
           && tr_keyring_new(&spec, 1, &app->keyring, &fault) == TR_OK;
}

static bool make_policy(struct tr_app *app)
{
    static const char *const origins[] = { "http://127.0.0.1:8080" };
    gateway.log = tmpfile();
    if (gateway.log == NULL) {
        return false;
    }
    app->policy = (struct tr_policy){
        .keyring = app->keyring,
        .log = tr_log_new(fileno(gateway.log)),
        .body_limit_bytes = BODY_LIMIT_BYTES,
        .header_limit_bytes = HEADER_LIMIT_BYTES,
        .cors_origins = origins,
        .cors_origin_count = 1,
    };
    return app->policy.log != NULL;
}

static void unmake(void)
{
    tr_log_free(gateway.app.policy.log);
    tr_catalog_free(gateway.app.catalog);
    tr_keyring_free(gateway.app.keyring);
    tr_registry_unref(gateway.app.registry);
    (void)fclose(gateway.log);
}

static bool make(void)
{
    struct tr_app *app = &gateway.app;
    if (gateway.is_made) {
        return true;
    }
    gateway.config.file = &gateway.file;
    app->config = &gateway.config;
    atomic_init(&app->is_ready, true);
    if (!make_tools(app) || !make_keyring(app) || !make_policy(app)) {
        return false;
    }
    const struct tr_catalog_facts facts = { .registry = app->registry, .keyring = app->keyring };
    app->catalog = tr_catalog_new(&facts);
    gateway.is_made = app->catalog != NULL && atexit(unmake) == 0;
    return gateway.is_made;
}

/* ---- a request ---- */

static bool add(struct judge_exchange *made, const char *name, const json_t *value)
{
    struct tr_request *request = &made->exchange.request;
    if (request->header_count == JUDGE_MAX_HEADERS || name == NULL) {
        return false;
    }
    struct tr_text *text = &made->values[request->header_count];
    tr_text_init(text, MAX_VALUE_BYTES);
    if (!judge_read_text(value, text)) {
        return false;
    }
    made->headers[request->header_count++] = (struct tr_header){
        .name = name,
        .value = tr_text_string(text),
        .name_length = strlen(name),
        .value_length = text->length,
    };
    request->header_bytes += strlen(name) + text->length + strlen(": \r\n");
    return true;
}

bool judge_is_among(const json_t *headers, const char *name)
{
    for (size_t i = 0; i < json_array_size(headers); i++) {
        const char *given = json_string_value(json_array_get(json_array_get(headers, i), 0));
        if (given != NULL && strcasecmp(given, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_default(struct judge_exchange *made, const struct judge_request *asked,
                        const char *name, const char *value)
{
    if (judge_is_among(asked->headers, name)) {
        return true;
    }
    json_auto_t *text = json_string(value);
    return text != NULL && add(made, name, text);
}

static bool add_defaults(struct judge_exchange *made, const struct judge_request *asked)
{
    char length[24];
    (void)snprintf(length, sizeof(length), "%zu", made->exchange.request.body_length);
    const bool has_length = judge_is_among(asked->headers, "Transfer-Encoding");
    return add_default(made, asked, "Host", "127.0.0.1:8080")
           && (has_length || add_default(made, asked, "Content-Length", length))
           && (asked->has_no_key || add_default(made, asked, "X-API-Key", "test-key"))
           && (asked->has_no_type || add_default(made, asked, "Content-Type", "application/json"));
}

static bool add_headers(struct judge_exchange *made, const struct judge_request *asked)
{
    bool is_added = add_defaults(made, asked);
    for (size_t i = 0; is_added && i < json_array_size(asked->headers); i++) {
        const json_t *pair = json_array_get(asked->headers, i);
        is_added = add(made, json_string_value(json_array_get(pair, 0)), json_array_get(pair, 1));
    }
    return is_added;
}

static void set_peer(struct judge_exchange *made)
{
    struct sockaddr_in peer = { .sin_family = AF_INET };
    (void)inet_pton(AF_INET, "203.0.113.9", &peer.sin_addr);
    memcpy(&made->peer, &peer, sizeof(peer));
    made->exchange.request.peer = (const struct sockaddr *)&made->peer;
}

static void fill(struct judge_exchange *made, const struct judge_request *asked)
{
    struct tr_request *request = &made->exchange.request;
    request->method_text = asked->method != NULL ? asked->method : "POST";
    request->method = strcmp(request->method_text, "POST") == 0 ? TR_METHOD_POST : TR_METHOD_GET;
    request->path = asked->path != NULL ? asked->path : "/tools/echo";
    request->target = request->path;
    request->query = "";
    request->version = "HTTP/1.1";
    request->headers = made->headers;
    request->body = asked->body != NULL ? asked->body : "{\"text\":\"a\"}";
    request->body_length = strlen(request->body);
    set_peer(made);
}

/* In the order of the listener. */
static void run(struct tr_exchange *exchange)
{
    struct tr_framing framing = { 0 };
    struct tr_fault fault = { 0 };
    tr_exchange_index(exchange);
    const enum tr_status status =
        tr_framing_check(&exchange->request, HEADER_LIMIT_BYTES, &framing, &fault);
    exchange->request.content_length = framing.content_length;
    exchange->request.is_chunked = framing.is_chunked;
    if (status != TR_OK) {
        tr_answer_problem(exchange, status, "%s", fault.what);
    } else if (tr_chain_admit(exchange) && tr_chain_enter(exchange)) {
        (void)tr_route(&gateway.app, exchange, NULL); /* the fixtures asked for here run at once */
    }
    tr_chain_leave(exchange);
}

bool judge_ask(const struct judge_request *request, struct judge_exchange *ret_exchange)
{
    *ret_exchange = (struct judge_exchange){ 0 };
    if (!make()) {
        return false;
    }
    tr_exchange_init(&ret_exchange->exchange, &gateway.app.policy);
    fill(ret_exchange, request);
    if (!add_headers(ret_exchange, request)) {
        judge_exchange_done(ret_exchange);
        return false;
    }
    run(&ret_exchange->exchange);
    return true;
}

void judge_exchange_done(struct judge_exchange *exchange)
{
    tr_exchange_done(&exchange->exchange);
    for (size_t i = 0; i < JUDGE_MAX_HEADERS; i++) {
        tr_text_done(&exchange->values[i]);
    }
}

/* ---- what came ---- */

static bool is_header(const char *name, const char *value, const char *text)
{
    const size_t length = strcspn(text, ":");
    if (value == NULL || strlen(name) != length || strncasecmp(name, text, length) != 0) {
        return false;
    }
    text += length + (text[length] == ':' ? 1 : 0);
    text += strspn(text, " ");
    return text[0] == '\0' || strcmp(value, text) == 0;
}

bool judge_has_header(const struct tr_exchange *exchange, const char *text)
{
    const struct tr_answer *answer = &exchange->answer;
    for (size_t i = 0; i < answer->header_count; i++) {
        if (is_header(answer->headers[i].name, answer->headers[i].value, text)) {
            return true;
        }
    }
    return is_header("Content-Type", answer->content_type, text);
}

bool judge_has_logged(const char *text)
{
    char line[4096];
    bool is_found = false;
    tr_log_flush(gateway.app.policy.log);
    rewind(gateway.log);
    while (!is_found && fgets(line, sizeof(line), gateway.log) != NULL) {
        is_found = strstr(line, text) != NULL;
    }
    (void)fseek(gateway.log, 0, SEEK_END);
    return is_found;
}
