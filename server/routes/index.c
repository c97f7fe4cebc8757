/* GET / - where everything is. A browser gets the same JSON as everybody else as long as there is
 * no page that it could be sent to. */
#include <string.h>

#include "openapi/build.h"
#include "openapi/dialect.h"
#include "server/app.h"
#include "server/route.h"
#include "server/routes/answer_json.h"

static json_t *describe_methods(const struct tr_route *route)
{
    json_t *out = json_array();
    if (route->get != NULL) {
        tr_build_add_text(&out, "GET");
    }
    if (route->post != NULL) {
        tr_build_add_text(&out, "POST");
    }
    return out;
}

/* The path from the root of the gateway, or the whole URL where the gateway knows its own. */
static json_t *describe_address(const struct tr_app *app, const struct tr_route *route)
{
    const char *url = app->config->file->server.external_url;
    size_t length = url != NULL ? strlen(url) : 0;
    while (length > 0 && url[length - 1] == '/') {
        length--;
    }
    return tr_build_printf("%.*s%s", (int)length, url != NULL ? url : "", route->pattern);
}

static json_t *describe_links(const struct tr_app *app)
{
    size_t count;
    const struct tr_route *routes = tr_routes(&count);
    json_t *out = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *link = json_object();
        tr_build_put(&link, "href", describe_address(app, &routes[i]));
        tr_build_put(&link, "methods", describe_methods(&routes[i]));
        tr_build_put_text(&link, "title", routes[i].title);
        tr_build_add(&out, link);
    }
    return out;
}

static json_t *describe_formats(void)
{
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    json_t *out = json_array();
    for (size_t i = 0; i < count; i++) {
        tr_build_add_text(&out, dialects[i]->name);
    }
    return out;
}

bool tr_route_index(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    (void)pending;
    json_t *out = json_object();
    tr_build_put_text(&out, "name", "toolrest");
    tr_build_put_text(&out, "version", TR_VERSION);
    tr_build_put(&out, "links", describe_links(app));
    tr_build_put(&out, "formats", describe_formats());
    return tr_answer_json(exchange, out);
}
