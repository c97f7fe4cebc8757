/* request_schema.h - what a caller may send to a tool here: the author's schema with the
 * deployment's defaults. Every dialect and the OpenAPI document start from it. */
#ifndef TR_OPENAPI_REQUEST_SCHEMA_H
#define TR_OPENAPI_REQUEST_SCHEMA_H

#include <jansson.h>

#include "tools/core/compiler.h"

struct tr_entry;

/* JSON Schema of the tool's parameters. A parameter with a default of the deployment shows it as
 * `default` and is optional; only a default that holds a secret is not shown. Gives a new
 * reference, NULL when out of memory. */
TR_MUST_USE json_t *tr_request_schema(const struct tr_entry *entry);

#endif
