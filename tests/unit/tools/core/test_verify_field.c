#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tools/core/descriptor.h"

enum mode { MODE_ABSENT, MODE_AUTO };
static const char *const mode_names[] = { [MODE_AUTO] = "auto" };

struct point {
    double x, y;
};
static const struct tr_field point_fields[] = {
    { TR_FIELD(point, x), .description = "Rightwards", .required = true },
    { TR_FIELD(point, y), .description = "Upwards", .required = true },
};
static TR_TYPE(point, "In the plane");

/* Each field below is the only one of a struct that has this member. */

struct sample {
    const char *text;
};
struct sample_integer {
    int64_t value;
};
struct sample_boxed {
    struct tr_opt_int value;
};
struct sample_number {
    struct tr_opt_num value;
};
struct sample_enum {
    enum mode value;
};
struct sample_list {
    TR_SPAN(const char *) value;
};
struct sample_rest {
    json_t *value;
};
struct sample_object {
    struct point value;
};
struct sample_pointer {
    const struct point *value;
};

static const char *const unordered_names[] = { "absent", "one" };
static const char *const gap_names[] = { NULL, "one", NULL, "three" };
static const char *const same_names[] = { NULL, "one", "one" };
static const char *const few_names[] = { NULL };

#define TEXT    TR_FIELD(sample, text), .description = "A text"
#define INTEGER TR_FIELD(sample_integer, value), .description = "An integer"
#define BOXED   TR_FIELD(sample_boxed, value), .description = "An integer"
#define NUMBER  TR_FIELD(sample_number, value), .description = "A number"
#define LIST    TR_LIST(sample_list, value), .description = "Texts"
#define REST    TR_REST(sample_rest, value), .description = "All else"
#define OBJECT  TR_OBJECT(sample_object, value, point), .description = "A point"
#define POINTER TR_OBJECT(sample_pointer, value, point), .description = "A point"

/* The macro would derive the names; these are forged. */
#define ENUM(wrong_names)                                                                  \
    .name = "value", .of = "sample_enum", .size = sizeof(enum mode), .kind = TR_KIND_ENUM, \
    .optional = true, .description = "A word", .names = (wrong_names),                     \
    .name_count = TR_COUNT_OF(wrong_names)

struct field_case {
    struct tr_field field;
    const char *what;
};

static enum tr_status verify_alone(const struct tr_field *field, struct tr_fault *reterr)
{
    const struct tr_type type = {
        .name = field->of,
        .description = "One member",
        .size = field->size,
        .fields = field,
        .field_count = 1,
    };
    return tr_type_verify(&type, reterr);
}

static const struct field_case wrong_fields[] = {
    { { TR_FIELD(sample, text), .required = true }, "no description" },
    { { TR_FIELD(sample, text), .description = "" }, "no description" },
    { { TR_FIELD(sample, text), .description = "\xff" }, "not UTF-8" },
    { { INTEGER }, "can be missing" },
    { { OBJECT }, "can be missing" },
    { { INTEGER, .required = true, .nullable = true }, "can be null" },
    { { OBJECT, .required = true, .nullable = true }, "can be null" },
    { { TEXT, .required = true, .default_json = TR_JSON("a") }, "never be used" },
    { { TEXT, .internal = true, .required = true }, "internal" },
    { { TEXT, .internal = true, .nullable = true }, "internal" },
    { { TEXT, .internal = true, .deprecated = true }, "internal" },
    { { TEXT, .internal = true, .default_json = TR_JSON("a") }, "internal" },
    { { TEXT, .internal = true, .example_json = TR_JSON("a") }, "internal" },
    { { REST, .required = true }, "TR_REST" },
    { { REST, .nullable = true }, "TR_REST" },
    { { REST, .internal = true }, "TR_REST" },
    { { REST, .default_json = TR_JSON({}) }, "TR_REST" },
    { { TEXT, .range = TR_RANGE(0, 1) }, "`range`" },
    { { LIST, .range = TR_AT_LEAST(0) }, "`range`" },
    { { BOXED, .real_range = TR_RANGE(0, 1) }, "`real_range`" },
    { { NUMBER, .range = TR_RANGE(0, 1), .real_range = TR_RANGE(0, 1) }, "use one" },
    { { BOXED, .range = TR_RANGE(2, 1) }, "No number" },
    { { NUMBER, .real_range = TR_RANGE(1.5, 1.25) }, "No number" },
    { { NUMBER, .real_range = TR_AT_MOST((double)INFINITY) }, "No number" },
    { { BOXED, .length = TR_AT_MOST(1) }, "`length`" },
    { { TEXT, .length = TR_RANGE(2, 1) }, "length" },
    { { TEXT, .length = TR_AT_LEAST(-1) }, "length" },
    { { TEXT, .length = TR_AT_MOST(-1) }, "length" },
    { { TEXT, .count = TR_AT_MOST(1) }, "`count`" },
    { { TEXT, .unique = true }, "`unique`" },
    { { LIST, .count = TR_RANGE(2, 1) }, "count" },
    { { LIST, .count = TR_AT_MOST(-1) }, "count" },
    { { BOXED, .format = "date" }, "`format`" },
    { { NUMBER, .pattern = "^1$" }, "`pattern`" },
    { { TEXT, .format = "postcode" }, "no format 'postcode'" },
    { { TEXT, .pattern = "(" }, "does not compile" },
    { { LIST, .pattern = "[" }, "does not compile" },
    { { ENUM(unordered_names) }, "begin at 1" },
    { { ENUM(few_names) }, "begin at 1" },
    { { ENUM(gap_names) }, "has no name" },
    { { ENUM(same_names) }, "one name" },
    { { TEXT, .default_json = "{" }, "The default is not JSON" },
    { { TEXT, .example_json = "nothing" }, "The example is not JSON" },
    { { INTEGER, .range = TR_RANGE(1, 5), .default_json = TR_JSON(9) }, "The default" },
    { { INTEGER, .default_json = TR_JSON("9") }, "The default" },
    { { TEXT, .default_json = TR_JSON(null) }, "The default" },
    { { TEXT, .example_json = TR_JSON(true) }, "The example" },
    { { TEXT, .length = TR_AT_MOST(1), .example_json = TR_JSON("ab") }, "The example" },
    { { TEXT, .format = "date", .example_json = TR_JSON("today") }, "The example" },
    { { TEXT, .pattern = "^a", .example_json = TR_JSON("ba") }, "The example" },
    { { LIST, .count = TR_AT_LEAST(1), .default_json = TR_JSON([]) }, "The default" },
    { { LIST, .unique = true, .example_json = TR_JSON(["a", "a"]) }, "The example" },
    { { TR_ENUM(sample_enum, value, mode), .description = "A word",
        .default_json = TR_JSON("manual") },
      "The default" },
    { { OBJECT, .default_json = TR_JSON({ "x": 1 }) }, "The default" },
    { { POINTER, .example_json = TR_JSON({ "x": 1, "y": 2, "z": 3 }) }, "The example" },
};

static void verify_refuses_wrong_attributes(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(wrong_fields); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = verify_alone(&wrong_fields[i].field, &fault);

        if (status != TR_INVALID_PARAMETERS || strstr(fault.what, wrong_fields[i].what) == NULL) {
            fail_msg("case %zu: status %d, '%s' does not say '%s'", i, (int)status, fault.what,
                     wrong_fields[i].what);
        }
        assert_memory_equal(fault.where, wrong_fields[i].field.of,
                            strlen(wrong_fields[i].field.of));
    }
}

static const struct tr_field right_fields[] = {
    { TEXT },
    { TEXT, .nullable = true, .default_json = TR_JSON(null) },
    { TEXT, .required = true, .nullable = true },
    { TEXT, .secret = true, .deprecated = true, .example_json = TR_JSON("s3cr3t") },
    { TEXT, .length = TR_RANGE(0, 0), .default_json = TR_JSON("") },
    { TEXT, .length = TR_RANGE(2, 2), .default_json = "\"\xc3\xa9\xc3\xa9\"" },
    { TEXT, .format = "date", .pattern = "^2026-", .example_json = TR_JSON("2026-01-02") },
    { INTEGER, .internal = true },
    { INTEGER, .range = TR_RANGE(0, 0), .default_json = TR_JSON(0) },
    { BOXED, .range = TR_AT_LEAST(-5), .example_json = TR_JSON(-5) },
    { NUMBER, .real_range = TR_RANGE(0.5, 1.5), .example_json = TR_JSON(1.5) },
    { LIST, .count = TR_RANGE(0, 2), .length = TR_AT_LEAST(1), .example_json = TR_JSON(["a"]) },
    { REST },
    { OBJECT, .default_json = TR_JSON({ "x": 1, "y": 2 }) },
    { POINTER, .nullable = true, .default_json = TR_JSON(null) },
    { TR_ENUM(sample_enum, value, mode), .description = "A word", .nullable = true,
      .default_json = TR_JSON(null) },
};

static void verify_accepts_attributes_that_make_sense(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(right_fields); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = verify_alone(&right_fields[i], &fault);

        if (status != TR_OK) {
            fail_msg("case %zu: %s: %s", i, fault.where, fault.what);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_refuses_wrong_attributes),
        cmocka_unit_test(verify_accepts_attributes_that_make_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
