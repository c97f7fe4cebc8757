/* settings.h - what an operator writes, bound to a struct by the same stages as a call's
 * parameters. */
#ifndef TR_TOOLS_CORE_SETTINGS_H
#define TR_TOOLS_CORE_SETTINGS_H

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_arena;
struct tr_type;

/* Bind `given` (NULL or null: nothing was said, all defaults) to a struct of `type` in `arena`,
 * which takes everything that the struct borrows from. Unknown members are refused with the nearest
 * name. TR_INVALID_PARAMETERS with the JSON Pointer in `reterr`, which repeats no value;
 * TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_settings_bind(const struct tr_type *type, const json_t *given,
                                            struct tr_arena *arena, const void **ret_settings,
                                            struct tr_fault *reterr);

#endif
