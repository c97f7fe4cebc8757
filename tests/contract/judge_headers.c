#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "middleware/keyring.h"
#include "tests/contract/judge.h"
#include "tests/contract/judge_gateway.h"

/* Rows of headers.jsonl that a gateway without sockets can answer: what the headers of a request do
 * to it, and what those of an answer must be. What goes out is judged in judge_outbound.c. */

static const char *expected_of(const json_t *row)
{
    return json_string_value(json_object_get(row, "expect"));
}

static const json_t *headers_of(const json_t *row)
{
    return json_object_get(row, "headers");
}

/* The text of the row's first header value; "" when it has none or a long one. */
static const char *first_value(const json_t *row)
{
    const json_t *pair = json_array_get(headers_of(row), 0);
    const char *value = json_string_value(json_array_get(pair, 1));
    return value != NULL ? value : "";
}

/* What the row's `check` wants of the answer's headers. */
static bool has_checked_header(const json_t *row, const struct tr_exchange *exchange)
{
    const char *header = json_string_value(
        json_object_get(json_object_get(row, "check"), "response_header_present"));
    return header == NULL || judge_has_header(exchange, header);
}

/* ---- kinds ---- */

/* "200_or_415" */
static void judge_status(const json_t *row, const struct tr_exchange *exchange,
                         struct judgement *judgement)
{
    char status[16];
    (void)snprintf(status, sizeof(status), "%d", exchange->answer.http_status);
    tr_text_add_string(&judgement->came, status);
    judgement->has_passed =
        strstr(expected_of(row), status) != NULL && has_checked_header(row, exchange);
}

/* "allow", "no_acao", "allow_if_listed": one origin is. */
static void judge_origin(const json_t *row, const struct tr_exchange *exchange,
                         struct judgement *judgement)
{
    const char *expected = expected_of(row);
    const bool has_acao = judge_has_header(exchange, "Access-Control-Allow-Origin");
    const bool is_listed = strcmp(first_value(row), "http://127.0.0.1:8080") == 0;
    tr_text_printf(&judgement->came, "%d, %s", exchange->answer.http_status,
                   has_acao ? "Access-Control-Allow-Origin" : "no_acao");
    judgement->has_passed = exchange->answer.http_status == 200;
    if (strcmp(expected, "allow") != 0) {
        const bool may_have = strcmp(expected, "allow_if_listed") == 0 && is_listed;
        judgement->has_passed = judgement->has_passed && has_acao == may_have;
    }
}

static void judge_request_id(const json_t *row, const struct tr_exchange *exchange,
                             struct judgement *judgement)
{
    const bool is_echoed = strcmp(exchange->request_id, first_value(row)) == 0;
    tr_text_printf(&judgement->came, "%s: %s", is_echoed ? "echo_same" : "new_id",
                   exchange->request_id);
    judgement->has_passed = strcmp(expected_of(row), is_echoed ? "echo_same" : "new_id") == 0
                            && exchange->request_id[0] != '\0'
                            && judge_has_header(exchange, "X-Request-Id");
}

static void judge_traceparent(const json_t *row, const struct tr_exchange *exchange,
                              struct judgement *judgement)
{
    const char *came = exchange->traceparent != NULL ? "continue" : "restart";
    tr_text_printf(&judgement->came, "%d, %s", exchange->answer.http_status, came);
    judgement->has_passed =
        exchange->answer.http_status == 200 && strcmp(came, expected_of(row)) == 0;
}

static void judge_tracestate(const json_t *row, const struct tr_exchange *exchange,
                             struct judgement *judgement)
{
    const char *came = exchange->tracestate != NULL ? "keep" : "drop_tracestate";
    tr_text_printf(&judgement->came, "%d, %s", exchange->answer.http_status, came);
    judgement->has_passed =
        exchange->answer.http_status == 200 && exchange->traceparent != NULL
        && (strcmp(came, expected_of(row)) == 0
            || (exchange->tracestate != NULL && strcmp(expected_of(row), "keep_or_drop_one") == 0));
}

/* ---- what a tool sees ---- */

static bool is_same_text(const char *left, const char *right)
{
    return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

/* All that routes and tools can learn of who calls, from where, and what is meant. */
static bool is_same_to_tools(const struct tr_exchange *left, const struct tr_exchange *right)
{
    return left->answer.http_status == right->answer.http_status
           && left->principal == right->principal && left->tool_name == right->tool_name
           && left->request.method == right->request.method
           && is_same_text(left->request.path, right->request.path)
           && is_same_text(left->route, right->route)
           && is_same_text(left->client_address, right->client_address)
           && is_same_text(left->scheme, right->scheme)
           && is_same_text(left->agent_id, right->agent_id)
           && is_same_text(left->task_id, right->task_id)
           && is_same_text(left->baggage, right->baggage)
           && is_same_text(left->traceparent, right->traceparent)
           && is_same_text(left->tracestate, right->tracestate);
}

/* A row about a credential stands alone: it is not the one that opens this gateway. */
static bool has_credential(const json_t *row)
{
    return judge_is_among(headers_of(row), "Authorization")
           || judge_is_among(headers_of(row), "X-API-Key");
}

/* A header is stripped when nothing is different without it. */
static void judge_sanitize_in(const json_t *row, const struct tr_exchange *exchange,
                              struct judgement *judgement)
{
    struct judge_exchange without;
    const struct judge_request request = { .has_no_key = has_credential(row) };
    if (!judge_ask(&request, &without)) {
        judge_fail(judgement, "a gateway that cannot be asked");
        return;
    }
    const char *expected = expected_of(row);
    const bool is_stripped = is_same_to_tools(exchange, &without.exchange);
    const bool is_logged =
        strstr(expected, "never_log") != NULL && judge_has_logged(first_value(row));
    tr_text_printf(&judgement->came, "%d, %s%s", exchange->answer.http_status,
                   is_stripped ? "strip" : "pass", is_logged ? ", logged" : "");
    const bool may_pass = strstr(expected, "pass") != NULL;
    judgement->has_passed = !is_logged && judge_has_logged("/tools/echo")
                            && (is_stripped || (may_pass && exchange->answer.http_status == 200));
    judge_exchange_done(&without);
}

static const struct {
    const char *kind;
    void (*judge)(const json_t *row, const struct tr_exchange *exchange,
                  struct judgement *judgement);
} kinds[] = {
    { "accept", judge_status },           { "api-key", judge_status },
    { "content-encoding", judge_status }, { "content-type", judge_status },
    { "origin", judge_origin },           { "request-id", judge_request_id },
    { "sanitize-in", judge_sanitize_in }, { "traceparent", judge_traceparent },
    { "tracestate", judge_tracestate },
};

static bool judge_incoming(const char *kind, const json_t *row, struct judgement *judgement)
{
    const struct judge_request request = {
        .headers = headers_of(row),
        .has_no_key = strcmp(kind, "api-key") == 0 || has_credential(row),
        .has_no_type = strcmp(kind, "content-type") == 0,
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].kind, kind) != 0) {
            continue;
        }
        struct judge_exchange made;
        if (!judge_ask(&request, &made)) {
            judge_fail(judgement, "a gateway that cannot be asked");
            return true;
        }
        kinds[i].judge(row, &made.exchange, judgement);
        judge_exchange_done(&made);
        return true;
    }
    return false;
}

void judge_headers(const json_t *row, struct judgement *judgement)
{
    const char *kind = json_string_value(json_object_get(row, "kind"));
    if (kind == NULL || expected_of(row) == NULL) {
        judge_fail(judgement, "a row without 'kind' or a verdict in 'expect'");
        return;
    }
    tr_text_add_string(&judgement->wanted, expected_of(row));
    if (!judge_outbound(kind, row, judgement) && !judge_answer(kind, row, judgement)
        && !judge_incoming(kind, row, judgement)) {
        judge_fail(judgement, "the unknown kind '%s'", kind);
    }
}
