#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/call_headers.h"
#include "tests/support/alloc_fail.h"
#include "tools/base/http_tool.h"
#include "tools/guard/url_guard.h"

/* A header as it is received: no NUL behind it is looked at. */
#define HEADER(header_name, header_value)                                                       \
    {                                                                                           \
        .name = (header_name), .value = (header_value), .name_length = sizeof(header_name) - 1, \
        .value_length = sizeof(header_value) - 1,                                               \
    }

enum { MOST_RECEIVED = 4 };

static const char *const wanted[] = { "X-Tenant", "Accept-Language" };
static const struct tr_url_policy policy = {
    .forward_headers = wanted,
    .forward_header_count = 2,
};
static const struct tr_tool outbound_tool = { .name = "outbound", .base = &tr_http_base };
static const struct tr_tool plain_tool = { .name = "plain" };
static const struct tr_entry entry = { .tool = &outbound_tool, .base_state = &policy };

static size_t count_received(const struct tr_header *headers)
{
    size_t count = 0;
    while (count < MOST_RECEIVED && headers[count].name != NULL) {
        count++;
    }
    return count;
}

static void the_named_headers_are_copied_and_no_others(void **state)
{
    (void)state;
    static const struct {
        struct tr_header received[MOST_RECEIVED];
        const char *value; /* of X-Tenant; NULL: left out */
        size_t value_length, warnings;
    } cases[] = {
        { { HEADER("X-Tenant", "acme") }, "acme", 4, 0 },
        { { HEADER("x-TENANT", " \ta b\t ") }, "a b", 3, 0 },
        { { HEADER("X-Tenant", "") }, "", 0, 0 },
        { { HEADER("X-Tenant", "a\0b") }, "a\0b", 3, 0 },
        { { HEADER("X-Tenants", "a"), HEADER("X-Tenan", "a"), HEADER("X_Tenant", "a") },
          NULL,
          0,
          0 },
        { { HEADER("Authorization", "Bearer a") }, NULL, 0, 0 },
        { { HEADER("X-Tenant", "a"), HEADER("x-tenant", "a") }, NULL, 0, 1 },
        { { HEADER("X-Tenant", "a"), HEADER("Connection", "close, x-tenant") }, NULL, 0, 1 },
        { { HEADER("Connection", "X-Tenant"), HEADER("X-Tenant", "a") }, NULL, 0, 1 },
        { { HEADER("Connection", "X-Tenant") }, NULL, 0, 0 },
        { { HEADER("Connection", "x-tenants"), HEADER("X-Tenant", "a") }, "a", 1, 0 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_call call;
        tr_call_init(&call);
        const struct tr_request request = {
            .headers = cases[i].received,
            .header_count = count_received(cases[i].received),
        };
        assert_true(tr_call_set_headers(&call, &request, &entry));

        const struct tr_call_header *copied = call.context.headers;
        assert_int_equal(call.context.header_count, cases[i].value != NULL ? 1 : 0);
        assert_int_equal(call.report.warnings.count, cases[i].warnings);
        if (cases[i].value != NULL) {
            assert_string_equal(copied[0].name, "X-Tenant");
            assert_int_equal(copied[0].value_length, cases[i].value_length);
            assert_memory_equal(copied[0].value, cases[i].value, cases[i].value_length + 1);
        }
        tr_call_done(&call);
    }
}

static void the_order_is_that_of_the_configuration(void **state)
{
    (void)state;
    static const struct tr_header received[] = {
        HEADER("Accept-Language", "pt"),
        HEADER("X-Tenant", "acme"),
    };
    const struct tr_request request = { .headers = received, .header_count = 2 };
    struct tr_call call;
    tr_call_init(&call);
    assert_true(tr_call_set_headers(&call, &request, &entry));
    assert_int_equal(call.context.header_count, 2);
    assert_string_equal(call.context.headers[0].value, "acme");
    assert_string_equal(call.context.headers[1].value, "pt");
    tr_call_done(&call);
}

static void a_tool_that_names_none_gets_none(void **state)
{
    (void)state;
    static const struct tr_url_policy nothing;
    static const struct tr_header received = HEADER("X-Tenant", "acme");
    static const struct tr_entry entries[] = {
        { .tool = &plain_tool },
        { .tool = &outbound_tool },
        { .tool = &outbound_tool, .base_state = &nothing },
    };
    const struct tr_request request = { .headers = &received, .header_count = 1 };
    for (size_t i = 0; i < TR_COUNT_OF(entries); i++) {
        struct tr_call call;
        tr_call_init(&call);
        assert_true(tr_call_set_headers(&call, &request, &entries[i]));
        assert_int_equal(call.context.header_count, 0);
        assert_null(call.context.headers);
        tr_call_done(&call);
    }
}

static bool copy_once(void *context)
{
    static const struct tr_header received = HEADER("X-Tenant", "acme");
    const struct tr_request request = { .headers = &received, .header_count = 1 };
    struct tr_call call;
    (void)context;
    tr_call_init(&call);
    const bool is_done = tr_call_set_headers(&call, &request, &entry);
    tr_call_done(&call);
    return is_done;
}

static void want_of_memory_is_said(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(copy_once, NULL) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_named_headers_are_copied_and_no_others),
        cmocka_unit_test(the_order_is_that_of_the_configuration),
        cmocka_unit_test(a_tool_that_names_none_gets_none),
        cmocka_unit_test(want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
