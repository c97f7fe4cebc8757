/* member.h - what binding, unbinding, verification and compilation ask about one described member.
 */
#ifndef TR_TOOLS_CORE_MEMBER_H
#define TR_TOOLS_CORE_MEMBER_H

#include <stdbool.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_place;

/* "string", "list" and so on, for error texts. */
const char *tr_kind_name(enum tr_kind kind);

/* Is the scalar kept in a struct tr_opt_...? Items of a list never are. */
static inline bool tr_member_is_boxed(const struct tr_field *field)
{
    return field->optional && field->kind != TR_KIND_LIST;
}

/* Is the object kept behind a pointer? Items of a list never are. */
static inline bool tr_member_is_pointer(const struct tr_field *field)
{
    return field->kind == TR_KIND_OBJECT && field->optional;
}

/* Can the C member say that it is absent? A struct of alternatives can: its `choice` is 0 then. */
static inline bool tr_member_can_be_absent(const struct tr_field *field)
{
    return field->optional || (field->kind == TR_KIND_OBJECT && field->type->any_of);
}

/* Is the member at `in` absent? */
bool tr_member_is_absent(const struct tr_field *field, const void *in);

/* The default or example `text` of a table that has been verified, so that only memory can be
 * missing: NULL then. Gives a new reference. */
TR_MUST_USE json_t *tr_member_json(const char *text);

/* tr_refuse() with the JSON Pointer of `place`. */
TR_PRINTF(4, 5)
enum tr_status tr_refuse_at(enum tr_status status, struct tr_fault *fault,
                            const struct tr_place *place, const char *format, ...);

#endif
