#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/kinds.h"
#include "tests/support/weather.h"
#include "tools/core/check.h"
#include "tools/core/descriptor.h"
#include "tools/core/schema.h"

enum mode { MODE_ABSENT, MODE_FAST, MODE_SLOW };
static const char *const mode_names[] = { [MODE_FAST] = "fast", [MODE_SLOW] = "slow" };

struct inner {
    const char *secret_key;
    json_t *rest;
};
static const struct tr_field inner_fields[] = {
    { TR_FIELD(inner, secret_key), .description = "A key", .secret = true, .required = true },
    { TR_REST(inner, rest), .description = "All else" },
};
static TR_TYPE(inner, "The struct's own sentence");

struct choice {
    int choice;
    union {
        const char *text;
        int64_t number;
    };
};
static const struct tr_field choice_fields[] = {
    { TR_FIELD(choice, text), .description = "A text" },
    { TR_FIELD(choice, number), .description = "A number" },
};
static TR_ANY_OF_TYPE(choice, "A choice");

struct outer {
    enum mode mode;
    TR_SPAN(enum mode) modes;
    const struct inner *first, *last;
    TR_SPAN(struct inner) more;
    struct choice choice;
    struct tr_null nothing;
    struct tr_opt_num ratio;
    const char *old;
    TR_SPAN(const char *) days;
    TR_SPAN(json_t *) values;
    int64_t count; /* internal */
};
static const struct tr_field outer_fields[] = {
    {
        TR_ENUM(outer, mode, mode),
        .description = "A mode or none",
        .nullable = true,
        .default_json = TR_JSON(null),
    },
    { TR_LIST_OF_ENUM(outer, modes, mode), .description = "Modes", .nullable = true },
    { TR_OBJECT(outer, first, inner), .description = "The first", .nullable = true },
    { TR_OBJECT(outer, last, inner), .description = "The last" },
    { TR_LIST_OF(outer, more, inner), .description = "More", .count = TR_AT_LEAST(0) },
    { TR_OBJECT(outer, choice, choice), .description = "A choice or none", .nullable = true },
    { TR_FIELD(outer, nothing), .description = "Nothing" },
    { TR_FIELD(outer, ratio), .description = "A ratio", .real_range = TR_RANGE(0.5, 1.5) },
    { TR_FIELD(outer, old), .description = "A text", .pattern = "^a", .deprecated = true },
    { TR_LIST(outer, days), .description = "Days", .format = "date", .nullable = true },
    { TR_LIST(outer, values), .description = "Anything" },
    { TR_FIELD(outer, count), .description = "For the tool alone", .internal = true },
};
static TR_TYPE(outer, "All that a schema can say of a table");

static void compile(const struct tr_type *type, bool is_strict,
                    struct tr_schema_document *ret_document)
{
    struct tr_fault fault = { .what = "" };
    if (tr_type_verify(type, &fault) != TR_OK
        || tr_schema_compile(type, is_strict, ret_document, &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
}

/* The schema of `type` equals the file below tests/data/descriptors. */
static void assert_emits(const struct tr_type *type, bool is_strict, const char *file)
{
    char path[512];
    (void)snprintf(path, sizeof(path), "%s/descriptors/%s", TR_TEST_DATA_DIR, file);
    json_auto_t *wanted = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(wanted);
    struct tr_schema_document document;
    compile(type, is_strict, &document);

    json_auto_t *schema = tr_schema_emit(&document);

    if (!json_equal(schema, wanted)) {
        fail_msg("not as in %s: %s", file, json_dumps(schema, JSON_INDENT(2)));
    }
    tr_schema_document_done(&document);
}

static void compile_says_all_that_the_table_says(void **state)
{
    (void)state;
    assert_emits(&outer_type, false, "outer.schema.json");
}

static void compile_leaves_objects_as_they_are_or_closes_them(void **state)
{
    (void)state;
    assert_emits(&weather_request_type, false, "weather.schema.json");
    assert_emits(&weather_request_type, true, "weather_strict.schema.json");
}

static void a_rest_keeps_even_a_strict_object_open(void **state)
{
    (void)state;
    struct tr_schema_document document;
    compile(&outer_type, true, &document);

    const struct tr_schema *outer = document.root;
    const struct tr_schema *first = tr_schema_property(outer, "first")->schema;

    assert_true(outer->additional->is_false);
    assert_false(first->additional->is_false);
    tr_schema_document_done(&document);
}

static void internal_members_are_in_no_schema(void **state)
{
    (void)state;
    struct tr_schema_document document;
    compile(&outer_type, false, &document);

    assert_null(tr_schema_property(document.root, "count"));
    assert_int_equal(document.root->properties.count, outer_type.field_count - 1);
    tr_schema_document_done(&document);
}

static void what_lies_below_a_struct_is_shared(void **state)
{
    (void)state;
    struct tr_schema_document document;
    compile(&outer_type, false, &document);

    const struct tr_schema *first = tr_schema_property(document.root, "first")->schema;
    const struct tr_schema *last = tr_schema_property(document.root, "last")->schema;

    assert_ptr_not_equal(first, last);
    assert_ptr_equal(first->properties.items, last->properties.items);
    tr_schema_document_done(&document);
}

static void a_struct_without_members_is_an_empty_object(void **state)
{
    (void)state;
    struct tr_schema_document document;
    compile(&tr_empty_type, true, &document);
    json_auto_t *nothing = json_object();
    json_auto_t *something = json_pack("{s:i}", "a", 1);

    assert_int_equal(document.root->types, TR_TYPE_OBJECT);
    assert_true(tr_check_fits(document.root, nothing));
    assert_false(tr_check_fits(document.root, something));
    tr_schema_document_done(&document);
}

static void the_check_accepts_what_binding_accepts(void **state)
{
    (void)state;
    struct tr_schema_document document;
    compile(&kinds_type, true, &document);
    json_auto_t *small = json_loads(kinds_small_json, 0, NULL);
    json_auto_t *full = json_loads(kinds_full_json, 0, NULL);

    assert_true(tr_check_fits(document.root, small));
    assert_true(tr_check_fits(document.root, full));
    tr_schema_document_done(&document);
}

static bool compile_outer(void *context)
{
    (void)context;
    struct tr_schema_document document;
    struct tr_fault fault;
    const enum tr_status status = tr_schema_compile(&outer_type, true, &document, &fault);
    if (status != TR_OK) {
        assert_int_equal(status, TR_NO_MEMORY);
        assert_null(document.root);
        assert_null(document.arena.blocks);
    }
    tr_schema_document_done(&document);
    return status == TR_OK;
}

static void compile_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(compile_outer, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compile_says_all_that_the_table_says),
        cmocka_unit_test(compile_leaves_objects_as_they_are_or_closes_them),
        cmocka_unit_test(a_rest_keeps_even_a_strict_object_open),
        cmocka_unit_test(internal_members_are_in_no_schema),
        cmocka_unit_test(what_lies_below_a_struct_is_shared),
        cmocka_unit_test(a_struct_without_members_is_an_empty_object),
        cmocka_unit_test(the_check_accepts_what_binding_accepts),
        cmocka_unit_test(compile_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
