/* GET /tools/{name} - one tool, in the dialect of ?format=. */
#include <stddef.h>

#include "middleware/blob.h"
#include "server/app.h"
#include "server/catalog.h"
#include "server/find_tool.h"
#include "server/route.h"
#include "server/routes/format.h"
#include "tools/core/registry.h"

bool tr_route_tool_show(struct tr_app *app, struct tr_exchange *exchange,
                        struct tr_pending *pending)
{
    (void)pending;
    const struct tr_entry *entry = NULL;
    struct tr_fault fault = { 0 };
    const enum tr_status status =
        tr_find_tool(app, exchange->principal, tr_route_argument(exchange), &entry, &fault);
    if (status != TR_OK) {
        tr_answer_problem(exchange, status, "%s", fault.what);
        return true;
    }
    exchange->tool_name = entry->tool->name;
    const struct tr_dialect *dialect = tr_route_format(exchange);
    if (dialect != NULL) {
        tr_answer_blob(exchange, tr_catalog_tool(app->catalog, entry, dialect), "application/json");
    }
    return true;
}
