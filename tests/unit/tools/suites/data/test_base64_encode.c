#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

/* RFC 4648 section 10, and bytes that take the last two digits of each alphabet. */
static void base64_encode_writes_both_alphabets(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *base64;
        int bytes;
    } cases[] = {
        { "\"text\":\"\"", "", 0 },
        { "\"text\":\"f\"", "Zg==", 1 },
        { "\"text\":\"fo\"", "Zm8=", 2 },
        { "\"text\":\"foo\"", "Zm9v", 3 },
        { "\"text\":\"foob\"", "Zm9vYg==", 4 },
        { "\"text\":\"fooba\"", "Zm9vYmE=", 5 },
        { "\"text\":\"foobar\"", "Zm9vYmFy", 6 },
        { "\"text\":\"f\",\"padding\":false", "Zg", 1 },
        { "\"text\":\"fo\",\"padding\":false", "Zm8", 2 },
        { "\"text\":\"\\u00e9\"", "w6k=", 2 },
        { "\"text\":\"fbff\",\"input\":\"hex\"", "+/8=", 2 },
        { "\"text\":\"FBFF\",\"input\":\"hex\",\"alphabet\":\"url_safe\"", "-_8=", 2 },
        { "\"text\":\"00\",\"input\":\"hex\"", "AA==", 1 },
        { "\"text\":\"\",\"input\":\"hex\"", "", 0 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[200];
        char wanted[200];
        (void)snprintf(body, sizeof(body), "{%s}", cases[i].parameters);
        (void)snprintf(wanted, sizeof(wanted), "{\"base64\":\"%s\",\"bytes\":%d}", cases[i].base64,
                       cases[i].bytes);

        assert_tool_gives(registry, "base64_encode", body, wanted);
    }
}

static void base64_encode_refuses_what_is_not_hexadecimal(void **state)
{
    (void)state;
    assert_tool_refuses(registry, "base64_encode", "{\"text\":\"abc\",\"input\":\"hex\"}",
                        TR_INVALID_PARAMETERS,
                        "Parameter 'text' has an odd number of hexadecimal digits");
    assert_tool_refuses(registry, "base64_encode", "{\"text\":\"ab:cd\",\"input\":\"hex\"}",
                        TR_INVALID_PARAMETERS,
                        "Parameter 'text' has no hexadecimal digit at offset 2; write two digits "
                        "for every byte and nothing between them");
}

static void base64_encode_survives_failing_allocations(void **state)
{
    (void)state;
    assert_tool_survives_failing_allocations(registry, "base64_encode",
                                             "{\"text\":\"00ff\",\"input\":\"hex\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_encode_writes_both_alphabets),
        cmocka_unit_test(base64_encode_refuses_what_is_not_hexadecimal),
        cmocka_unit_test(base64_encode_survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
