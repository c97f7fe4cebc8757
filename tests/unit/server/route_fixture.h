/* route_fixture.h - a gateway without sockets for the tests of the routes: the described suite, two
 * keys (`all` may use everything, `some` only the tool `note`), a catalog, and one exchange. */
#ifndef TR_TESTS_UNIT_SERVER_ROUTE_FIXTURE_H
#define TR_TESTS_UNIT_SERVER_ROUTE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "middleware/blob.h"
#include "middleware/exchange.h"
#include "middleware/keyring.h"
#include "middleware/secret.h"
#include "server/app.h"
#include "server/catalog.h"
#include "server/route.h"
#include "tests/support/described_suite.h"

struct route_fixture {
    struct config_file file;
    struct tr_config config;
    struct tr_app app;
    const struct tr_principal *all, *some;
    struct tr_exchange exchange;
    struct tr_header if_none_match;
    bool has_exchange;
};

static inline struct tr_keyring *fixture_keyring(void)
{
    static const char *const note_only[] = { "note" };
    static char hex[2][TR_SHA256_HEX_BYTES];
    assert_true(tr_sha256_hex("all-key", strlen("all-key"), hex[0]));
    assert_true(tr_sha256_hex("some-key", strlen("some-key"), hex[1]));
    const struct tr_key_spec specs[] = {
        { .name = "all", .sha256_hex = hex[0] },
        { .name = "some", .sha256_hex = hex[1], .tools = note_only, .tool_count = 1 },
    };
    struct tr_keyring *keyring = NULL;
    struct tr_fault fault = { 0 };
    assert_int_equal(tr_keyring_new(specs, 2, &keyring, &fault), TR_OK);
    return keyring;
}

/* With `has_keys` false nobody needs a credential. */
static inline void fixture_start(struct route_fixture *fixture, bool has_keys,
                                 const char *external_url)
{
    *fixture = (struct route_fixture){ .file.server.external_url = external_url };
    fixture->config.file = &fixture->file;
    struct tr_app *app = &fixture->app;
    app->config = &fixture->config;
    app->registry = described_registry();
    app->keyring = has_keys ? fixture_keyring() : NULL;
    app->policy.keyring = app->keyring;
    app->policy.body_limit_bytes = 1000;
    atomic_init(&app->is_ready, true);
    const struct tr_catalog_facts facts = {
        .registry = app->registry,
        .keyring = app->keyring,
        .external_url = external_url,
        .base_url = external_url != NULL ? external_url : "http://127.0.0.1:8080",
    };
    app->catalog = tr_catalog_new(&facts);
    assert_non_null(app->catalog);
    if (has_keys) {
        fixture->all = tr_keyring_principal(app->keyring, 0);
        fixture->some = tr_keyring_principal(app->keyring, 1);
    }
}

static inline void fixture_forget(struct route_fixture *fixture)
{
    if (fixture->has_exchange) {
        tr_exchange_done(&fixture->exchange);
        fixture->has_exchange = false;
    }
}

static inline void fixture_end(struct route_fixture *fixture)
{
    fixture_forget(fixture);
    tr_catalog_free(fixture->app.catalog);
    tr_keyring_free(fixture->app.keyring);
    tr_registry_unref(fixture->app.registry);
}

struct asked {
    const char *method; /* NULL: GET */
    const char *path, *query;
    const struct tr_principal *principal;
    const char *if_none_match;
};

static inline enum tr_method fixture_method(const char *text)
{
    static const struct {
        const char *text;
        enum tr_method method;
    } methods[] = {
        { "GET", TR_METHOD_GET },
        { "HEAD", TR_METHOD_HEAD },
        { "POST", TR_METHOD_POST },
        { "OPTIONS", TR_METHOD_OPTIONS },
    };
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (strcmp(methods[i].text, text) == 0) {
            return methods[i].method;
        }
    }
    return TR_METHOD_OTHER;
}

/* Route a request; the answer is borrowed until the next one. */
static inline const struct tr_answer *fixture_ask(struct route_fixture *fixture, struct asked asked)
{
    fixture_forget(fixture);
    struct tr_exchange *exchange = &fixture->exchange;
    tr_exchange_init(exchange, &fixture->app.policy);
    fixture->has_exchange = true;
    struct tr_request *request = &exchange->request;
    request->method_text = asked.method != NULL ? asked.method : "GET";
    request->method = fixture_method(request->method_text);
    request->path = asked.path;
    request->query = asked.query != NULL ? asked.query : "";
    request->body = "";
    if (asked.if_none_match != NULL) {
        fixture->if_none_match = (struct tr_header){
            .name = "If-None-Match",
            .value = asked.if_none_match,
            .name_length = strlen("If-None-Match"),
            .value_length = strlen(asked.if_none_match),
        };
        request->headers = &fixture->if_none_match;
        request->header_count = 1;
    }
    tr_exchange_index(exchange);
    exchange->principal = asked.principal;
    assert_true(tr_route(&fixture->app, exchange, NULL));
    assert_true(exchange->answer.is_ready);
    return &exchange->answer;
}

static inline json_t *fixture_json(const struct tr_answer *answer)
{
    size_t length;
    const char *bytes = tr_answer_bytes(answer, &length);
    json_t *json = json_loadb(bytes, length, 0, NULL);
    assert_non_null(json);
    return json;
}

/* The value of an answer's header, NULL when it is not there. */
static inline const char *fixture_header(const struct tr_answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->header_count; i++) {
        if (strcmp(answer->headers[i].name, name) == 0) {
            return answer->headers[i].value;
        }
    }
    return NULL;
}

#endif
