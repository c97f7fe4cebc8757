/* What the checker says; whether it judges right is in test_json_schema_corpus.c. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/schema_text.h"
#include "tools/core/check.h"
#include "tools/core/text.h"
#include "tools/core/violation.h"

/* The violations of a value, one a line: pointer, code and message. */
static char *violations_of(const char *schema, const char *value)
{
    struct tr_schema_document document = schema_of(schema);
    json_auto_t *json = json_of(value);
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_violations found = { .arena = &arena };
    tr_check(document.root, json, NULL, &found);
    assert_int_equal(tr_check_fits(document.root, json), !tr_violations_any(&found));
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000 * 1000);
    for (size_t i = 0; i < found.count; i++) {
        tr_text_printf(&text, "%s %s: %s\n", found.items[i].pointer, found.items[i].code,
                       found.items[i].message);
    }
    tr_schema_document_done(&document);
    return tr_text_take(&text, NULL);
}

static void assert_violations(const char *schema, const char *value, const char *expected)
{
    char *found = violations_of(schema, value);
    if (strcmp(found, expected) != 0) {
        print_error("%s\n%s\n%s", schema, value, found);
    }
    assert_string_equal(found, expected);
    free(found);
}

#define ONE(name, rules) "{\"properties\": {\"" name "\": " rules "}}"

/* The wording of DESIGN section 2. */
static void the_contract_has_its_words(void **state)
{
    (void)state;

    assert_violations("{\"required\": [\"city\"]}", "{}",
                      "/city required: Required parameter 'city' is missing\n");
    assert_violations("{\"properties\": {\"city\": {}}, \"required\": [\"city\"]}", "{}",
                      "/city required: Required parameter 'city' is missing\n");
    assert_violations(ONE("days", "{\"type\": \"integer\"}"), "{\"days\": \"x\"}",
                      "/days type: Parameter 'days' has invalid type. Expected: integer\n");
    assert_violations(ONE("a", "{\"type\": [\"null\", \"string\"]}"), "{\"a\": 1}",
                      "/a type: Parameter 'a' has invalid type. Expected: string or null\n");
    assert_violations(ONE("unit", "{\"enum\": [\"a\", \"b\", 3, null, [1]]}"), "{\"unit\": \"c\"}",
                      "/unit enum: Parameter 'unit' must be one of: a, b, 3, null, [1]\n");
}

static void places_are_named(void **state)
{
    (void)state;

    assert_violations(ONE("opts", "{\"properties\": {\"k\": {\"type\": \"string\"}},"
                                  " \"required\": [\"q\"]}"),
                      "{\"opts\": {\"k\": 1}}",
                      "/opts/k type: Parameter 'opts.k' has invalid type. Expected: string\n"
                      "/opts/q required: Required parameter 'opts.q' is missing\n");
    assert_violations(ONE("tags", "{\"items\": {\"type\": \"string\"}}"),
                      "{\"tags\": [\"a\", 1, \"b\", null]}",
                      "/tags/1 type: Parameter 'tags[1]' has invalid type. Expected: string\n"
                      "/tags/3 type: Parameter 'tags[3]' has invalid type. Expected: string\n");
    assert_violations("{\"type\": \"object\"}", "[]",
                      " type: Parameter '(body)' has invalid type. Expected: object\n");
    assert_violations("{\"properties\": {\"a/b~c\": {\"type\": \"null\"}}}", "{\"a/b~c\": 1}",
                      "/a~1b~0c type: Parameter 'a/b~c' has invalid type. Expected: null\n");
}

static void every_other_keyword_says_what_to_change(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *value, *expected;
    } cases[] = {
        { "{\"minimum\": 1}", "0", "minimum: Parameter 'n' must be at least 1" },
        { "{\"maximum\": 10}", "11", "maximum: Parameter 'n' must be at most 10" },
        { "{\"maximum\": 0.1}", "0.2", "maximum: Parameter 'n' must be at most 0.1" },
        { "{\"exclusiveMinimum\": 0}", "0",
          "exclusiveMinimum: Parameter 'n' must be greater than 0" },
        { "{\"exclusiveMaximum\": 1.5}", "2",
          "exclusiveMaximum: Parameter 'n' must be less than 1.5" },
        { "{\"multipleOf\": 0.25}", "0.3", "multipleOf: Parameter 'n' must be a multiple of 0.25" },
        { "{\"minLength\": 1}", "\"\"",
          "minLength: Parameter 'n' must be at least 1 character long" },
        { "{\"maxLength\": 2}", "\"abc\"",
          "maxLength: Parameter 'n' must be at most 2 characters long" },
        { "{\"pattern\": \"^a+$\"}", "\"b\"",
          "pattern: Parameter 'n' must match the pattern ^a+$" },
        { "{\"format\": \"date\"}", "\"x\"",
          "format: Parameter 'n' must be a valid date, like 2024-02-29" },
        { "{\"minItems\": 2}", "[1]", "minItems: Parameter 'n' must have at least 2 items" },
        { "{\"maxItems\": 1}", "[1, 2]", "maxItems: Parameter 'n' must have at most 1 item" },
        { "{\"uniqueItems\": true}", "[1, 2, 1.0]",
          "uniqueItems: Parameter 'n' must not repeat an item: [0] and [2] are equal" },
        { "{\"contains\": {\"const\": 1}}", "[2]",
          "contains: Parameter 'n' must contain at least 1 item of the kind that its schema "
          "describes as 'contains'" },
        { "{\"contains\": {\"const\": 1}, \"minContains\": 2}", "[1]",
          "minContains: Parameter 'n' must contain at least 2 items of the kind that its schema "
          "describes as 'contains'" },
        { "{\"contains\": {\"const\": 1}, \"maxContains\": 1}", "[1, 1]",
          "maxContains: Parameter 'n' must contain at most 1 item of the kind that its schema "
          "describes as 'contains'" },
        { "{\"minProperties\": 1}", "{}",
          "minProperties: Parameter 'n' must have at least 1 member" },
        { "{\"maxProperties\": 0}", "{\"a\": 1}",
          "maxProperties: Parameter 'n' must have at most 0 members" },
        { "{\"const\": \"a\"}", "\"b\"", "const: Parameter 'n' must be exactly: a" },
        { "{\"const\": {\"a\": 0.1}}", "1", "const: Parameter 'n' must be exactly: {\"a\":0.1}" },
        { "{\"not\": {\"type\": \"null\"}}", "null",
          "not: Parameter 'n' must not be what its schema describes as 'not'" },
        { "{\"oneOf\": [{}, {}, false]}", "1",
          "oneOf: Parameter 'n' must fit exactly one of its 3 alternatives, and fits 2" },
        { "false", "1", "false: Parameter 'n' is not allowed" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char schema[400];
        char value[100];
        char expected[400];
        (void)snprintf(schema, sizeof(schema), ONE("n", "%s"), cases[i].rules);
        (void)snprintf(value, sizeof(value), "{\"n\": %s}", cases[i].value);
        (void)snprintf(expected, sizeof(expected), "/n %s\n", cases[i].expected);

        assert_violations(schema, value, expected);
    }
}

static void members_that_are_not_declared_get_their_words(void **state)
{
    (void)state;

    assert_violations("{\"properties\": {\"city\": {}}, \"additionalProperties\": false}",
                      "{\"citty\": 1, \"zzz\": 2}",
                      "/citty additionalProperties: Parameter 'citty' is unknown; did you mean "
                      "'city'?\n"
                      "/zzz additionalProperties: Parameter 'zzz' is unknown\n");
    assert_violations("{\"additionalProperties\": {\"type\": \"null\"}}", "{\"a\": 1}",
                      "/a type: Parameter 'a' has invalid type. Expected: null\n");
    assert_violations("{\"patternProperties\": {\"^x\": {\"minimum\": 1}}}", "{\"x1\": 0}",
                      "/x1 minimum: Parameter 'x1' must be at least 1\n");
    assert_violations("{\"propertyNames\": {\"maxLength\": 3}}", "{\"abcd\": 1}",
                      "/abcd propertyNames: The name of parameter 'abcd' must be at most 3 "
                      "characters long\n");
    assert_violations("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 1}",
                      "/b dependentRequired: Required parameter 'b' is missing: 'a' is given\n");
}

static void all_violations_are_told_at_once(void **state)
{
    (void)state;

    assert_violations(
        "{\"properties\": {\"a\": {\"minLength\": 3, \"pattern\": \"^b\", \"format\": \"date\"},"
        " \"n\": {\"enum\": [1], \"maximum\": 2, \"multipleOf\": 2}}, \"required\": [\"z\"],"
        " \"additionalProperties\": false, \"minProperties\": 4}",
        "{\"a\": \"x\", \"n\": 3, \"other\": 0}",
        " minProperties: Parameter '(body)' must have at least 4 members\n"
        "/a minLength: Parameter 'a' must be at least 3 characters long\n"
        "/a pattern: Parameter 'a' must match the pattern ^b\n"
        "/a format: Parameter 'a' must be a valid date, like 2024-02-29\n"
        "/n enum: Parameter 'n' must be one of: 1\n"
        "/n maximum: Parameter 'n' must be at most 2\n"
        "/n multipleOf: Parameter 'n' must be a multiple of 2\n"
        "/z required: Required parameter 'z' is missing\n"
        "/other additionalProperties: Parameter 'other' is unknown\n");
}

static void a_wrong_type_is_told_alone(void **state)
{
    (void)state;

    assert_violations("{\"type\": \"string\", \"enum\": [\"a\"], \"allOf\": [{\"minLength\": 3}]}",
                      "1", " type: Parameter '(body)' has invalid type. Expected: string\n");
}

/* ---- alternatives ---- */

#define SHAPES                                                                        \
    "{\"anyOf\": [{\"type\": \"object\", \"required\": [\"radius\"], \"properties\":" \
    " {\"kind\": {\"const\": \"circle\"}, \"radius\": {\"type\": \"number\"}}},"      \
    " {\"type\": \"object\", \"required\": [\"side\"], \"properties\":"               \
    " {\"kind\": {\"const\": \"square\"}, \"side\": {\"type\": \"number\"}}}, {\"type\": \"string\"}]}"

static void the_branch_that_got_furthest_is_told(void **state)
{
    (void)state;

    assert_violations(SHAPES, "{\"kind\": \"square\", \"side\": \"x\"}",
                      "/side type: Parameter 'side' has invalid type. Expected: number\n");
    assert_violations(SHAPES, "{\"kind\": \"circle\"}",
                      "/radius required: Required parameter 'radius' is missing\n");
    assert_violations("{\"oneOf\": [{\"type\": \"integer\", \"minimum\": 5}, {\"type\": \"string\","
                      " \"minLength\": 2}]}",
                      "\"a\"",
                      " minLength: Parameter '(body)' must be at least 2 characters long\n");
}

static void alternatives_of_other_types_are_told_together(void **state)
{
    (void)state;

    assert_violations(SHAPES, "1",
                      " type: Parameter '(body)' has invalid type. Expected: string or object\n");
    assert_violations("{\"oneOf\": [{\"type\": \"integer\"}, {\"$ref\": \"#/$defs/s\"},"
                      " {\"type\": \"null\"}], \"$defs\": {\"s\": {\"type\": \"string\"}}}",
                      "true",
                      " type: Parameter '(body)' has invalid type. Expected: integer, string or "
                      "null\n");
}

static void alternatives_inside_of_alternatives_are_told(void **state)
{
    (void)state;

    assert_violations(
        "{\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\", \"items\": {\"anyOf\":"
        " [{\"type\": \"null\"}, {\"type\": \"integer\", \"minimum\": 1}]}}]}",
        "[1, 0, null]", "/1 minimum: Parameter '[1]' must be at least 1\n");
}

static void conditions_and_references_are_told_as_their_own(void **state)
{
    (void)state;

    assert_violations("{\"if\": {\"required\": [\"a\"]}, \"then\": {\"required\": [\"b\"]},"
                      " \"else\": {\"required\": [\"c\"]}}",
                      "{\"a\": 1}", "/b required: Required parameter 'b' is missing\n");
    assert_violations(
        "{\"properties\": {\"a\": {\"$ref\": \"#/$defs/n\"}},"
        " \"allOf\": [{\"required\": [\"b\"]}], \"$defs\": {\"n\": {\"minimum\": 1}}}",
        "{\"a\": 0}",
        "/a minimum: Parameter 'a' must be at least 1\n"
        "/b required: Required parameter 'b' is missing\n");
}

/* ---- what is not said ---- */

static void values_are_never_repeated(void **state)
{
    (void)state;
    char *found = violations_of(
        "{\"properties\": {\"a\": {\"x-secret\": true, \"enum\": [\"x\"], \"const\": \"y\","
        " \"pattern\": \"^z\", \"minLength\": 30, \"format\": \"uri\", \"not\": {}},"
        " \"b\": {\"uniqueItems\": true, \"items\": {\"type\": \"null\"}},"
        " \"c\": {\"maximum\": 1, \"multipleOf\": 3}}}",
        "{\"a\": \"hunter2\", \"b\": [\"hunter2\", \"hunter2\"], \"c\": 7777}");

    assert_null(strstr(found, "hunter2"));
    assert_null(strstr(found, "7777"));
    free(found);
}

static void long_lists_and_texts_are_cut_at_a_character(void **state)
{
    (void)state;
    json_auto_t *schema = json_pack("{s[]}", "enum");
    json_t *values = json_object_get(schema, "enum");
    for (int i = 0; i < 500; i++) {
        json_array_append_new(values, json_sprintf("\xc3\xa9\xc3\xa9%d", i));
    }
    char *text = json_dumps(schema, 0);
    char *found = violations_of(text, "1");

    assert_true(strlen(found) < 1700);
    assert_non_null(strstr(found, ", ...\n"));
    assert_int_equal(json_loads(found, JSON_DECODE_ANY, NULL) == NULL, 1);
    json_auto_t *as_string = json_string(found);
    assert_non_null(as_string); /* it is UTF-8 */
    free(found);
    free(text);
}

static void a_long_pattern_is_cut_at_a_character(void **state)
{
    (void)state;
    char schema[4000] = "{\"pattern\": \"^";
    size_t length = strlen(schema);
    for (int i = 0; i < 1500; i++) {
        memcpy(schema + length, "\xc3\xa9", 2);
        length += 2;
    }
    memcpy(schema + length, "\"}", 3);
    char *found = violations_of(schema, "\"\"");

    json_auto_t *as_string = json_string(found);
    assert_non_null(as_string);
    free(found);
}

static void a_text_that_takes_too_long_is_told(void **state)
{
    (void)state;

    assert_violations(ONE("s", "{\"pattern\": \"^(a+)+$\"}"),
                      "{\"s\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"}",
                      "/s pattern: Parameter 's' takes too long to match with the pattern ^(a+)+$; "
                      "send a shorter text\n");
}

static void integers_of_parameters_are_int64(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool fits;
    } cases[] = {
        { "9223372036854774784.0", true },
        { "-9223372036854775808.0", true },
        { "9223372036854775808.0", false },
        { "-9223372036854777856.0", false },
        { "1e300", false },
        { "2.0", true },
    };
    struct tr_schema_document document =
        schema_of("{\"anyOf\": [{\"type\": [\"integer\", \"null\"]}, false]}");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *json = json_of(cases[i].value);
        tr_auto(arena) struct tr_arena arena;
        tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
        struct tr_violations found = { .arena = &arena };

        tr_check_parameters(document.root, json, NULL, &found);

        assert_int_equal(!tr_violations_any(&found), cases[i].fits);
        assert_true(tr_check_fits(document.root, json));
    }
    tr_schema_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_contract_has_its_words),
        cmocka_unit_test(places_are_named),
        cmocka_unit_test(every_other_keyword_says_what_to_change),
        cmocka_unit_test(members_that_are_not_declared_get_their_words),
        cmocka_unit_test(all_violations_are_told_at_once),
        cmocka_unit_test(a_wrong_type_is_told_alone),
        cmocka_unit_test(the_branch_that_got_furthest_is_told),
        cmocka_unit_test(alternatives_of_other_types_are_told_together),
        cmocka_unit_test(alternatives_inside_of_alternatives_are_told),
        cmocka_unit_test(conditions_and_references_are_told_as_their_own),
        cmocka_unit_test(values_are_never_repeated),
        cmocka_unit_test(long_lists_and_texts_are_cut_at_a_character),
        cmocka_unit_test(a_long_pattern_is_cut_at_a_character),
        cmocka_unit_test(a_text_that_takes_too_long_is_told),
        cmocka_unit_test(integers_of_parameters_are_int64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
