/* convert.h - one value to one declared type, or to one of the listed values (DESIGN section 3).
 * Pure: looks at the value alone, never at its members. */
#ifndef TR_TOOLS_CORE_CONVERT_H
#define TR_TOOLS_CORE_CONVERT_H

#include <stdbool.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

/* Does `value` have one of `types` (of enum tr_type_bit, 0 is any) as it is? A real never has the
 * type integer here, even when it is a whole number. */
bool tr_type_has(unsigned types, const json_t *value);

/* A scalar to the first of integer, number and boolean among `types` that it says exactly. Gives a
 * new reference, or NULL when it says none of them. */
TR_MUST_USE enum tr_status tr_convert_scalar(unsigned types, const json_t *value,
                                             json_t **ret_value);

/* The JSON text in the string `value`, when it holds an array or an object as `types` says.
 * Texts inside texts are unwrapped, each adds one to *level, up to TR_MAX_NESTED_TEXT. Gives a new
 * reference; NULL when it holds something else or is no JSON. */
TR_MUST_USE enum tr_status tr_convert_text(unsigned types, const json_t *value, size_t *level,
                                           json_t **ret_value);

/* Does the string hold something, and nothing that looks like the JSON text of an array or an
 * object, complete or not? */
bool tr_is_plain_text(const json_t *value);

/* The one value of the array `options` that the string `value` means: a text with the same letters
 * and digits whatever their case, '_' and '-', or a number or boolean that the text spells.
 * Borrowed from `options`; NULL when none or several are meant. */
const json_t *tr_convert_option(const json_t *options, const json_t *value);

#endif
