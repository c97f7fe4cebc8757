#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "middleware/keyring.h"
#include "middleware/secret.h"
#include "tests/unit/middleware/fixture.h"

#define NO_ERROR        "Bearer realm=\"toolrest\""
#define INVALID_TOKEN   NO_ERROR ", error=\"invalid_token\""
#define INVALID_REQUEST NO_ERROR ", error=\"invalid_request\""

static struct tr_keyring *keyring; /* "test-key" of ci; "old-key" of old, expired at 1000 ms */

static int make_keyring(void **state)
{
    (void)state;
    char test_key[TR_SHA256_HEX_BYTES];
    char old_key[TR_SHA256_HEX_BYTES];
    if (!tr_sha256_hex("test-key", 8, test_key) || !tr_sha256_hex("old-key", 7, old_key)) {
        return -1;
    }
    const struct tr_key_spec specs[] = {
        { .name = "ci", .sha256_hex = test_key },
        { .name = "old", .sha256_hex = old_key, .expires_ms = 1000 },
    };
    return tr_keyring_new(specs, 2, &keyring, NULL) == TR_OK ? 0 : -1;
}

static int free_keyring(void **state)
{
    (void)state;
    tr_keyring_free(keyring);
    return 0;
}

struct auth_case {
    const char *authorization[2], *api_key[2];
    const char *challenge; /* NULL: let pass, as "ci" */
};

static void expect(const struct auth_case *expected)
{
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.keyring = keyring;
    for (size_t i = 0; i < 2; i++) {
        fixture_header(&fixture, "Authorization", expected->authorization[i]);
        fixture_header(&fixture, "X-API-Key", expected->api_key[i]);
    }

    const bool is_admitted = fixture_admit(&fixture, &tr_auth);

    assert_int_equal(is_admitted, expected->challenge == NULL);
    if (is_admitted) {
        assert_string_equal(fixture.exchange.principal->name, "ci");
        return;
    }
    assert_null(fixture.exchange.principal);
    assert_int_equal(fixture.exchange.answer.http_status, 401);
    assert_string_equal(fixture_answer(&fixture, "WWW-Authenticate"), expected->challenge);
    assert_false(fixture_body_has(&fixture, "test-key"));
}

static void a_key_is_taken_from_either_header(void **state)
{
    (void)state;
    static const struct auth_case cases[] = {
        { { "Bearer test-key" }, { NULL }, NULL },
        { { "bearer test-key" }, { NULL }, NULL },
        { { "BEARER    test-key" }, { NULL }, NULL },
        { { " Bearer test-key " }, { NULL }, NULL },
        { { NULL }, { "test-key" }, NULL },
        { { NULL }, { " test-key\t" }, NULL },
        { { "Bearer test-key" }, { "test-key" }, NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(&cases[i]);
    }
}

static void other_credentials_are_refused_with_a_challenge(void **state)
{
    (void)state;
    static const struct auth_case cases[] = {
        { { NULL }, { NULL }, NO_ERROR },
        { { NULL }, { "bad" }, INVALID_TOKEN },
        { { NULL }, { "test-ke" }, INVALID_TOKEN },
        { { NULL }, { "test-keys" }, INVALID_TOKEN },
        { { NULL }, { "Test-Key" }, INVALID_TOKEN },
        { { NULL }, { "\"test-key\"" }, INVALID_TOKEN },
        { { NULL }, { "test-key,test-key" }, INVALID_TOKEN },
        { { NULL }, { "test-key, other" }, INVALID_TOKEN },
        { { NULL }, { "Bearer test-key" }, INVALID_TOKEN },
        { { NULL }, { "" }, INVALID_TOKEN },
        { { NULL }, { "old-key" }, INVALID_TOKEN },
        { { "Bearer bad" }, { NULL }, INVALID_TOKEN },
        { { "Bearer old-key" }, { NULL }, INVALID_TOKEN },
        { { "Bearer" }, { NULL }, INVALID_TOKEN },
        { { "Bearer " }, { NULL }, INVALID_TOKEN },
        { { "Bearer\ttest-key" }, { NULL }, INVALID_TOKEN },
        { { "Bearer test-key x" }, { NULL }, INVALID_TOKEN },
        { { "Bearertest-key" }, { NULL }, INVALID_TOKEN },
        { { "test-key" }, { NULL }, INVALID_TOKEN },
        { { "Basic dGVzdC1rZXk=" }, { NULL }, INVALID_TOKEN },
        { { "" }, { NULL }, INVALID_TOKEN },
        { { "Bearer t\xc3\xa9st" }, { NULL }, INVALID_TOKEN },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(&cases[i]);
    }
}

static void credentials_that_differ_are_refused(void **state)
{
    (void)state;
    static const struct auth_case cases[] = {
        { { "Bearer test-key" }, { "bad" }, INVALID_REQUEST },
        { { "Bearer bad" }, { "test-key" }, INVALID_REQUEST },
        { { "Bearer test-key" }, { "old-key" }, INVALID_REQUEST },
        { { "Bearer test-key" }, { "" }, INVALID_REQUEST },
        { { "Basic x" }, { "test-key" }, INVALID_REQUEST },
        { { "" }, { "test-key" }, INVALID_REQUEST },
        { { "Bearer test-key", "Bearer bad" }, { NULL }, INVALID_REQUEST },
        { { "Bearer bad", "Bearer test-key" }, { NULL }, INVALID_REQUEST },
        { { "Bearer test-key", "Bearer test-key" }, { NULL }, INVALID_REQUEST },
        { { NULL }, { "test-key", "bad" }, INVALID_REQUEST },
        { { NULL }, { "bad", "test-key" }, INVALID_REQUEST },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(&cases[i]);
    }
}

static void a_nul_in_a_key_is_seen(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture.policy.keyring = keyring;
    fixture_header_bytes(&fixture, "X-API-Key", "test-key\0x", 10);
    assert_false(fixture_admit(&fixture, &tr_auth));
}

static void other_headers_carry_no_credential(void **state)
{
    (void)state;
    static const char *const names[] = {
        "X_API_Key", "X-API-Key2", "X-Api", "Proxy-Authorization", "Cookie", "Remote-User",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.keyring = keyring;
        fixture_header(&fixture, names[i], "test-key");
        assert_false(fixture_admit(&fixture, &tr_auth));
        assert_string_equal(fixture_answer(&fixture, "WWW-Authenticate"), NO_ERROR);
    }
}

static void a_key_ends_by_the_real_time(void **state)
{
    (void)state;
    for (int64_t now = 999; now <= 1000; now++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.keyring = keyring;
        fixture.exchange.started_real_ms = now;
        fixture_header(&fixture, "X-API-Key", "old-key");
        assert_int_equal(fixture_admit(&fixture, &tr_auth), now < 1000);
    }
}

static void public_paths_need_no_credential(void **state)
{
    (void)state;
    static const char *const public_paths[] = { "/livez", "/docs/", "/" };
    static const struct {
        const char *path;
        bool is_public;
    } cases[] = {
        { "/livez", true },  { "/livez/x", false }, { "/livezz", false }, { "/docs", true },
        { "/docs/a", true }, { "/docsx", false },   { "/", true },        { "/tools", false },
        { "/LIVEZ", false }, { "", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.keyring = keyring;
        fixture.policy.public_paths = public_paths;
        fixture.policy.public_path_count = 3;
        fixture.exchange.request.path = cases[i].path;
        assert_int_equal(fixture_admit(&fixture, &tr_auth), cases[i].is_public);
    }
}

static void a_public_path_still_knows_who_calls(void **state)
{
    (void)state;
    static const char *const public_paths[] = { "/livez" };
    static const char *const keys[] = { "test-key", "bad" };
    for (size_t i = 0; i < 2; i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.keyring = keyring;
        fixture.policy.public_paths = public_paths;
        fixture.policy.public_path_count = 1;
        fixture.exchange.request.path = "/livez";
        fixture_header(&fixture, "X-API-Key", keys[i]);

        assert_true(fixture_admit(&fixture, &tr_auth));

        assert_int_equal(fixture.exchange.principal != NULL, i == 0);
    }
}

static void without_keys_no_credential_is_needed(void **state)
{
    (void)state;
    struct tr_keyring *empty = NULL;
    assert_int_equal(tr_keyring_new(NULL, 0, &empty, NULL), TR_OK);
    const struct tr_keyring *const keyrings[] = { NULL, empty };
    for (size_t i = 0; i < 2; i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.policy.keyring = keyrings[i];
        fixture_header(&fixture, "X-API-Key", "whatever");
        assert_true(fixture_admit(&fixture, &tr_auth));
        assert_null(fixture.exchange.principal);
    }
    tr_keyring_free(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_taken_from_either_header),
        cmocka_unit_test(other_credentials_are_refused_with_a_challenge),
        cmocka_unit_test(credentials_that_differ_are_refused),
        cmocka_unit_test(a_nul_in_a_key_is_seen),
        cmocka_unit_test(other_headers_carry_no_credential),
        cmocka_unit_test(a_key_ends_by_the_real_time),
        cmocka_unit_test(public_paths_need_no_credential),
        cmocka_unit_test(a_public_path_still_knows_who_calls),
        cmocka_unit_test(without_keys_no_credential_is_needed),
    };
    return cmocka_run_group_tests(tests, make_keyring, free_keyring);
}
