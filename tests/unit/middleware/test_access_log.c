#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <jansson.h>

#include "middleware/keyring.h"
#include "middleware/log.h"
#include "tests/unit/middleware/fixture.h"

/* What the link logs of the fixture; `file` keeps the text. */
static void log_fixture(struct fixture *fixture, char *text, size_t room)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fixture->policy.log = tr_log_new(fileno(file));
    assert_non_null(fixture->policy.log);
    tr_access_log.leave(&fixture->exchange);
    tr_log_free(fixture->policy.log);
    fixture->policy.log = NULL;
    rewind(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    (void)fclose(file);
}

static void a_line_says_who_what_and_how_it_went(void **state)
{
    (void)state;
    const struct tr_principal principal = { .name = "ci" };
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    struct tr_exchange *exchange = &fixture.exchange;
    exchange->request.query = "token=secret";
    exchange->request.target = "/tools/echo?token=secret";
    exchange->client_address = "192.0.2.7";
    exchange->principal = &principal;
    exchange->tool_name = "echo";
    exchange->started_real_ms = INT64_C(1798761600007); /* 2027-01-01T00:00:00.007Z */
    exchange->started_ns = 1000;
    exchange->left_ns = 1235567;
    fixture_header(&fixture, "X-Request-Id", "r-1");
    fixture_header(&fixture, "Authorization", "Bearer secret");
    tr_text_add_string(&exchange->answer.body, "12345");
    tr_answer_ready(exchange, TR_TOOL_FAILED, "application/json");

    char text[2048];
    log_fixture(&fixture, text, sizeof(text));

    assert_string_equal(text,
                        "{\"time\":\"2027-01-01T00:00:00.007Z\",\"id\":\"r-1\","
                        "\"client\":\"192.0.2.7\",\"method\":\"POST\",\"path\":\"/tools/echo\","
                        "\"status\":200,\"code\":\"tool_failed\",\"tool\":\"echo\","
                        "\"principal\":\"ci\",\"bytes\":5,\"ms\":1.234}\n");
}

static void the_date_changes_with_the_day(void **state)
{
    (void)state;
    static const struct {
        int64_t real_ms;
        const char *time;
    } cases[] = {
        { 0, "1970-01-01T00:00:00.000Z" },
        { 951782399999, "2000-02-28T23:59:59.999Z" },
        { 951782400000, "2000-02-29T00:00:00.000Z" },
        { 951868799999, "2000-02-29T23:59:59.999Z" },
        { INT64_C(4102444800000), "2100-01-01T00:00:00.000Z" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.started_real_ms = cases[i].real_ms;
        tr_answer_ready(&fixture.exchange, TR_OK, "text/plain");
        char text[2048];
        log_fixture(&fixture, text, sizeof(text));
        assert_memory_equal(text + sizeof("{\"time\":\"") - 1, cases[i].time, 24);
    }
}

static void what_is_not_known_is_null(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.request.path = NULL;
    fixture.exchange.request.method_text = NULL;
    tr_answer_problem(&fixture.exchange, TR_BAD_REQUEST, NULL);

    char text[2048];
    log_fixture(&fixture, text, sizeof(text));

    json_t *line = json_loads(text, 0, NULL);
    static const char *const members[] = { "client", "method", "path", "tool", "principal" };
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        assert_true(json_is_null(json_object_get(line, members[i])));
    }
    assert_int_equal(json_integer_value(json_object_get(line, "status")), 400);
    assert_int_equal(json_string_length(json_object_get(line, "id")), 26);
    json_decref(line);
}

static void what_is_refused_before_the_chain_came_from_its_peer(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_peer(&fixture, "192.0.2.9");
    tr_answer_problem(&fixture.exchange, TR_BAD_REQUEST, NULL);

    char text[2048];
    log_fixture(&fixture, text, sizeof(text));

    assert_non_null(strstr(text, "\"client\":\"192.0.2.9\""));
}

static void nothing_breaks_out_of_its_line_or_string(void **state)
{
    (void)state;
    char long_path[1000];
    memset(long_path, '"', sizeof(long_path));
    long_path[sizeof(long_path) - 1] = '\0';
    const char *const paths[] = {
        "/a\",\"status\":200,\"x\":\"",
        "/a\r\n{\"time\":\"now\"}",
        "/\x1b[2J",
        "/\xff\xfe",
        "/\xe2\x80\xa8",
        "/\\",
        long_path,
    };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        const struct tr_principal principal = { .name = long_path };
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.request.path = paths[i];
        fixture.exchange.request.method_text = paths[i];
        fixture.exchange.tool_name = long_path;
        fixture.exchange.principal = &principal;
        fixture.exchange.client_address = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255";
        fixture.exchange.started_ns = 0;
        fixture.exchange.left_ns = INT64_MAX;
        memset(fixture.exchange.request_id, 'i', TR_REQUEST_ID_BYTES - 1);
        tr_answer_problem(&fixture.exchange, TR_UNSUPPORTED_MEDIA_TYPE, NULL);

        char text[4096];
        log_fixture(&fixture, text, sizeof(text));

        assert_true(strlen(text) < 1024);
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
        for (size_t at = 0; text[at] != '\n'; at++) {
            assert_true(text[at] >= ' ' && text[at] < 0x7f);
        }
        json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(line);
        assert_int_equal(json_object_size(line), 11);
        assert_int_equal(json_integer_value(json_object_get(line, "status")), 415);
        json_decref(line);
    }
}

static void an_answer_to_head_has_no_bytes(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.exchange.request.method = TR_METHOD_HEAD;
    tr_text_add_string(&fixture.exchange.answer.body, "12345");
    tr_answer_ready(&fixture.exchange, TR_OK, "application/json");

    char text[2048];
    log_fixture(&fixture, text, sizeof(text));

    assert_non_null(strstr(text, "\"bytes\":0,"));
}

static void without_a_log_nothing_happens(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_access_log.leave(&fixture.exchange);
    assert_string_equal(fixture.exchange.request_id, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_says_who_what_and_how_it_went),
        cmocka_unit_test(the_date_changes_with_the_day),
        cmocka_unit_test(what_is_not_known_is_null),
        cmocka_unit_test(what_is_refused_before_the_chain_came_from_its_peer),
        cmocka_unit_test(nothing_breaks_out_of_its_line_or_string),
        cmocka_unit_test(an_answer_to_head_has_no_bytes),
        cmocka_unit_test(without_a_log_nothing_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
