/* descriptor.h - describe a C struct once; bind, unbind, check, document it from that description.
 *
 * A tool author writes a struct and beside it a const table of fields. Type, offset, size,
 * optionality, item type and enum spellings come from the C declaration by _Generic; what the
 * compiler can check it checks, tr_type_verify() does the rest at start-up.
 *
 * The convention that carries it: `struct foo` is described by `foo_type` from `foo_fields`, and
 * `enum bar` is spelled by `bar_names` (whose index 0 is NULL and means absent). */
#ifndef TR_TOOLS_CORE_DESCRIPTOR_H
#define TR_TOOLS_CORE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

/* ---- values a struct member may have ---- */

/* A scalar that may be absent. A plain scalar member is always present. */
struct tr_opt_int {
    bool has;
    int64_t value;
};
struct tr_opt_num {
    bool has;
    double value;
};
struct tr_opt_bool {
    bool has;
    bool value;
};

/* The JSON value null, and nothing else. */
struct tr_null {
    bool has;
};

/* A list: `count` items, read-only. NULL items means the list was absent; an empty list has
 * non-NULL items. */
#define TR_SPAN(T)      \
    struct {            \
        T const *items; \
        size_t count;   \
    }
struct tr_span {
    const void *items;
    size_t count;
};

/* ---- descriptors ---- */

enum tr_kind {
    TR_KIND_NONE,
    TR_KIND_STRING,  /* const char *, NULL when absent */
    TR_KIND_INTEGER, /* int64_t or struct tr_opt_int */
    TR_KIND_NUMBER,  /* double or struct tr_opt_num */
    TR_KIND_BOOLEAN, /* bool or struct tr_opt_bool */
    TR_KIND_NULL,    /* struct tr_null */
    TR_KIND_JSON,    /* json_t *, free-form, borrowed from the request */
    TR_KIND_ENUM,    /* enum whose zero value means absent */
    TR_KIND_OBJECT,  /* struct by value, or const pointer when it may be absent */
    TR_KIND_LIST,    /* TR_SPAN() of plain values: any type above but tr_opt_..., tr_null, lists */
};

/* Limits carry "set", so that zero-initialised means no limit and TR_RANGE(0, 0) can be said. */
enum tr_bound_end { TR_BOUND_MIN = 1u << 0, TR_BOUND_MAX = 1u << 1 };
struct tr_bounds {
    unsigned set;
    int64_t min, max;
};
struct tr_real_bounds {
    unsigned set;
    double min, max;
};

struct tr_type;

struct tr_field {
    /* Written by the author. All optional but the description. */
    const char *description;          /* one sentence; agents choose by it */
    const char *format;               /* of a string or of each string in a list: format.h */
    const char *pattern;              /* the same; ECMA-262 regular expression, not anchored */
    const char *default_json;         /* TR_JSON(...): used when the member is missing */
    const char *example_json;         /* TR_JSON(...) */
    struct tr_bounds range;           /* of a number, or of each number in a list */
    struct tr_real_bounds real_range; /* the same with fractional ends; not both */
    struct tr_bounds length;          /* code points of a string, or of each string in a list */
    struct tr_bounds count;           /* items of a list */
    bool required;
    bool nullable; /* JSON null is accepted and means absent */
    bool unique;   /* no two items of the list are equal */
    bool secret;   /* never logged, never repeated in an error */
    bool deprecated;
    bool internal; /* of a response: for the tool's own use, never leaves the gateway */

    /* Derived by the macros below; never written by hand. */
    const char *name;
    const char *of; /* tag of the struct the member belongs to */
    enum tr_kind kind;
    enum tr_kind item_kind; /* lists only */
    bool optional;          /* the C member can express absence */
    bool is_rest;           /* collects every member that no other field declares */
    size_t offset, size, item_size;
    const struct tr_type *type; /* objects, and lists of objects */
    const char *const *names;   /* enums: names[value], names[0] is NULL */
    size_t name_count;
};

struct tr_type {
    const char *name;
    const char *description;
    size_t size;
    const struct tr_field *fields;
    size_t field_count;
    bool any_of; /* fields are alternatives; the struct starts with `int choice`, 1-based */
};

/* ---- what an author writes ---- */

/* clang-format off */

#define TR_RANGE(lo, hi) { .set = TR_BOUND_MIN | TR_BOUND_MAX, .min = (lo), .max = (hi) }
#define TR_AT_LEAST(lo)  { .set = TR_BOUND_MIN, .min = (lo) }
#define TR_AT_MOST(hi)   { .set = TR_BOUND_MAX, .max = (hi) }

/* JSON text, written as JSON: TR_JSON({"a": [1, 2]}). */
#define TR_JSON(...)     #__VA_ARGS__

#define TR_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define TR_MEMBER(tag, m)  (((struct tag *)0)->m) /* never evaluated */
#define TR_ITEM(tag, m)    (*TR_MEMBER(tag, m).items)
/* Zero, or a compile error that names the broken condition. */
#define TR_REQUIRE(condition) \
    (sizeof(struct { _Static_assert(condition, #condition); int unused; }) * 0)

#define TR_KIND_OF(value) _Generic((value),                              \
    const char *: TR_KIND_STRING,                                        \
    int64_t: TR_KIND_INTEGER, struct tr_opt_int: TR_KIND_INTEGER,        \
    double: TR_KIND_NUMBER, struct tr_opt_num: TR_KIND_NUMBER,           \
    bool: TR_KIND_BOOLEAN, struct tr_opt_bool: TR_KIND_BOOLEAN,          \
    struct tr_null: TR_KIND_NULL,                                        \
    json_t *: TR_KIND_JSON)
#define TR_OPTIONAL_OF(value) _Generic((value),                          \
    int64_t: false, double: false, bool: false, default: true)
/* An item of a list is never absent. */
#define TR_ITEM_KIND_OF(value) _Generic((value),                         \
    const char *: TR_KIND_STRING, int64_t: TR_KIND_INTEGER,              \
    double: TR_KIND_NUMBER, bool: TR_KIND_BOOLEAN, json_t *: TR_KIND_JSON)

#define TR_COMMON(tag, m) \
    .name = #m, .of = #tag, .offset = offsetof(struct tag, m), .size = sizeof(TR_MEMBER(tag, m))

/* Each macro below is the first line of one `struct tr_field` initializer: it fills in what follows
 * from the C member, and the author adds the rest by name. */

/* A scalar, string, null or free-form member: the kind follows from the C type. */
#define TR_FIELD(tag, m)                                                 \
    TR_COMMON(tag, m), .kind = TR_KIND_OF(TR_MEMBER(tag, m)),            \
    .optional = TR_OPTIONAL_OF(TR_MEMBER(tag, m))

/* `json_t *` member that takes every JSON member that no other field declares, as one object
 * (NULL: none). Its presence makes the object open. At most one in a struct. */
#define TR_REST(tag, m)                                                  \
    TR_COMMON(tag, m), .optional = true, .is_rest = true,                \
    .kind = _Generic(TR_MEMBER(tag, m), json_t *: TR_KIND_JSON)

/* `enum etag` member; `etag_names` lists the JSON spellings. */
#define TR_ENUM(tag, m, etag)                                            \
    TR_COMMON(tag, m), .optional = true, .names = etag##_names,          \
    .name_count = TR_COUNT_OF(etag##_names)                              \
        + TR_REQUIRE(sizeof(enum etag) == sizeof(int)),                  \
    .kind = _Generic(TR_MEMBER(tag, m), enum etag: TR_KIND_ENUM)

/* `struct sub` (always there) or `const struct sub *` (may be absent), described by `sub_type`. */
#define TR_OBJECT(tag, m, sub)                                           \
    TR_COMMON(tag, m), .kind = TR_KIND_OBJECT, .type = &sub##_type,      \
    .optional = _Generic(TR_MEMBER(tag, m),                              \
        struct sub: false, const struct sub *: true)

/* TR_SPAN() of strings, integers, numbers, booleans or free-form values. */
#define TR_LIST(tag, m)                                                  \
    TR_COMMON(tag, m), .kind = TR_KIND_LIST, .optional = true,           \
    .item_kind = TR_ITEM_KIND_OF(TR_ITEM(tag, m)),                       \
    .item_size = sizeof(TR_ITEM(tag, m))                                 \
        + TR_REQUIRE(sizeof(TR_MEMBER(tag, m)) == sizeof(struct tr_span))

/* TR_SPAN(enum etag). */
#define TR_LIST_OF_ENUM(tag, m, etag)                                    \
    TR_COMMON(tag, m), .kind = TR_KIND_LIST, .optional = true,           \
    .names = etag##_names, .name_count = TR_COUNT_OF(etag##_names),      \
    .item_kind = _Generic(TR_ITEM(tag, m), enum etag: TR_KIND_ENUM),     \
    .item_size = sizeof(TR_ITEM(tag, m))                                 \
        + TR_REQUIRE(sizeof(TR_MEMBER(tag, m)) == sizeof(struct tr_span)) \
        + TR_REQUIRE(sizeof(enum etag) == sizeof(int))

/* TR_SPAN(struct sub); each item is described by `sub_type`. */
#define TR_LIST_OF(tag, m, sub)                                          \
    TR_COMMON(tag, m), .kind = TR_KIND_LIST, .optional = true,           \
    .item_kind = _Generic(TR_ITEM(tag, m), struct sub: TR_KIND_OBJECT),  \
    .item_size = sizeof(TR_ITEM(tag, m))                                 \
        + TR_REQUIRE(sizeof(TR_MEMBER(tag, m)) == sizeof(struct tr_span)), \
    .type = &sub##_type

/* The descriptor of `struct tag`, from the table `tag_fields`. */
#define TR_TYPE(tag, text)                                               \
    const struct tr_type tag##_type = {                                  \
        .name = #tag, .description = (text), .size = sizeof(struct tag), \
        .fields = tag##_fields, .field_count = TR_COUNT_OF(tag##_fields) }

/* The descriptor of a struct holding one of several alternatives: `int choice` (1-based; 0 means
 * absent), then a union whose members the fields describe. */
#define TR_ANY_OF_TYPE(tag, text)                                        \
    const struct tr_type tag##_type = {                                  \
        .name = #tag, .description = (text), .any_of = true,             \
        .size = sizeof(struct tag)                                       \
            + TR_REQUIRE(offsetof(struct tag, choice) == 0)              \
            + TR_REQUIRE(_Generic(TR_MEMBER(tag, choice), int: 1)),      \
        .fields = tag##_fields, .field_count = TR_COUNT_OF(tag##_fields) }

/* clang-format on */

/* A request or response without members. C has no empty struct, so it has one member that is not
 * described; the verification knows it. */
struct tr_empty {
    char unused;
};
extern const struct tr_type tr_empty_type;

/* ---- using a table ---- */

struct tr_arena;
struct tr_text;

/* Fill `out` (type->size bytes) from `json`, which has passed the check of the same type's schema.
 * Strings and free-form values are borrowed from `json` until it dies; lists, optional objects and
 * the object of a TR_REST live in `arena`. Members that are not declared are passed over, internal
 * ones never filled. A default that the defaults stage could not see (inside an alternative) is
 * filled in here. A document that does not fit is TR_INTERNAL (the check and the table disagree:
 * our bug), never undefined behaviour; TR_BODY_TOO_LARGE and TR_NO_MEMORY from the arena. On
 * failure `out` is zeroed and `reterr` (which may be NULL) names the member. */
TR_MUST_USE enum tr_status tr_bind(const struct tr_type *type, json_t *json, struct tr_arena *arena,
                                   void *out, struct tr_fault *reterr);

/* Write the struct `in` as JSON text. Only described fields that are not internal are written (this
 * is pipeline stage 10's filter for typed tools); absent ones are left out, required + nullable
 * ones become null. A required list without items is an empty list. Any other required member that
 * is absent, an item of a list that is NULL, an enum value without a name, a bad `choice` or a
 * non-finite number is TR_INTERNAL with the member in `reterr`: the tool's bug. The text's own
 * failure is its status. */
TR_MUST_USE enum tr_status tr_unbind(const struct tr_type *type, const void *in,
                                     struct tr_text *out, struct tr_fault *reterr);

/* Check what the compiler cannot (STYLE D7), recursively; `reterr->where` names struct and member.
 * Refuses with TR_INVALID_PARAMETERS. */
TR_MUST_USE enum tr_status tr_type_verify(const struct tr_type *type, struct tr_fault *reterr);

/* The field named `name`, NULL when there is none. */
const struct tr_field *tr_type_field(const struct tr_type *type, const char *name);

#endif
