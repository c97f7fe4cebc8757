#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/guard/header_guard.h"

static struct tr_header_field field_of(const char *name, const char *value)
{
    return (struct tr_header_field){
        .name = name,
        .value = value,
        .name_length = strlen(name),
        .value_length = strlen(value),
    };
}

static void harmless_fields_go_out(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
    } cases[] = {
        { "Accept", "application/json" },
        { "accept-language", "pl, en;q=0.5" },
        { "User-Agent", "x/1" },
        { "X-A", "" },
        { "X-A", "a\tb" },
        { "X-A", "100%" },
        { "X-A", "%20%0" },
        { "X-A", "%41" },
        { "X-Request-Id", "a" },
        { "traceparent", "00-x" },
        { "Idempotency-Key", "a" },
        { "X-Userland", "a" },
        { "Hosts", "a" },
        { "Proxy", "a" },
        { "Range", "bytes=0-1" },
        { "If-None-Match", "\"a\"" },
        { "!#$%&'*+-.^_`|~", "a" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_header_field field = field_of(cases[i].name, cases[i].value);
        const char *reason = "";
        assert_int_equal(tr_header_guard_out(&field, &reason), TR_HEADER_PASS);
        assert_null(reason);
    }
}

static void fields_that_are_not_the_callers_are_removed(void **state)
{
    (void)state;
    static const char *const names[] = {
        /* one hop */
        "Connection",
        "Keep-Alive",
        "Proxy-Connection",
        "Proxy-Authorization",
        "TE",
        "Trailer",
        "Transfer-Encoding",
        "Upgrade",
        "HTTP2-Settings",
        "Transfer_Encoding",
        /* the client library's */
        "Host",
        "hOsT",
        "Content-Length",
        "content_length",
        "Expect",
        "Via",
        "Accept-Encoding",
        "Sec-Fetch-Site",
        /* who, where from, what */
        "Forwarded",
        "X-Forwarded-For",
        "X_Forwarded_For",
        "X-Real-IP",
        "True-Client-IP",
        "CF-Connecting-IP",
        "X-User-Id",
        "Remote-User",
        "X-Authenticated-User",
        "X-HTTP-Method-Override",
        "X-Original-URL",
        "X-Forwarded-Client-Cert",
        /* metadata services */
        "Metadata",
        "Metadata-Flavor",
        "X-aws-ec2-metadata-token",
        "X-aws-ec2-metadata-token-ttl-seconds",
    };
    for (size_t i = 0; i < TR_COUNT_OF(names); i++) {
        const struct tr_header_field field = field_of(names[i], "a");
        const char *reason = NULL;
        assert_int_equal(tr_header_guard_out(&field, &reason), TR_HEADER_REMOVE);
        assert_non_null(reason);
    }
}

static void credentials_go_out_with_a_warning(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Authorization",
        "Cookie",
        "X-API-Key",
        "apikey",
        "X-Auth-Token",
        "X-Auth-Key",
        "X-Auth-Email",
        "Private-Token",
        "X-Access-Key",
        "x_api_key",
        "X-Amz-Security-Token",
        "Ocp-Apim-Subscription-Key",
        "Client-Secret",
        "X-Password",
    };
    for (size_t i = 0; i < TR_COUNT_OF(names); i++) {
        const struct tr_header_field field = field_of(names[i], "s3cret");
        const char *reason = NULL;
        assert_int_equal(tr_header_guard_out(&field, &reason), TR_HEADER_WARN);
        assert_null(strstr(reason, "s3cret"));
    }
}

static void injections_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        size_t name_length, value_length; /* 0: of the string */
    } cases[] = {
        { "X-A", "a\r\nX-Inj: 1", 0, 0 },
        { "X-A", "a\rb", 0, 0 },
        { "X-A", "a\nb", 0, 0 },
        { "X-A", "a\0b", 0, 3 },
        { "X-A", "a\x01", 0, 0 },
        { "X-A", "a\x7f", 0, 0 },
        { "X-A", "a\xc2\x85", 0, 0 },    /* NEL */
        { "X-A", "\xe5\x98\x8a", 0, 0 }, /* U+560A */
        { "X-A", "caf\xc3\xa9", 0, 0 },
        { "X-A", "\xff", 0, 0 },
        { "X-A", "a%0d%0aX-Inj: 1", 0, 0 },
        { "X-A", "%0A", 0, 0 },
        { "X-A", "%00", 0, 0 },
        { "", "a", 0, 0 },
        { "X A", "a", 0, 0 },
        { "X ", "a", 0, 0 },
        { " X", "a", 0, 0 },
        { "X:A", "a", 0, 0 },
        { "X\r\nInj", "a", 0, 0 },
        { "X\0", "a", 2, 0 },
        { "X@A", "a", 0, 0 },
        { "X\"A", "a", 0, 0 },
        { "X(A)", "a", 0, 0 },
        { "X\xc3\xa9", "a", 0, 0 },
        { "X%0d", "a", 0, 0 },
        { ":authority", "a", 0, 0 },
        { "Host", "a\nb", 0, 0 }, /* before it would be removed */
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_header_field field = field_of(cases[i].name, cases[i].value);
        field.name_length = cases[i].name_length != 0 ? cases[i].name_length : field.name_length;
        field.value_length =
            cases[i].value_length != 0 ? cases[i].value_length : field.value_length;
        const char *reason = NULL;
        assert_int_equal(tr_header_guard_out(&field, &reason), TR_HEADER_REFUSE);
        assert_non_null(reason);
        assert_int_equal(tr_header_guard_out_all(&field, 1, &reason), TR_HEADER_REFUSE);
        assert_int_equal(tr_header_guard_out_all(&field, 1, NULL), TR_HEADER_REFUSE);
    }
}

static void names_and_values_have_a_most_of_bytes(void **state)
{
    (void)state;
    static char text[TR_MAX_HEADER_VALUE_BYTES + 2];
    memset(text, 'a', sizeof(text) - 1);
    for (size_t extra = 0; extra < 3; extra++) {
        const struct tr_header_field by_name = {
            .name = text,
            .value = "",
            .name_length = TR_MAX_HEADER_NAME_BYTES - 1 + extra,
        };
        const struct tr_header_field by_value = {
            .name = "X",
            .value = text,
            .name_length = 1,
            .value_length = TR_MAX_HEADER_VALUE_BYTES - 1 + extra,
        };
        const enum tr_header_verdict expected = extra < 2 ? TR_HEADER_PASS : TR_HEADER_REFUSE;
        assert_int_equal(tr_header_guard_out(&by_name, NULL), expected);
        assert_int_equal(tr_header_guard_out(&by_value, NULL), expected);
        const enum tr_header_verdict back = extra < 2 ? TR_HEADER_PASS : TR_HEADER_REMOVE;
        assert_int_equal(tr_header_guard_back(&by_name, NULL), back);
        assert_int_equal(tr_header_guard_back(&by_value, NULL), back);
    }
}

enum { NAMES = TR_MAX_OUT_HEADERS + 1 };

static void a_request_has_a_most_of_fields_and_bytes(void **state)
{
    (void)state;
    static char names[NAMES][3];
    static char value[1024];
    struct tr_header_field fields[NAMES];
    memset(value, 'v', sizeof(value));
    for (size_t i = 0; i < NAMES; i++) {
        names[i][0] = (char)('a' + i / 26);
        names[i][1] = (char)('a' + i % 26);
        fields[i] = field_of(names[i], "");
    }
    assert_int_equal(tr_header_guard_out_all(fields, NAMES - 1, NULL), TR_HEADER_PASS);
    assert_int_equal(tr_header_guard_out_all(fields, NAMES, NULL), TR_HEADER_REFUSE);

    for (size_t i = 0; i < 16; i++) {
        fields[i].value = value;
        fields[i].value_length = 1022;
    }
    assert_int_equal(tr_header_guard_out_all(fields, 16, NULL), TR_HEADER_PASS);
    fields[15].value_length = 1023;
    assert_int_equal(tr_header_guard_out_all(fields, 16, NULL), TR_HEADER_REFUSE);
}

static void a_name_is_there_once(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        enum tr_header_verdict verdict;
    } cases[] = {
        { "X-A", "X-B", TR_HEADER_PASS },
        { "X-A", "x-a", TR_HEADER_REFUSE },
        { "X-A", "X_A", TR_HEADER_REFUSE },
        { "X-A", "X-A-B", TR_HEADER_PASS },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_header_field fields[] = {
            field_of(cases[i].first, "1"),
            field_of(cases[i].second, "2"),
        };
        assert_int_equal(tr_header_guard_out_all(fields, 2, NULL), cases[i].verdict);
    }
    assert_int_equal(tr_header_guard_out_all(NULL, 0, NULL), TR_HEADER_PASS);
}

static void answers_are_shown_without_cookies_and_orders(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        enum tr_header_verdict verdict;
    } cases[] = {
        { "Content-Type", "text/html", TR_HEADER_PASS },
        { "Content-Length", "5", TR_HEADER_PASS },
        { "Link", "<https://example.com/?page=2>; rel=\"next\"", TR_HEADER_PASS },
        { "Location", "/x", TR_HEADER_PASS },
        { "X-A", "caf\xc3\xa9", TR_HEADER_PASS },
        { "X-A", "", TR_HEADER_PASS },
        { "Set-Cookie", "a=b", TR_HEADER_REMOVE },
        { "set-cookie2", "a=b", TR_HEADER_REMOVE },
        { "Connection", "close", TR_HEADER_REMOVE },
        { "Transfer-Encoding", "chunked", TR_HEADER_REMOVE },
        { "Proxy-Authenticate", "Basic", TR_HEADER_REMOVE },
        { "X-Accel-Redirect", "/etc", TR_HEADER_REMOVE },
        { "X-Sendfile", "/etc/passwd", TR_HEADER_REMOVE },
        { "X-LIGHTTPD-send-file", "/etc/passwd", TR_HEADER_REMOVE },
        { "X A", "a", TR_HEADER_REMOVE },
        { "", "a", TR_HEADER_REMOVE },
        { "X-A", "\xff", TR_HEADER_REMOVE },
        { "X-A", "a\x1b[2J", TR_HEADER_REMOVE },
        { "X-A", "a\xc2\x9b", TR_HEADER_REMOVE },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_header_field field = field_of(cases[i].name, cases[i].value);
        const char *reason = NULL;
        assert_int_equal(tr_header_guard_back(&field, &reason), cases[i].verdict);
        assert_int_equal(reason == NULL, cases[i].verdict == TR_HEADER_PASS);
    }
}

static void spoofable_fields_are_known_in_any_spelling(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_spoofable;
    } cases[] = {
        { "X-Forwarded-For", true },
        { "x_forwarded_for", true },
        { "X-Forwarded", true },
        { "Forwarded", true },
        { "X-User-Id", true },
        { "X-User", true },
        { "REMOTE_USER", true },
        { "X-Rewrite-URL", true },
        { "X-Azure-ClientIP", true },
        { "X-Auth-Subject", true },
        { "X-Azure-Ref", false },
        { "X-Usage", false },
        { "Authorization", false },
        { "Accept", false },
        { "", false },
        { "X-Auth-Token", false },
        { "Remote-Users-Are-Us", true },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        assert_int_equal(tr_header_guard_is_spoofable(cases[i].name, strlen(cases[i].name)),
                         cases[i].is_spoofable);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmless_fields_go_out),
        cmocka_unit_test(fields_that_are_not_the_callers_are_removed),
        cmocka_unit_test(credentials_go_out_with_a_warning),
        cmocka_unit_test(injections_are_refused),
        cmocka_unit_test(names_and_values_have_a_most_of_bytes),
        cmocka_unit_test(a_request_has_a_most_of_fields_and_bytes),
        cmocka_unit_test(a_name_is_there_once),
        cmocka_unit_test(answers_are_shown_without_cookies_and_orders),
        cmocka_unit_test(spoofable_fields_are_known_in_any_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
