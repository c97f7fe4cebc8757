/* GET /livez and /readyz - for whoever restarts the process, and whoever sends it traffic. Neither
 * looks at anything but the process itself. */
#include <stdatomic.h>

#include "server/app.h"
#include "server/route.h"

static bool answer_status(struct tr_exchange *exchange, const char *document)
{
    tr_text_add_string(&exchange->answer.body, document);
    tr_answer_ready(exchange, TR_OK, "application/json");
    return true;
}

bool tr_route_livez(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    (void)app;
    (void)pending;
    return answer_status(exchange, "{\"status\":\"alive\"}");
}

bool tr_route_readyz(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    (void)pending;
    if (!atomic_load(&app->is_ready)) {
        tr_answer_problem(exchange, TR_BUSY, "The gateway takes no calls: it starts or stops");
        return true;
    }
    return answer_status(exchange, "{\"status\":\"ready\"}");
}
