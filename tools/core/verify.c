#include "tools/core/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/core/limits.h"
#include "tools/core/utf8.h"

/* The struct that is looked at, and those that lead to it. */
struct trail {
    const struct trail *parent;
    const struct tr_type *type;
    size_t depth;
};

enum tr_status tr_verify_refuse(const struct tr_type *type, const struct tr_field *field,
                                struct tr_fault *reterr, const char *format, ...)
{
    char what[TR_FAULT_WHAT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    char where[TR_FAULT_WHERE_BYTES];
    (void)snprintf(where, sizeof(where), "%s%s%s", type->name, field != NULL ? "." : "",
                   field != NULL ? field->name : "");
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, where, "%s", what);
}

/* No request nests deeper than TR_MAX_JSON_DEPTH, so no struct needs to. */
static enum tr_status verify_trail(const struct trail *trail, struct tr_fault *reterr)
{
    for (const struct trail *above = trail->parent; above != NULL; above = above->parent) {
        if (above->type == trail->type) {
            return tr_verify_refuse(trail->type, NULL, reterr,
                                    "The struct contains itself; use a json_t * member for trees");
        }
    }
    if (trail->depth > TR_MAX_JSON_DEPTH) {
        return tr_verify_refuse(trail->type, NULL, reterr, "Structs nest more than %d deep",
                                (int)TR_MAX_JSON_DEPTH);
    }
    return TR_OK;
}

static enum tr_status verify_names(const struct tr_type *type, struct tr_fault *reterr)
{
    const struct tr_field *rest = NULL;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        if (tr_type_field(type, field->name) != field) {
            return tr_verify_refuse(type, field, reterr, "The member is described twice");
        }
        if (field->is_rest && rest != NULL) {
            return tr_verify_refuse(type, field, reterr,
                                    "Only one member can be TR_REST; '%s' is one already",
                                    rest->name);
        }
        rest = field->is_rest ? field : rest;
    }
    return TR_OK;
}

static enum tr_status verify_head(const struct tr_type *type, struct tr_fault *reterr)
{
    if (type->description == NULL || type->description[0] == '\0') {
        return tr_verify_refuse(type, NULL, reterr, "The struct has no description");
    }
    if (type->field_count == 0 && type != &tr_empty_type) {
        return tr_verify_refuse(type, NULL, reterr,
                                "The struct has no fields; use tr_empty where there are none");
    }
    return TR_OK;
}

static enum tr_status verify_type(const struct trail *trail, struct tr_fault *reterr)
{
    const struct tr_type *type = trail->type;
    TR_TRY(verify_trail(trail, reterr));
    TR_TRY(verify_head(type, reterr));
    for (size_t i = 0; i < type->field_count; i++) {
        const struct tr_field *field = &type->fields[i];
        if (strcmp(field->of, type->name) != 0) {
            return tr_verify_refuse(type, field, reterr, "The member belongs to struct %s",
                                    field->of);
        }
        TR_TRY(tr_verify_field(type, field, reterr));
        if (field->type != NULL) {
            const struct trail below = {
                .parent = trail,
                .type = field->type,
                .depth = trail->depth + 1,
            };
            TR_TRY(verify_type(&below, reterr));
        }
    }
    TR_TRY(verify_names(type, reterr));
    TR_TRY(tr_verify_layout(type, reterr));
    return type->any_of ? tr_verify_alternatives(type, reterr) : TR_OK;
}

enum tr_status tr_type_verify(const struct tr_type *type, struct tr_fault *reterr)
{
    const struct trail root = { .type = type, .depth = 1 };
    if (type->any_of) {
        return tr_verify_refuse(type, NULL, reterr,
                                "Alternatives cannot stand at the root; make them a member");
    }
    TR_TRY(verify_type(&root, reterr));
    return tr_verify_values(type, reterr);
}
