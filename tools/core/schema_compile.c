/* Field table to schema tree. Each struct is compiled once; a member that holds one takes a copy of
 * its node, which shares everything below it and has a description and a default of its own. */

#include <string.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/descriptor.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/member.h"
#include "tools/core/pattern.h"
#include "tools/core/schema.h"

struct compiled {
    const struct compiled *next;
    const struct tr_type *type;
    const struct tr_schema *schema;
};

struct compiler {
    struct tr_arena *arena;
    struct tr_fault *reterr;
    const struct compiled *known;
    bool is_strict;
};

static const struct tr_schema anything = { .is_false = false };
static const struct tr_schema nothing = { .is_false = true };
static const struct tr_schema only_null = { .types = TR_TYPE_NULL };

static const unsigned types_of_kind[] = {
    [TR_KIND_STRING] = TR_TYPE_STRING, [TR_KIND_INTEGER] = TR_TYPE_INTEGER,
    [TR_KIND_NUMBER] = TR_TYPE_NUMBER, [TR_KIND_BOOLEAN] = TR_TYPE_BOOLEAN,
    [TR_KIND_NULL] = TR_TYPE_NULL,     [TR_KIND_ENUM] = TR_TYPE_STRING,
    [TR_KIND_LIST] = TR_TYPE_ARRAY,
};
_Static_assert(TR_COUNT_OF(types_of_kind) == TR_KIND_LIST + 1, "every kind has its types");

static enum tr_status compile_type(struct compiler *compiler, const struct tr_type *type,
                                   const struct tr_schema **ret_schema);

static enum tr_status no_room(const struct compiler *compiler)
{
    return tr_refuse(tr_arena_status(compiler->arena), compiler->reterr, NULL,
                     "There is no memory for the schema");
}

/* ---- JSON values in the tree ---- */

/* The arena takes `value`, which may be NULL when it could not be made. */
static enum tr_status keep(const struct compiler *compiler, json_t *value, const json_t **ret_value)
{
    if (!tr_arena_adopt_json(compiler->arena, value)) {
        return no_room(compiler);
    }
    *ret_value = value;
    return TR_OK;
}

/* `examples` is a list; a field has one. */
static enum tr_status keep_example(const struct compiler *compiler, const char *text,
                                   const json_t **ret_examples)
{
    json_auto_t *examples = json_array();
    if (json_array_append_new(examples, tr_member_json(text)) != 0) {
        return no_room(compiler);
    }
    return keep(compiler, tr_json_take(&examples), ret_examples);
}

/* ---- what a value of one kind must be ---- */

static enum tr_status compile_range(const struct compiler *compiler, const struct tr_field *field,
                                    struct tr_schema *node)
{
    if (field->range.set & TR_BOUND_MIN) {
        TR_TRY(keep(compiler, json_integer(field->range.min), &node->minimum));
    }
    if (field->range.set & TR_BOUND_MAX) {
        TR_TRY(keep(compiler, json_integer(field->range.max), &node->maximum));
    }
    if (field->real_range.set & TR_BOUND_MIN) {
        TR_TRY(keep(compiler, json_real(field->real_range.min), &node->minimum));
    }
    if (field->real_range.set & TR_BOUND_MAX) {
        TR_TRY(keep(compiler, json_real(field->real_range.max), &node->maximum));
    }
    return TR_OK;
}

static void compile_counts(const struct tr_bounds *bounds, struct tr_schema_count *ret_min,
                           struct tr_schema_count *ret_max)
{
    *ret_min = (struct tr_schema_count){
        .has = (bounds->set & TR_BOUND_MIN) != 0,
        .value = bounds->min,
    };
    *ret_max = (struct tr_schema_count){
        .has = (bounds->set & TR_BOUND_MAX) != 0,
        .value = bounds->max,
    };
}

static enum tr_status compile_string(const struct compiler *compiler, const struct tr_field *field,
                                     struct tr_schema *node)
{
    compile_counts(&field->length, &node->min_length, &node->max_length);
    if (field->format != NULL) {
        node->format_name = field->format;
        node->format = tr_format_from_name(field->format);
    }
    return field->pattern == NULL ? TR_OK
                                  : tr_pattern_compile(compiler->arena, field->pattern,
                                                       &node->pattern, compiler->reterr);
}

/* A nullable enum lists null among its values: `enum` speaks of every type. */
static enum tr_status compile_enum(const struct compiler *compiler, const struct tr_field *field,
                                   bool with_null, struct tr_schema *node)
{
    json_auto_t *values = json_array();
    for (size_t i = 1; i < field->name_count; i++) {
        if (json_array_append_new(values, json_string(field->names[i])) != 0) {
            return no_room(compiler);
        }
    }
    if (with_null && json_array_append_new(values, json_null()) != 0) {
        return no_room(compiler);
    }
    return keep(compiler, tr_json_take(&values), &node->enum_values);
}

static enum tr_status compile_value(struct compiler *compiler, const struct tr_field *field,
                                    enum tr_kind kind, struct tr_schema *node);

static enum tr_status compile_list(struct compiler *compiler, const struct tr_field *field,
                                   struct tr_schema *node)
{
    struct tr_schema *items = TR_NEW(compiler->arena, struct tr_schema, 1);
    if (items == NULL) {
        return no_room(compiler);
    }
    TR_TRY(compile_value(compiler, field, field->item_kind, items));
    compile_counts(&field->count, &node->min_items, &node->max_items);
    node->has_unique_items = field->unique;
    node->items = items;
    return TR_OK;
}

static enum tr_status compile_value(struct compiler *compiler, const struct tr_field *field,
                                    enum tr_kind kind, struct tr_schema *node)
{
    node->types = types_of_kind[kind];
    switch (kind) {
    case TR_KIND_STRING: return compile_string(compiler, field, node);
    case TR_KIND_INTEGER:
    case TR_KIND_NUMBER: return compile_range(compiler, field, node);
    case TR_KIND_ENUM:
        return compile_enum(compiler, field, field->nullable && field->kind == kind, node);
    case TR_KIND_LIST: return compile_list(compiler, field, node);
    case TR_KIND_OBJECT: {
        const struct tr_schema *shared = NULL;
        TR_TRY(compile_type(compiler, field->type, &shared));
        *node = *shared;
        return TR_OK;
    }
    case TR_KIND_BOOLEAN:
    case TR_KIND_NULL:
    case TR_KIND_JSON:
    case TR_KIND_NONE: break;
    }
    return TR_OK;
}

/* ---- members ---- */

/* null becomes one more type; where there are alternatives, one more of them. */
static enum tr_status allow_null(const struct compiler *compiler, struct tr_schema *node)
{
    node->is_nullable = true;
    if (node->any_of.count == 0) {
        node->types |= node->types != 0 ? (unsigned)TR_TYPE_NULL : 0;
        return TR_OK;
    }
    const size_t count = node->any_of.count;
    const struct tr_schema **branches =
        TR_NEW(compiler->arena, const struct tr_schema *, count + 1);
    if (branches == NULL) {
        return no_room(compiler);
    }
    memcpy(branches, node->any_of.items, count * sizeof(*branches));
    branches[count] = &only_null;
    node->any_of = (struct tr_schema_list){ .items = branches, .count = count + 1 };
    return TR_OK;
}

static enum tr_status compile_member(struct compiler *compiler, const struct tr_field *field,
                                     const struct tr_schema **ret_schema)
{
    struct tr_schema *node = TR_NEW(compiler->arena, struct tr_schema, 1);
    if (node == NULL) {
        return no_room(compiler);
    }
    TR_TRY(compile_value(compiler, field, field->kind, node));
    node->description = field->description;
    node->is_secret = field->secret;
    node->is_deprecated = field->deprecated;
    if (field->nullable) {
        TR_TRY(allow_null(compiler, node));
    }
    if (field->default_json != NULL) {
        TR_TRY(keep(compiler, tr_member_json(field->default_json), &node->default_value));
    }
    if (field->example_json != NULL) {
        TR_TRY(keep_example(compiler, field->example_json, &node->examples));
    }
    *ret_schema = node;
    return TR_OK;
}

/* ---- structs ---- */

static enum tr_status compile_any_of(struct compiler *compiler, const struct tr_type *type,
                                     struct tr_schema *node)
{
    const struct tr_schema **branches =
        TR_NEW(compiler->arena, const struct tr_schema *, type->field_count);
    if (branches == NULL) {
        return no_room(compiler);
    }
    for (size_t i = 0; i < type->field_count; i++) {
        TR_TRY(compile_member(compiler, &type->fields[i], &branches[i]));
    }
    node->any_of = (struct tr_schema_list){ .items = branches, .count = type->field_count };
    return TR_OK;
}

static enum tr_status compile_object(struct compiler *compiler, const struct tr_type *type,
                                     struct tr_schema *node)
{
    struct tr_schema_property *properties =
        TR_NEW(compiler->arena, struct tr_schema_property, type->field_count);
    const char **required = TR_NEW(compiler->arena, const char *, type->field_count);
    if (properties == NULL || required == NULL) {
        return no_room(compiler);
    }
    node->types = TR_TYPE_OBJECT;
    node->additional = compiler->is_strict ? &nothing : NULL;
    size_t count = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        if (field->is_rest) {
            node->additional = &anything;
        }
        if (field->is_rest || field->internal) {
            continue;
        }
        struct tr_schema_property *property = &properties[count++];
        property->name = field->name;
        property->name_length = strlen(field->name);
        property->is_required = field->required;
        TR_TRY(compile_member(compiler, field, &property->schema));
        if (field->required) {
            required[node->required_count++] = field->name;
        }
    }
    node->properties = (struct tr_schema_properties){ .items = properties, .count = count };
    node->required = required;
    return TR_OK;
}

static const struct tr_schema *compiled_before(const struct compiler *compiler,
                                               const struct tr_type *type)
{
    for (const struct compiled *known = compiler->known; known != NULL; known = known->next) {
        if (known->type == type) {
            return known->schema;
        }
    }
    return NULL;
}

static enum tr_status compile_type(struct compiler *compiler, const struct tr_type *type,
                                   const struct tr_schema **ret_schema)
{
    *ret_schema = compiled_before(compiler, type);
    if (*ret_schema != NULL) {
        return TR_OK;
    }
    struct tr_schema *node = TR_NEW(compiler->arena, struct tr_schema, 1);
    struct compiled *known = TR_NEW(compiler->arena, struct compiled, 1);
    if (node == NULL || known == NULL) {
        return no_room(compiler);
    }
    node->description = type->description;
    TR_TRY(type->any_of ? compile_any_of(compiler, type, node)
                        : compile_object(compiler, type, node));
    *known = (struct compiled){ .next = compiler->known, .type = type, .schema = node };
    compiler->known = known;
    *ret_schema = node;
    return TR_OK;
}

enum tr_status tr_schema_compile(const struct tr_type *type, bool is_strict,
                                 struct tr_schema_document *ret_document, struct tr_fault *reterr)
{
    *ret_document = (struct tr_schema_document){ .root = NULL };
    tr_arena_init(&ret_document->arena, TR_LOAD_ARENA_BYTES);
    struct compiler compiler = {
        .arena = &ret_document->arena,
        .reterr = reterr,
        .is_strict = is_strict,
    };
    const enum tr_status status = compile_type(&compiler, type, &ret_document->root);
    if (status != TR_OK) {
        tr_arena_done(&ret_document->arena);
        *ret_document = (struct tr_schema_document){ .root = NULL };
    }
    return status;
}
