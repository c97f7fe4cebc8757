#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/preparation.h"
#include "tests/support/schema_text.h"
#include "tools/core/limits.h"

static void the_work_has_a_limit(void **state)
{
    (void)state;
    /* Each level has three branches that fail only at the bottom: 3^24 attempts without a limit. */
    struct tr_schema_document document =
        schema_of("{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"anyOf\":["
                  "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"},\"maxItems\":1},"
                  "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"},\"maxItems\":2},"
                  "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"},\"maxItems\":3},"
                  "{\"type\":\"integer\"}]}}}");
    char value[128];
    memset(value, '[', 24);
    memcpy(value + 24, "\"x\"", 3);
    memset(value + 27, ']', 24);
    value[51] = '\0';
    struct preparation run;

    preparation_run(&run, document.root, &preparation_tolerant, value);

    assert_int_equal(run.status, TR_INVALID_PARAMETERS);
    assert_true(preparation_has_violation(&run.found, " complexity"));
    preparation_done(&run);
    tr_schema_document_done(&document);
}

static void a_full_arena_is_a_refusal(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of("{\"type\":\"integer\"}");
    json_auto_t *value = json_of("\"x\"");
    json_t *slot = json_incref(value);
    struct tr_arena arena;
    tr_arena_init(&arena, 1);
    struct tr_report report = { .arena = &arena };
    struct tr_violations found = { .arena = &arena };

    assert_int_equal(
        tr_params_prepare(document.root, &preparation_tolerant, &slot, &report, &found),
        TR_BODY_TOO_LARGE);

    json_decref(slot);
    tr_arena_done(&arena);
    tr_schema_document_done(&document);
}

static bool attempt_without_memory(void *context)
{
    const struct tr_schema_document *document = context;
    struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_report report = { .arena = &arena };
    struct tr_violations found = { .arena = &arena };
    json_t *value = json_pack("{s:s,s:s,s:s,s:s,s:{s:s},s:s}", "maxResults", "5", "e", "FAST",
                              "tags", "x", "o", "{\"i\":\"1\"}", "p", "any", "7", "junk", "j");
    enum tr_status status = TR_NO_MEMORY;
    if (value != NULL) {
        status = tr_params_prepare(document->root, &preparation_tolerant, &value, &report, &found);
    }
    const bool is_whole = status == TR_OK && !report.is_incomplete;
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    json_decref(value);
    tr_arena_done(&arena);
    return is_whole;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"type\":\"object\",\"properties\":{\"max_results\":{\"type\":\"integer\"},"
        "\"e\":{\"enum\":[\"fast\"]},\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
        "\"o\":{\"type\":\"object\",\"properties\":{\"i\":{\"type\":\"integer\"}}},"
        "\"p\":{\"type\":\"object\",\"properties\":{\"any\":{\"anyOf\":[{\"type\":\"boolean\"},"
        "{\"type\":\"integer\"}]}}},\"d\":{\"default\":[1,{\"a\":\"b\"}]}}}");

    alloc_fail_each(attempt_without_memory, &document);

    tr_schema_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_work_has_a_limit),
        cmocka_unit_test(a_full_arena_is_a_refusal),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}
