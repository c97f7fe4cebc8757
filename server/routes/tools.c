/* GET /tools - the tools that the caller may use, in the dialect of ?format=. */
#include <stddef.h>

#include "middleware/blob.h"
#include "server/app.h"
#include "server/catalog.h"
#include "server/route.h"
#include "server/routes/format.h"

/* A query parameter without a value asks for nothing. */
static const char *query_value(struct tr_exchange *exchange, const char *name)
{
    const char *value = tr_exchange_query(exchange, name);
    return value != NULL && *value != '\0' ? value : NULL;
}

bool tr_route_tools(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    (void)pending;
    const struct tr_dialect *dialect = tr_route_format(exchange);
    if (dialect == NULL) {
        return true;
    }
    const struct tr_catalog_filter filter = {
        .category = query_value(exchange, "category"),
        .suite = query_value(exchange, "suite"),
        .query = query_value(exchange, "q"),
    };
    struct tr_blob *blob = tr_catalog_tools(app->catalog, exchange->principal, dialect, &filter);
    tr_answer_blob(exchange, blob, "application/json");
    return true;
}
