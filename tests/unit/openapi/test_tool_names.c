/* tests/data/tool_names.tsv against what the gateway takes as a name and what it then says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "openapi/dialect.h"
#include "openapi/document.h"
#include "tools/core/registry.h"

enum { LINE_BYTES = 1024, OPENAI_CHAT_COLUMN = 1 };

static enum tr_status run(struct tr_call *call, const struct tr_empty *request,
                          struct tr_empty *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_OK;
}

TR_TOOL(named, run, tr_empty, tr_empty, .description = "Has many names");

static bool column_says_yes(const char *line, size_t column)
{
    for (; column > 0; column--) {
        line = strchr(line, '\t');
        assert_non_null(line);
        line++;
    }
    return *line == '1';
}

static void expect_name_in_dialects(const struct tr_registry *registry, const char *name)
{
    static const struct tr_dialect *const dialects[] = { &tr_dialect_openai, &tr_dialect_ollama };
    const struct tr_subject subject = {
        .entry = tr_registry_tool(registry, 0),
        .base_url = "",
    };
    for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++) {
        json_auto_t *out = dialects[i]->describe(&subject, NULL);
        const json_t *function = json_object_get(out, "function");
        assert_string_equal(json_string_value(json_object_get(function, "name")), name);
    }
}

static void expect_name_in_document(const struct tr_registry *registry, const char *name)
{
    const struct tr_entry *entry = tr_registry_tool(registry, 0);
    const struct tr_document_facts facts = {
        .version = "1",
        .entries = &entry,
        .entry_count = 1,
    };
    json_auto_t *document = tr_document_render(&facts);
    char path[100];
    (void)snprintf(path, sizeof(path), "/tools/%s", name);
    const json_t *item = json_object_get(json_object_get(document, "paths"), path);
    const json_t *operation = json_object_get(item, "post");
    assert_string_equal(json_string_value(json_object_get(operation, "operationId")), name);
}

static void judge(const char *name, bool is_expected)
{
    struct tr_tool tool = named_tool;
    tool.name = name;
    const struct tr_tool *const tools[] = { &tool };
    const struct tr_suite suite = {
        TR_SUITE_HEADER,        .name = "named", .version = "1",
        .description = "Named", .tools = tools,  .tool_count = 1,
    };
    struct tr_registry *registry = tr_registry_new();
    struct tr_fault fault;
    const bool is_taken =
        tr_registry_add_suite(registry, &suite, "built in", NULL, &fault) == TR_OK;
    if (is_taken != is_expected) {
        fail_msg("'%s' is %s", name, is_taken ? "taken" : "refused");
    }
    if (is_taken) {
        expect_name_in_dialects(registry, name);
        expect_name_in_document(registry, name);
    }
    tr_registry_unref(registry);
}

static void a_name_is_taken_when_openai_takes_it_and_is_then_said_as_it_is(void **state)
{
    (void)state;
    FILE *file = fopen(TR_TEST_DATA_DIR "/tool_names.tsv", "r");
    char line[LINE_BYTES];
    size_t count = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file)); /* the names of the columns */
    while (fgets(line, sizeof(line), file) != NULL) {
        json_auto_t *name = json_loads(line, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
        if (name == NULL) {
            continue; /* a NUL, which no C string has */
        }
        judge(json_string_value(name), column_says_yes(line, OPENAI_CHAT_COLUMN));
        count++;
    }
    assert_int_equal(fclose(file), 0);
    assert_true(count > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_taken_when_openai_takes_it_and_is_then_said_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
