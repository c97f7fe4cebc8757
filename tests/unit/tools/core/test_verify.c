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
#include "tools/core/limits.h"

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

struct at_root {
    int choice;
    union {
        const char *text;
        bool flag;
    };
};
static const struct tr_field at_root_fields[] = {
    { TR_FIELD(at_root, text), .description = "A text" },
    { TR_FIELD(at_root, flag), .description = "A flag" },
};
static TR_ANY_OF_TYPE(at_root, "Alternatives that no member holds");

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
        { &at_root_type, "at_root", "cannot stand at the root" },
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
    static const struct tr_type *const types[] = { &tr_empty_type, &kinds_type,
                                                   &weather_request_type, &weather_response_type };
    for (size_t i = 0; i < TR_COUNT_OF(types); i++) {
        struct tr_fault fault = { .what = "" };

        const enum tr_status status = tr_type_verify(types[i], &fault);

        if (status != TR_OK) {
            fail_msg("%s: %s", fault.where, fault.what);
        }
    }
}

/* ---- a chain of structs, each behind a pointer of the one before ---- */

static enum tr_status verify_chain(size_t length, struct tr_fault *reterr)
{
    enum { ROOM = TR_MAX_JSON_DEPTH + 1 };
    struct tr_field links[ROOM];
    struct tr_type types[ROOM];
    assert_true(length <= ROOM);
    for (size_t i = 0; i < length; i++) {
        links[i] = (struct tr_field){
            .name = "next",
            .of = "chain",
            .description = "The next one",
            .kind = i + 1 < length ? TR_KIND_OBJECT : TR_KIND_STRING,
            .optional = true,
            .size = sizeof(void *),
            .type = i + 1 < length ? &types[i + 1] : NULL,
        };
        types[i] = (struct tr_type){
            .name = "chain",
            .description = "A link of the chain",
            .size = sizeof(void *),
            .fields = &links[i],
            .field_count = 1,
        };
    }
    return tr_type_verify(&types[0], reterr);
}

static void verify_accepts_structs_as_deep_as_a_request_can_be(void **state)
{
    (void)state;
    struct tr_fault fault = { .what = "" };

    assert_int_equal(verify_chain(TR_MAX_JSON_DEPTH - 1, &fault), TR_OK);
    assert_int_equal(verify_chain(TR_MAX_JSON_DEPTH, &fault), TR_OK);
    assert_int_equal(verify_chain(TR_MAX_JSON_DEPTH + 1, &fault), TR_INVALID_PARAMETERS);

    assert_non_null(strstr(fault.what, "more than 32 deep"));
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
        cmocka_unit_test(verify_accepts_structs_as_deep_as_a_request_can_be),
        cmocka_unit_test(verify_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
