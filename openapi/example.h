/* example.h - values that show how a tool is called and what it answers. */
#ifndef TR_OPENAPI_EXAMPLE_H
#define TR_OPENAPI_EXAMPLE_H

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_entry;
struct tr_schema;

/* A value that fits `schema` as it is: from its examples, constants and defaults, else made up from
 * its types and limits. Of an object it has the required members and those with an example.
 * Gives a new reference, or TR_NOT_FOUND when none can be made, or TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_example_value(const struct tr_schema *schema, json_t **ret_value);

/* Parameters for the tool: the author's example, else tr_example_value(). */
TR_MUST_USE enum tr_status tr_example_parameters(const struct tr_entry *entry, json_t **ret_value);

#endif
