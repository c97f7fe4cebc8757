/* document.h - the OpenAPI 3.1 document of what one caller may use. */
#ifndef TR_OPENAPI_DOCUMENT_H
#define TR_OPENAPI_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"

struct tr_entry;

struct tr_document_facts {
    const char *version;                   /* of the gateway */
    const char *external_url;              /* NULL: a relative server URL */
    bool needs_key;                        /* are there any credentials in force? */
    const struct tr_entry *const *entries; /* what the caller may use, in order */
    size_t entry_count;
};

/* A new reference, NULL when out of memory. Deterministic: the same facts give the same bytes.
 * Valid OpenAPI 3.1.0 (https://spec.openapis.org/oas/v3.1.0); `jsonSchemaDialect` is not set. */
TR_MUST_USE json_t *tr_document_render(const struct tr_document_facts *facts);

#endif
