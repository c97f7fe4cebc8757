#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/kinds.h"
#include "tests/support/weather.h"
#include "tools/core/descriptor.h"

/* ---- wrong structs: what only their layout shows ---- */

struct forgot {
    const char *first;
    int64_t hidden;
    const char *last;
};
static const struct tr_field forgot_fields[] = {
    { TR_FIELD(forgot, first), .description = "First" },
    { TR_FIELD(forgot, last), .description = "Last" },
};
static TR_TYPE(forgot, "Forgot one");

struct forgot_bool {
    bool first, hidden, last;
};
static const struct tr_field forgot_bool_fields[] = {
    { TR_FIELD(forgot_bool, first), .description = "First", .required = true },
    { TR_FIELD(forgot_bool, last), .description = "Last", .required = true },
};
static TR_TYPE(forgot_bool, "Forgot one that is small");

struct tail {
    const char *first;
    int64_t hidden;
};
static const struct tr_field tail_fields[] = {
    { TR_FIELD(tail, first), .description = "First" },
};
static TR_TYPE(tail, "Forgot the last");

struct order {
    const char *first, *last;
};
static const struct tr_field order_fields[] = {
    { TR_FIELD(order, last), .description = "Last" },
    { TR_FIELD(order, first), .description = "First" },
};
static TR_TYPE(order, "Out of order");

struct twice {
    const char *first;
};
static const struct tr_field twice_fields[] = {
    { TR_FIELD(twice, first), .description = "First" },
    { TR_FIELD(twice, first), .description = "First" },
};
static TR_TYPE(twice, "One twice");

struct pasted {
    const char *first;
};
static const struct tr_field pasted_fields[] = {
    { TR_FIELD(twice, first), .description = "From another table" },
};
static TR_TYPE(pasted, "Pasted");

struct two_rests {
    json_t *first, *last;
};
static const struct tr_field two_rests_fields[] = {
    { TR_REST(two_rests, first), .description = "All else" },
    { TR_REST(two_rests, last), .description = "All else" },
};
static TR_TYPE(two_rests, "Two rests");

struct undescribed {
    const char *first;
};
static const struct tr_field undescribed_fields[] = {
    { TR_FIELD(undescribed, first), .description = "First" },
};
static TR_TYPE(undescribed, "");

static const struct tr_type no_fields_type = {
    .name = "no_fields",
    .description = "Not tr_empty",
    .size = sizeof(struct tr_empty),
};

/* Through a pointer, through a list, and through another struct. */
struct node;
extern const struct tr_type node_type;
struct node {
    const struct node *next;
};
static const struct tr_field node_fields[] = {
    { TR_OBJECT(node, next, node), .description = "Next" },
};
TR_TYPE(node, "A cycle");

struct tree;
extern const struct tr_type tree_type;
struct tree {
    TR_SPAN(struct tree) children;
};
static const struct tr_field tree_fields[] = {
    { TR_LIST_OF(tree, children, tree), .description = "Children" },
};
TR_TYPE(tree, "A cycle");

struct there;
extern const struct tr_type there_type;
struct back {
    const struct there *there;
};
struct there {
    struct back back;
};
static const struct tr_field back_fields[] = {
    { TR_OBJECT(back, there, there), .description = "There" },
};
static TR_TYPE(back, "A cycle");
static const struct tr_field there_fields[] = {
    { TR_OBJECT(there, back, back), .description = "Back", .required = true },
};
TR_TYPE(there, "A cycle");

/* ---- wrong alternatives; each is a member of a struct of its own ---- */

#define HOLDER(sub)                                                          \
    struct sub##_holder {                                                    \
        struct sub member;                                                   \
    };                                                                       \
    static const struct tr_field sub##_holder_fields[] = {                   \
        { TR_OBJECT(sub##_holder, member, sub), .description = "A choice" }, \
    };                                                                       \
    static TR_TYPE(sub##_holder, "Holds a choice")

struct single {
    int choice;
    union {
        const char *text;
    };
};
static const struct tr_field single_fields[] = {
    { TR_FIELD(single, text), .description = "A text" },
};
static TR_ANY_OF_TYPE(single, "One alternative");
HOLDER(single);

struct two_texts {
    int choice;
    union {
        const char *name, *path;
    };
};
static const struct tr_field two_texts_fields[] = {
    { TR_FIELD(two_texts, name), .description = "A name", .pattern = "^[a-z]+$" },
    { TR_FIELD(two_texts, path), .description = "A path" },
};
static TR_ANY_OF_TYPE(two_texts, "Two texts");
HOLDER(two_texts);

struct two_numbers {
    int choice;
    union {
        int64_t whole;
        double real;
    };
};
static const struct tr_field two_numbers_fields[] = {
    { TR_FIELD(two_numbers, whole), .description = "Without a fraction" },
    { TR_FIELD(two_numbers, real), .description = "With a fraction" },
};
static TR_ANY_OF_TYPE(two_numbers, "Two numbers");
HOLDER(two_numbers);

struct free_form {
    int choice;
    union {
        const char *text;
        json_t *anything;
    };
};
static const struct tr_field free_form_fields[] = {
    { TR_FIELD(free_form, text), .description = "A text" },
    { TR_FIELD(free_form, anything), .description = "Anything" },
};
static TR_ANY_OF_TYPE(free_form, "A text or anything");
HOLDER(free_form);

struct small_point {
    double x;
};
static const struct tr_field small_point_fields[] = {
    { TR_FIELD(small_point, x), .description = "Rightwards", .required = true },
};
static TR_TYPE(small_point, "On a line");
struct big_point {
    double x, y;
};
static const struct tr_field big_point_fields[] = {
    { TR_FIELD(big_point, x), .description = "Rightwards", .required = true },
    { TR_FIELD(big_point, y), .description = "Upwards", .required = true },
};
static TR_TYPE(big_point, "In the plane");

struct wrong_order {
    int choice;
    union {
        struct small_point small;
        struct big_point big;
    };
};
static const struct tr_field wrong_order_fields[] = {
    { TR_OBJECT(wrong_order, small, small_point), .description = "Takes every big one, too" },
    { TR_OBJECT(wrong_order, big, big_point), .description = "Never reached" },
};
static TR_ANY_OF_TYPE(wrong_order, "The general before the special");
HOLDER(wrong_order);

struct right_order {
    int choice;
    union {
        struct big_point big;
        struct small_point small;
    };
};
static const struct tr_field right_order_fields[] = {
    { TR_OBJECT(right_order, big, big_point), .description = "Asks for more" },
    { TR_OBJECT(right_order, small, small_point), .description = "What is left" },
};
static TR_ANY_OF_TYPE(right_order, "The special before the general");
HOLDER(right_order);

enum mode { MODE_ABSENT, MODE_AUTO };
static const char *const mode_names[] = { [MODE_AUTO] = "auto" };
struct word_first {
    int choice;
    union {
        const char *text;
        enum mode mode;
    };
};
static const struct tr_field word_first_fields[] = {
    { TR_FIELD(word_first, text), .description = "Takes every word" },
    { TR_ENUM(word_first, mode, mode), .description = "Never reached" },
};
static TR_ANY_OF_TYPE(word_first, "A text or a word");
HOLDER(word_first);

struct enum_first {
    int choice;
    union {
        enum mode mode;
        const char *text;
    };
};
static const struct tr_field enum_first_fields[] = {
    { TR_ENUM(enum_first, mode, mode), .description = "A word" },
    { TR_FIELD(enum_first, text), .description = "Any other text" },
};
static TR_ANY_OF_TYPE(enum_first, "A word or a text");
HOLDER(enum_first);

struct no_union {
    int choice;
    const char *text;
    bool flag;
};
static const struct tr_field no_union_fields[] = {
    { TR_FIELD(no_union, text), .description = "A text" },
    { TR_FIELD(no_union, flag), .description = "A flag" },
};
static TR_ANY_OF_TYPE(no_union, "Side by side");
HOLDER(no_union);

struct forgot_alternative {
    int choice;
    union {
        const char *text;
        bool flag;
        struct big_point hidden;
    };
};
static const struct tr_field forgot_alternative_fields[] = {
    { TR_FIELD(forgot_alternative, text), .description = "A text" },
    { TR_FIELD(forgot_alternative, flag), .description = "A flag" },
};
static TR_ANY_OF_TYPE(forgot_alternative, "Forgot the largest");
HOLDER(forgot_alternative);

struct required_alternative {
    int choice;
    union {
        const char *text;
        bool flag;
    };
};
static const struct tr_field required_alternative_fields[] = {
    { TR_FIELD(required_alternative, text), .description = "A text", .required = true },
    { TR_FIELD(required_alternative, flag), .description = "A flag" },
};
static TR_ANY_OF_TYPE(required_alternative, "One is required");
HOLDER(required_alternative);

struct nested_overlap {
    int choice;
    union {
        struct enum_first word;
        const char *text;
    };
};
static const struct tr_field nested_overlap_fields[] = {
    { TR_OBJECT(nested_overlap, word, enum_first), .description = "A word or a text" },
    { TR_FIELD(nested_overlap, text), .description = "Never reached" },
};
static TR_ANY_OF_TYPE(nested_overlap, "Alternatives of alternatives");
HOLDER(nested_overlap);

static void verify_refuses_wrong_structs(void **state)
{
    (void)state;
    static const struct {
        const struct tr_type *type;
        const char *where, *what;
    } cases[] = {
        { &forgot_type, "forgot.last", "before this one is not described" },
        { &forgot_bool_type, "forgot_bool.last", "before this one is not described" },
        { &tail_type, "tail", "last member of the struct is not described" },
        { &order_type, "order.first", "order of the struct" },
        { &twice_type, "twice.first", "described twice" },
        { &pasted_type, "pasted.first", "belongs to struct twice" },
        { &two_rests_type, "two_rests.last", "Only one member can be TR_REST" },
        { &undescribed_type, "undescribed", "no description" },
        { &no_fields_type, "no_fields", "no fields" },
        { &node_type, "node", "contains itself" },
        { &tree_type, "tree", "contains itself" },
        { &there_type, "there", "contains itself" },
        { &two_texts_type, "two_texts", "cannot stand at the root" },
        { &single_holder_type, "single", "One alternative" },
        { &two_texts_holder_type, "two_texts.path", "can be taken for 'name'" },
        { &two_numbers_holder_type, "two_numbers.real", "can be taken for 'whole'" },
        { &free_form_holder_type, "free_form.anything", "can be taken for 'text'" },
        { &wrong_order_holder_type, "wrong_order.big", "can be taken for 'small'" },
        { &word_first_holder_type, "word_first.mode", "can be taken for 'text'" },
        { &nested_overlap_holder_type, "nested_overlap.text", "can be taken for 'word'" },
        { &no_union_holder_type, "no_union.flag", "one union" },
        { &forgot_alternative_holder_type, "forgot_alternative", "union is not described" },
        { &required_alternative_holder_type, "required_alternative.text", "An alternative cannot" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_type_verify(cases[i].type, &fault);

        assert_int_equal(status, TR_INVALID_PARAMETERS);
        assert_string_equal(fault.where, cases[i].where);
        if (strstr(fault.what, cases[i].what) == NULL) {
            fail_msg("%s: '%s' does not say '%s'", fault.where, fault.what, cases[i].what);
        }
    }
}

static void verify_accepts_what_is_right(void **state)
{
    (void)state;
    static const struct tr_type *const types[] = {
        &tr_empty_type,           &kinds_type,
        &weather_request_type,    &weather_response_type,
        &right_order_holder_type, &enum_first_holder_type,
    };
    for (size_t i = 0; i < TR_COUNT_OF(types); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_type_verify(types[i], &fault);

        if (status != TR_OK) {
            fail_msg("%s: %s", fault.where, fault.what);
        }
    }
}

/* ---- wrong attributes: each is the only field of a struct that has this member ---- */

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
    struct big_point value;
};
struct sample_pointer {
    const struct big_point *value;
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
#define OBJECT  TR_OBJECT(sample_object, value, big_point), .description = "A point"
#define POINTER TR_OBJECT(sample_pointer, value, big_point), .description = "A point"

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

static void verify_refuses_wrong_attributes(void **state)
{
    (void)state;
    static const struct field_case cases[] = {
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
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = verify_alone(&cases[i].field, &fault);

        if (status != TR_INVALID_PARAMETERS || strstr(fault.what, cases[i].what) == NULL) {
            fail_msg("case %zu: status %d, '%s' does not say '%s'", i, (int)status, fault.what,
                     cases[i].what);
        }
        assert_memory_equal(fault.where, cases[i].field.of, strlen(cases[i].field.of));
    }
}

static void verify_accepts_attributes_that_make_sense(void **state)
{
    (void)state;
    static const struct tr_field cases[] = {
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
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = verify_alone(&cases[i], &fault);

        if (status != TR_OK) {
            fail_msg("case %zu: %s: %s", i, fault.where, fault.what);
        }
    }
}

static bool verify_weather(void *context)
{
    (void)context;
    struct tr_fault fault;
    return tr_type_verify(&weather_request_type, &fault) == TR_OK;
}

static void verify_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(verify_weather, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_refuses_wrong_structs),
        cmocka_unit_test(verify_accepts_what_is_right),
        cmocka_unit_test(verify_refuses_wrong_attributes),
        cmocka_unit_test(verify_accepts_attributes_that_make_sense),
        cmocka_unit_test(verify_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
