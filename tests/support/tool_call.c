#include "tests/support/tool_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/json.h"
#include "tools/core/pipeline.h"

const struct tr_services *tool_call_services;

enum { ANSWER_BYTES = 8 * 1024 * 1024 };

struct tr_registry *tool_registry(const struct tr_suite *suite)
{
    struct tr_registry *registry = tr_registry_new();
    assert_non_null(registry);
    struct tr_fault fault = { .what = "" };
    if (tr_registry_add_suite(registry, suite, "test", NULL, &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
    tr_registry_seal(registry);
    return registry;
}

json_t *tool_call(const struct tr_registry *registry, const char *tool, const char *body,
                  enum tr_status *ret_status)
{
    const struct tr_entry *entry = tr_registry_find(registry, tool);
    assert_non_null(entry);
    struct tr_call call;
    tr_call_init(&call);
    call.services = tool_call_services;
    struct tr_run run;
    tr_run_init(&run, entry, &call, body, strlen(body));
    struct tr_text out;
    tr_text_init(&out, ANSWER_BYTES);

    *ret_status = tr_run_all(&run, &out);

    json_error_t error;
    json_t *answer = json_loads(tr_text_string(&out), 0, &error);
    if (answer == NULL) {
        fail_msg("%s in: %.500s", error.text, tr_text_string(&out));
    }
    tr_text_done(&out);
    tr_run_done(&run);
    tr_call_done(&call);
    return answer;
}

void assert_tool_gives(const struct tr_registry *registry, const char *tool, const char *body,
                       const char *wanted_json)
{
    enum tr_status status = TR_INTERNAL;
    json_auto_t *answer = tool_call(registry, tool, body, &status);
    json_auto_t *wanted = json_loads(wanted_json, JSON_DECODE_ANY, NULL);
    assert_non_null(wanted);
    const json_t *result = json_object_get(answer, "result");
    if (status != TR_OK || !tr_json_equal(result, wanted)) {
        char *text = json_dumps(answer, JSON_INDENT(1));
        fail_msg("%s %s: status %d, %s", tool, body, (int)status, text);
    }
    assert_true(json_is_true(json_object_get(answer, "success")));
    assert_true(json_is_null(json_object_get(answer, "error")));
}

void assert_tool_refuses(const struct tr_registry *registry, const char *tool, const char *body,
                         enum tr_status status, const char *wanted_error)
{
    enum tr_status got = TR_OK;
    json_auto_t *answer = tool_call(registry, tool, body, &got);
    assert_true(json_is_false(json_object_get(answer, "success")));
    const char *error = json_string_value(json_object_get(answer, "error"));
    assert_non_null(error);
    if (got != status || strcmp(error, wanted_error) != 0) {
        fail_msg("%s %s: status %d, %s", tool, body, (int)got, error);
    }
}

struct starved {
    const struct tr_entry *entry;
    const char *body;
};

static bool call_once(void *context)
{
    const struct starved *starved = context;
    struct tr_call call;
    tr_call_init(&call);
    call.services = tool_call_services;
    struct tr_text out;
    tr_text_init(&out, ANSWER_BYTES);
    struct tr_run run;
    tr_run_init(&run, starved->entry, &call, starved->body, strlen(starved->body));
    const enum tr_status status = tr_run_all(&run, &out);
    const bool is_fine = status == TR_OK;
    if (!is_fine && status != TR_NO_MEMORY) {
        fail_msg("%s: status %d without memory", starved->entry->tool->name, (int)status);
    }
    tr_text_done(&out);
    tr_run_done(&run);
    tr_call_done(&call);
    return is_fine;
}

void assert_tool_survives_failing_allocations(const struct tr_registry *registry, const char *tool,
                                              const char *body)
{
    struct starved starved = { .entry = tr_registry_find(registry, tool), .body = body };
    assert_non_null(starved.entry);
    alloc_fail_each(call_once, &starved);
}
