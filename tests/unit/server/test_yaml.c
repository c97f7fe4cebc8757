#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/yaml.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/text.h"

enum { ARENA_BYTES = 1024 * 1024 };

struct parsed {
    struct tr_arena arena;
    json_t *value;
    const struct tr_yaml_marks *marks;
    struct tr_fault fault;
    enum tr_status status;
};

static struct parsed parse_bytes(const char *bytes, size_t length)
{
    struct parsed parsed = { .value = NULL };
    tr_arena_init(&parsed.arena, ARENA_BYTES);
    const struct tr_yaml_source source = {
        .bytes = bytes,
        .length = length,
        .name = "file.yaml",
    };
    parsed.status =
        tr_yaml_parse(&source, &parsed.arena, &parsed.value, &parsed.marks, &parsed.fault);
    return parsed;
}

static struct parsed parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void tr_parsed_drop(struct parsed *parsed)
{
    json_decref(parsed->value);
    tr_arena_done(&parsed->arena);
}

static void assert_json(const json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void yaml_becomes_json_whose_scalars_are_texts(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *json;
    } cases[] = {
        { "a: 1", "{\"a\":\"1\"}" },
        { "a: true\nb: 1.50\nc: 0x10\nd: yes",
          "{\"a\":\"true\",\"b\":\"1.50\",\"c\":\"0x10\",\"d\":\"yes\"}" },
        { "a: [1, two]\nb: {c: d}", "{\"a\":[\"1\",\"two\"],\"b\":{\"c\":\"d\"}}" },
        { "- a\n- - b\n- {}\n- []", "[\"a\",[\"b\"],{},[]]" },
        { "a: 'single'\nb: \"dou\\tble\"", "{\"a\":\"single\",\"b\":\"dou\\tble\"}" },
        { "a: |\n  one\n  two\n", "{\"a\":\"one\\ntwo\\n\"}" },
        { "a: \"\\u00e9\"", "{\"a\":\"\xc3\xa9\"}" },
        { "1: a", "{\"1\":\"a\"}" },
        { "text", "\"text\"" },
        { "%YAML 1.2\n---\na: b\n...\n", "{\"a\":\"b\"}" },
        { "\xef\xbb\xbf"
          "a: b",
          "{\"a\":\"b\"}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(parsed) struct parsed parsed = parse(cases[i].yaml);

        assert_int_equal(parsed.status, TR_OK);
        assert_json(parsed.value, cases[i].json);
    }
}

static void yaml_only_plain_nothing_is_null(void **state)
{
    (void)state;
    tr_auto(parsed) struct parsed parsed =
        parse("a: null\nb: ~\nc:\nd: 'null'\ne: \"\"\nf: '~'\ng: Null\nh: [ ~ , null ]");

    assert_int_equal(parsed.status, TR_OK);
    assert_json(parsed.value, "{\"a\":null,\"b\":null,\"c\":null,\"d\":\"null\",\"e\":\"\","
                              "\"f\":\"~\",\"g\":\"Null\",\"h\":[null,null]}");
}

static void yaml_that_holds_nothing_is_an_empty_object(void **state)
{
    (void)state;
    static const char *const cases[] = { "", "\n\n", "# a comment\n", "---\n", "---\n...\n", "~" };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(parsed) struct parsed parsed = parse(cases[i]);

        assert_int_equal(parsed.status, TR_OK);
        assert_json(parsed.value, "{}");
    }
}

static void yaml_refuses_with_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *where, *what;
    } cases[] = {
        { "a: 1\nb: 2\na: 3", "file.yaml:3", "The key 'a' is there twice" },
        { "\"a\\nb\": 1\n\"a\\nb\": 2", "file.yaml:2", "The key 'a?b' is there twice" },
        { "x:\n  a: 1\n  a: 3", "file.yaml:3", "The key 'a' is there twice" },
        { "a: 1\nb: &anchor 2", "file.yaml:2", "Anchors" },
        { "a:\n  - &anchor []", "file.yaml:2", "Anchors" },
        { "a: &anchor {}", "file.yaml:1", "Anchors" },
        { "&anchor a: 1", "file.yaml:1", "Anchors" },
        { "a: 1\nb: *a", "file.yaml:2", "Aliases" },
        { "*a : 1", "file.yaml:1", "Aliases" },
        { "a: !!int 1", "file.yaml:1", "Tags" },
        { "a: !x [1]", "file.yaml:1", "Tags" },
        { "a: ! 1", "file.yaml:1", "Tags" },
        { "!!map {}", "file.yaml:1", "Tags" },
        { "a: 1\n? [b]\n: 2", "file.yaml:2", "A key must be" },
        { "? {b: 1}\n: 2", "file.yaml:1", "A key must be" },
        { "a: 1\n---\nb: 2", "file.yaml:2", "A second document" },
        { "a: 1\n...\n---\n", "file.yaml:3", "A second document" },
        { "a: 1\nb: \"x\\0y\"", "file.yaml:2", "must not hold a NUL" },
        { "\"a\\0\": 1", "file.yaml:1", "must not hold a NUL" },
        { "a: \"\\ud800\"", "file.yaml:1", "Not valid YAML" },
        { "a: 1\nb: \xff", "file.yaml:2", "Not valid YAML" },
        { "a: \xc0\xaf", "file.yaml:1", "Not valid YAML" },
        { "a: \xed\xa0\x80", "file.yaml:1", "Not valid YAML" },
        { "a: b: c", "file.yaml:1", "Not valid YAML" },
        { "a: [1\nb: 2", "file.yaml:2", "Not valid YAML" },
        { "a: {", "file.yaml:1", "Not valid YAML" },
        { "a: 1\n\tb: 2", "file.yaml:2", "Not valid YAML" },
        { "a: 'x", "file.yaml:1", "Not valid YAML" },
        { "a: @x", "file.yaml:1", "Not valid YAML" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(parsed) struct parsed parsed = parse(cases[i].yaml);

        assert_int_equal(parsed.status, TR_INVALID_PARAMETERS);
        assert_null(parsed.value);
        assert_string_equal(parsed.fault.where, cases[i].where);
        assert_non_null(strstr(parsed.fault.what, cases[i].what));
    }
}

static void yaml_refuses_a_raw_nul(void **state)
{
    (void)state;
    tr_auto(parsed) struct parsed parsed = parse_bytes("a: 1\nb\0: 2", 10);

    assert_int_equal(parsed.status, TR_INVALID_PARAMETERS);
    assert_string_equal(parsed.fault.where, "file.yaml:2");
}

static void yaml_never_repeats_a_value(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "a: s3cret\na: s3cret", "a: &x s3cret",     "a: !x s3cret",
        "a: s3cret: b",         "a: \"s3cret\\0\"", "a: 's3cret",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(parsed) struct parsed parsed = parse(cases[i]);

        assert_int_equal(parsed.status, TR_INVALID_PARAMETERS);
        assert_null(strstr(parsed.fault.what, "s3cret"));
    }
}

static struct parsed parse_nested(size_t depth)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 64 * 1024);
    for (size_t i = 0; i < depth; i++) {
        tr_text_add_string(&text, i % 2 == 0 ? "[" : "{a: ");
    }
    for (size_t i = depth; i-- > 0;) {
        tr_text_add_string(&text, i % 2 == 0 ? "]" : "}");
    }
    return parse_bytes(tr_text_string(&text), text.length);
}

static void yaml_is_read_to_the_depth_limit_and_no_further(void **state)
{
    (void)state;
    for (size_t depth = TR_MAX_JSON_DEPTH - 1; depth <= TR_MAX_JSON_DEPTH + 1; depth++) {
        tr_auto(parsed) struct parsed parsed = parse_nested(depth);

        assert_int_equal(parsed.status, depth <= TR_MAX_JSON_DEPTH ? TR_OK : TR_INVALID_PARAMETERS);
    }
    tr_auto(parsed) struct parsed deep = parse_nested(10000);
    assert_string_equal(deep.fault.what, "The document is nested too deeply");
}

static void yaml_line_is_that_of_the_key_or_the_nearest_ancestor(void **state)
{
    (void)state;
    static const struct {
        const char *pointer;
        size_t line;
    } cases[] = {
        { "", 1 },
        { "/server", 1 },
        { "/server/listen", 2 },
        { "/server/a~1b", 3 },
        { "/server/a~1b/0", 3 },
        { "/server/a~1b/1", 4 },
        { "/server/a~1b/2", 3 },
        { "/server/t~0", 5 },
        { "/server/no", 1 },
        { "/server/listen/no", 2 },
        { "/no", 1 },
        { "/list/0/name", 8 },
        { "/list/1", 9 },
        { "/list/1/name", 9 },
        { "/list/00", 7 },
        { "/list/-1", 7 },
        { "no pointer", 1 },
        { "/server/listenx", 1 },
        { "/server/liste", 1 },
    };
    tr_auto(parsed) struct parsed parsed = parse("server:\n"
                                                 "  listen: x\n"
                                                 "  a/b: [one,\n"
                                                 "        two]\n"
                                                 "  t~: 1\n"
                                                 "\n"
                                                 "list:\n"
                                                 "  - name: x\n"
                                                 "  - name: y\n");
    assert_int_equal(parsed.status, TR_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(tr_yaml_line(parsed.marks, cases[i].pointer), cases[i].line);
    }
    assert_int_equal(tr_yaml_line(NULL, "/server"), 0);
}

static bool parse_all_forms(void *context)
{
    (void)context;
    tr_auto(parsed) struct parsed parsed = parse("a: [b, {c: null}]\nd: |\n  text\n");
    if (parsed.status != TR_OK) {
        assert_int_equal(parsed.status, TR_NO_MEMORY);
        assert_null(parsed.value);
    }
    return parsed.status == TR_OK;
}

static void yaml_reports_a_lack_of_memory(void **state)
{
    (void)state;
    alloc_fail_each(parse_all_forms, NULL);
}

static void yaml_reports_a_full_arena(void **state)
{
    (void)state;
    struct tr_arena arena;
    tr_arena_init(&arena, 16);
    json_t *value = NULL;
    struct tr_fault fault;
    const struct tr_yaml_source source = { .bytes = "a: 1", .length = 4, .name = "file.yaml" };

    const enum tr_status status = tr_yaml_parse(&source, &arena, &value, NULL, &fault);

    assert_int_equal(status, TR_NO_MEMORY);
    tr_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml_becomes_json_whose_scalars_are_texts),
        cmocka_unit_test(yaml_only_plain_nothing_is_null),
        cmocka_unit_test(yaml_that_holds_nothing_is_an_empty_object),
        cmocka_unit_test(yaml_refuses_with_the_line),
        cmocka_unit_test(yaml_refuses_a_raw_nul),
        cmocka_unit_test(yaml_never_repeats_a_value),
        cmocka_unit_test(yaml_is_read_to_the_depth_limit_and_no_further),
        cmocka_unit_test(yaml_line_is_that_of_the_key_or_the_nearest_ancestor),
        cmocka_unit_test(yaml_reports_a_lack_of_memory),
        cmocka_unit_test(yaml_reports_a_full_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
