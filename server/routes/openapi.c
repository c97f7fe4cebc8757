/* GET /openapi.json - the OpenAPI document of what the caller may use. */
#include "middleware/blob.h"
#include "server/app.h"
#include "server/catalog.h"
#include "server/route.h"

bool tr_route_openapi(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    (void)pending;
    tr_answer_blob(exchange, tr_catalog_openapi(app->catalog, exchange->principal),
                   "application/json");
    return true;
}
