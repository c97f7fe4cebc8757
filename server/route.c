#include "server/route.h"

#include <string.h>

/* In the order in which the index lists them. */
static const struct tr_route routes[] = {
    {
        .pattern = "/",
        .title = "This index",
        .get = tr_route_index,
    },
    {
        .pattern = "/tools",
        .title = "The tools that you may use; ?format= gives a dialect, ?category=, ?suite= and "
                 "?q= choose",
        .get = tr_route_tools,
    },
    {
        .pattern = "/tools/{name}",
        .title = "One tool: GET describes it, POST calls it with a JSON object of parameters",
        .get = tr_route_tool_show,
        .post = tr_route_tool_call,
    },
    {
        .pattern = "/calls",
        .title = "Several calls at once, answered in order",
        .post = tr_route_calls,
    },
    {
        .pattern = "/plugins",
        .title = "The suites and plugins that are loaded, and their tools",
        .get = tr_route_plugins,
    },
    {
        .pattern = "/openapi.json",
        .title = "The OpenAPI 3.1 document of what you may use",
        .get = tr_route_openapi,
    },
    {
        .pattern = "/livez",
        .title = "Is the process alive?",
        .get = tr_route_livez,
    },
    {
        .pattern = "/readyz",
        .title = "Does the gateway take calls?",
        .get = tr_route_readyz,
    },
    {
        .pattern = "/problems/{code}",
        .title = "What an error code means and what to do about it",
        .get = tr_route_problem,
    },
};

enum { ROUTE_COUNT = sizeof(routes) / sizeof(routes[0]) };

const struct tr_route *tr_routes(size_t *ret_count)
{
    *ret_count = ROUTE_COUNT;
    return routes;
}

/* The variable segment is the last one and is never empty. */
static bool matches(const char *pattern, const char *path)
{
    const char *variable = strchr(pattern, '{');
    if (variable == NULL) {
        return strcmp(pattern, path) == 0;
    }
    const size_t fixed = (size_t)(variable - pattern);
    return strncmp(pattern, path, fixed) == 0 && path[fixed] != '\0'
           && strchr(path + fixed, '/') == NULL;
}

static const struct tr_route *find_route(const char *path)
{
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        if (matches(routes[i].pattern, path)) {
            return &routes[i];
        }
    }
    return NULL;
}

const char *tr_route_argument(const struct tr_exchange *exchange)
{
    const char *slash = strrchr(exchange->request.path, '/');
    return slash != NULL ? slash + 1 : exchange->request.path;
}

static const char *allowed_methods(const struct tr_route *route)
{
    if (route->get == NULL) {
        return "POST, OPTIONS";
    }
    return route->post == NULL ? "GET, HEAD, OPTIONS" : "GET, HEAD, POST, OPTIONS";
}

static tr_route_handler *handler_of(const struct tr_route *route, enum tr_method method)
{
    switch (method) {
    case TR_METHOD_GET:
    case TR_METHOD_HEAD: return route->get;
    case TR_METHOD_POST: return route->post;
    case TR_METHOD_OPTIONS:
    case TR_METHOD_OTHER: break;
    }
    return NULL;
}

static bool answer_options(struct tr_exchange *exchange, const char *allowed)
{
    tr_answer_header_constant(exchange, "Allow", allowed);
    tr_answer_empty(exchange, 204);
    return true;
}

static bool answer_unknown_path(struct tr_exchange *exchange)
{
    /* RFC 9110 section 9.3.7: "*" asks about the server as a whole. */
    if (exchange->request.method == TR_METHOD_OPTIONS && strcmp(exchange->request.path, "*") == 0) {
        return answer_options(exchange, "GET, HEAD, POST, OPTIONS");
    }
    tr_answer_problem(exchange, TR_NOT_FOUND, "There is nothing at '%s'", exchange->request.path);
    return true;
}

static bool answer_other_method(struct tr_exchange *exchange, const struct tr_route *route)
{
    const char *allowed = allowed_methods(route);
    if (exchange->request.method == TR_METHOD_OPTIONS) {
        return answer_options(exchange, allowed);
    }
    tr_answer_header_constant(exchange, "Allow", allowed);
    tr_answer_problem(exchange, TR_METHOD_NOT_ALLOWED, "Method %s is not allowed here; use %s",
                      exchange->request.method_text, allowed);
    return true;
}

bool tr_route(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    const struct tr_route *route = find_route(exchange->request.path);
    if (route == NULL) {
        return answer_unknown_path(exchange);
    }
    exchange->route = route->pattern;
    tr_route_handler *handler = handler_of(route, exchange->request.method);
    if (handler == NULL) {
        return answer_other_method(exchange, route);
    }
    return handler(app, exchange, pending);
}
