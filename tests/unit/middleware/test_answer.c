#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <jansson.h>

#include "middleware/blob.h"
#include "tests/support/alloc_fail.h"
#include "tests/unit/middleware/fixture.h"
#include "tools/core/limits.h"
#include "tools/core/problem.h"

static const char *body_of(const struct fixture *fixture)
{
    size_t length = 0;
    const char *bytes = tr_answer_bytes(&fixture->exchange.answer, &length);
    assert_int_equal(length, strlen(bytes));
    return bytes;
}

static void an_answer_is_what_was_written_to_its_body(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_text_add_string(&fixture.exchange.answer.body, "{}");

    tr_answer_ready(&fixture.exchange, TR_TOOL_FAILED, "application/json");

    const struct tr_answer *answer = &fixture.exchange.answer;
    assert_true(answer->is_ready);
    assert_int_equal(answer->status, TR_TOOL_FAILED);
    assert_int_equal(answer->http_status, 200);
    assert_string_equal(answer->content_type, "application/json");
    assert_string_equal(body_of(&fixture), "{}");
}

static void a_problem_names_its_request_and_reason(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header(&fixture, "X-Request-Id", "r-1");
    tr_text_add_string(&fixture.exchange.answer.body, "half an answer");

    tr_answer_problem(&fixture.exchange, TR_NOT_FOUND, "No %s", "\"thing\"");

    json_t *document = json_loads(body_of(&fixture), 0, NULL);
    assert_string_equal(json_string_value(json_object_get(document, "detail")), "No \"thing\"");
    assert_string_equal(json_string_value(json_object_get(document, "request_id")), "r-1");
    assert_int_equal(json_integer_value(json_object_get(document, "status")), 404);
    json_decref(document);
    assert_int_equal(fixture.exchange.answer.http_status, 404);
    assert_string_equal(fixture.exchange.answer.content_type, "application/problem+json");
}

static void a_problem_without_words_has_those_of_its_status(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_answer_problem(&fixture.exchange, TR_FORBIDDEN, NULL);
    assert_true(fixture_body_has(&fixture, tr_status_info(TR_FORBIDDEN)->title));
}

static void a_long_reason_is_cut_at_a_character(void **state)
{
    (void)state;
    char reason[2 * TR_FAULT_WHAT_BYTES];
    for (size_t i = 0; i + 2 < sizeof(reason); i += 2) {
        memcpy(reason + i, "\xc3\xa9", 3);
    }
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);

    tr_answer_problem(&fixture.exchange, TR_BAD_REQUEST, "x%s", reason);

    json_t *document = json_loads(body_of(&fixture), 0, NULL);
    assert_non_null(document);
    const size_t length = json_string_length(json_object_get(document, "detail"));
    assert_true(length < TR_FAULT_WHAT_BYTES && length > TR_FAULT_WHAT_BYTES - 4);
    json_decref(document);
}

static void statuses_bring_the_headers_that_they_need(void **state)
{
    (void)state;
    static const struct {
        enum tr_status status;
        const char *name, *value;
    } cases[] = {
        { TR_BUSY, "Retry-After", "1" },
        { TR_NO_MEMORY, "Retry-After", "1" },
        { TR_UNSUPPORTED_MEDIA_TYPE, "Accept", "application/json" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        tr_answer_problem(&fixture.exchange, cases[i].status, NULL);
        assert_string_equal(fixture_answer(&fixture, cases[i].name), cases[i].value);
    }
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_answer_header(&fixture.exchange, "Retry-After", "7");
    tr_answer_problem(&fixture.exchange, TR_BUSY, NULL);
    assert_string_equal(fixture_answer(&fixture, "Retry-After"), "7");
    assert_int_equal(fixture.exchange.answer.header_count, 1);
}

static struct tr_blob *new_blob(const char *content)
{
    struct tr_text text;
    tr_text_init(&text, 1000);
    tr_text_add_string(&text, content);
    struct tr_blob *blob = tr_blob_new(&text);
    tr_text_done(&text);
    return blob;
}

static void the_first_answer_stays(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_answer_problem(&fixture.exchange, TR_BUSY, "first");

    tr_answer_problem(&fixture.exchange, TR_INTERNAL, "second");
    tr_answer_ready(&fixture.exchange, TR_OK, "text/plain");
    tr_answer_empty(&fixture.exchange, 204);
    tr_answer_blob(&fixture.exchange, new_blob("blob"), "text/plain");
    tr_answer_blob(&fixture.exchange, NULL, "text/plain");

    assert_int_equal(fixture.exchange.answer.http_status, 503);
    assert_true(fixture_body_has(&fixture, "first"));
    assert_int_equal(fixture.exchange.answer.header_count, 1);
}

static void a_body_that_failed_becomes_a_problem(void **state)
{
    (void)state;
    static const struct {
        enum tr_status failure, status;
    } cases[] = {
        { TR_NO_MEMORY, TR_NO_MEMORY },
        { TR_BODY_TOO_LARGE, TR_INTERNAL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        tr_text_add_string(&fixture.exchange.answer.body, "{\"half\":");
        fixture.exchange.answer.body.status = cases[i].failure;

        tr_answer_ready(&fixture.exchange, TR_OK, "application/json");

        assert_int_equal(fixture.exchange.answer.status, cases[i].status);
        assert_null(strstr(body_of(&fixture), "half"));
    }
}

static void an_empty_answer_has_no_body(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_text_add_string(&fixture.exchange.answer.body, "leftover");

    tr_answer_empty(&fixture.exchange, 302);

    assert_int_equal(fixture.exchange.answer.http_status, 302);
    assert_null(fixture.exchange.answer.content_type);
    assert_string_equal(body_of(&fixture), "");
}

static void a_blob_is_answered_with_its_tag(void **state)
{
    (void)state;
    struct tr_blob *blob = new_blob("content");
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);

    tr_answer_blob(&fixture.exchange, tr_blob_ref(blob), "text/plain");

    assert_int_equal(fixture.exchange.answer.http_status, 200);
    assert_string_equal(body_of(&fixture), "content");
    assert_string_equal(fixture_answer(&fixture, "ETag"), blob->etag);
    assert_string_equal(fixture_answer(&fixture, "Cache-Control"), "private, no-cache");
    tr_blob_unref(blob);
}

static void a_route_may_say_how_a_blob_is_cached(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_answer_header_constant(&fixture.exchange, "Cache-Control", "public");
    tr_answer_blob(&fixture.exchange, new_blob("x"), "text/plain");
    assert_string_equal(fixture_answer(&fixture, "Cache-Control"), "public");
    assert_int_equal(fixture.exchange.answer.header_count, 2);
}

static void a_known_tag_saves_the_body(void **state)
{
    (void)state;
    struct tr_blob *blob = new_blob("content");
    char weak[64];
    char several[128];
    char unquoted[64];
    (void)snprintf(weak, sizeof(weak), "W/%s", blob->etag);
    (void)snprintf(several, sizeof(several), "\"a\", %s ,\"b\"", blob->etag);
    (void)snprintf(unquoted, sizeof(unquoted), "%.20s", blob->etag + 1);
    const struct {
        enum tr_method method;
        const char *given;
        int http_status;
    } cases[] = {
        { TR_METHOD_GET, blob->etag, 304 },  { TR_METHOD_HEAD, blob->etag, 304 },
        { TR_METHOD_POST, blob->etag, 200 }, { TR_METHOD_GET, weak, 304 },
        { TR_METHOD_GET, several, 304 },     { TR_METHOD_GET, "*", 304 },
        { TR_METHOD_GET, "\"a\"", 200 },     { TR_METHOD_GET, unquoted, 200 },
        { TR_METHOD_GET, "", 200 },          { TR_METHOD_GET, NULL, 200 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.request.method = cases[i].method;
        fixture_header(&fixture, "If-None-Match", cases[i].given);
        tr_exchange_index(&fixture.exchange);

        tr_answer_blob(&fixture.exchange, tr_blob_ref(blob), "text/plain");

        assert_int_equal(fixture.exchange.answer.http_status, cases[i].http_status);
        assert_string_equal(fixture_answer(&fixture, "ETag"), blob->etag);
        assert_string_equal(body_of(&fixture), cases[i].http_status == 304 ? "" : "content");
    }
    assert_int_equal(atomic_load(&blob->references), 1);
    tr_blob_unref(blob);
}

static void no_blob_is_out_of_memory(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_answer_blob(&fixture.exchange, NULL, "text/plain");
    assert_int_equal(fixture.exchange.answer.status, TR_NO_MEMORY);
}

static void header_values_are_copied_unless_constant(void **state)
{
    (void)state;
    char value[] = "one";
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);

    tr_answer_header(&fixture.exchange, "A", value);
    tr_answer_header_constant(&fixture.exchange, "B", value);
    value[0] = '#';

    assert_string_equal(fixture_answer(&fixture, "A"), "one");
    assert_ptr_equal(fixture_answer(&fixture, "B"), value);
    assert_true(tr_answer_has_header(&fixture.exchange.answer, 1, "A"));
    assert_false(tr_answer_has_header(&fixture.exchange.answer, 1, "B"));
}

/* The document for when no document can be made must not drift from the others. */
static void the_constant_document_is_like_those_that_are_written(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text expected;
    tr_text_init(&expected, 10 * 1000);
    tr_problem_write(&expected, TR_NO_MEMORY, NULL, NULL, NULL);
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);

    alloc_fail_at(1);
    tr_answer_problem(&fixture.exchange, TR_FORBIDDEN, "A reason");
    assert_true(alloc_fail_stop());

    assert_string_equal(body_of(&fixture), tr_text_string(&expected));
    assert_int_equal(fixture.exchange.answer.status, TR_NO_MEMORY);
    assert_int_equal(fixture.exchange.answer.http_status, 503);
    assert_string_equal(fixture_answer(&fixture, "Retry-After"), "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_what_was_written_to_its_body),
        cmocka_unit_test(a_problem_names_its_request_and_reason),
        cmocka_unit_test(a_problem_without_words_has_those_of_its_status),
        cmocka_unit_test(a_long_reason_is_cut_at_a_character),
        cmocka_unit_test(statuses_bring_the_headers_that_they_need),
        cmocka_unit_test(the_first_answer_stays),
        cmocka_unit_test(a_body_that_failed_becomes_a_problem),
        cmocka_unit_test(an_empty_answer_has_no_body),
        cmocka_unit_test(a_blob_is_answered_with_its_tag),
        cmocka_unit_test(a_route_may_say_how_a_blob_is_cached),
        cmocka_unit_test(a_known_tag_saves_the_body),
        cmocka_unit_test(no_blob_is_out_of_memory),
        cmocka_unit_test(header_values_are_copied_unless_constant),
        cmocka_unit_test(the_constant_document_is_like_those_that_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
