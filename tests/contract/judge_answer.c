#include <string.h>

#include "tests/contract/judge.h"
#include "tests/contract/judge_gateway.h"

/* Rows of headers.jsonl about what the gateway answers: `problem` and `response`. */

/* What makes the gateway answer with a status. One that is missing has no way to it here: nothing
 * limits the rate yet, nobody is busy, and no call waits. */
static const struct {
    json_int_t status;
    struct judge_request request;
    const char *header, *value; /* one more; NULL: none */
    size_t times;               /* of `value` */
} causes[] = {
    { .status = 200 },
    { .status = 400, .request = { .body = "{" } },
    { .status = 401, .request = { .has_no_key = true } },
    { .status = 404, .request = { .path = "/nowhere" } },
    { .status = 405, .request = { .path = "/tools" } },
    { .status = 413, .header = "Content-Length", .value = "9", .times = 9 },
    { .status = 415, .header = "Content-Type", .value = "text/plain", .times = 1 },
    { .status = 417, .header = "Expect", .value = "x", .times = 1 },
    { .status = 422, .request = { .body = "{}" } },
    { .status = 431, .header = "X-A", .value = "a", .times = 9000 },
    { .status = 500, .request = { .path = "/tools/boom", .body = "{}" } },
};

static bool ask_for(json_int_t status, struct judge_exchange *ret_exchange)
{
    for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
        if (causes[i].status != status) {
            continue;
        }
        struct judge_request request = causes[i].request;
        json_auto_t *headers = NULL;
        if (causes[i].header != NULL) {
            headers = json_pack("[[s{s[[si]]}]]", causes[i].header, "parts", causes[i].value,
                                (int)causes[i].times);
        }
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

/* What the row wants of the answer's headers. */
static bool has_wanted_headers(const json_t *row, const struct tr_exchange *exchange)
{
    const json_t *check = json_object_get(row, "check");
    const char *present = json_string_value(json_object_get(check, "response_header_present"));
    const char *absent = json_string_value(json_object_get(check, "response_header_absent"));
    return (present == NULL || judge_has_header(exchange, present))
           && (absent == NULL || !judge_has_header(exchange, absent));
}

static void judge_one(const json_t *row, json_int_t status, struct judgement *judgement)
{
    struct judge_exchange made;
    if (!ask_for(status, &made)) {
        judgement->is_skipped = true;
        return;
    }
    const bool has_headers = has_wanted_headers(row, &made.exchange);
    const bool is_fine = status < 400 || is_problem(&made.exchange);
    tr_text_printf(&judgement->came, "%d%s%s", made.exchange.answer.http_status,
                   has_headers ? "" : " with other headers", is_fine ? "" : " that is no problem");
    judgement->has_passed = made.exchange.answer.http_status == status && has_headers && is_fine;
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
