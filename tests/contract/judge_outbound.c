#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/contract/judge.h"
#include "tests/contract/judge_gateway.h"
#include "tools/core/arena.h"
#include "tools/core/json.h"
#include "tools/guard/header_guard.h"

/* Rows of headers.jsonl about the other side of the gateway: `outbound` is what a tool's caller
 * wants to send to an upstream, `sanitize-out` what the upstream answers. */

enum { MAX_FIELDS = 2000, MAX_TEXT_BYTES = 64 * 1024 * 1024 };

struct fields {
    struct tr_header_field items[MAX_FIELDS];
    size_t count;
    struct tr_arena arena; /* of the texts */
};

/* False when there is no room. */
static bool add(struct fields *fields, const struct tr_text *name, const struct tr_text *value)
{
    if (fields->count == MAX_FIELDS) {
        return false;
    }
    struct tr_header_field *field = &fields->items[fields->count++];
    field->name_length = name->length;
    field->value_length = value->length;
    field->name = tr_arena_strndup(&fields->arena, tr_text_string(name), name->length);
    field->value = tr_arena_strndup(&fields->arena, tr_text_string(value), value->length);
    return field->name != NULL && field->value != NULL;
}

/* False when they are no object of texts: the schema of a tool decides that, not the guard. */
static bool read_object(const json_t *headers, struct fields *fields)
{
    bool is_read = json_is_object(headers);
    for (void *at = tr_json_first(headers); is_read && at != NULL; at = tr_json_next(headers, at)) {
        tr_auto(text) struct tr_text name = { 0 };
        tr_auto(text) struct tr_text value = { 0 };
        tr_text_init(&name, MAX_TEXT_BYTES);
        tr_text_init(&value, MAX_TEXT_BYTES);
        tr_text_add_string(&name, json_object_iter_key(at));
        is_read = judge_read_text(json_object_iter_value(at), &value) && add(fields, &name, &value);
    }
    return is_read;
}

/* The members `name`, or `name`_char as many times as `name`_len. */
static void generate_text(const json_t *gen, const char *name, struct tr_text *out)
{
    char member[32];
    const char *whole = json_string_value(json_object_get(gen, name));
    (void)snprintf(member, sizeof(member), "%s_char", name);
    const char *piece = json_string_value(json_object_get(gen, member));
    (void)snprintf(member, sizeof(member), "%s_len", name);
    const json_int_t times = json_integer_value(json_object_get(gen, member));
    tr_text_add_string(out, whole != NULL ? whole : "");
    for (json_int_t i = 0; piece != NULL && i < times; i++) {
        tr_text_add_string(out, piece);
    }
}

/* {"count": n, "name_prefix": "X-", "value": v} or {"name_char": "X", "name_len": n, ...} */
static bool generate(const json_t *gen, struct fields *fields)
{
    const char *prefix = json_string_value(json_object_get(gen, "name_prefix"));
    const json_int_t count = json_integer_value(json_object_get(gen, "count"));
    bool is_made = true;
    for (json_int_t i = 0; is_made && i < count; i++) {
        tr_auto(text) struct tr_text name = { 0 };
        tr_auto(text) struct tr_text value = { 0 };
        tr_text_init(&name, MAX_TEXT_BYTES);
        tr_text_init(&value, MAX_TEXT_BYTES);
        generate_text(gen, "name", &name);
        generate_text(gen, "value", &value);
        if (prefix != NULL) {
            tr_text_printf(&name, "%s%d", prefix, (int)i);
        }
        is_made = add(fields, &name, &value);
    }
    return is_made;
}

/* "reject", "strip", "warn" or "allow": the worst that happens to any of them. */
static const char *outcome_of(const struct fields *fields, const char **ret_reason)
{
    static const char *const words[] = {
        [TR_HEADER_PASS] = "allow",
        [TR_HEADER_WARN] = "warn",
        [TR_HEADER_REMOVE] = "strip",
        [TR_HEADER_REFUSE] = "reject",
    };
    enum tr_header_verdict worst =
        tr_header_guard_out_all(fields->items, fields->count, ret_reason);
    for (size_t i = 0; i < fields->count; i++) {
        const char *reason = NULL;
        const enum tr_header_verdict verdict = tr_header_guard_out(&fields->items[i], &reason);
        if (verdict > worst) {
            worst = verdict;
            *ret_reason = reason;
        }
    }
    return words[worst];
}

static void judge_fields(const json_t *row, struct fields *fields, struct judgement *judgement)
{
    const json_t *args = json_object_get(row, "args");
    const json_t *gen = json_object_get(args, "headers_gen");
    const char *expected = json_string_value(json_object_get(row, "expect"));
    const char *reason = NULL;
    if (gen != NULL ? !generate(gen, fields)
                    : !read_object(json_object_get(args, "headers"), fields)) {
        judgement->is_skipped = true;
        return;
    }
    const char *came = outcome_of(fields, &reason);
    tr_text_printf(&judgement->came, "%s: %s", came, reason != NULL ? reason : "");
    /* What is sent with a warning is sent. */
    judgement->has_passed = strcmp(expected, "policy") == 0 || strstr(expected, came) != NULL
                            || (strcmp(came, "warn") == 0 && strstr(expected, "allow") != NULL);
}

/* A field of an upstream's answer is stripped when the guard removes it, or when it can be shown in
 * a result but has no way to the headers of our own answer. */
static void judge_back(const json_t *row, struct judgement *judgement)
{
    const json_t *pair = json_array_get(json_object_get(row, "headers"), 0);
    const char *name = json_string_value(json_array_get(pair, 0));
    const char *value = json_string_value(json_array_get(pair, 1));
    struct judge_exchange made;
    const struct judge_request request = { .body = NULL };
    if (name == NULL || value == NULL || !judge_ask(&request, &made)) {
        judge_fail(judgement, "a row without a header, or a gateway that cannot be asked");
        return;
    }
    const struct tr_header_field field = {
        .name = name,
        .value = value,
        .name_length = strlen(name),
        .value_length = strlen(value),
    };
    char line[512];
    (void)snprintf(line, sizeof(line), "%s: %s", name, value);
    const bool is_removed = tr_header_guard_back(&field, NULL) == TR_HEADER_REMOVE;
    const bool is_answered = judge_has_header(&made.exchange, line);
    tr_text_add_string(&judgement->came, is_removed    ? "strip"
                                         : is_answered ? "a header of the answer"
                                                       : "shown in the result only");
    const bool must_pass = strstr(tr_text_string(&judgement->wanted), "strip") == NULL;
    judgement->has_passed = must_pass ? !is_removed : is_removed || !is_answered;
    judge_exchange_done(&made);
}

bool judge_outbound(const char *kind, const json_t *row, struct judgement *judgement)
{
    if (strcmp(kind, "sanitize-out") == 0) {
        judge_back(row, judgement);
        return true;
    }
    if (strcmp(kind, "outbound") != 0) {
        return false;
    }
    struct fields *fields = calloc(1, sizeof(*fields));
    if (fields == NULL) {
        judge_fail(judgement, "out of memory");
        return true;
    }
    tr_arena_init(&fields->arena, MAX_TEXT_BYTES);
    judge_fields(row, fields, judgement);
    tr_arena_done(&fields->arena);
    free(fields);
    return true;
}
