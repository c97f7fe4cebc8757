/* document_parts.h - the pieces that document.c puts together; for the files of the document only.
 */
#ifndef TR_OPENAPI_DOCUMENT_PARTS_H
#define TR_OPENAPI_DOCUMENT_PARTS_H

#include <stdbool.h>

#include <jansson.h>

#include "openapi/document.h"

struct tr_entry;

enum { TR_HTTP_STATUS_END = 600 };

/* A document while it grows. The json_t members are owned and become NULL when memory runs out, as
 * in build.h. */
struct tr_document {
    const struct tr_document_facts *facts;
    json_t *paths;
    json_t *schemas;                  /* of the components */
    bool answers[TR_HTTP_STATUS_END]; /* problem responses that an operation refers to */
};

/* The tag of the gateway's own operations. */
#define TR_DOCUMENT_TAG "gateway"

/* The paths of the gateway itself. */
void tr_document_add_gateway(struct tr_document *document);

/* The path of one tool, and its schemas. */
void tr_document_add_tool(struct tr_document *document, const struct tr_entry *entry);

/* The schemas that are the same in every document, and those of the dialects. */
void tr_document_add_schemas(struct tr_document *document);

/* The component objects besides the schemas. */
json_t *tr_document_responses(const struct tr_document *document);
json_t *tr_document_parameters(void);
json_t *tr_document_headers(void);
json_t *tr_document_security_schemes(void);

/* ---- for operations ---- */

/* Who may call an operation, and what it may answer besides success. */
struct tr_operation_rules {
    bool is_public;      /* needs no credential */
    bool has_etag;       /* can be asked for conditionally */
    const int *problems; /* HTTP statuses beyond those of every operation; ends with 0 */
};

/* The `responses` of an operation whose success has the media type application/json and this
 * content: {"schema": ..., "example": ...}, a reference that is taken. */
json_t *tr_document_operation_responses(struct tr_document *document,
                                        const struct tr_operation_rules *rules,
                                        const char *description, json_t *content);

/* {"$ref": "#/components/<kind>/<name>"} */
json_t *tr_document_ref(const char *kind, const char *name);

#endif
