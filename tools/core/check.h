/* check.h - pipeline stage 5, and the only validator of the product: JSON against a schema tree. */
#ifndef TR_TOOLS_CORE_CHECK_H
#define TR_TOOLS_CORE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct tr_schema;
struct tr_place;
struct tr_violations;

/* Add everything that is wrong with `value` to `found`; `place` is where it stands, NULL for a
 * root. Message texts are the contract's (DESIGN 2): "Required parameter 'X' is missing",
 * "Parameter 'X' has invalid type. Expected: T", "Parameter 'X' must be one of: a, b", and
 * sentences of the same form for every other keyword. For a failed anyOf or oneOf it reports the
 * branch that got furthest. Never repeats a value. Bounded for any input and any schema: beyond
 * TR_CHECK_WORK steps or TR_MAX_CHECK_DEPTH levels the value does not fit, with the code
 * "complexity" at `place`. Allocates only where something is wrong, for more than 16 unique items,
 * and for propertyNames. */
void tr_check(const struct tr_schema *schema, const json_t *value, const struct tr_place *place,
              struct tr_violations *found);

/* The same for the parameters of a tool, whose integers are int64 (DESIGN 3): 1e300, an integer of
 * JSON Schema, is none here. */
void tr_check_parameters(const struct tr_schema *schema, const json_t *value,
                         const struct tr_place *place, struct tr_violations *found);

/* Does `value` fit, by the standard? Collects nothing. */
bool tr_check_fits(const struct tr_schema *schema, const json_t *value);

/* Does it fit as parameters do? For who asks many times in one call: takes the steps from *work,
 * which is 0 when they did not suffice. */
bool tr_check_fits_within(const struct tr_schema *schema, const json_t *value, uint64_t *work);

#endif
