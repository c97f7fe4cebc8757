/* GET /plugins - the suites and plugins that are loaded, with the tools that the caller may use. */
#include "middleware/blob.h"
#include "server/app.h"
#include "server/catalog.h"
#include "server/route.h"

bool tr_route_plugins(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    (void)pending;
    tr_answer_blob(exchange, tr_catalog_plugins(app->catalog, exchange->principal),
                   "application/json");
    return true;
}
