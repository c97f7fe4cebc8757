#include "tests/support/http_tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/base/http_tool.h"
#include "tools/core/json.h"

enum { ANSWER_BYTES = 32 * 1024 * 1024 };

struct tr_registry *http_registry(const struct tr_suite *suite, const char *settings)
{
    struct tr_registry *registry = tr_registry_new();
    json_auto_t *json = settings != NULL ? json_loads(settings, 0, NULL) : NULL;
    struct tr_fault fault = { .what = "" };
    assert_non_null(registry);
    assert_true(settings == NULL || json != NULL);
    if (tr_registry_add_suite(registry, suite, "test", json, &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
    tr_registry_seal(registry);
    return registry;
}

void http_exchange_begin(struct http_exchange *exchange, const struct tr_registry *registry,
                         const char *tool, const char *body)
{
    const struct tr_entry *entry = tr_registry_find(registry, tool);
    assert_non_null(entry);
    *exchange = (struct http_exchange){ .status = TR_OK };
    tr_call_init(&exchange->call);
    tr_run_init(&exchange->run, entry, &exchange->call, body, strlen(body));
    if (!tr_run_prepare(&exchange->run)) {
        exchange->status = exchange->run.status;
        return;
    }
    const struct tr_http_hooks *hooks = entry->tool->hooks;
    exchange->call.settings = entry->suite->settings;
    exchange->status = hooks->prepare(&exchange->call, exchange->run.request, &exchange->outbound);
}

/* Ends stage 8 as the pipeline does. */
static void end_stage(struct http_exchange *exchange, enum tr_status status)
{
    exchange->status = status;
    if (exchange->run.status == TR_OK) {
        exchange->run.status = status;
        exchange->run.message = exchange->call.failure;
    }
}

json_t *http_exchange_answer(struct http_exchange *exchange, const struct tr_inbound *inbound)
{
    struct tr_run *run = &exchange->run;
    const struct tr_tool *tool = run->entry->tool;
    const struct tr_http_hooks *hooks = tool->hooks;
    enum tr_status status = exchange->status;
    if (status == TR_OK && inbound != NULL) {
        run->response = tr_alloc(&exchange->call, 1, tool->response->size);
        status = run->response != NULL
                     ? hooks->receive(&exchange->call, run->request, inbound, run->response)
                     : TR_NO_MEMORY;
    }
    end_stage(exchange, status);
    struct tr_text out;
    tr_text_init(&out, ANSWER_BYTES);
    exchange->status = tr_run_finish(run, &out);
    json_t *answer = out.length != 0 ? json_loads(tr_text_string(&out), 0, NULL) : NULL;
    tr_text_done(&out);
    return answer;
}

void http_exchange_done(struct http_exchange *exchange)
{
    tr_run_done(&exchange->run);
    tr_call_done(&exchange->call);
}

json_t *http_call(const struct tr_registry *registry, const char *tool, const char *body,
                  const struct tr_inbound *inbound, enum tr_status *ret_status)
{
    struct http_exchange exchange;
    http_exchange_begin(&exchange, registry, tool, body);
    json_t *answer = http_exchange_answer(&exchange, inbound);
    *ret_status = exchange.status;
    http_exchange_done(&exchange);
    return answer;
}

struct tr_inbound http_inbound(const char *content_type, const char *body)
{
    /* Each test program has one thread, and one answer at a time. */
    static struct tr_out_header header;
    header = (struct tr_out_header){ .name = "content-type", .value = content_type };
    return (struct tr_inbound){
        .status = 200,
        .headers = &header,
        .header_count = content_type != NULL,
        .body = body,
        .body_length = strlen(body),
        .final_url = "https://example.com/final",
        .duration_ms = 12,
    };
}

void assert_http_gives(const struct tr_registry *registry, const char *tool, const char *body,
                       const struct tr_inbound *inbound, const char *result)
{
    enum tr_status status = TR_INTERNAL;
    json_auto_t *answer = http_call(registry, tool, body, inbound, &status);
    json_auto_t *wanted = json_loads(result, JSON_DECODE_ANY, NULL);
    assert_non_null(wanted);
    if (status != TR_OK || !tr_json_equal(json_object_get(answer, "result"), wanted)) {
        char *text = json_dumps(answer, JSON_INDENT(1));
        fail_msg("%s %s: status %d, %s\nwanted %s", tool, body, (int)status, text, result);
    }
}

void assert_http_fails(const struct tr_registry *registry, const char *tool, const char *body,
                       const struct tr_inbound *inbound, const char *error)
{
    enum tr_status status = TR_OK;
    json_auto_t *answer = http_call(registry, tool, body, inbound, &status);
    const char *got = json_string_value(json_object_get(answer, "error"));
    if (status != TR_TOOL_FAILED || got == NULL || strcmp(got, error) != 0) {
        fail_msg("%s %s: status %d, %s", tool, body, (int)status, got);
    }
}
