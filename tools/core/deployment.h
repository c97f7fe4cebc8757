/* deployment.h - an operator's own defaults for a tool's parameters, checked when they are loaded.
 */
#ifndef TR_TOOLS_CORE_DEPLOYMENT_H
#define TR_TOOLS_CORE_DEPLOYMENT_H

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_schema;

/* Coerce and check each member of `defaults` against the property of that name, so that a call can
 * take them as they are. Gives a new object. Refuses with TR_INVALID_PARAMETERS what is no object,
 * a name that is not declared (with the nearest one) and a value that does not fit; `reterr->where`
 * is "NAME.defaults.PROPERTY" with `tool_name` as NAME. */
TR_MUST_USE enum tr_status tr_deployment_defaults(const struct tr_schema *schema,
                                                  const json_t *defaults, const char *tool_name,
                                                  json_t **ret_defaults, struct tr_fault *reterr);

#endif
