#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "openapi/dialect.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/described_suite.h"
#include "tests/support/golden.h"
#include "tools/core/check.h"
#include "tools/core/schema.h"

static struct tr_registry *registry;

static int start(void **state)
{
    (void)state;
    registry = described_registry();
    return 0;
}

static int end(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

static struct tr_subject subject_of(const char *tool_name)
{
    return (struct tr_subject){
        .entry = tr_registry_find(registry, tool_name),
        .base_url = "https://gateway.example.net/gw",
        .needs_key = true,
    };
}

static json_t *described(const char *tool_name, const char *dialect_name)
{
    const struct tr_subject subject = subject_of(tool_name);
    json_t *out = tr_dialect_find(dialect_name)->describe(&subject, NULL);
    assert_non_null(out);
    return out;
}

static void a_dialect_is_found_by_its_name(void **state)
{
    (void)state;
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);

    assert_string_equal(dialects[0]->name, "native");
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(tr_dialect_find(dialects[i]->name), dialects[i]);
        assert_int_equal(tr_dialect_index(dialects[i]), i);
        assert_true(strlen(dialects[i]->description) > 0);
    }
    assert_null(tr_dialect_find("Native"));
    assert_null(tr_dialect_find(""));
}

/* tests/data/dialects/<tool>.<dialect>.json */
static void each_tool_is_described_as_the_files_say(void **state)
{
    (void)state;
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    for (size_t i = 0; i < described_suite.tool_count; i++) {
        for (size_t d = 0; d < count; d++) {
            const char *tool_name = described_suite.tools[i]->name;
            char name[100];
            (void)snprintf(name, sizeof(name), "dialects/%s.%s.json", tool_name, dialects[d]->name);
            json_auto_t *out = described(tool_name, dialects[d]->name);

            golden_expect(name, out);
        }
    }
}

/* What a dialect says of its own shape in the OpenAPI document holds for what it describes. */
static void each_description_has_the_shape_that_its_dialect_declares(void **state)
{
    (void)state;
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    for (size_t d = 0; d < count; d++) {
        json_auto_t *json = json_loads(dialects[d]->shape_json, 0, NULL);
        struct tr_schema_document shape;
        struct tr_fault fault = { 0 };
        if (tr_schema_parse(json, &shape, &fault) != TR_OK) {
            fail_msg("%s: %s: %s", dialects[d]->name, fault.where, fault.what);
        }
        for (size_t i = 0; i < described_suite.tool_count; i++) {
            json_auto_t *out = described(described_suite.tools[i]->name, dialects[d]->name);
            assert_true(tr_check_fits(shape.root, out));
        }
        tr_schema_document_done(&shape);
    }
}

static void a_default_of_the_deployment_is_shown_and_makes_the_parameter_optional(void **state)
{
    (void)state;
    static const char *const paths[][3] = {
        { "native", "parameters", NULL },
        { "json-schema", NULL, NULL },
        { "openai", "function", "parameters" },
        { "ollama", "function", "parameters" },
    };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        json_auto_t *out = described("note", paths[i][0]);
        const json_t *schema = out;
        for (size_t step = 1; step < 3 && paths[i][step] != NULL; step++) {
            schema = json_object_get(schema, paths[i][step]);
        }
        const json_t *text = json_object_get(json_object_get(schema, "properties"), "text");
        const json_t *required = json_object_get(schema, "required");

        assert_string_equal(json_string_value(json_object_get(text, "default")), "hello");
        assert_int_equal(json_array_size(required), 1);
        assert_string_equal(json_string_value(json_array_get(required, 0)), "copies");
    }
}

static void a_default_that_is_a_secret_is_never_shown(void **state)
{
    (void)state;
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    for (size_t d = 0; d < count; d++) {
        json_auto_t *out = described("book", dialects[d]->name);
        char *text = json_dumps(out, 0);

        assert_null(strstr(text, "4711"));
        free(text);
    }
}

/* The deployment gave it, so nobody must send it. */
static void a_parameter_with_a_secret_default_is_optional(void **state)
{
    (void)state;
    json_auto_t *out = described("book", "json-schema");
    size_t index;
    json_t *name;
    json_array_foreach (json_object_get(out, "required"), index, name) {
        assert_string_not_equal(json_string_value(name), "pin");
    }
}

static const char *long_words(void)
{
    static char words[1201 * 2 + 1];
    for (size_t i = 0; i < 1201; i++) {
        memcpy(words + i * 2, "\xc3\xa9", 2); /* e with an acute accent */
    }
    return words;
}

static void a_description_that_openai_would_refuse_is_cut_and_said_to_be(void **state)
{
    (void)state;
    struct tr_tool tool = *tr_registry_find(registry, "ping")->tool;
    tool.description = long_words();
    struct tr_entry entry = *tr_registry_find(registry, "ping");
    entry.tool = &tool;
    const struct tr_subject subject = { .entry = &entry, .base_url = "" };
    json_auto_t *dropped = json_array();

    json_auto_t *out = tr_dialect_openai.describe(&subject, dropped);

    const json_t *function = json_object_get(out, "function");
    const char *text = json_string_value(json_object_get(function, "description"));
    assert_int_equal(strlen(text), 1023 * 2 + strlen("\u2026"));
    assert_string_equal(text + 1023 * 2, "\u2026");
    assert_string_equal(json_string_value(json_array_get(dropped, 0)), "/description");
}

static void a_command_line_survives_quotes_and_leaves_out_a_key_that_nobody_needs(void **state)
{
    (void)state;
    struct tr_subject subject = subject_of("book");
    subject.needs_key = false;
    json_auto_t *out = tr_dialect_native.describe(&subject, NULL);

    const char *line = json_string_value(json_object_get(out, "curl"));

    assert_non_null(strstr(line, "O'\\''Hara"));
    assert_null(strstr(line, "TOOLREST_KEY"));
}

struct attempt {
    const struct tr_dialect *dialect;
    struct tr_subject subject;
};

static bool attempt(void *context)
{
    const struct attempt *attempt = context;
    json_t *out = attempt->dialect->describe(&attempt->subject, NULL);
    const bool is_done = out != NULL;
    json_decref(out);
    return is_done;
}

static void running_out_of_memory_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    for (size_t d = 0; d < count; d++) {
        struct attempt context = { .dialect = dialects[d], .subject = subject_of("note") };
        (void)alloc_fail_each(attempt, &context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dialect_is_found_by_its_name),
        cmocka_unit_test(each_tool_is_described_as_the_files_say),
        cmocka_unit_test(each_description_has_the_shape_that_its_dialect_declares),
        cmocka_unit_test(a_default_of_the_deployment_is_shown_and_makes_the_parameter_optional),
        cmocka_unit_test(a_default_that_is_a_secret_is_never_shown),
        cmocka_unit_test(a_parameter_with_a_secret_default_is_optional),
        cmocka_unit_test(a_description_that_openai_would_refuse_is_cut_and_said_to_be),
        cmocka_unit_test(a_command_line_survives_quotes_and_leaves_out_a_key_that_nobody_needs),
        cmocka_unit_test(running_out_of_memory_gives_null_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, start, end);
}
