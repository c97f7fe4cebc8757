#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tools/core/descriptor.h"

/* Each of the structs of alternatives is the member of a struct of its own. */

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

/* ---- objects that are told apart by a tag, an enum that both require ---- */

enum shape { SHAPE_ABSENT, SHAPE_CIRCLE };
static const char *const shape_names[] = { [SHAPE_CIRCLE] = "circle" };
enum other_shape { OTHER_SHAPE_ABSENT, OTHER_SHAPE_SQUARE };
static const char *const other_shape_names[] = { [OTHER_SHAPE_SQUARE] = "square" };

struct circle {
    enum shape shape;
    double size;
};
static const struct tr_field circle_fields[] = {
    { TR_ENUM(circle, shape, shape), .description = "Which one", .required = true },
    { TR_FIELD(circle, size), .description = "How large", .required = true },
};
static TR_TYPE(circle, "A circle");

struct square {
    enum other_shape shape;
    double size;
};
static const struct tr_field square_fields[] = {
    { TR_ENUM(square, shape, other_shape), .description = "Which one", .required = true },
    { TR_FIELD(square, size), .description = "How large", .required = true },
};
static TR_TYPE(square, "A square");

struct disc {
    enum shape shape;
    double size;
};
static const struct tr_field disc_fields[] = {
    { TR_ENUM(disc, shape, shape), .description = "Which one", .required = true },
    { TR_FIELD(disc, size), .description = "How large", .required = true },
};
static TR_TYPE(disc, "A circle again");

struct anything {
    json_t *rest;
};
static const struct tr_field anything_fields[] = {
    { TR_REST(anything, rest), .description = "All of it" },
};
static TR_TYPE(anything, "Any object");

struct tagged {
    int choice;
    union {
        struct circle circle;
        struct square square;
    };
};
static const struct tr_field tagged_fields[] = {
    { TR_OBJECT(tagged, circle, circle), .description = "A circle" },
    { TR_OBJECT(tagged, square, square), .description = "A square" },
};
static TR_ANY_OF_TYPE(tagged, "Two tags");
HOLDER(tagged);

struct same_tag {
    int choice;
    union {
        struct circle circle;
        struct disc disc;
    };
};
static const struct tr_field same_tag_fields[] = {
    { TR_OBJECT(same_tag, circle, circle), .description = "A circle" },
    { TR_OBJECT(same_tag, disc, disc), .description = "A circle again" },
};
static TR_ANY_OF_TYPE(same_tag, "One tag twice");
HOLDER(same_tag);

struct open_last {
    int choice;
    union {
        struct circle circle;
        struct anything anything;
    };
};
static const struct tr_field open_last_fields[] = {
    { TR_OBJECT(open_last, circle, circle), .description = "A circle" },
    { TR_OBJECT(open_last, anything, anything), .description = "May have all that a circle has" },
};
static TR_ANY_OF_TYPE(open_last, "An object that is open");
HOLDER(open_last);

struct two_enums {
    int choice;
    union {
        enum shape first;
        enum other_shape last;
    };
};
static const struct tr_field two_enums_fields[] = {
    { TR_ENUM(two_enums, first, shape), .description = "One of some" },
    { TR_ENUM(two_enums, last, other_shape), .description = "One of others" },
};
static TR_ANY_OF_TYPE(two_enums, "Two enums without a common word");
HOLDER(two_enums);

struct same_enums {
    int choice;
    union {
        enum shape first, last;
    };
};
static const struct tr_field same_enums_fields[] = {
    { TR_ENUM(same_enums, first, shape), .description = "One of some" },
    { TR_ENUM(same_enums, last, shape), .description = "One of the same" },
};
static TR_ANY_OF_TYPE(same_enums, "One enum twice");
HOLDER(same_enums);

static void verify_refuses_alternatives_that_cannot_be_told_apart(void **state)
{
    (void)state;
    static const struct {
        const struct tr_type *type;
        const char *where, *what;
    } cases[] = {
        { &single_holder_type, "single", "One alternative" },
        { &two_texts_holder_type, "two_texts.path", "can be taken for 'name'" },
        { &two_numbers_holder_type, "two_numbers.real", "can be taken for 'whole'" },
        { &free_form_holder_type, "free_form.anything", "can be taken for 'text'" },
        { &wrong_order_holder_type, "wrong_order.big", "can be taken for 'small'" },
        { &word_first_holder_type, "word_first.mode", "can be taken for 'text'" },
        { &nested_overlap_holder_type, "nested_overlap.text", "can be taken for 'word'" },
        { &same_tag_holder_type, "same_tag.disc", "can be taken for 'circle'" },
        { &open_last_holder_type, "open_last.anything", "can be taken for 'circle'" },
        { &same_enums_holder_type, "same_enums.last", "can be taken for 'first'" },
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

static void verify_accepts_alternatives_that_can_be_told_apart(void **state)
{
    (void)state;
    static const struct tr_type *const types[] = { &right_order_holder_type, &tagged_holder_type,
                                                   &two_enums_holder_type,
                                                   &enum_first_holder_type };
    for (size_t i = 0; i < TR_COUNT_OF(types); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_type_verify(types[i], &fault);

        if (status != TR_OK) {
            fail_msg("%s: %s", fault.where, fault.what);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_refuses_alternatives_that_cannot_be_told_apart),
        cmocka_unit_test(verify_accepts_alternatives_that_can_be_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
