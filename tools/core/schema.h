/* schema.h - the schema tree: what field tables and JSON Schema text become, and what the keys,
 * defaults, coerce and check stages, the emitter, the dialects and the docs read.
 *
 * JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12) with OpenAPI's `nullable`
 * and our `x-secret`. A tree is built once, then immutable and shared between threads. */
#ifndef TR_TOOLS_CORE_SCHEMA_H
#define TR_TOOLS_CORE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/format.h"
#include "tools/core/status.h"

struct tr_pattern;
struct tr_type;
struct tr_schema;

/* Bits of tr_schema.types. TR_TYPE_NUMBER includes the integers. */
enum tr_type_bit {
    TR_TYPE_NULL = 1u << 0,
    TR_TYPE_BOOLEAN = 1u << 1,
    TR_TYPE_INTEGER = 1u << 2,
    TR_TYPE_NUMBER = 1u << 3,
    TR_TYPE_STRING = 1u << 4,
    TR_TYPE_ARRAY = 1u << 5,
    TR_TYPE_OBJECT = 1u << 6,
};

/* A count with "there is one", so that 0 can be said. */
struct tr_schema_count {
    bool has;
    int64_t value;
};

struct tr_schema_list {
    const struct tr_schema *const *items;
    size_t count;
};

struct tr_schema_property {
    const char *name;
    size_t name_length;
    const struct tr_schema *schema;
    bool is_required;
};

struct tr_schema_properties {
    const struct tr_schema_property *items; /* in the order of declaration */
    size_t count;
};

struct tr_schema_pattern_property {
    const struct tr_pattern *pattern;
    const struct tr_schema *schema;
};

struct tr_schema_dependency {
    const char *name;
    const char *const *requires;
    size_t count;
};

/* One node. Zero means "says nothing"; an all-zero node accepts everything. Every pointer is
 * owned by the document's arena; json_t values are borrowed from it and never changed. */
struct tr_schema {
    bool is_false;  /* the schema `false`: accepts nothing */
    unsigned types; /* of enum tr_type_bit; 0: any type. `nullable` has become TR_TYPE_NULL */

    /* Annotations. */
    const char *title, *description;
    const json_t *default_value; /* NULL: none */
    const json_t *examples;      /* an array, or NULL */
    bool is_deprecated, is_read_only, is_write_only;
    bool is_secret;   /* x-secret: never logged, never repeated in an error */
    bool is_nullable; /* written as `nullable`; types already has TR_TYPE_NULL */

    /* Any type. */
    const json_t *enum_values; /* an array, or NULL */
    const json_t *const_value; /* NULL: none */

    /* Numbers: JSON numbers or NULL, compared exactly. */
    const json_t *minimum, *maximum, *exclusive_minimum, *exclusive_maximum, *multiple_of;

    /* Strings. Lengths count code points. */
    struct tr_schema_count min_length, max_length;
    const struct tr_pattern *pattern;
    const char *format_name; /* as written, or NULL */
    enum tr_format format;   /* TR_FORMAT_NONE when the name is not asserted */

    /* Arrays. */
    struct tr_schema_count min_items, max_items, min_contains, max_contains;
    bool has_unique_items;
    struct tr_schema_list prefix_items;
    const struct tr_schema *items, *contains;

    /* Objects. */
    struct tr_schema_count min_properties, max_properties;
    struct tr_schema_properties properties;
    const char *const *required; /* every name of `required`, declared or not */
    size_t required_count;
    const struct tr_schema *additional; /* NULL: nothing was said (so anything, see params.h) */
    const struct tr_schema_pattern_property *pattern_properties;
    size_t pattern_property_count;
    const struct tr_schema *property_names;
    const struct tr_schema_dependency *dependent_required;
    size_t dependent_required_count;

    /* Applicators. */
    struct tr_schema_list any_of, one_of, all_of;
    const struct tr_schema *not_schema, *if_schema, *then_schema, *else_schema;
    const struct tr_schema *ref; /* the target of $ref, in the same document; may be a cycle */
    const char *ref_name;        /* "#/$defs/node", as written */

    struct tr_schema_properties definitions; /* $defs: named schemas for $ref; check nothing */
    bool has_old_definitions; /* they were written as `definitions`, and $refs may say so */
};

/* A whole document: the root, and the memory of all of it. */
struct tr_schema_document {
    struct tr_arena arena;
    const struct tr_schema *root;
};

void tr_schema_document_done(struct tr_schema_document *document);

/* Build the tree of a JSON Schema. Copies what it keeps of `json`. Refuses with
 * TR_INVALID_PARAMETERS, naming the place as a JSON Pointer and the reason: a keyword that is not
 * honoured (a silent gap would be a lie), a value of the wrong form, a $ref that leads nowhere,
 * outside or in a circle, a pattern that does not compile, min above max, more than
 * TR_MAX_SCHEMA_NODES nodes or TR_MAX_SCHEMA_DEPTH levels. On failure `ret_document` is zeroed. */
TR_MUST_USE enum tr_status tr_schema_parse(const json_t *json,
                                           struct tr_schema_document *ret_document,
                                           struct tr_fault *reterr);

/* Do the defaults and examples fit the schemas they stand in? The standard takes them for remarks,
 * so tr_schema_parse() does; where they will be used, ask. Refuses with TR_INVALID_PARAMETERS,
 * naming the place. */
TR_MUST_USE enum tr_status tr_schema_verify_values(const struct tr_schema_document *document,
                                                   struct tr_fault *reterr);

/* Build the tree of a field table (descriptor.h). Each struct used more than once, or in a cycle,
 * stays one shared node; the tree is otherwise inline. `is_strict` closes every object that
 * has no TR_REST member (additionalProperties: false). The field table itself must have passed
 * tr_type_verify(). */
TR_MUST_USE enum tr_status tr_schema_compile(const struct tr_type *type, bool is_strict,
                                             struct tr_schema_document *ret_document,
                                             struct tr_fault *reterr);

/* The one emitter: JSON Schema (2020-12) of the document. A root that is an object always has
 * `type` and `properties`; arrays have `items`; members come in one fixed order, so equal trees
 * give equal bytes. Gives a new reference, NULL when out of memory. */
TR_MUST_USE json_t *tr_schema_emit(const struct tr_schema_document *document);

/* The same for one node, whose `$ref`s are written as they are. */
TR_MUST_USE json_t *tr_schema_emit_node(const struct tr_schema *schema);

/* The types for error texts: "string", "integer or null", "string, number or null", "any". Written
 * to `room`, cut when that is too small, and given back. TR_TYPE_NAMES_BYTES are always enough. */
enum { TR_TYPE_NAMES_BYTES = 64 };
const char *tr_schema_type_name(unsigned types, char *room, size_t room_bytes);

/* Follow $ref until a node that says something itself; NULL for a cycle of nothing but $refs. */
const struct tr_schema *tr_schema_resolve(const struct tr_schema *schema);

/* The property declared as `name`, NULL when there is none. */
const struct tr_schema_property *tr_schema_property(const struct tr_schema *schema,
                                                    const char *name);

#endif
