/* params.h - pipeline stages 2 to 5: what a caller sent becomes parameters that fit the schema.
 * JSON in, JSON out; needs a schema tree and no C struct, so every kind of tool uses it. */
#ifndef TR_TOOLS_CORE_PARAMS_H
#define TR_TOOLS_CORE_PARAMS_H

#include <stdbool.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_arena;
struct tr_report;
struct tr_schema;
struct tr_violations;

struct tr_params_rules {
    const json_t
        *defaults; /* the deployment's defaults, an object that already fits; may be NULL */
    bool is_exact; /* no coercion and no renaming of keys: the value as it is, or refused */
};

/* Run keys, defaults, coerce and check over *value, which the caller owns and which is changed or
 * replaced. TR_OK, TR_INVALID_PARAMETERS (see `found`: all violations at once), TR_NO_MEMORY or
 * TR_BODY_TOO_LARGE (the arena's limit).
 *
 * keys: at every object whose schema declares properties, an undeclared camelCase or PascalCase key
 * takes the declared snake_case name (reported in `renamed`; two keys for one name are refused,
 * code "duplicate"). A key that is still undeclared is: kept when the schema says
 * additionalProperties true or a schema, or has a matching patternProperties; refused when it says
 * false (code "additionalProperties", with the nearest declared name); dropped and reported in
 * `ignored` when it says nothing. defaults: an absent member takes the deployment's default, else
 * the schema's. null for a member that is optional and not nullable counts as absent. coerce:
 * DESIGN section 3, recursive, every converted place in `coerced`. check: check.h. */
TR_MUST_USE enum tr_status tr_params_prepare(const struct tr_schema *schema,
                                             const struct tr_params_rules *rules, json_t **value,
                                             struct tr_report *report, struct tr_violations *found);

/* The stages themselves, in the order in which tr_params_prepare() runs them. Each changes *value
 * in place and adds to `found`; TR_OK also when it found something, another status only when it
 * could not go on. */
TR_MUST_USE enum tr_status tr_keys(const struct tr_schema *schema, json_t **value,
                                   struct tr_report *report, struct tr_violations *found);
TR_MUST_USE enum tr_status tr_defaults(const struct tr_schema *schema,
                                       const struct tr_params_rules *rules, json_t **value,
                                       struct tr_violations *found);
TR_MUST_USE enum tr_status tr_coerce(const struct tr_schema *schema,
                                     const struct tr_params_rules *rules, json_t **value,
                                     struct tr_report *report, struct tr_violations *found);

#endif
