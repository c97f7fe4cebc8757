/* catalog.h - what the gateway says about itself, rendered once per registry snapshot and caller
 * scope, not per request: the tool lists in every dialect, the tools one by one, the plugins, the
 * OpenAPI document. */
#ifndef TR_SERVER_CATALOG_H
#define TR_SERVER_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include "middleware/keyring.h"
#include "tools/core/compiler.h"
#include "tools/core/registry.h"

struct tr_blob;
struct tr_catalog;
struct tr_dialect;

struct tr_catalog_facts {
    struct tr_registry *registry;     /* takes a reference of its own */
    const struct tr_keyring *keyring; /* borrowed; NULL: no keys, one scope that sees everything */
    const char *external_url;         /* NULL: none */
};

/* NULL when out of memory. Documents are rendered on first use, under the catalog's own lock, and
 * kept. */
TR_MALLOC struct tr_catalog *tr_catalog_new(const struct tr_catalog_facts *facts);
void tr_catalog_free(struct tr_catalog *catalog); /* NULL is accepted */

/* Each gives one reference, or NULL when out of memory. `principal` NULL: the scope of a gateway
 * without keys. */
TR_MUST_USE struct tr_blob *tr_catalog_tools(struct tr_catalog *catalog,
                                             const struct tr_principal *principal,
                                             const struct tr_dialect *dialect);
TR_MUST_USE struct tr_blob *tr_catalog_openapi(struct tr_catalog *catalog,
                                               const struct tr_principal *principal);
TR_MUST_USE struct tr_blob *tr_catalog_plugins(struct tr_catalog *catalog,
                                               const struct tr_principal *principal);
TR_MUST_USE struct tr_blob *tr_catalog_tool(struct tr_catalog *catalog,
                                            const struct tr_entry *entry,
                                            const struct tr_dialect *dialect);

/* A filtered list is rendered anew: `category`, `suite` and `query` (words that must all occur in
 * name, description or category, any case) may each be NULL. */
TR_MUST_USE struct tr_blob *tr_catalog_filtered(struct tr_catalog *catalog,
                                                const struct tr_principal *principal,
                                                const struct tr_dialect *dialect,
                                                const char *category, const char *suite,
                                                const char *query);

#endif
