#include <stdio.h>
#include <string.h>

#include "tests/contract/judge.h"
#include "tools/core/call.h"
#include "tools/core/pipeline.h"
#include "tools/core/registry.h"

/* Rows of json_body.jsonl: what does POST /tools/echo answer to a body? */

enum { BODY_LIMIT_BYTES = 1024 * 1024, MAX_BODY_BYTES = 256 * 1024 * 1024 };

static void add_times(struct tr_text *out, const char *piece, json_int_t times)
{
    for (json_int_t i = 0; i < times; i++) {
        tr_text_add_string(out, piece);
    }
}

/* {"nest": "array" or "object", "n": levels, "in": member} */
static void add_nested(const json_t *gen, struct tr_text *out)
{
    const json_int_t levels = json_integer_value(json_object_get(gen, "n"));
    const char *kind = json_string_value(json_object_get(gen, "nest"));
    const char *member = json_string_value(json_object_get(gen, "in"));
    const bool is_object = strcmp(kind, "object") == 0;
    if (member != NULL) {
        tr_text_printf(out, "{\"%s\":", member);
    }
    add_times(out, is_object ? "{\"a\":" : "[", levels);
    tr_text_add_string(out, is_object ? "1" : "");
    add_times(out, is_object ? "}" : "]", levels);
    if (member != NULL) {
        tr_text_add_char(out, '}');
    }
}

/* {"array_in": member, "n": items} */
static void add_long_array(const json_t *gen, struct tr_text *out)
{
    const json_int_t count = json_integer_value(json_object_get(gen, "n"));
    tr_text_printf(out, "{\"%s\":[1", json_string_value(json_object_get(gen, "array_in")));
    add_times(out, ",1", count - 1);
    tr_text_add_string(out, "]}");
}

/* {"repeat_key": key, "n": times} */
static void add_equal_keys(const json_t *gen, struct tr_text *out)
{
    char pair[128];
    const json_int_t count = json_integer_value(json_object_get(gen, "n"));
    (void)snprintf(pair, sizeof(pair), ",\"%s\":1",
                   json_string_value(json_object_get(gen, "repeat_key")));
    tr_text_add_string(out, "{\"text\":\"a\"");
    add_times(out, pair, count);
    tr_text_add_char(out, '}');
}

static bool generate(const json_t *gen, struct tr_text *out)
{
    const json_t *text_length = json_object_get(gen, "text_len");
    const json_t *spaces = json_object_get(gen, "spaces");
    const json_t *repeat = json_object_get(gen, "repeat");
    if (json_is_string(json_object_get(gen, "nest"))) {
        add_nested(gen, out);
    } else if (json_is_string(json_object_get(gen, "array_in"))) {
        add_long_array(gen, out);
    } else if (json_is_string(json_object_get(gen, "repeat_key"))) {
        add_equal_keys(gen, out);
    } else if (json_is_string(repeat)) {
        add_times(out, json_string_value(repeat), json_integer_value(json_object_get(gen, "n")));
    } else if (json_is_integer(text_length)) {
        tr_text_add_string(out, "{\"text\":\"");
        add_times(out, "a", json_integer_value(text_length));
        tr_text_add_string(out, "\"}");
    } else if (json_is_integer(spaces)) {
        add_times(out, " ", json_integer_value(spaces));
        tr_text_add_string(out, "{\"text\":\"a\"}");
    } else {
        return false;
    }
    return out->status == TR_OK;
}

/* The statuses that a verdict allows. "X_or_Y" allows both; "either" whatever is a real answer. */
static bool allows(const char *verdict, int status)
{
    const bool is_either = strcmp(verdict, "either") == 0;
    const bool accepts = is_either || strstr(verdict, "accept") != NULL;
    const bool invalidates = is_either || strstr(verdict, "invalid") != NULL;
    const bool rejects = is_either || strstr(verdict, "reject") != NULL;
    switch (status) {
    case 200: return accepts;
    case 400: return invalidates || rejects;
    case 413: return rejects;
    case 422: return invalidates;
    default: return false;
    }
}

/* The tools that the rows are for; loaded once. NULL when they cannot be. */
static const struct tr_entry *echo_tool(void)
{
    static struct tr_registry *registry;
    if (registry == NULL) {
        registry = tr_registry_new();
        struct tr_fault fault = { 0 };
        if (registry == NULL
            || tr_registry_add_plugin(registry, TR_TEST_PLUGIN_DIR "/fixtures.so", NULL, &fault)
                   != TR_OK) {
            (void)fprintf(stderr, "corpus_judge: %s: %s\n", fault.where, fault.what);
            return NULL;
        }
    }
    return tr_registry_find(registry, "echo");
}

/* The HTTP status that the whole pipeline gives, behind a body limit. */
static int answer(const struct tr_entry *entry, const struct tr_text *body)
{
    if (body->length > BODY_LIMIT_BYTES) {
        return tr_status_info(TR_BODY_TOO_LARGE)->http;
    }
    struct tr_call call;
    struct tr_run run;
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, MAX_BODY_BYTES);
    tr_call_init(&call);
    tr_run_init(&run, entry, &call, tr_text_string(body), body->length);
    const enum tr_status status = tr_run_all(&run, &out);
    tr_run_done(&run);
    tr_call_done(&call);
    return tr_status_info(status)->http;
}

static int answer_row(const json_t *row, const struct tr_entry *entry)
{
    tr_auto(text) struct tr_text body;
    tr_text_init(&body, MAX_BODY_BYTES);
    const json_t *gen = json_object_get(row, "gen");
    const bool is_read = gen != NULL ? generate(gen, &body) : judge_read_bytes(row, "body", &body);
    return is_read ? answer(entry, &body) : 0;
}

void judge_json_body(const json_t *row, struct judgement *judgement)
{
    const struct tr_entry *entry = echo_tool();
    const char *verdict = json_string_value(json_object_get(row, "expect"));
    if (entry == NULL || verdict == NULL) {
        judge_fail(judgement, "no tool to ask, or no verdict in 'expect'");
        return;
    }
    const int status = answer_row(row, entry);
    tr_text_add_string(&judgement->wanted, verdict);
    tr_text_printf(&judgement->came, status != 0 ? "%d" : "a body that cannot be made", status);
    judgement->has_passed = allows(verdict, status);
}
