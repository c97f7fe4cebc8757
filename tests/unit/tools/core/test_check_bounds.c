/* The bounds of a check: violations, work, depth and memory. */
#include <string.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/schema_text.h"
#include "tools/core/check.h"
#include "tools/core/limits.h"
#include "tools/core/violation.h"

/* The code of the only violation of a value. */
static void assert_only_violation(const char *schema, const json_t *value, const char *code)
{
    struct tr_schema_document document = schema_of(schema);
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_violations found = { .arena = &arena };

    tr_check(document.root, value, NULL, &found);

    assert_false(tr_check_fits(document.root, value));
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].code, code);
    tr_schema_document_done(&document);
}

static json_t *array_of(size_t count, json_t *(*item)(size_t index))
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(array, item(i));
    }
    return array;
}

static json_t *integer_item(size_t index)
{
    return json_integer((json_int_t)index);
}

static void violations_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of("{\"items\": {\"type\": \"null\"}}");
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    for (size_t count = TR_MAX_VIOLATIONS - 1; count <= TR_MAX_VIOLATIONS + 1; count++) {
        json_auto_t *json = array_of(count, integer_item);
        struct tr_violations found = { .arena = &arena };

        tr_check(document.root, json, NULL, &found);

        assert_int_equal(found.count + found.dropped, count);
        assert_true(found.count <= TR_MAX_VIOLATIONS);
    }
    tr_schema_document_done(&document);
}

/* A tree of alternatives that all fail only at the end: every level would double the work. */
static void alternatives_do_not_blow_up(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"$ref\": \"#/$defs/n\", \"$defs\": {\"n\": {\"anyOf\": ["
        "{\"properties\": {\"a\": {\"$ref\": \"#/$defs/n\"}}, \"required\": [\"y\"]},"
        "{\"properties\": {\"a\": {\"$ref\": \"#/$defs/n\"}}, \"required\": [\"z\"]}]}}}";
    json_auto_t *value = json_object();
    for (int i = 0; i < 30; i++) {
        value = json_pack("{so}", "a", value);
    }

    assert_only_violation(schema, value, "complexity");
}

static json_t *nested(size_t levels)
{
    json_t *json = json_array();
    for (size_t i = 1; i < levels; i++) {
        json = json_pack("[o]", json);
    }
    return json;
}

static void depth_is_bounded(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of("{\"items\": {\"$ref\": \"#\"}}");
    /* Every level but the first is a node with a $ref and the node it leads to. */
    const size_t most = TR_MAX_CHECK_DEPTH / 2;
    for (size_t levels = most - 1; levels <= most + 1; levels++) {
        json_auto_t *json = nested(levels);

        assert_int_equal(tr_check_fits(document.root, json), levels <= most);
    }
    json_auto_t *deep = nested(20 * TR_MAX_CHECK_DEPTH);
    assert_false(tr_check_fits(document.root, deep));
    tr_schema_document_done(&document);
}

/* What is exhausted does not fit, also where not fitting would be good. */
static void exhaustion_cannot_be_turned_into_a_fit(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"not\": {\"$ref\": \"#/$defs/deep\"}, \"$defs\": {\"deep\": {\"items\":"
        " {\"$ref\": \"#/$defs/deep\"}}}}",
        "{\"if\": {\"$ref\": \"#/$defs/deep\"}, \"then\": false, \"$defs\": {\"deep\": {\"items\":"
        " {\"$ref\": \"#/$defs/deep\"}}}}",
        "{\"oneOf\": [{}, {\"$ref\": \"#/$defs/deep\"}], \"$defs\": {\"deep\": {\"items\":"
        " {\"$ref\": \"#/$defs/deep\"}}}}",
        "{\"contains\": {\"$ref\": \"#/$defs/deep\"}, \"minContains\": 0, \"$defs\": {\"deep\":"
        " {\"items\": {\"$ref\": \"#/$defs/deep\"}}}}",
    };
    json_auto_t *json = nested(2 * TR_MAX_CHECK_DEPTH);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tr_schema_document document = schema_of(cases[i]);
        tr_auto(arena) struct tr_arena arena;
        tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
        struct tr_violations found = { .arena = &arena };

        tr_check(document.root, json, NULL, &found);

        assert_false(tr_check_fits(document.root, json));
        assert_true(found.count > 0);
        assert_string_equal(found.items[found.count - 1].code, "complexity");
        tr_schema_document_done(&document);
    }
}

static void many_unique_items_are_told_apart(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of("{\"uniqueItems\": true}");
    json_auto_t *json = array_of(100 * 1000, integer_item);

    assert_true(tr_check_fits(document.root, json));

    json_array_append_new(json, json_real(500.0));
    assert_false(tr_check_fits(document.root, json));
    tr_schema_document_done(&document);
}

static void hostile_patterns_share_one_bound(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of("{\"items\": {\"pattern\": \"^(a|a)*$\"}}");
    json_auto_t *json = json_array();
    for (int i = 0; i < 1000; i++) {
        json_array_append_new(json, json_string("aaaaaaaaaaaaaab"));
    }
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_violations found = { .arena = &arena };

    tr_check(document.root, json, NULL, &found);

    assert_in_range(found.count, 2, 1000 - 1);
    assert_string_equal(found.items[0].code, "pattern");
    assert_string_equal(found.items[found.count - 1].code, "complexity");
    tr_schema_document_done(&document);
}

/* ---- memory ---- */

struct attempt {
    struct tr_schema_document document;
    json_t *value;
};

/* A check has no failure of its own: without memory the value is refused. */
static bool attempt_to_check(void *context)
{
    const struct attempt *attempt = context;
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_violations found = { .arena = &arena };

    tr_check(attempt->document.root, attempt->value, NULL, &found);

    assert_true(tr_violations_any(&found));
    return !found.out_of_memory && found.count == 4;
}

static void checking_survives_every_failed_allocation(void **state)
{
    (void)state;
    struct attempt attempt = {
        .document =
            schema_of("{\"properties\": {\"a\": {\"enum\": [\"x\", 1]}, \"b\": {\"pattern\":"
                      " \"^a\"}}, \"required\": [\"z\"], \"propertyNames\": {\"maxLength\": 1},"
                      " \"additionalProperties\": {\"uniqueItems\": true}}"),
        .value = json_of("{\"a\": 2, \"b\": \"b\", \"long\": [1]}"),
    };

    alloc_fail_each(attempt_to_check, &attempt);

    json_decref(attempt.value);
    tr_schema_document_done(&attempt.document);
}

static bool attempt_to_compare(void *context)
{
    const struct attempt *attempt = context;
    return tr_check_fits(attempt->document.root, attempt->value);
}

static void what_cannot_be_compared_for_want_of_memory_does_not_fit(void **state)
{
    (void)state;
    struct attempt attempt = {
        .document = schema_of("{\"uniqueItems\": true}"),
        .value = array_of(100, integer_item),
    };

    alloc_fail_each(attempt_to_compare, &attempt);

    json_decref(attempt.value);
    tr_schema_document_done(&attempt.document);
}

static void a_value_that_fits_costs_no_allocation(void **state)
{
    (void)state;
    struct tr_schema_document document = schema_of(
        "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"minLength\": 1,"
        " \"pattern\": \"^a\"}, \"n\": {\"type\": \"number\", \"multipleOf\": 0.1},"
        " \"t\": {\"items\": {\"enum\": [\"x\"]}, \"uniqueItems\": true},"
        " \"o\": {\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"boolean\"}]}},"
        " \"required\": [\"a\"], \"additionalProperties\": false}");
    json_auto_t *json = json_of("{\"a\": \"abc\", \"n\": 0.3, \"t\": [\"x\"], \"o\": true}");
    struct tr_violations found = { .arena = NULL };
    tr_check(document.root, json, NULL, &found); /* the thread's first match makes its matcher */
    assert_false(tr_violations_any(&found));

    alloc_fail_at(1);
    tr_check(document.root, json, NULL, &found);
    const bool was_asked = alloc_fail_stop();

    assert_false(was_asked);
    assert_false(tr_violations_any(&found));
    tr_schema_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations_beyond_the_limit_are_counted),
        cmocka_unit_test(alternatives_do_not_blow_up),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(exhaustion_cannot_be_turned_into_a_fit),
        cmocka_unit_test(many_unique_items_are_told_apart),
        cmocka_unit_test(hostile_patterns_share_one_bound),
        cmocka_unit_test(checking_survives_every_failed_allocation),
        cmocka_unit_test(what_cannot_be_compared_for_want_of_memory_does_not_fit),
        cmocka_unit_test(a_value_that_fits_costs_no_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
