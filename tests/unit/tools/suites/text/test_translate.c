#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/tool_call.h"
#include "tools/core/descriptor.h"
#include "tools/core/pipeline.h"
#include "tools/core/text.h"
#include "tools/suites/text/text.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tool_registry(&text_suite);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

static void translate_marks_the_text_with_the_target_language(void **state)
{
    (void)state;
    assert_tool_gives(registry, "translate", "{\"text\":\"Hello\",\"target_language\":\"fr\"}",
                      "{\"text\":\"[fr] Hello\",\"target_language\":\"fr\"}");
}

static void translate_gives_languages_as_tags(void **state)
{
    (void)state;
    static const struct {
        const char *written, *tag;
    } cases[] = {
        { "FR", "fr" },
        { "French", "fr" },
        { "gErMaN", "de" },
        { "pt-br", "pt-BR" },
        { "ZH-HANT-tw", "zh-Hant-TW" },
        { "de-1996", "de-1996" },
        { "gsw", "gsw" },
        { "en-x-twain", "en-x-twain" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_text body, wanted;
        tr_text_init(&body, 1000);
        tr_text_init(&wanted, 1000);
        tr_text_printf(&body,
                       "{\"text\":\"a\",\"target_language\":\"en\",\"source_language\":\"%s\"}",
                       cases[i].written);
        tr_text_printf(
            &wanted, "{\"text\":\"[en] a\",\"target_language\":\"en\",\"source_language\":\"%s\"}",
            cases[i].tag);

        assert_tool_gives(registry, "translate", tr_text_string(&body), tr_text_string(&wanted));

        tr_text_done(&body);
        tr_text_done(&wanted);
    }
}

static void translate_refuses_what_is_no_language(void **state)
{
    (void)state;
    static const char *const languages[] = {
        "Klingonese", "francais", "fr-", "fr--CA", "fr-abcdefghi", "e-n", "new york", "French-CA",
    };
    for (size_t i = 0; i < TR_COUNT_OF(languages); i++) {
        struct tr_text body;
        tr_text_init(&body, 1000);
        tr_text_printf(&body, "{\"text\":\"a\",\"target_language\":\"%s\"}", languages[i]);
        enum tr_status status = TR_OK;

        json_t *answer = tool_call(registry, "translate", tr_text_string(&body), &status);

        if (status != TR_INVALID_PARAMETERS) {
            fail_msg("'%s' was accepted", languages[i]);
        }
        assert_non_null(
            strstr(json_string_value(json_object_get(answer, "error")), "target_language"));
        json_decref(answer);
        tr_text_done(&body);
    }
}

static void translate_says_what_a_language_looks_like(void **state)
{
    (void)state;
    assert_tool_refuses(
        registry, "translate",
        "{\"text\":\"a\",\"target_language\":\"fr\",\"source_language\":\"Elvish\"}",
        TR_INVALID_PARAMETERS,
        "Parameter 'source_language' is neither a language tag like 'fr' or 'pt-BR' "
        "nor the English name of a common language: 'Elvish'");
}

static void translate_needs_a_text_and_a_target(void **state)
{
    (void)state;
    assert_tool_refuses(registry, "translate", "{}", TR_INVALID_PARAMETERS,
                        "Required parameter 'text' is missing; "
                        "Required parameter 'target_language' is missing");
}

static bool translate_once(void *context)
{
    (void)context;
    struct tr_call call;
    tr_call_init(&call);
    struct tr_text out;
    tr_text_init(&out, 1000);
    static const char body[] =
        "{\"text\":\"a\",\"target_language\":\"fr\",\"source_language\":\"en\"}";
    struct tr_run run;
    tr_run_init(&run, tr_registry_find(registry, "translate"), &call, body, strlen(body));
    const bool is_fine = tr_run_all(&run, &out) == TR_OK;
    tr_text_done(&out);
    tr_run_done(&run);
    tr_call_done(&call);
    return is_fine;
}

static void translate_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(translate_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translate_marks_the_text_with_the_target_language),
        cmocka_unit_test(translate_gives_languages_as_tags),
        cmocka_unit_test(translate_refuses_what_is_no_language),
        cmocka_unit_test(translate_says_what_a_language_looks_like),
        cmocka_unit_test(translate_needs_a_text_and_a_target),
        cmocka_unit_test(translate_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
