/* references.h - a JSON Schema that becomes a part of a larger document: its references must lead
 * to where its pieces are from now on. */
#ifndef TR_OPENAPI_REFERENCES_H
#define TR_OPENAPI_REFERENCES_H

#include <jansson.h>

/* Add `schema`, whose reference is taken, to `components` as `name`, and each of its `$defs` as
 * "<name>.<definition>" beside it, with every `$ref` led there. When memory runs out, `*components`
 * becomes NULL, as in build.h. */
void tr_references_put_component(json_t **components, const char *name, json_t *schema);

#endif
