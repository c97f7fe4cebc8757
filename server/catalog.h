/* catalog.h - what the gateway says about itself, rendered once per registry snapshot and caller
 * scope, not per request: the tool lists in every dialect, the tools one by one, the plugins, the
 * OpenAPI document. */
#ifndef TR_SERVER_CATALOG_H
#define TR_SERVER_CATALOG_H

#include "middleware/keyring.h"
#include "tools/core/compiler.h"
#include "tools/core/registry.h"

struct tr_blob;
struct tr_catalog;
struct tr_dialect;

struct tr_catalog_facts {
    struct tr_registry *registry; /* takes a reference of its own */
    /* Borrowed, as long as the catalog lives: */
    const struct tr_keyring *keyring; /* NULL: no keys, one scope that sees everything */
    const char *external_url;         /* without a slash at its end; NULL: none */
    const char *base_url;             /* what the curl lines start with */
};

/* Which tools of a list are wanted; a NULL member wants all. */
struct tr_catalog_filter {
    const char *category, *suite; /* exactly this */
    const char *query; /* words that must all occur in name, description or category, any case */
};

/* NULL when out of memory. Documents are rendered on first use, under the catalog's own lock, and
 * kept; from then on they are handed out without a lock. */
TR_MALLOC struct tr_catalog *tr_catalog_new(const struct tr_catalog_facts *facts);
void tr_catalog_free(struct tr_catalog *catalog); /* NULL is accepted */

/* Each gives one reference, or NULL when out of memory. `principal` NULL: the scope of a gateway
 * without keys; where there are keys it sees no tools. */

/* A list for which the filter wants everything is kept; any other is rendered anew. */
TR_MUST_USE struct tr_blob *tr_catalog_tools(struct tr_catalog *catalog,
                                             const struct tr_principal *principal,
                                             const struct tr_dialect *dialect,
                                             const struct tr_catalog_filter *filter);
TR_MUST_USE struct tr_blob *tr_catalog_openapi(struct tr_catalog *catalog,
                                               const struct tr_principal *principal);
TR_MUST_USE struct tr_blob *tr_catalog_plugins(struct tr_catalog *catalog,
                                               const struct tr_principal *principal);

/* Whether the caller may use the tool is not asked here. */
TR_MUST_USE struct tr_blob *tr_catalog_tool(struct tr_catalog *catalog,
                                            const struct tr_entry *entry,
                                            const struct tr_dialect *dialect);

#endif
