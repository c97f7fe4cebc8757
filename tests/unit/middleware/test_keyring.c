#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "middleware/keyring.h"
#include "middleware/secret.h"
#include "tests/support/alloc_fail.h"

/* Stands in for OpenSSL's: the linker takes the program's own first. Counts how many candidates are
 * compared. */
int CRYPTO_memcmp(const void *left, const void *right, size_t length);
static size_t compared;

int CRYPTO_memcmp(const void *left, const void *right, size_t length)
{
    compared++;
    return memcmp(left, right, length);
}

static const char digest_of_abc[] =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char digest_of_def[] =
    "CB8379AC2098AA165029E3938A51DA0BCECFC008FD6795F401178647F96C5B34";

static const char *const weather_only[] = { "weather", "file_*" };
static const char *const turned_round[] = { "file_*", "weather", "weather" };
static const char *const everything[] = { "a", "*" };

static struct tr_keyring *keyring_of(const struct tr_key_spec *specs, size_t count)
{
    struct tr_keyring *keyring = NULL;
    struct tr_fault fault;
    assert_int_equal(tr_keyring_new(specs, count, &keyring, &fault), TR_OK);
    return keyring;
}

static void a_key_is_found_by_its_text(void **state)
{
    (void)state;
    const struct tr_key_spec specs[] = {
        { .name = "one", .sha256_hex = digest_of_abc },
        { .name = "two", .sha256_hex = digest_of_def, .tools = weather_only, .tool_count = 2 },
    };
    struct tr_keyring *keyring = keyring_of(specs, 2);

    assert_string_equal(tr_keyring_find(keyring, "abc", 3, 0)->name, "one");
    assert_string_equal(tr_keyring_find(keyring, "def", 3, 0)->name, "two");
    assert_null(tr_keyring_find(keyring, "Abc", 3, 0));
    assert_null(tr_keyring_find(keyring, "abcd", 4, 0));
    assert_null(tr_keyring_find(keyring, "ab", 2, 0));
    assert_null(tr_keyring_find(keyring, "", 0, 0));
    assert_int_equal(tr_keyring_count(keyring), 2);
    assert_string_equal(tr_keyring_principal(keyring, 1)->name, "two");
    tr_keyring_free(keyring);
    tr_keyring_free(NULL);
}

static void a_key_ends_at_its_expiry(void **state)
{
    (void)state;
    const struct tr_key_spec spec = { .name = "one",
                                      .sha256_hex = digest_of_abc,
                                      .expires_ms = 1000 };
    struct tr_keyring *keyring = keyring_of(&spec, 1);

    assert_non_null(tr_keyring_find(keyring, "abc", 3, 999));
    assert_null(tr_keyring_find(keyring, "abc", 3, 1000));
    assert_null(tr_keyring_find(keyring, "abc", 3, 1001));
    tr_keyring_free(keyring);
}

static void an_empty_keyring_knows_nobody(void **state)
{
    (void)state;
    struct tr_keyring *keyring = keyring_of(NULL, 0);
    assert_int_equal(tr_keyring_count(keyring), 0);
    assert_null(tr_keyring_find(keyring, "abc", 3, 0));
    tr_keyring_free(keyring);
}

enum { MANY = 64 };

/* MANY keys whose digests start with the same byte as that of "abc", which stands at `place`. */
static struct tr_keyring *crowded_keyring(size_t place)
{
    static char digests[MANY][TR_SHA256_HEX_BYTES];
    static char names[MANY][8];
    struct tr_key_spec specs[MANY] = { { .name = NULL } };
    for (size_t i = 0; i < MANY; i++) {
        memcpy(digests[i], digest_of_abc, sizeof(digests[i]));
        if (i != place) {
            /* Sorts before or behind the real one. */
            digests[i][2] = i < place ? '0' : 'f';
            (void)snprintf(digests[i] + 60, 5, "%04zx", i);
        }
        (void)snprintf(names[i], sizeof(names[i]), "k%zu", i);
        specs[i] = (struct tr_key_spec){ .name = names[i], .sha256_hex = digests[i] };
    }
    return keyring_of(specs, MANY);
}

static void a_match_does_not_stop_the_comparing(void **state)
{
    (void)state;
    for (size_t place = 0; place < MANY; place += MANY / 4) {
        struct tr_keyring *keyring = crowded_keyring(place);
        compared = 0;
        const struct tr_principal *found = tr_keyring_find(keyring, "abc", 3, 0);
        assert_ptr_equal(found, tr_keyring_principal(keyring, place));
        assert_int_equal(compared, MANY);
        tr_keyring_free(keyring);
    }
}

static void wrong_specs_are_refused_by_place_and_name(void **state)
{
    (void)state;
    static const char *const bad_glob[] = { "weather", "a b" };
    static const char *const empty_glob[] = { "" };
    const struct tr_key_spec good = { .name = "good", .sha256_hex = digest_of_abc };
    const struct {
        struct tr_key_spec spec;
        const char *where;
    } cases[] = {
        { { .name = NULL, .sha256_hex = digest_of_def }, "/1/name" },
        { { .name = "", .sha256_hex = digest_of_def }, "/1/name" },
        { { .name = "good", .sha256_hex = digest_of_def }, "/1/name" },
        { { .name = "bad" }, "/1/sha256" },
        { { .name = "bad", .sha256_hex = "" }, "/1/sha256" },
        { { .name = "bad", .sha256_hex = digest_of_abc + 1 }, "/1/sha256" },
        { { .name = "bad",
            .sha256_hex = "gb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34" },
          "/1/sha256" },
        { { .name = "bad", .sha256_hex = digest_of_abc }, "/1/sha256" },
        { { .name = "bad", .sha256_hex = digest_of_def, .tools = bad_glob, .tool_count = 2 },
          "/1/tools" },
        { { .name = "bad", .sha256_hex = digest_of_def, .tools = empty_glob, .tool_count = 1 },
          "/1/tools" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct tr_key_spec specs[] = { good, cases[i].spec };
        struct tr_keyring *keyring = NULL;
        struct tr_fault fault = { .where = "" };
        assert_int_equal(tr_keyring_new(specs, 2, &keyring, &fault), TR_INVALID_PARAMETERS);
        assert_null(keyring);
        assert_string_equal(fault.where, cases[i].where);
        assert_non_null(strstr(fault.what, cases[i].spec.name != NULL ? cases[i].spec.name : "''"));
    }
}

static void a_digest_given_twice_is_told_in_any_case(void **state)
{
    (void)state;
    const struct tr_key_spec specs[] = {
        { .name = "one", .sha256_hex = digest_of_def },
        { .name = "two",
          .sha256_hex = "cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34" },
    };
    struct tr_keyring *keyring = NULL;
    struct tr_fault fault;

    assert_int_equal(tr_keyring_new(specs, 2, &keyring, &fault), TR_INVALID_PARAMETERS);
    assert_string_equal(fault.where, "/1/sha256");
}

static void principals_use_the_tools_of_their_globs(void **state)
{
    (void)state;
    const struct tr_principal nobody = { .name = "n", .tools = weather_only, .tool_count = 0 };
    const struct tr_principal some = { .name = "s", .tools = weather_only, .tool_count = 2 };
    const struct tr_principal all = { .name = "a" };

    assert_false(tr_principal_may_use(&nobody, "weather"));
    assert_true(tr_principal_may_use(&some, "weather"));
    assert_true(tr_principal_may_use(&some, "file_read"));
    assert_false(tr_principal_may_use(&some, "translate"));
    assert_true(tr_principal_may_use(&all, "translate"));
    assert_true(tr_principal_may_use(NULL, "translate"));
}

static void principals_that_see_the_same_share_a_scope(void **state)
{
    (void)state;
    const struct tr_key_spec specs[] = {
        { .name = "all", .sha256_hex = digest_of_abc },
        { .name = "some", .sha256_hex = digest_of_def, .tools = weather_only, .tool_count = 2 },
        { .name = "same",
          .sha256_hex = "0000000000000000000000000000000000000000000000000000000000000000",
          .tools = turned_round,
          .tool_count = 3 },
        { .name = "star",
          .sha256_hex = "0000000000000000000000000000000000000000000000000000000000000001",
          .tools = everything,
          .tool_count = 2 },
        { .name = "none",
          .sha256_hex = "0000000000000000000000000000000000000000000000000000000000000002",
          .tools = everything,
          .tool_count = 0 },
        { .name = "one",
          .sha256_hex = "0000000000000000000000000000000000000000000000000000000000000003",
          .tools = weather_only,
          .tool_count = 1 },
    };
    enum { ALL, SOME, SAME, STAR, NONE, ONE, COUNT };
    struct tr_keyring *keyring = keyring_of(specs, COUNT);
    size_t scope[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        scope[i] = tr_keyring_principal(keyring, i)->scope;
        assert_true(scope[i] < tr_keyring_scope_count(keyring));
    }

    assert_int_equal(tr_keyring_scope_count(keyring), 4);
    assert_int_equal(scope[ALL], scope[STAR]);
    assert_int_equal(scope[SOME], scope[SAME]);
    assert_int_not_equal(scope[ALL], scope[SOME]);
    assert_int_not_equal(scope[NONE], scope[ONE]);
    assert_int_not_equal(scope[NONE], scope[ALL]);
    assert_int_not_equal(scope[ONE], scope[SOME]);
    tr_keyring_free(keyring);
}

static void specs_are_copied(void **state)
{
    (void)state;
    char name[] = "name";
    char glob[] = "tool";
    const char *globs[] = { glob };
    const struct tr_key_spec spec = {
        .name = name, .sha256_hex = digest_of_abc, .tools = globs, .tool_count = 1
    };
    struct tr_keyring *keyring = keyring_of(&spec, 1);

    name[0] = '#';
    glob[0] = '#';
    globs[0] = NULL;

    assert_string_equal(tr_keyring_principal(keyring, 0)->name, "name");
    assert_string_equal(tr_keyring_principal(keyring, 0)->tools[0], "tool");
    tr_keyring_free(keyring);
}

static bool make_keyring(void *context)
{
    (void)context;
    const struct tr_key_spec specs[] = {
        { .name = "one", .sha256_hex = digest_of_abc },
        { .name = "two", .sha256_hex = digest_of_def, .tools = weather_only, .tool_count = 2 },
    };
    struct tr_keyring *keyring = NULL;
    const enum tr_status status = tr_keyring_new(specs, 2, &keyring, NULL);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    tr_keyring_free(keyring);
    return status == TR_OK;
}

static void a_keyring_survives_out_of_memory(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(make_keyring, NULL) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_found_by_its_text),
        cmocka_unit_test(a_key_ends_at_its_expiry),
        cmocka_unit_test(an_empty_keyring_knows_nobody),
        cmocka_unit_test(a_match_does_not_stop_the_comparing),
        cmocka_unit_test(wrong_specs_are_refused_by_place_and_name),
        cmocka_unit_test(a_digest_given_twice_is_told_in_any_case),
        cmocka_unit_test(principals_use_the_tools_of_their_globs),
        cmocka_unit_test(principals_that_see_the_same_share_a_scope),
        cmocka_unit_test(specs_are_copied),
        cmocka_unit_test(a_keyring_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
