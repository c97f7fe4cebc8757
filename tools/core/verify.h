/* verify.h - the parts of tr_type_verify() (descriptor.h): what is refused at start-up because the
 * compiler cannot see it. Each part looks at one thing and names struct and member. */
#ifndef TR_TOOLS_CORE_VERIFY_H
#define TR_TOOLS_CORE_VERIFY_H

#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

/* TR_INVALID_PARAMETERS with "struct.member" as the place; `field` NULL: only the struct. */
TR_PRINTF(4, 5)
enum tr_status tr_verify_refuse(const struct tr_type *type, const struct tr_field *field,
                                struct tr_fault *reterr, const char *format, ...);

/* Do the attributes of `field` make sense together and for its kind? */
TR_MUST_USE enum tr_status tr_verify_field(const struct tr_type *type, const struct tr_field *field,
                                           struct tr_fault *reterr);

/* Is every byte of the struct described that a member can lie on, in the order of the struct? */
TR_MUST_USE enum tr_status tr_verify_layout(const struct tr_type *type, struct tr_fault *reterr);

/* Of a struct of alternatives: can each value belong to one of them only? Binding takes the first
 * that fits by form, so this is what makes it the right one. */
TR_MUST_USE enum tr_status tr_verify_alternatives(const struct tr_type *type,
                                                  struct tr_fault *reterr);

/* Does every default and example, in `type` and below it, obey the schema of its own member?
 * Everything else must have been verified before. */
TR_MUST_USE enum tr_status tr_verify_values(const struct tr_type *type, struct tr_fault *reterr);

#endif
