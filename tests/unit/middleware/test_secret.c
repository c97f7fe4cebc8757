#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "middleware/secret.h"

static void sha256_gives_the_published_digests(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } cases[] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char hex[TR_SHA256_HEX_BYTES];
        assert_true(tr_sha256_hex(cases[i].text, strlen(cases[i].text), hex));
        assert_string_equal(hex, cases[i].hex);
    }
}

static void *digest_in_thread(void *context)
{
    char *hex = context;
    if (!tr_sha256_hex("abc", 3, hex)) {
        hex[0] = '\0';
    }
    return NULL;
}

static void each_thread_digests_on_its_own(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    char digests[THREADS][TR_SHA256_HEX_BYTES];

    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, digest_in_thread, digests[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }

    for (size_t i = 0; i < THREADS; i++) {
        assert_string_equal(digests[i],
                            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

static void secrets_are_equal_when_every_byte_is(void **state)
{
    (void)state;
    const unsigned char left[4] = { 1, 2, 3, 4 };
    for (size_t at = 0; at < sizeof(left); at++) {
        unsigned char right[4] = { 1, 2, 3, 4 };
        assert_true(tr_secret_equal(left, right, sizeof(left)));
        right[at] ^= 0x80;
        assert_false(tr_secret_equal(left, right, sizeof(left)));
    }
    assert_true(tr_secret_equal(left, left, 0));
}

static void random_keys_have_their_form_and_differ(void **state)
{
    (void)state;
    char first[TR_API_KEY_BYTES];
    char second[TR_API_KEY_BYTES];

    assert_true(tr_random_key(first));
    assert_true(tr_random_key(second));

    assert_int_equal(strlen(first), TR_API_KEY_BYTES - 1);
    assert_memory_equal(first, "tr_", 3);
    assert_int_equal(strspn(first + 3, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789-_"),
                     43);
    assert_string_not_equal(first, second);
}

/* 256 bits in 43 digits of 6 bits: the last digit ends in two zero bits. */
static void the_last_digit_of_a_key_holds_four_bits(void **state)
{
    (void)state;
    for (int i = 0; i < 64; i++) {
        char key[TR_API_KEY_BYTES];
        assert_true(tr_random_key(key));
        assert_non_null(strchr("AEIMQUYcgkosw048", key[TR_API_KEY_BYTES - 2]));
    }
}

static void random_bytes_fill_what_is_asked(void **state)
{
    (void)state;
    unsigned char bytes[65] = { 0 };
    assert_true(tr_random_bytes(bytes, 64));
    unsigned any = 0;
    for (size_t i = 0; i < 64; i++) {
        any |= bytes[i];
    }
    assert_int_not_equal(any, 0);
    assert_int_equal(bytes[64], 0);
    assert_false(tr_random_bytes(bytes, SIZE_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_gives_the_published_digests),
        cmocka_unit_test(each_thread_digests_on_its_own),
        cmocka_unit_test(secrets_are_equal_when_every_byte_is),
        cmocka_unit_test(random_keys_have_their_form_and_differ),
        cmocka_unit_test(the_last_digit_of_a_key_holds_four_bits),
        cmocka_unit_test(random_bytes_fill_what_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
