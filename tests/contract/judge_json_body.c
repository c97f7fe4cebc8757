#include <stdio.h>
#include <string.h>

#include "tests/contract/judge.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/params.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

/* Rows of json_body.jsonl: what does POST /tools/echo answer to a body? */

enum { BODY_LIMIT_BYTES = 1024 * 1024, MAX_BODY_BYTES = 256 * 1024 * 1024 };

static const char echo_input[] =
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"text\"],\"properties\":{"
    "\"text\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096},"
    "\"repeat\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":10,\"default\":1},"
    "\"upper\":{\"type\":\"boolean\",\"default\":false},"
    "\"suffix\":{\"type\":[\"string\",\"null\"],\"default\":null}}}";

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

/* Stages 1 to 5 for the tool echo: the HTTP status of what comes of them. */
static int answer(const struct tr_schema *schema, const struct tr_text *body)
{
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_report report = { .arena = &arena };
    struct tr_violations found = { .arena = &arena };
    const struct tr_params_rules rules = { 0 };
    if (body->length > BODY_LIMIT_BYTES) {
        return tr_status_info(TR_BODY_TOO_LARGE)->http;
    }
    json_t *value = NULL;
    enum tr_status status =
        body->length > 0 ? tr_json_parse(tr_text_string(body), body->length, &value, NULL) : TR_OK;
    if (status == TR_OK && (value == NULL || json_is_null(value))) {
        json_decref(value);
        value = json_object();
    }
    if (status == TR_OK) {
        status = tr_params_prepare(schema, &rules, &value, &report, &found);
    }
    json_decref(value);
    return tr_status_info(status)->http;
}

static int answer_row(const json_t *row, const struct tr_schema *schema)
{
    tr_auto(text) struct tr_text body;
    tr_text_init(&body, MAX_BODY_BYTES);
    const json_t *gen = json_object_get(row, "gen");
    const bool is_read = gen != NULL ? generate(gen, &body) : judge_read_bytes(row, "body", &body);
    return is_read ? answer(schema, &body) : 0;
}

void judge_json_body(const json_t *row, struct judgement *judgement)
{
    struct tr_schema_document document = { 0 };
    json_auto_t *schema = json_loads(echo_input, 0, NULL);
    const char *verdict = json_string_value(json_object_get(row, "expect"));
    if (verdict == NULL || tr_schema_parse(schema, &document, NULL) != TR_OK) {
        judge_fail(judgement, "a row without a verdict in 'expect'");
        return;
    }
    const int status = answer_row(row, document.root);
    tr_text_add_string(&judgement->wanted, verdict);
    tr_text_printf(&judgement->came, status != 0 ? "%d" : "a body that cannot be made", status);
    judgement->has_passed = allows(verdict, status);
    tr_schema_document_done(&document);
}
