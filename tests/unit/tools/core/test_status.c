#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/fault.h"
#include "tools/core/status.h"

static void status_has_a_code_of_its_own_and_words_for_each(void **state)
{
    (void)state;
    for (int i = 0; i < tr_status_count(); i++) {
        const struct tr_status_info *info = tr_status_info((enum tr_status)i);
        enum tr_status found = TR_INTERNAL;
        assert_true(tr_status_from_code(info->code, &found));
        assert_int_equal(found, i);
        assert_true(info->http >= 200 && info->http < 600);
        assert_true(strlen(info->title) > 0 && strlen(info->advice) > 0);
        assert_true(info->title[strlen(info->title) - 1] != '.');
        assert_int_equal(info->advice[strlen(info->advice) - 1], '.');
    }
}

static void status_has_the_http_status_of_the_contract(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        int http;
    } contract[] = {
        { "malformed_json", 400 },
        { "bad_request", 400 },
        { "unauthenticated", 401 },
        { "forbidden", 403 },
        { "url_blocked", 403 },
        { "path_blocked", 403 },
        { "unknown_tool", 404 },
        { "not_found", 404 },
        { "method_not_allowed", 405 },
        { "request_timeout", 408 },
        { "body_too_large", 413 },
        { "unsupported_media_type", 415 },
        { "invalid_parameters", 422 },
        { "rate_limited", 429 },
        { "internal", 500 },
        { "busy", 503 },
        { "timeout", 504 },
        { "tool_failed", 200 },
    };
    for (size_t i = 0; i < sizeof(contract) / sizeof(contract[0]); i++) {
        enum tr_status status = TR_OK;
        assert_true(tr_status_from_code(contract[i].code, &status));
        assert_int_equal(tr_status_info(status)->http, contract[i].http);
    }
}

static void status_knows_no_other_code(void **state)
{
    (void)state;
    enum tr_status status = TR_OK;

    assert_false(tr_status_from_code("", &status));
    assert_false(tr_status_from_code("Internal", &status));
    assert_int_equal(tr_status_info((enum tr_status)9999)->http, 500);
}

static void refuse_fills_the_fault_and_returns_the_status(void **state)
{
    (void)state;
    struct tr_fault fault = { 0 };

    assert_int_equal(tr_refuse(TR_BUSY, &fault, "/a", "%d of %s", 3, "b"), TR_BUSY);
    assert_string_equal(fault.where, "/a");
    assert_string_equal(fault.what, "3 of b");
    assert_int_equal(tr_refuse(TR_BUSY, NULL, "/a", "x"), TR_BUSY);
}

static void refuse_may_be_given_the_old_content_of_the_same_fault(void **state)
{
    (void)state;
    struct tr_fault fault = { .where = "/a", .what = "is wrong" };

    (void)tr_refuse(TR_BUSY, &fault, fault.where, "tool x: %s %s", fault.where, fault.what);

    assert_string_equal(fault.where, "/a");
    assert_string_equal(fault.what, "tool x: /a is wrong");
}

static void refuse_cuts_long_texts_at_a_character(void **state)
{
    (void)state;
    struct tr_fault fault = { 0 };
    char longer[TR_FAULT_WHAT_BYTES * 2];
    for (size_t i = 0; i + 1 < sizeof(longer); i += 2) {
        memcpy(longer + i, "\xC3\xA9", 2);
    }
    longer[sizeof(longer) - 2] = '\0';

    (void)tr_refuse(TR_BUSY, &fault, longer, "%s", longer);

    assert_int_equal(strlen(fault.what), TR_FAULT_WHAT_BYTES - 2);
    assert_int_equal(strlen(fault.where), TR_FAULT_WHERE_BYTES - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_has_a_code_of_its_own_and_words_for_each),
        cmocka_unit_test(status_has_the_http_status_of_the_contract),
        cmocka_unit_test(status_knows_no_other_code),
        cmocka_unit_test(refuse_fills_the_fault_and_returns_the_status),
        cmocka_unit_test(refuse_may_be_given_the_old_content_of_the_same_fault),
        cmocka_unit_test(refuse_cuts_long_texts_at_a_character),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
