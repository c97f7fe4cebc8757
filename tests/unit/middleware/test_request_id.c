#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "middleware/request_id.h"
#include "tests/unit/middleware/fixture.h"

enum { MADE_LENGTH = 26 };

/* Stands in for OpenSSL's: the linker takes the program's own first. */
int RAND_bytes(unsigned char *bytes, int count);
static bool has_randomness = true;

int RAND_bytes(unsigned char *bytes, int count)
{
    static unsigned char next;
    for (int i = 0; has_randomness && i < count; i++) {
        bytes[i] = (unsigned char)(i % 7 == 0 ? next++ : i);
    }
    return has_randomness ? 1 : 0;
}

static void valid_ids_are_kept_and_others_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *given[2];
        bool is_kept;
    } cases[] = {
        { { "a" }, true },
        { { "0af7651916cd43dd8448eb211c80319c" }, true },
        { { "A.b_c-9" }, true },
        { { "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, true },
        { { "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, true },
        { { "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, false },
        { { NULL }, false },
        { { "" }, false },
        { { "{\"a\":1}" }, false },
        { { "a\tb" }, false },
        { { "a b" }, false },
        { { "a", "b" }, false },
        { { "a", "a" }, false },
        { { "../../x" }, false },
        { { "${jndi:ldap://127.0.0.1/a}" }, false },
        { { "'; DROP TABLE x;--" }, false },
        { { "a\r\nX: y" }, false },
        { { "\xc3\xa9" }, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture_header(&fixture, "X-Request-Id", cases[i].given[0]);
        fixture_header(&fixture, "x-request-ID", cases[i].given[1]);

        assert_true(fixture_admit(&fixture, &tr_request_id));
        fixture_leave(&fixture, &tr_request_id);

        const char *answered = fixture_answer(&fixture, "X-Request-Id");
        assert_non_null(answered);
        assert_string_equal(answered, fixture.exchange.request_id);
        if (cases[i].is_kept) {
            assert_string_equal(answered, cases[i].given[0]);
        } else {
            assert_int_equal(strlen(answered), MADE_LENGTH);
        }
    }
}

static void a_nul_in_an_id_is_seen(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    fixture_header_bytes(&fixture, "X-Request-Id", "a\0b", 3);

    assert_true(fixture_admit(&fixture, &tr_request_id));

    assert_int_equal(strlen(fixture.exchange.request_id), MADE_LENGTH);
}

static void made_ids_sort_by_time_and_start_with_it(void **state)
{
    (void)state;
    static const struct {
        int64_t real_ms;
        const char *start;
    } cases[] = {
        { 0, "0000000000" },
        { 1, "0000000001" },
        { 32, "0000000010" },
        { 1469918176385, "01ARYZ6S41" },
        { INT64_C(281474976710655), "7ZZZZZZZZZ" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.started_real_ms = cases[i].real_ms;

        tr_request_id_ensure(&fixture.exchange);

        assert_memory_equal(fixture.exchange.request_id, cases[i].start, strlen(cases[i].start));
    }
}

static int compare_ids(const void *left, const void *right)
{
    return strcmp(left, right);
}

static void made_ids_differ_and_use_crockfords_alphabet(void **state)
{
    (void)state;
    enum { COUNT = 1000 }; /* several fillings of the pool */
    static char ids[COUNT][TR_REQUEST_ID_BYTES];
    for (size_t i = 0; i < COUNT; i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.started_real_ms = 1;
        tr_request_id_ensure(&fixture.exchange);
        memcpy(ids[i], fixture.exchange.request_id, TR_REQUEST_ID_BYTES);
        assert_int_equal(strspn(ids[i], "0123456789ABCDEFGHJKMNPQRSTVWXYZ"), MADE_LENGTH);
    }

    qsort(ids, COUNT, sizeof(ids[0]), compare_ids);

    for (size_t i = 1; i < COUNT; i++) {
        assert_string_not_equal(ids[i - 1], ids[i]);
    }
}

static void *collect_ids(void *context)
{
    char(*ids)[TR_REQUEST_ID_BYTES] = context;
    for (size_t i = 0; i < 2; i++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture.exchange.started_real_ms = 1;
        tr_request_id_ensure(&fixture.exchange);
        memcpy(ids[i], fixture.exchange.request_id, TR_REQUEST_ID_BYTES);
    }
    return NULL;
}

/* In a thread of its own, whose pool is still empty. */
static void ids_differ_even_without_randomness(void **state)
{
    (void)state;
    char ids[2][TR_REQUEST_ID_BYTES];
    has_randomness = false;
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, collect_ids, ids), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    has_randomness = true;

    assert_int_equal(strlen(ids[0]), MADE_LENGTH);
    assert_string_not_equal(ids[0], ids[1]);
}

static void an_id_once_given_stays(void **state)
{
    (void)state;
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    tr_request_id_ensure(&fixture.exchange);
    char first[TR_REQUEST_ID_BYTES];
    memcpy(first, fixture.exchange.request_id, sizeof(first));

    tr_request_id_ensure(&fixture.exchange);

    assert_string_equal(fixture.exchange.request_id, first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_ids_are_kept_and_others_replaced),
        cmocka_unit_test(a_nul_in_an_id_is_seen),
        cmocka_unit_test(made_ids_sort_by_time_and_start_with_it),
        cmocka_unit_test(made_ids_differ_and_use_crockfords_alphabet),
        cmocka_unit_test(ids_differ_even_without_randomness),
        cmocka_unit_test(an_id_once_given_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
