#include <string.h>

#include "tests/contract/judge.h"
#include "tests/contract/judge_gateway.h"

/* Rows of headers.jsonl about what the gateway answers: `problem` and `response`. */

/* What makes the gateway answer with a status. One that is missing has no way to it yet. */
static const struct {
    json_int_t status;
    struct judge_request request;
    const char *type; /* instead of application/json */
} causes[] = {
    { 200, { .path = "/tools/echo" }, NULL },
    { 400, { .body = "{" }, NULL },
    { 401, { .has_no_key = true }, NULL },
    { 404, { .path = "/nowhere" }, NULL },
    { 405, { .path = "/tools" }, NULL },
    { 415, { .has_no_type = true }, "text/plain" },
    { 422, { .body = "{}" }, NULL },
    { 500, { .path = "/tools/boom", .body = "{}" }, NULL },
};

static bool ask_for(json_int_t status, struct judge_exchange *ret_exchange)
{
    for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
        if (causes[i].status != status) {
            continue;
        }
        struct judge_request request = causes[i].request;
        json_auto_t *headers =
            causes[i].type != NULL ? json_pack("[[ss]]", "Content-Type", causes[i].type) : NULL;
        request.headers = headers;
        return judge_ask(&request, ret_exchange);
    }
    return false;
}

/* RFC 9457, and nothing of the machine that it runs on. */
static bool is_problem(const struct tr_exchange *exchange)
{
    size_t length = 0;
    const char *bytes = tr_answer_bytes(&exchange->answer, &length);
    json_auto_t *body = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    return exchange->answer.content_type != NULL
           && strcmp(exchange->answer.content_type, "application/problem+json") == 0
           && json_is_string(json_object_get(body, "type"))
           && json_is_string(json_object_get(body, "title"))
           && json_integer_value(json_object_get(body, "status")) == exchange->answer.http_status
           && strstr(bytes, TR_TEST_SOURCE_DIR) == NULL && strstr(bytes, ".c:") == NULL;
}

static void judge_one(const json_t *row, json_int_t status, struct judgement *judgement)
{
    const json_t *check = json_object_get(row, "check");
    const char *header = json_string_value(json_object_get(check, "response_header_present"));
    struct judge_exchange made;
    if (!ask_for(status, &made)) {
        judgement->is_skipped = true;
        return;
    }
    const bool has_header = header == NULL || judge_has_header(&made.exchange, header);
    const bool is_fine = status < 400 || is_problem(&made.exchange);
    tr_text_printf(&judgement->came, "%d%s%s", made.exchange.answer.http_status,
                   has_header ? "" : " without the header", is_fine ? "" : " that is no problem");
    judgement->has_passed = made.exchange.answer.http_status == status && has_header && is_fine;
    judge_exchange_done(&made);
}

bool judge_answer(const char *kind, const json_t *row, struct judgement *judgement)
{
    if (strcmp(kind, "problem") == 0) {
        const json_t *status = json_object_get(json_object_get(row, "check"), "status");
        judge_one(row, json_integer_value(status), judgement);
        return true;
    }
    if (strcmp(kind, "response") == 0) {
        /* Of a call and of a refusal: lists of tools may be kept by their caller (ETag). */
        judge_one(row, 200, judgement);
        if (judgement->has_passed) {
            judge_one(row, 422, judgement);
        }
        return true;
    }
    return false;
}
