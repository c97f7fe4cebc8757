/* Defaults and examples, held against the schema that callers are held against. */

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/check.h"
#include "tools/core/limits.h"
#include "tools/core/place.h"
#include "tools/core/schema.h"
#include "tools/core/verify.h"
#include "tools/core/violation.h"

static enum tr_status verify_value(const struct tr_type *type, const struct tr_field *field,
                                   const struct tr_schema *schema, const char *what,
                                   const json_t *value, struct tr_fault *reterr)
{
    if (value == NULL) {
        return TR_OK;
    }
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_LOAD_ARENA_BYTES);
    struct tr_violations found = { .arena = &arena };
    const struct tr_place root = { .parent = NULL };
    const struct tr_place place = { .parent = &root, .key = field->name };
    tr_check_parameters(schema, value, &place, &found);
    if (!tr_violations_any(&found)) {
        return TR_OK;
    }
    if (found.count == 0) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "Out of memory");
    }
    return tr_verify_refuse(type, field, reterr, "The %s does not fit: %s", what,
                            found.items[0].message);
}

static enum tr_status verify_values_of_type(const struct tr_type *type,
                                            const struct tr_schema *schema,
                                            struct tr_fault *reterr);

/* What lies below a member: its own struct, or the struct of each item. */
static enum tr_status verify_below(const struct tr_field *field, const struct tr_schema *schema,
                                   struct tr_fault *reterr)
{
    if (field->type == NULL) {
        return TR_OK;
    }
    return verify_values_of_type(field->type, field->kind == TR_KIND_LIST ? schema->items : schema,
                                 reterr);
}

static enum tr_status verify_values_of_type(const struct tr_type *type,
                                            const struct tr_schema *schema, struct tr_fault *reterr)
{
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        if (field->internal || field->is_rest) {
            continue;
        }
        const struct tr_schema *node = type->any_of
                                           ? schema->any_of.items[i]
                                           : tr_schema_property(schema, field->name)->schema;
        TR_TRY(verify_value(type, field, node, "default", node->default_value, reterr));
        TR_TRY(
            verify_value(type, field, node, "example", json_array_get(node->examples, 0), reterr));
        TR_TRY(verify_below(field, node, reterr));
    }
    return TR_OK;
}

enum tr_status tr_verify_values(const struct tr_type *type, struct tr_fault *reterr)
{
    /* Closed objects, so that a misspelt member of an example is refused as well. */
    struct tr_schema_document document = { .root = NULL };
    TR_TRY(tr_schema_compile(type, true, &document, reterr));
    const enum tr_status status = verify_values_of_type(type, document.root, reterr);
    tr_schema_document_done(&document);
    return status;
}
