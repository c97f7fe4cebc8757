#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/peer/peer.h"
#include "tools/base/http_engine.h"
#include "tools/base/http_tool.h"
#include "tools/base/services.h"
#include "tools/core/clock.h"
#include "tools/core/pipeline.h"
#include "tools/core/registry.h"
#include "tools/core/suite.h"
#include "tools/guard/header_guard.h"

/* ---- a tool that asks whatever it is told to ---- */

struct probe_request {
    const char *url, *method, *header, *value, *secret;
    int64_t timeout_ms;
    bool fails;
};
static const struct tr_field probe_request_fields[] = {
    { TR_FIELD(probe_request, url), .description = "What to ask for" },
    { TR_FIELD(probe_request, method), .description = "How" },
    { TR_FIELD(probe_request, header), .description = "The name of a field to send" },
    { TR_FIELD(probe_request, value), .description = "Its value" },
    { TR_FIELD(probe_request, secret), .description = "What must not be shown" },
    {
        TR_FIELD(probe_request, timeout_ms),
        .description = "How long the upstream has",
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(probe_request, fails),
        .description = "Whether the tool is not content with the answer",
        .default_json = TR_JSON(false),
    },
};
static TR_TYPE(probe_request, "One request");

struct probe_response {
    int64_t status;
    const char *body, *url, *plain, *cookie;
};
static const struct tr_field probe_response_fields[] = {
    { TR_FIELD(probe_response, status), .description = "The status", .required = true },
    { TR_FIELD(probe_response, body), .description = "The body", .required = true },
    { TR_FIELD(probe_response, url), .description = "The last URL", .required = true },
    { TR_FIELD(probe_response, plain), .description = "The field X-Plain" },
    { TR_FIELD(probe_response, cookie), .description = "The field Set-Cookie" },
};
static TR_TYPE(probe_response, "What came back");

static enum tr_status prepare(struct tr_call *call, const struct probe_request *request,
                              struct tr_outbound *outbound)
{
    outbound->url = request->url;
    outbound->method = request->method;
    outbound->secret = request->secret;
    outbound->timeout_ms = request->timeout_ms;
    if (request->header != NULL) {
        return tr_outbound_set_header(call, outbound, request->header, request->value);
    }
    return TR_OK;
}

static enum tr_status receive(struct tr_call *call, const struct probe_request *request,
                              const struct tr_inbound *inbound, struct probe_response *response)
{
    if (request->fails) {
        return tr_fail(call, "Not content with %s from %s", inbound->body, request->url);
    }
    response->status = inbound->status;
    response->body = inbound->body;
    response->url = inbound->final_url;
    response->plain = tr_inbound_header(inbound, "X-Plain");
    response->cookie = tr_inbound_header(inbound, "Set-Cookie");
    return TR_OK;
}

TR_HTTP_TOOL(probe, prepare, receive, probe_request, probe_response,
             .description = "Asks an upstream", .timeout_ms = 5000);

static const struct tr_tool *const tools[] = { &probe_tool };
static const struct tr_suite probe_suite = {
    TR_SUITE_HEADER,           .name = "probe", .version = "1.0.0",
    .description = "One tool", .tools = tools,  .tool_count = 1,
};

/* ---- calling it ---- */

static struct {
    struct peer *peer;
    struct tr_services services;
    struct tr_registry *open, *closed;    /* private addresses allowed, or not */
    const struct tr_call_header *headers; /* of the caller, for the tool */
    size_t header_count;
} scene;

static struct tr_registry *registry_with(const char *settings_json)
{
    struct tr_registry *registry = tr_registry_new();
    json_auto_t *settings = json_loads(settings_json, 0, NULL);
    struct tr_fault fault = { .what = "" };
    if (tr_registry_add_suite(registry, &probe_suite, "test", settings, &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
    tr_registry_seal(registry);
    return registry;
}

static int start_all(void **state)
{
    (void)state;
    scene.peer = peer_start(&(struct peer_options){ .port = 0 });
    scene.services.http = tr_http_engine_new(&(struct tr_http_engine_options){ .queue_limit = 10 });
    scene.open = registry_with("{\"network\": {\"allow_private\": true}}");
    scene.closed = registry_with("{}");
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    tr_registry_unref(scene.closed);
    tr_registry_unref(scene.open);
    tr_http_engine_free(scene.services.http);
    peer_stop(scene.peer);
    return 0;
}

/* The answer document to a call with `parameters`, a format for jansson; the path is at the peer.
 */
static json_t *call_probe(const struct tr_registry *registry, const char *path, json_t *parameters,
                          enum tr_status *ret_status)
{
    char url[512];
    struct tr_call call;
    struct tr_run run;
    struct tr_text out;
    tr_call_init(&call);
    tr_text_init(&out, 1024 * 1024);
    call.services = &scene.services;
    call.context.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    call.context.headers = scene.headers;
    call.context.header_count = scene.header_count;
    if (*path == '/') {
        (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", (unsigned)peer_port(scene.peer),
                       path);
    } else {
        (void)snprintf(url, sizeof(url), "%s", path);
    }
    (void)json_object_set_new(parameters, "url", json_string(url));
    tr_run_init(&run, tr_registry_find(registry, "probe"), &call, NULL, 0);
    run.parameters = parameters;
    call.deadline_ms = tr_clock_ms() + run.entry->timeout_ms;

    *ret_status = tr_run_all(&run, &out);

    json_t *answer = json_loads(tr_text_string(&out), 0, NULL);
    assert_non_null(answer);
    tr_run_done(&run);
    tr_call_done(&call);
    tr_text_done(&out);
    return answer;
}

static const char *member(const json_t *answer, const char *name)
{
    return json_string_value(json_object_get(answer, name));
}

static const json_t *result_of(const json_t *answer)
{
    return json_object_get(answer, "result");
}

static void an_answer_becomes_a_result(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    json_auto_t *answer = call_probe(scene.open, "/headers", json_object(), &status);
    assert_int_equal(status, TR_OK);
    assert_int_equal(json_integer_value(json_object_get(result_of(answer), "status")), 200);
    assert_string_equal(member(result_of(answer), "body"), "ok");
    assert_string_equal(member(result_of(answer), "plain"), "a value");
    assert_null(member(result_of(answer), "cookie"));
}

static void a_status_is_no_failure(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    json_auto_t *answer = call_probe(scene.open, "/status/503", json_object(), &status);
    assert_int_equal(status, TR_OK);
    assert_true(json_is_true(json_object_get(answer, "success")));
}

static void a_blocked_url_is_answered_403(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    json_auto_t *answer = call_probe(scene.closed, "/status/200", json_object(), &status);
    assert_int_equal(status, TR_URL_BLOCKED);
    assert_string_equal(member(answer, "code"), "url_blocked");
    assert_non_null(strstr(member(answer, "detail"), "127.0.0.1"));
}

static void a_failure_says_kind_and_duration(void **state)
{
    static const struct {
        const char *path, *kind;
    } rows[] = {
        { "/nothing", "protocol" },
        { "/bytes?n=1100000", "too_large" },
        { "/hang", "timeout" },
        { "http://no-such-host.invalid/", "dns" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char wanted[64];
        enum tr_status status = TR_INTERNAL;
        json_t *parameters = json_pack("{s:i}", "timeout_ms", 1000);
        if (strcmp(rows[i].path, "/hang") == 0) {
            (void)json_object_set_new(parameters, "timeout_ms", json_integer(50));
        }
        json_auto_t *answer = call_probe(scene.open, rows[i].path, parameters, &status);
        const char *error = member(answer, "error");
        (void)snprintf(wanted, sizeof(wanted), "(%s, after ", rows[i].kind);
        assert_int_equal(status, TR_TOOL_FAILED);
        if (strstr(error, wanted) == NULL || strstr(error, "The upstream ") != error) {
            fail_msg("%s: %s", rows[i].path, error);
        }
    }
}

static void the_deadline_of_the_call_is_its_timeout(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    struct tr_call call;
    struct tr_run run;
    char url[64];
    tr_call_init(&call);
    call.services = &scene.services;
    call.deadline_ms = tr_clock_ms() + 30;
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u/hang", (unsigned)peer_port(scene.peer));
    tr_run_init(&run, tr_registry_find(scene.open, "probe"), &call, NULL, 0);
    run.parameters = json_pack("{s:s}", "url", url);
    struct tr_text out;
    tr_text_init(&out, 64 * 1024);

    status = tr_run_all(&run, &out);

    assert_int_equal(status, TR_TIMEOUT);
    assert_non_null(strstr(tr_text_string(&out), "Tool 'probe' execution timed out after"));
    tr_text_done(&out);
    tr_run_done(&run);
    tr_call_done(&call);
}

static void headers_pass_the_guard(void **state)
{
    static const struct {
        const char *name, *value;
        enum tr_status status;
        bool is_sent, has_warning;
    } rows[] = {
        { "x-plain", "1", TR_OK, true, false },
        { "authorization", "Bearer x", TR_OK, true, true },
        { "transfer-encoding", "chunked", TR_OK, false, true },
        { "x-forwarded-for", "1.2.3.4", TR_OK, false, true },
        { "x-split", "a\r\nX-More: b", TR_TOOL_FAILED, false, false },
        { "no token", "1", TR_TOOL_FAILED, false, false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum tr_status status = TR_INTERNAL;
        json_auto_t *answer = call_probe(
            scene.open, "/echo",
            json_pack("{s:s,s:s}", "header", rows[i].name, "value", rows[i].value), &status);
        assert_int_equal(status, rows[i].status);
        if (status != TR_OK) {
            continue;
        }
        json_auto_t *echo = json_loads(member(result_of(answer), "body"), 0, NULL);
        const json_t *sent = json_object_get(json_object_get(echo, "headers"), rows[i].name);
        const json_t *warnings = json_object_get(json_object_get(answer, "metadata"), "warnings");
        assert_int_equal(sent != NULL, rows[i].is_sent);
        assert_int_equal(json_array_size(warnings) != 0, rows[i].has_warning);
    }
}

static void only_the_trace_of_the_caller_goes_on(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    json_auto_t *answer = call_probe(scene.open, "/echo", json_object(), &status);
    json_auto_t *echo = json_loads(member(result_of(answer), "body"), 0, NULL);
    const json_t *headers = json_object_get(echo, "headers");
    assert_string_equal(member(headers, "traceparent"),
                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    /* Host, User-Agent, Accept, Accept-Encoding. */
    assert_int_equal(json_object_size(headers), 5);
}

/* One header of the caller, while the tool sets X-Own. */
static void headers_of_the_caller_go_on_through_the_guard(void **state)
{
    static const struct {
        struct tr_call_header given;
        const char *name, *sent, *warning;
    } rows[] = {
        { { "X-Tenant", "acme", 4 }, "x-tenant", "acme", NULL },
        { { "X-Tenant", "", 0 }, "x-tenant", "", NULL },
        { { "x-own", "caller", 6 }, "x-own", "tool", NULL },
        { { "X_Own", "caller", 6 }, "x_own", NULL, NULL },
        { { "X-Tenant", "a\0b", 3 }, "x-tenant", NULL, "Header X-Tenant was not sent: a value" },
        { { "X-Tenant", "a\r\nX: b", 7 }, "x-tenant", NULL, "Header X-Tenant was not sent" },
        { { "X-Tenant", "a%0d%0a", 7 }, "x-tenant", NULL, "Header X-Tenant was not sent" },
        { { "X-Tenant", "\xc3\xa4", 2 }, "x-tenant", NULL, "Header X-Tenant was not sent" },
        { { "X-Real-IP", "1.2.3.4", 7 }, "x-real-ip", NULL, "Header X-Real-IP was not sent" },
        { { "X-Token", "t", 1 }, "x-token", "t", "Header X-Token: it sends a credential" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum tr_status status = TR_INTERNAL;
        scene.headers = &rows[i].given;
        scene.header_count = 1;
        json_auto_t *answer =
            call_probe(scene.open, "/echo",
                       json_pack("{s:s,s:s}", "header", "X-Own", "value", "tool"), &status);
        scene.header_count = 0;
        assert_int_equal(status, TR_OK);
        json_auto_t *echo = json_loads(member(result_of(answer), "body"), 0, NULL);
        const char *sent = member(json_object_get(echo, "headers"), rows[i].name);
        const json_t *warnings = json_object_get(json_object_get(answer, "metadata"), "warnings");
        const char *warning = json_string_value(json_array_get(warnings, 0));
        assert_string_equal(member(json_object_get(echo, "headers"), "x-own"), "tool");
        assert_string_equal(sent != NULL ? sent : "(none)",
                            rows[i].sent != NULL ? rows[i].sent : "(none)");
        assert_int_equal(json_array_size(warnings), rows[i].warning != NULL ? 1 : 0);
        assert_true(rows[i].warning == NULL || strstr(warning, rows[i].warning) == warning);
    }
}

static void a_header_of_the_caller_without_room_is_left_out(void **state)
{
    enum { GIVEN = TR_MAX_OUT_HEADERS + 1 };
    static char names[GIVEN][16];
    static struct tr_call_header given[GIVEN];
    (void)state;
    for (size_t i = 0; i < GIVEN; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "X-%zu", i);
        given[i] = (struct tr_call_header){ .name = names[i], .value = "v", .value_length = 1 };
    }
    for (size_t count = GIVEN - 2; count <= GIVEN; count++) {
        enum tr_status status = TR_INTERNAL;
        scene.headers = given;
        scene.header_count = count;
        json_auto_t *answer = call_probe(scene.open, "/echo", json_object(), &status);
        scene.header_count = 0;
        const json_t *warnings = json_object_get(json_object_get(answer, "metadata"), "warnings");
        assert_int_equal(status, TR_OK);
        assert_int_equal(json_array_size(warnings), count > TR_MAX_OUT_HEADERS ? 1 : 0);
    }
}

static void a_method_is_a_word(void **state)
{
    static const char *const methods[] = { "get", "", "GET /", "G\r\nX: 1", "CONNECT", "TRACE" };
    (void)state;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        enum tr_status status = TR_INTERNAL;
        json_auto_t *answer =
            call_probe(scene.open, "/echo", json_pack("{s:s}", "method", methods[i]), &status);
        assert_int_equal(status, TR_TOOL_FAILED);
        assert_non_null(strstr(member(answer, "error"), "The method must be"));
    }
}

static void a_secret_is_in_no_answer(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    json_auto_t *answer = call_probe(scene.open, "/status/200?key=hush%2Fhush",
                                     json_pack("{s:s}", "secret", "hush/hush"), &status);
    assert_int_equal(status, TR_OK);
    assert_non_null(strstr(member(result_of(answer), "url"), "/status/200?key=***"));
    json_auto_t *refused =
        call_probe(scene.open, "/status/200?key=hush",
                   json_pack("{s:s,s:b}", "secret", "hush", "fails", 1), &status);
    assert_int_equal(status, TR_TOOL_FAILED);
    assert_null(strstr(member(refused, "error"), "hush"));
    assert_non_null(strstr(member(refused, "error"), "key=***"));
}

static void settings_that_cannot_be_are_refused_at_load(void **state)
{
    (void)state;
    struct tr_registry *registry = tr_registry_new();
    json_auto_t *settings =
        json_loads("{\"network\": {\"allow_hosts\": [\"not a host\"]}}", 0, NULL);
    struct tr_fault fault = { .what = "" };
    assert_int_equal(tr_registry_add_suite(registry, &probe_suite, "test", settings, &fault),
                     TR_INVALID_PARAMETERS);
    tr_registry_unref(registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_becomes_a_result),
        cmocka_unit_test(a_status_is_no_failure),
        cmocka_unit_test(a_blocked_url_is_answered_403),
        cmocka_unit_test(a_failure_says_kind_and_duration),
        cmocka_unit_test(the_deadline_of_the_call_is_its_timeout),
        cmocka_unit_test(headers_pass_the_guard),
        cmocka_unit_test(only_the_trace_of_the_caller_goes_on),
        cmocka_unit_test(headers_of_the_caller_go_on_through_the_guard),
        cmocka_unit_test(a_header_of_the_caller_without_room_is_left_out),
        cmocka_unit_test(a_method_is_a_word),
        cmocka_unit_test(a_secret_is_in_no_answer),
        cmocka_unit_test(settings_that_cannot_be_are_refused_at_load),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
