#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/kinds.h"
#include "tools/core/descriptor.h"

/* What the macros derive from the declaration of a member. */
struct derived {
    const char *name;
    enum tr_kind kind, item_kind;
    bool optional;
    size_t offset, size, item_size;
};

#define WHERE(m) \
    .name = #m, .offset = offsetof(struct kinds, m), .size = sizeof(TR_MEMBER(kinds, m))
#define LIST(m) \
    WHERE(m), .kind = TR_KIND_LIST, .optional = true, .item_size = sizeof(TR_ITEM(kinds, m))

static const struct derived wanted[] = {
    { WHERE(text), .kind = TR_KIND_STRING, .optional = true },
    { WHERE(integer), .kind = TR_KIND_INTEGER },
    { WHERE(number), .kind = TR_KIND_NUMBER },
    { WHERE(flag), .kind = TR_KIND_BOOLEAN },
    { WHERE(point), .kind = TR_KIND_OBJECT },
    { WHERE(maybe_integer), .kind = TR_KIND_INTEGER, .optional = true },
    { WHERE(maybe_number), .kind = TR_KIND_NUMBER, .optional = true },
    { WHERE(maybe_flag), .kind = TR_KIND_BOOLEAN, .optional = true },
    { WHERE(nothing), .kind = TR_KIND_NULL, .optional = true },
    { WHERE(color), .kind = TR_KIND_ENUM, .optional = true },
    { WHERE(anything), .kind = TR_KIND_JSON, .optional = true },
    { WHERE(maybe_point), .kind = TR_KIND_OBJECT, .optional = true },
    { WHERE(choice), .kind = TR_KIND_OBJECT },
    { LIST(texts), .item_kind = TR_KIND_STRING },
    { LIST(integers), .item_kind = TR_KIND_INTEGER },
    { LIST(numbers), .item_kind = TR_KIND_NUMBER },
    { LIST(flags), .item_kind = TR_KIND_BOOLEAN },
    { LIST(colors), .item_kind = TR_KIND_ENUM },
    { LIST(points), .item_kind = TR_KIND_OBJECT },
    { LIST(choices), .item_kind = TR_KIND_OBJECT },
    { LIST(values), .item_kind = TR_KIND_JSON },
    { WHERE(rest), .kind = TR_KIND_JSON, .optional = true },
};

static void the_macros_derive_kind_and_place_from_the_member(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(wanted); i++) {
        const struct tr_field *field = tr_type_field(&kinds_type, wanted[i].name);

        assert_non_null(field);
        assert_string_equal(field->name, wanted[i].name);
        assert_string_equal(field->of, "kinds");
        assert_int_equal(field->kind, wanted[i].kind);
        assert_int_equal(field->item_kind, wanted[i].item_kind);
        assert_int_equal(field->optional, wanted[i].optional);
        assert_int_equal(field->offset, wanted[i].offset);
        assert_int_equal(field->size, wanted[i].size);
        assert_int_equal(field->item_size, wanted[i].item_size);
    }
}

static void the_macros_derive_the_spellings_of_an_enum(void **state)
{
    (void)state;
    const char *const fields[] = { "color", "colors" };
    for (size_t i = 0; i < TR_COUNT_OF(fields); i++) {
        const struct tr_field *field = tr_type_field(&kinds_type, fields[i]);

        assert_int_equal(field->name_count, 3);
        assert_null(field->names[0]);
        assert_string_equal(field->names[KINDS_DARK_GREEN], "dark_green");
    }
}

static void a_name_that_no_field_has_is_not_found(void **state)
{
    (void)state;
    assert_null(tr_type_field(&kinds_type, "Text"));
    assert_null(tr_type_field(&kinds_type, ""));
    assert_null(tr_type_field(&tr_empty_type, "unused"));
}

static void bounds_say_which_end_there_is(void **state)
{
    (void)state;
    const struct tr_bounds none = { 0 };
    const struct tr_bounds both = TR_RANGE(0, 0);
    const struct tr_bounds low = TR_AT_LEAST(-1);
    const struct tr_bounds high = TR_AT_MOST(1);

    assert_int_equal(none.set, 0);
    assert_int_equal(both.set, TR_BOUND_MIN | TR_BOUND_MAX);
    assert_int_equal(low.set, TR_BOUND_MIN);
    assert_int_equal(high.set, TR_BOUND_MAX);
    assert_true(both.min == 0 && both.max == 0 && low.min == -1 && high.max == 1);
}

static void json_is_written_as_json(void **state)
{
    (void)state;
    assert_string_equal(TR_JSON([1, null, true]), "[1, null, true]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_macros_derive_kind_and_place_from_the_member),
        cmocka_unit_test(the_macros_derive_the_spellings_of_an_enum),
        cmocka_unit_test(a_name_that_no_field_has_is_not_found),
        cmocka_unit_test(bounds_say_which_end_there_is),
        cmocka_unit_test(json_is_written_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
