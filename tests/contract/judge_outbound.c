#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/contract/judge.h"
#include "tests/contract/judge_gateway.h"
#include "tools/core/json.h"
#include "tools/guard/header_guard.h"

/* Rows of headers.jsonl about the other side of the gateway: `outbound` is what a tool's caller
 * wants to send to an upstream, `sanitize-out` what the upstream answers. */

enum { MAX_FIELDS = 2000, MAX_NAME_BYTES = 1 << 20 };

struct fields {
    struct tr_header_field items[MAX_FIELDS];
    size_t count;
    char *names; /* of generated fields */
};

static void add(struct fields *fields, const char *name, size_t name_length, const char *value,
                size_t value_length)
{
    if (fields->count < MAX_FIELDS) {
        fields->items[fields->count++] = (struct tr_header_field){
            .name = name,
            .value = value,
            .name_length = name_length,
            .value_length = value_length,
        };
    }
}

/* False when a value is no text: the schema of a tool decides that, not the guard. */
static bool read_object(const json_t *headers, struct fields *fields)
{
    for (void *at = tr_json_first(headers); at != NULL; at = tr_json_next(headers, at)) {
        const json_t *value = json_object_iter_value(at);
        const char *name = json_object_iter_key(at);
        if (!json_is_string(value)) {
            return false;
        }
        add(fields, name, strlen(name), json_string_value(value), json_string_length(value));
    }
    return true;
}

/* {"count": n, "name_prefix": "X-", "value": v} or {"name_char": "X", "name_len": n, ...} */
static bool generate(const json_t *gen, struct fields *fields)
{
    const char *prefix = json_string_value(json_object_get(gen, "name_prefix"));
    const char *letter = json_string_value(json_object_get(gen, "name_char"));
    const char *value = json_string_value(json_object_get(gen, "value"));
    const size_t count = (size_t)json_integer_value(json_object_get(gen, "count"));
    const size_t length = (size_t)json_integer_value(json_object_get(gen, "name_len"));
    fields->names = malloc(MAX_NAME_BYTES);
    if (fields->names == NULL || value == NULL || (prefix == NULL && letter == NULL)) {
        return false;
    }
    char *name = fields->names;
    char *const end = fields->names + MAX_NAME_BYTES;
    for (size_t i = 0; i < count && i < MAX_FIELDS; i++) {
        size_t written = length;
        if (prefix != NULL) {
            written = (size_t)snprintf(name, (size_t)(end - name), "%s%zu", prefix, i);
        } else if (length < (size_t)(end - name)) {
            memset(name, letter[0], length);
        }
        if (written >= (size_t)(end - name)) {
            return false;
        }
        add(fields, name, written, value, strlen(value));
        name += written;
    }
    return true;
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
    judgement->has_passed = is_removed || !is_answered;
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
    judge_fields(row, fields, judgement);
    free(fields->names);
    free(fields);
    return true;
}
