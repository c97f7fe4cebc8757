/* test_reads.c - what the gateway says about itself, and who may ask. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/e2e/gateway.h"

static struct gateway gateway;

static int start(void **state)
{
    (void)state;
    gateway_start(&gateway, "  cors_origins: [https://app.example]\n", "");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    gateway_stop(&gateway);
    return 0;
}

static struct reply get(const char *path)
{
    return gateway_send(&gateway, (struct sent){ .path = path });
}

static void every_route_answers(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        long status;
    } cases[] = {
        { "/", 200 },
        { "/tools", 200 },
        { "/tools/", 200 },
        { "/tools?format=openai", 200 },
        { "/tools?format=ollama", 200 },
        { "/tools?format=json-schema", 200 },
        { "/tools?format=nope", 400 },
        { "/tools?category=text", 200 },
        { "/tools?suite=text&q=translate", 200 },
        { "/tools/translate", 200 },
        { "/tools/translate/", 200 },
        { "/tools/translate?format=openai", 200 },
        { "/tools/nope", 404 },
        { "/plugins", 200 },
        { "/openapi.json", 200 },
        { "/livez", 200 },
        { "/readyz", 200 },
        { "/problems/invalid_parameters", 200 },
        { "/problems/nope", 404 },
        { "/nope", 404 },
        { "/tools/a/b", 404 },
        { "/calls", 405 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reply reply = get(cases[i].path);
        if (reply.status != cases[i].status) {
            print_error("%s: %ld\n%s\n", cases[i].path, reply.status, reply.body);
        }
        assert_int_equal(reply.status, cases[i].status);
        assert_non_null(reply.json);
        reply_done(&reply);
    }
}

static void every_tool_can_be_shown_in_every_dialect(void **state)
{
    (void)state;
    static const char *const formats[] = { "native", "json-schema", "openai", "ollama" };
    struct reply list = get("/tools");
    const json_t *tools =
        json_is_array(list.json) ? list.json : json_object_get(list.json, "tools");
    assert_true(json_array_size(tools) > 15);
    for (size_t i = 0; i < json_array_size(tools); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(tools, i), "name"));
        for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
            char path[200];
            (void)snprintf(path, sizeof(path), "/tools/%s?format=%s", name, formats[f]);
            struct reply reply = get(path);
            assert_int_equal(reply.status, 200);
            reply_done(&reply);
        }
    }
    reply_done(&list);
}

static void a_list_that_has_not_changed_is_not_sent_again(void **state)
{
    (void)state;
    static const char *const paths[] = { "/tools", "/openapi.json", "/tools/echo" };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        char etag[100];
        char header[200];
        struct reply first = get(paths[i]);
        assert_true(strlen(reply_header(&first, "etag", etag, sizeof(etag))) > 2);
        (void)snprintf(header, sizeof(header), "If-None-Match: %s", etag);
        const char *const headers[] = { header, NULL };
        struct reply second =
            gateway_send(&gateway, (struct sent){ .path = paths[i], .headers = headers });
        assert_int_equal(second.status, 304);
        assert_int_equal(second.body_length, 0);
        reply_done(&first);
        reply_done(&second);
    }
}

static void head_has_the_headers_of_get_and_no_body(void **state)
{
    (void)state;
    char length[32];
    struct reply full = get("/tools");
    struct reply head = gateway_send(&gateway, (struct sent){ .method = "HEAD", .path = "/tools" });

    assert_int_equal(head.status, 200);
    assert_int_equal(head.body_length, 0);
    assert_int_equal((size_t)atoll(reply_header(&head, "content-length", length, sizeof(length))),
                     full.body_length);
    reply_done(&full);
    reply_done(&head);
}

static void a_method_without_a_route_is_refused_with_allow(void **state)
{
    (void)state;
    static const struct {
        const char *method, *path, *allow;
    } cases[] = {
        { "DELETE", "/tools", "GET" },
        { "PUT", "/tools/echo", "POST" },
        { "POST", "/tools", "HEAD" },
        { "PATCH", "/calls", "POST" },
    };
    char room[100];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reply reply = gateway_send(
            &gateway, (struct sent){ .method = cases[i].method, .path = cases[i].path });
        assert_int_equal(reply.status, 405);
        assert_non_null(strstr(reply_header(&reply, "allow", room, sizeof(room)), cases[i].allow));
        reply_done(&reply);
    }
}

static void only_probes_and_problems_need_no_key(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        long status;
    } cases[] = {
        { "/livez", 200 },
        { "/readyz", 200 },
        { "/problems/unauthenticated", 200 },
        { "/", 401 },
        { "/tools", 401 },
        { "/tools/echo", 401 },
        { "/openapi.json", 401 },
        { "/plugins", 401 },
        { "/nope", 401 },
    };
    char room[200];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reply reply =
            gateway_send(&gateway, (struct sent){ .path = cases[i].path, .key = "" });
        assert_int_equal(reply.status, cases[i].status);
        if (cases[i].status == 401) {
            assert_non_null(
                strstr(reply_header(&reply, "www-authenticate", room, sizeof(room)), "Bearer"));
        }
        reply_done(&reply);
    }
}

static void a_key_that_is_no_key_is_refused(void **state)
{
    (void)state;
    static const char *const keys[] = { "wrong", KEY_OLD, "test-key ", "TEST-KEY", "test-ke" };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        struct reply reply =
            gateway_send(&gateway, (struct sent){ .path = "/tools/x", .key = keys[i] });
        /* A space at the end is not a part of the value (RFC 9110 section 5.5): found, and 404. */
        assert_int_equal(reply.status, strcmp(keys[i], "test-key ") == 0 ? 404 : 401);
        reply_done(&reply);
    }
}

static void a_key_comes_in_either_header_but_not_in_two_ways(void **state)
{
    (void)state;
    static const struct {
        const char *headers[3];
        long status;
    } cases[] = {
        { { "X-API-Key: test-key", NULL }, 200 },
        { { "x-api-key: test-key", NULL }, 200 },
        { { "Authorization: bearer test-key", NULL }, 200 },
        { { "Authorization: BEARER test-key", NULL }, 200 },
        { { "Authorization: Basic dGVzdC1rZXk=", NULL }, 401 },
        { { "Authorization: test-key", NULL }, 401 },
        { { "Authorization: Bearer test-key", "X-API-Key: echo-key", NULL }, 401 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reply reply = gateway_send(
            &gateway, (struct sent){ .path = "/plugins", .key = "", .headers = cases[i].headers });
        assert_int_equal(reply.status, cases[i].status);
        reply_done(&reply);
    }
}

static void a_key_sees_and_calls_only_its_tools(void **state)
{
    (void)state;
    struct reply list = gateway_send(&gateway, (struct sent){ .path = "/tools", .key = KEY_SOME });
    struct reply document =
        gateway_send(&gateway, (struct sent){ .path = "/openapi.json", .key = KEY_SOME });
    struct reply allowed = gateway_send(
        &gateway,
        (struct sent){ .path = "/tools/echo", .key = KEY_SOME, .body = "{\"text\":\"a\"}" });
    struct reply refused = gateway_send(
        &gateway, (struct sent){ .path = "/tools/boom", .key = KEY_SOME, .body = "{}" });
    const json_t *tools =
        json_is_array(list.json) ? list.json : json_object_get(list.json, "tools");

    assert_int_equal(json_array_size(tools), 2);
    assert_non_null(strstr(document.body, "/tools/echo"));
    assert_null(strstr(document.body, "/tools/boom"));
    assert_int_equal(allowed.status, 200);
    assert_int_equal(refused.status, 403);
    assert_string_equal(reply_text(&refused, "code"), "forbidden");
    reply_done(&list);
    reply_done(&document);
    reply_done(&allowed);
    reply_done(&refused);
}

static void a_body_must_be_json(void **state)
{
    (void)state;
    static const char *const form[] = { "Content-Type: application/x-www-form-urlencoded", NULL };
    static const char *const charset[] = { "Content-Type: application/json; charset=utf-8", NULL };
    static const char *const gzip[] = { "Content-Encoding: gzip", NULL };
    struct {
        const char *const *headers;
        long status;
    } cases[] = { { charset, 200 }, { form, 415 } };
    for (size_t i = 0; i < 2; i++) {
        int descriptor = gateway_connect(&gateway);
        char request[400];
        char out[4000];
        const int length = snprintf(request, sizeof(request),
                                    "POST /tools/no_params HTTP/1.1\r\nHost: a\r\nX-API-Key: "
                                    "test-key\r\n%s\r\nContent-Length: 2\r\n\r\n{}",
                                    cases[i].headers[0]);
        (void)gateway_talk(descriptor, request, (size_t)length, out, sizeof(out), 500);
        assert_int_equal(strtol(out + 9, NULL, 10), cases[i].status);
        (void)close(descriptor);
    }
    struct reply reply = gateway_send(
        &gateway, (struct sent){ .path = "/tools/no_params", .body = "{}", .headers = gzip });
    assert_int_equal(reply.status, 415);
    reply_done(&reply);
}

static void a_browser_of_a_listed_origin_may_call(void **state)
{
    (void)state;
    static const char *const listed[] = {
        "Origin: https://app.example",
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: authorization,content-type",
        NULL,
    };
    static const char *const foreign[] = {
        "Origin: https://evil.example",
        "Access-Control-Request-Method: POST",
        NULL,
    };
    char room[200];
    struct reply reply = gateway_send(&gateway, (struct sent){ .method = "OPTIONS",
                                                               .path = "/tools/echo",
                                                               .key = "",
                                                               .headers = listed,
                                                               .is_unrecorded = true });
    assert_int_equal(reply.status, 204);
    assert_string_equal(reply_header(&reply, "access-control-allow-origin", room, sizeof(room)),
                        "https://app.example");
    reply_done(&reply);
    reply = gateway_send(&gateway, (struct sent){ .method = "OPTIONS",
                                                  .path = "/tools/echo",
                                                  .key = "",
                                                  .headers = foreign,
                                                  .is_unrecorded = true });
    assert_string_equal(reply_header(&reply, "access-control-allow-origin", room, sizeof(room)),
                        "");
    reply_done(&reply);
}

/* For e2e/validate_responses: the document that the recorded answers are held against. */
static void the_document_is_kept_for_the_validation(void **state)
{
    (void)state;
    const char *file_name = getenv("TR_E2E_OPENAPI");
    struct reply reply = get("/openapi.json");
    assert_int_equal(reply.status, 200);
    if (file_name != NULL) {
        FILE *file = fopen(file_name, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(reply.body, 1, reply.body_length, file), reply.body_length);
        assert_int_equal(fclose(file), 0);
    }
    reply_done(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_route_answers),
        cmocka_unit_test(every_tool_can_be_shown_in_every_dialect),
        cmocka_unit_test(a_list_that_has_not_changed_is_not_sent_again),
        cmocka_unit_test(head_has_the_headers_of_get_and_no_body),
        cmocka_unit_test(a_method_without_a_route_is_refused_with_allow),
        cmocka_unit_test(only_probes_and_problems_need_no_key),
        cmocka_unit_test(a_key_that_is_no_key_is_refused),
        cmocka_unit_test(a_key_comes_in_either_header_but_not_in_two_ways),
        cmocka_unit_test(a_key_sees_and_calls_only_its_tools),
        cmocka_unit_test(a_body_must_be_json),
        cmocka_unit_test(a_browser_of_a_listed_origin_may_call),
        cmocka_unit_test(the_document_is_kept_for_the_validation),
    };
    return cmocka_run_group_tests_name("reads", tests, start, stop);
}
