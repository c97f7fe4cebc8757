#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/settings.h"
#include "tools/guard/url_guard.h"

/* Bind and make, as the configuration does. */
static enum tr_status make(const char *json, struct tr_arena *arena,
                           struct tr_url_policy *ret_policy, struct tr_fault *reterr)
{
    json_auto_t *given = json_loads(json, 0, NULL);
    const void *settings = NULL;
    TR_TRY(tr_settings_bind(&network_settings_type, given, arena, &settings, reterr));
    return tr_url_policy_make(settings, arena, ret_policy, reterr);
}

static void the_description_holds(void **state)
{
    (void)state;
    struct tr_fault fault = { 0 };
    assert_int_equal(tr_type_verify(&network_settings_type, &fault), TR_OK);
}

static void nothing_said_is_the_strictest(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_url_policy policies[2] = { 0 };
    assert_int_equal(tr_url_policy_make(NULL, &arena, &policies[0], NULL), TR_OK);
    assert_int_equal(make("{}", &arena, &policies[1], NULL), TR_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_false(policies[i].allow_private);
        assert_false(policies[i].has_allow_hosts);
        assert_int_equal(policies[i].block_host_count, 0);
        assert_int_equal(policies[i].allow_port_count, 0);
    }
}

static void hosts_are_brought_into_the_normal_form(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_url_policy policy = { 0 };
    assert_int_equal(make("{\"allow_hosts\": [\"API.Example.com.\", \"*.Example.ORG\", "
                          "\"[2001:DB8:0::1]\", \"192.0.2.1\"], \"block_hosts\": [\"A\"], "
                          "\"allow_ports\": [25, 9200], \"allow_private\": true}",
                          &arena, &policy, NULL),
                     TR_OK);
    if (policy.allow_hosts == NULL || policy.block_hosts == NULL || policy.allow_ports == NULL) {
        fail();
        return;
    }
    assert_true(policy.has_allow_hosts);
    assert_int_equal(policy.allow_host_count, 4);
    assert_string_equal(policy.allow_hosts[0], "api.example.com");
    assert_string_equal(policy.allow_hosts[1], "*.example.org");
    assert_string_equal(policy.allow_hosts[2], "2001:db8::1");
    assert_string_equal(policy.allow_hosts[3], "192.0.2.1");
    assert_string_equal(policy.block_hosts[0], "a");
    assert_int_equal(policy.allow_ports[1], 9200);
    assert_true(policy.allow_private);
}

static void an_empty_list_allows_no_host(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_url_policy policy = { 0 };
    struct tr_url url = { 0 };
    assert_int_equal(make("{\"allow_hosts\": []}", &arena, &policy, NULL), TR_OK);
    assert_true(policy.has_allow_hosts);
    assert_int_equal(tr_url_guard_check(&policy, "http://a.test/", 14, &url, NULL), TR_URL_BLOCKED);
}

static void what_cannot_be_a_host_or_a_port_is_refused_by_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *where;
    } cases[] = {
        { "{\"allow_hosts\": [\"a\", \"http://example.com\"]}", "/allow_hosts/1" },
        { "{\"allow_hosts\": [\"*\"]}", "/allow_hosts/0" },
        { "{\"allow_hosts\": [\"*.\"]}", "/allow_hosts/0" },
        { "{\"allow_hosts\": [\"*.0.0.1\"]}", "/allow_hosts/0" },
        { "{\"allow_hosts\": [\"*.192.0.2.1\"]}", "/allow_hosts/0" },
        { "{\"allow_hosts\": [\"*.[::1]\"]}", "/allow_hosts/0" },
        { "{\"allow_hosts\": [\"a.*.example\"]}", "/allow_hosts/0" },
        { "{\"allow_hosts\": [\"::1\"]}", "/allow_hosts/0" },
        { "{\"block_hosts\": [\"a:80\"]}", "/block_hosts/0" },
        { "{\"block_hosts\": [\"10.0.0.0/8\"]}", "/block_hosts/0" },
        { "{\"allow_ports\": [80, 0]}", "/allow_ports/1" },
        { "{\"allow_ports\": [65536]}", "/allow_ports/0" },
        { "{\"allow_host\": [\"a\"]}", "/allow_host" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        tr_auto(arena) struct tr_arena arena;
        tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
        struct tr_url_policy policy = { 0 };
        struct tr_fault fault = { 0 };
        assert_int_equal(make(cases[i].settings, &arena, &policy, &fault), TR_INVALID_PARAMETERS);
        assert_string_equal(fault.where, cases[i].where);
        assert_true(fault.what[0] != '\0');
    }
}

/* Also of settings that no binder has seen. */
static void ports_are_checked_again(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    static const int64_t ports[] = { -1, 0, 1, 65535, 65536, INT64_MAX };
    for (size_t i = 0; i < TR_COUNT_OF(ports); i++) {
        const struct network_settings settings = { .allow_ports = { &ports[i], 1 } };
        struct tr_url_policy policy = { 0 };
        const bool is_port = ports[i] >= 1 && ports[i] <= 65535;
        assert_int_equal(tr_url_policy_make(&settings, &arena, &policy, NULL),
                         is_port ? TR_OK : TR_INVALID_PARAMETERS);
    }
}

static void headers_to_forward_are_kept_as_written(void **state)
{
    (void)state;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_url_policy policy = { 0 };
    assert_int_equal(
        make("{\"forward_headers\": [\"X-Tenant\", \"accept-language\"]}", &arena, &policy, NULL),
        TR_OK);
    assert_int_equal(policy.forward_header_count, 2);
    assert_string_equal(policy.forward_headers[0], "X-Tenant");
    assert_string_equal(policy.forward_headers[1], "accept-language");
}

static void headers_that_must_not_be_forwarded_are_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *name, *reason;
    } cases[] = {
        { "Authorization", "it sends a credential to the upstream" },
        { "X-API-Key", "it sends a credential to the upstream" },
        { "x_api_key", "it sends a credential to the upstream" },
        { "Cookie", "it sends a credential to the upstream" },
        { "Host", "the gateway sets it itself" },
        { "Content-Length", "the gateway sets it itself" },
        { "Connection", "it is for one connection only" },
        { "Proxy-Authorization", "it is for one connection only" },
        { "X-Forwarded-For", "it claims an identity, an origin or a meaning" },
        { "X-User-Id", "it claims an identity, an origin or a meaning" },
        { "Metadata-Flavor", "it opens the metadata services of clouds" },
        { "Content-Type", "it is about the call itself" },
        { "traceparent", "it is about the call itself" },
        { "no token", "a name consists of letters, digits and hyphens" },
        { "X-A: b", "a name consists of letters, digits and hyphens" },
        { "X-Tenant", "the header is listed twice" },
        { "x_tenant", "the header is listed twice" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        tr_auto(arena) struct tr_arena arena;
        tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
        struct tr_url_policy policy = { 0 };
        struct tr_fault fault = { 0 };
        char settings[128];
        (void)snprintf(settings, sizeof(settings), "{\"forward_headers\": [\"X-Tenant\", \"%s\"]}",
                       cases[i].name);
        assert_int_equal(make(settings, &arena, &policy, &fault), TR_INVALID_PARAMETERS);
        assert_string_equal(fault.where, "/forward_headers/1");
        assert_string_equal(fault.what, cases[i].reason);
    }
}

static bool make_with_lists(void *context)
{
    static const char *const hosts[] = { "a.example", "*.b.example" };
    (void)context;
    const struct network_settings settings = {
        .allow_hosts = { hosts, 2 },
        .block_hosts = { hosts, 1 },
    };
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_url_policy policy = { 0 };
    const enum tr_status status = tr_url_policy_make(&settings, &arena, &policy, NULL);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static void want_of_memory_is_said(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(make_with_lists, NULL) >= 1);

    static const char *const hosts[] = { "a.example" };
    const struct network_settings settings = { .allow_hosts = { hosts, 1 } };
    for (size_t limit = 0; limit < 24; limit += 8) {
        tr_auto(arena) struct tr_arena arena;
        tr_arena_init(&arena, limit);
        struct tr_url_policy policy = { 0 };
        assert_int_equal(tr_url_policy_make(&settings, &arena, &policy, NULL), TR_BODY_TOO_LARGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_description_holds),
        cmocka_unit_test(nothing_said_is_the_strictest),
        cmocka_unit_test(hosts_are_brought_into_the_normal_form),
        cmocka_unit_test(an_empty_list_allows_no_host),
        cmocka_unit_test(what_cannot_be_a_host_or_a_port_is_refused_by_its_place),
        cmocka_unit_test(ports_are_checked_again),
        cmocka_unit_test(headers_to_forward_are_kept_as_written),
        cmocka_unit_test(headers_that_must_not_be_forwarded_are_refused_with_the_reason),
        cmocka_unit_test(want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
