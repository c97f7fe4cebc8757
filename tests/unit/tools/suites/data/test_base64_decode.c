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

#define STANDARD  ",\"alphabet\":\"standard\""
#define URL_SAFE  ",\"alphabet\":\"url_safe\""
#define REQUIRED  ",\"padding\":\"required\""
#define FORBIDDEN ",\"padding\":\"forbidden\""
#define SPACE     ",\"ignore_whitespace\":true"

static void write_body(char *body, size_t room, const char *base64, const char *rules)
{
    (void)snprintf(body, room, "{\"base64\":\"%s\"%s}", base64, rules);
}

static void base64_decode_gives_text_or_hexadecimal_digits(void **state)
{
    (void)state;
    static const struct {
        const char *base64, *rules, *result;
    } cases[] = {
        { "", "", "{\"text\":\"\",\"bytes\":0}" },
        { "Zg==", "", "{\"text\":\"f\",\"bytes\":1}" },
        { "Zm8=", "", "{\"text\":\"fo\",\"bytes\":2}" },
        { "Zm9v", "", "{\"text\":\"foo\",\"bytes\":3}" },
        { "Zg", "", "{\"text\":\"f\",\"bytes\":1}" },
        { "Zm8", FORBIDDEN, "{\"text\":\"fo\",\"bytes\":2}" },
        { "Zm9v", REQUIRED, "{\"text\":\"foo\",\"bytes\":3}" },
        { "Zm9v", FORBIDDEN, "{\"text\":\"foo\",\"bytes\":3}" },
        { "Zm8=", REQUIRED, "{\"text\":\"fo\",\"bytes\":2}" },
        { "w6k=", "", "{\"text\":\"\\u00e9\",\"bytes\":2}" },
        { "+/8=", "", "{\"hex\":\"fbff\",\"bytes\":2}" },
        { "-_8=", "", "{\"hex\":\"fbff\",\"bytes\":2}" },
        { "+/8=", STANDARD, "{\"hex\":\"fbff\",\"bytes\":2}" },
        { "-_8=", URL_SAFE, "{\"hex\":\"fbff\",\"bytes\":2}" },
        { "AA==", "", "{\"hex\":\"00\",\"bytes\":1}" },
        { "YQBi", "", "{\"hex\":\"610062\",\"bytes\":3}" },
        { "Zm9v", ",\"output\":\"hex\"", "{\"hex\":\"666f6f\",\"bytes\":3}" },
        { "Zm9v", ",\"output\":\"text\"", "{\"text\":\"foo\",\"bytes\":3}" },
        { " Zm9v\\r\\nYg\\t= =\\n", SPACE, "{\"text\":\"foob\",\"bytes\":4}" },
        { " \\n", SPACE, "{\"text\":\"\",\"bytes\":0}" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[200];
        write_body(body, sizeof(body), cases[i].base64, cases[i].rules);

        assert_tool_gives(registry, "base64_decode", body, cases[i].result);
    }
}

static void base64_decode_says_where_it_stumbles(void **state)
{
    (void)state;
    static const struct {
        const char *base64, *rules, *error;
    } cases[] = {
        { "Zm9v!", "", "5 there is a character that is not base64" },
        { "\\u00e9\\u00e9!", "", "1 there is a character that is not base64" },
        { "Zm9\\u00e9", "", "4 there is a character that is not base64" },
        { "Zm9v\\n", "", "5 there is white space, which 'ignore_whitespace' lets pass" },
        { "=", "", "1 there is a '=' before the end" },
        { "Z===", "", "2 there is a '=' before the end" },
        { "Zm9v=", "", "5 there is a '=' before the end" },
        { "Z", "", "2 there is one character too many or some too few: the text was cut" },
        { "Zm9vY", "", "6 there is one character too many or some too few: the text was cut" },
        { "Zg=", "", "3 there is the wrong number of '='" },
        { "Zm8==", "", "4 there is the wrong number of '='" },
        { "Zg==Zg==", "", "5 there is more text behind the end" },
        { "Zh==", "",
          "2 there is a last character that no encoder writes: the text was cut or changed" },
        { "Zm9=", "",
          "3 there is a last character that no encoder writes: the text was cut or changed" },
        { "Zg", REQUIRED, "3 there is an end without its '=', though 'padding' is required" },
        { "Zg==", FORBIDDEN, "3 there is a '=', though 'padding' is forbidden" },
        { "+_8=", "", "2 there is a character of the other alphabet" },
        { "-_8=", STANDARD,
          "1 there is a character of the URL-safe alphabet, though 'alphabet' is standard" },
        { "+/8=", URL_SAFE,
          "1 there is a character of the standard alphabet, though 'alphabet' is url_safe" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[200];
        char wanted[200];
        write_body(body, sizeof(body), cases[i].base64, cases[i].rules);
        (void)snprintf(wanted, sizeof(wanted), "This is not base64: at character %s",
                       cases[i].error);

        assert_tool_refuses(registry, "base64_decode", body, TR_TOOL_FAILED, wanted);
    }
}

static void base64_decode_says_what_to_do_with_bytes_that_are_no_text(void **state)
{
    (void)state;
    assert_tool_refuses(registry, "base64_decode", "{\"base64\":\"/w==\",\"output\":\"text\"}",
                        TR_TOOL_FAILED,
                        "The bytes are no UTF-8 text without NUL; ask for output 'hex'");
}

/* All pairs of bytes, so that every digit stands in every place. */
static void base64_decode_undoes_base64_encode(void **state)
{
    (void)state;
    for (unsigned pair = 0; pair < 0x10000; pair += 0x101) {
        char body[200];
        (void)snprintf(body, sizeof(body), "{\"text\":\"%04x%02x\",\"input\":\"hex\"}", pair,
                       pair & 0x7f);
        enum tr_status status = TR_INTERNAL;
        json_t *encoded = tool_call(registry, "base64_encode", body, &status);
        assert_int_equal(status, TR_OK);
        const char *base64 =
            json_string_value(json_object_get(json_object_get(encoded, "result"), "base64"));
        char wanted[200];
        write_body(body, sizeof(body), base64, ",\"output\":\"hex\"");
        (void)snprintf(wanted, sizeof(wanted), "{\"hex\":\"%04x%02x\",\"bytes\":3}", pair,
                       pair & 0x7f);

        assert_tool_gives(registry, "base64_decode", body, wanted);

        json_decref(encoded);
    }
}

static void base64_decode_survives_failing_allocations(void **state)
{
    (void)state;
    assert_tool_survives_failing_allocations(registry, "base64_decode", "{\"base64\":\"/w==\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_decode_gives_text_or_hexadecimal_digits),
        cmocka_unit_test(base64_decode_says_where_it_stumbles),
        cmocka_unit_test(base64_decode_says_what_to_do_with_bytes_that_are_no_text),
        cmocka_unit_test(base64_decode_undoes_base64_encode),
        cmocka_unit_test(base64_decode_survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
