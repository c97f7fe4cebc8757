#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/core/descriptor.h"
#include "tools/suites/data/data.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tool_registry(&data_suite);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

static void hash_text_gives_the_known_digests_of_abc(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm, *digest;
    } cases[] = {
        { "sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "sha384", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                    "8086072ba1e7cc2358baeca134c825a7" },
        { "sha512", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
        { "sha3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532" },
        { "blake2b512", "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923" },
        { "sha1", "a9993e364706816aba3e25717850c26c9cd0d89d" },
        { "md5", "900150983cd24fb0d6963f7d28e17f72" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const bool is_weak = strlen(cases[i].digest) <= 40;
        char body[200];
        char wanted[400];
        (void)snprintf(body, sizeof(body), "{\"text\":\"abc\",\"algorithm\":\"%s\"}",
                       cases[i].algorithm);
        (void)snprintf(wanted, sizeof(wanted),
                       "{\"digest\":\"%s\",\"algorithm\":\"%s\",\"encoding\":\"hex\",\"bits\":%zu,"
                       "\"is_keyed\":false,\"is_weak\":%s}",
                       cases[i].digest, cases[i].algorithm, strlen(cases[i].digest) * 4,
                       is_weak ? "true" : "false");

        assert_tool_gives(registry, "hash_text", body, wanted);
    }
}

/* RFC 4231 section 4.3 and RFC 2202 section 2. */
static void hash_text_with_a_key_is_an_hmac(void **state)
{
    (void)state;
    assert_tool_gives(
        registry, "hash_text", "{\"text\":\"what do ya want for nothing?\",\"key\":\"Jefe\"}",
        "{\"digest\":\"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\","
        "\"algorithm\":\"sha256\",\"encoding\":\"hex\",\"bits\":256,\"is_keyed\":true,"
        "\"is_weak\":false}");
    assert_tool_gives(registry, "hash_text",
                      "{\"text\":\"what do ya want for nothing?\",\"key\":\"Jefe\","
                      "\"algorithm\":\"md5\"}",
                      "{\"digest\":\"750c783e6ab0b503eaa86e310a5db738\",\"algorithm\":\"md5\","
                      "\"encoding\":\"hex\",\"bits\":128,\"is_keyed\":true,\"is_weak\":true}");
}

static void hash_text_writes_base64_when_asked(void **state)
{
    (void)state;
    assert_tool_gives(registry, "hash_text",
                      "{\"text\":\"\",\"algorithm\":\"md5\",\"encoding\":\"base64\"}",
                      "{\"digest\":\"1B2M2Y8AsgTpgAmY7PhCfg==\",\"algorithm\":\"md5\","
                      "\"encoding\":\"base64\",\"bits\":128,\"is_keyed\":false,\"is_weak\":true}");
}

static void hash_text_digests_utf8_bytes(void **state)
{
    (void)state;
    assert_tool_gives(registry, "hash_text", "{\"text\":\"\\u00e9\",\"algorithm\":\"sha1\"}",
                      "{\"digest\":\"bf15be717ac1b080b4f1c456692825891ff5073d\",\"algorithm\":"
                      "\"sha1\",\"encoding\":\"hex\",\"bits\":160,\"is_keyed\":false,\"is_weak\":"
                      "true}");
}

static void hash_text_refuses_what_it_does_not_know(void **state)
{
    (void)state;
    assert_tool_refuses(registry, "hash_text", "{}", TR_INVALID_PARAMETERS,
                        "Required parameter 'text' is missing");
    assert_tool_refuses(registry, "hash_text", "{\"text\":\"\",\"algorithm\":\"crc32\"}",
                        TR_INVALID_PARAMETERS,
                        "Parameter 'algorithm' must be one of: sha256, sha384, sha512, sha3-256, "
                        "blake2b512, sha1, md5");
}

/* The key is a secret: no refusal may repeat it. */
static void hash_text_never_repeats_the_key(void **state)
{
    (void)state;
    enum tr_status status = TR_OK;
    json_t *answer =
        tool_call(registry, "hash_text", "{\"text\":\"\",\"key\":[\"hush-hush\"]}", &status);

    char *text = json_dumps(answer, 0);
    assert_int_equal(status, TR_INVALID_PARAMETERS);
    assert_null(strstr(text, "hush-hush"));

    free(text);
    json_decref(answer);
}

static void hash_text_survives_failing_allocations(void **state)
{
    (void)state;
    assert_tool_survives_failing_allocations(
        registry, "hash_text", "{\"text\":\"a\",\"key\":\"b\",\"encoding\":\"base64\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_text_gives_the_known_digests_of_abc),
        cmocka_unit_test(hash_text_with_a_key_is_an_hmac),
        cmocka_unit_test(hash_text_writes_base64_when_asked),
        cmocka_unit_test(hash_text_digests_utf8_bytes),
        cmocka_unit_test(hash_text_refuses_what_it_does_not_know),
        cmocka_unit_test(hash_text_never_repeats_the_key),
        cmocka_unit_test(hash_text_survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
