#include "openapi/document.h"
#include "server/route.h"
#include "tests/unit/server/route_fixture.h"

static struct route_fixture fixture;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture, true, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static const struct tr_answer *get(const char *path, const char *query)
{
    return fixture_ask(&fixture,
                       (struct asked){ .path = path, .query = query, .principal = fixture.all });
}

static void assert_problem(const struct tr_answer *answer, int http_status, const char *detail)
{
    json_auto_t *problem = fixture_json(answer);
    assert_int_equal(answer->http_status, http_status);
    assert_string_equal(answer->content_type, "application/problem+json");
    assert_string_equal(json_string_value(json_object_get(problem, "detail")), detail);
}

/* ---- dispatch ---- */

static void each_route_is_found_by_its_path(void **state)
{
    (void)state;
    size_t count;
    const struct tr_route *routes = tr_routes(&count);
    for (size_t i = 0; i < count; i++) {
        char path[100];
        const size_t fixed = strcspn(routes[i].pattern, "{");
        (void)snprintf(path, sizeof(path), "%.*s%s", (int)fixed, routes[i].pattern,
                       routes[i].pattern[fixed] != '\0' ? "x" : "");

        (void)fixture_ask(&fixture, (struct asked){ .method = "OPTIONS", .path = path });

        assert_string_equal(fixture.exchange.route, routes[i].pattern);
        assert_true(strlen(routes[i].title) > 0);
    }
}

static void a_path_without_a_route_is_not_found(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "/nope", "/tools/a/b", "/tool", "/toolsx", "/problems", "*", "/tools/a/", "//",
    };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        assert_int_equal(get(paths[i], NULL)->http_status, 404);
        assert_null(fixture.exchange.route);
    }
}

struct method_case {
    const char *method, *path;
    int http_status;
    const char *allow;
};

static void a_method_without_a_handler_is_answered_with_those_that_have_one(void **state)
{
    (void)state;
    static const struct method_case cases[] = {
        { "DELETE", "/tools", 405, "GET, HEAD, OPTIONS" },
        { "POST", "/tools", 405, "GET, HEAD, OPTIONS" },
        { "GET", "/calls", 405, "POST, OPTIONS" },
        { "HEAD", "/calls", 405, "POST, OPTIONS" },
        { "PATCH", "/tools/note", 405, "GET, HEAD, POST, OPTIONS" },
        { "OPTIONS", "/tools/note", 204, "GET, HEAD, POST, OPTIONS" },
        { "OPTIONS", "/calls", 204, "POST, OPTIONS" },
        { "OPTIONS", "*", 204, "GET, HEAD, POST, OPTIONS" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct tr_answer *answer = fixture_ask(
            &fixture, (struct asked){ .method = cases[i].method, .path = cases[i].path });

        assert_int_equal(answer->http_status, cases[i].http_status);
        assert_string_equal(fixture_header(answer, "Allow"), cases[i].allow);
    }
}

static void head_is_answered_like_get(void **state)
{
    (void)state;
    const struct tr_answer *answer = fixture_ask(
        &fixture, (struct asked){ .method = "HEAD", .path = "/tools", .principal = fixture.all });

    assert_int_equal(answer->http_status, 200);
    assert_non_null(fixture_header(answer, "ETag"));
}

/* ---- the routes ---- */

static void the_index_links_to_every_route(void **state)
{
    (void)state;
    size_t count;
    const struct tr_route *routes = tr_routes(&count);
    json_auto_t *index = fixture_json(get("/", NULL));
    const json_t *links = json_object_get(index, "links");

    assert_int_equal(json_array_size(links), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *link = json_array_get(links, i);
        const json_t *methods = json_object_get(link, "methods");
        assert_string_equal(json_string_value(json_object_get(link, "href")), routes[i].pattern);
        assert_int_equal(json_array_size(methods),
                         (routes[i].get != NULL) + (routes[i].post != NULL));
    }
}

static void the_index_has_whole_urls_where_the_gateway_knows_its_own(void **state)
{
    (void)state;
    fixture.file.server.external_url = "https://gateway.example.net/gw/";
    json_auto_t *index = fixture_json(get("/", NULL));
    const json_t *link = json_array_get(json_object_get(index, "links"), 1);

    assert_string_equal(json_string_value(json_object_get(link, "href")),
                        "https://gateway.example.net/gw/tools");
}

static void tools_are_listed_in_the_dialect_that_was_asked_for(void **state)
{
    (void)state;
    json_auto_t *native = fixture_json(get("/tools", NULL));
    json_auto_t *openai = fixture_json(get("/tools", "format=openai&unknown=1"));
    json_auto_t *empty = fixture_json(get("/tools", "format="));

    assert_int_equal(json_array_size(json_object_get(native, "tools")), 3);
    assert_int_equal(json_array_size(openai), 3);
    assert_true(json_equal(native, empty));
}

static void an_unknown_dialect_is_refused_with_the_known_ones(void **state)
{
    (void)state;
    static const char detail[] = "Query parameter 'format' must be one of: native, json-schema, "
                                 "openai, ollama; not 'xml'";
    assert_problem(get("/tools", "format=xml"), 400, detail);
    assert_problem(get("/tools/note", "format=xml"), 400, detail);
}

static void a_list_can_be_filtered(void **state)
{
    (void)state;
    static const struct {
        const char *query;
        size_t count;
    } cases[] = {
        { "category=travel", 2 }, { "category=", 3 },  { "category=travel&q=hotel", 1 },
        { "suite=described", 3 }, { "suite=none", 0 }, { "q=HOTEL+room", 1 },
        { "q=hotel+nothing", 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *list = fixture_json(get("/tools", cases[i].query));
        assert_int_equal(json_array_size(json_object_get(list, "tools")), cases[i].count);
    }
}

static void what_has_not_changed_is_not_sent_again(void **state)
{
    (void)state;
    static const char *const paths[] = { "/tools", "/tools/note", "/plugins", "/openapi.json" };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        char etag[32];
        const struct tr_answer *first = get(paths[i], NULL);
        assert_non_null(strstr(fixture_header(first, "Cache-Control"), "private"));
        (void)snprintf(etag, sizeof(etag), "%s", fixture_header(first, "ETag"));

        const struct tr_answer *second = fixture_ask(
            &fixture,
            (struct asked){ .path = paths[i], .principal = fixture.all, .if_none_match = etag });

        size_t length;
        assert_int_equal(second->http_status, 304);
        assert_string_equal(tr_answer_bytes(second, &length), "");
        assert_int_equal(length, 0);
    }
}

static void a_tool_is_shown_to_those_who_may_use_it(void **state)
{
    (void)state;
    json_auto_t *tool = fixture_json(get("/tools/note", NULL));
    assert_string_equal(json_string_value(json_object_get(tool, "name")), "note");
    assert_string_equal(fixture.exchange.tool_name, "note");

    const struct asked book = { .path = "/tools/book", .principal = fixture.some };
    assert_problem(fixture_ask(&fixture, book), 403, "Your key does not allow the tool 'book'");
}

static void an_unknown_tool_is_refused_with_the_nearest_that_the_caller_may_use(void **state)
{
    (void)state;
    const struct asked visible = { .path = "/tools/notes", .principal = fixture.some };
    const struct asked hidden = { .path = "/tools/bok", .principal = fixture.some };

    assert_problem(fixture_ask(&fixture, visible), 404,
                   "Tool 'notes' not found; did you mean 'note'?");
    assert_problem(fixture_ask(&fixture, hidden), 404, "Tool 'bok' not found");
    assert_problem(get("/tools/bok", NULL), 404, "Tool 'bok' not found; did you mean 'book'?");
}

static void the_document_and_the_plugins_are_those_of_the_caller(void **state)
{
    (void)state;
    const struct asked document = { .path = "/openapi.json", .principal = fixture.some };
    const struct asked plugins = { .path = "/plugins", .principal = fixture.some };

    json_auto_t *shown = fixture_json(fixture_ask(&fixture, document));
    json_auto_t *loaded = fixture_json(fixture_ask(&fixture, plugins));

    const json_t *paths = json_object_get(shown, "paths");
    assert_non_null(json_object_get(paths, "/tools/note"));
    assert_null(json_object_get(paths, "/tools/book"));
    const json_t *suite = json_array_get(json_object_get(loaded, "plugins"), 0);
    assert_int_equal(json_array_size(json_object_get(suite, "tools")), 1);
}

static void the_probes_say_what_state_the_gateway_is_in(void **state)
{
    (void)state;
    assert_int_equal(get("/livez", NULL)->http_status, 200);
    assert_int_equal(get("/readyz", NULL)->http_status, 200);

    atomic_store(&fixture.app.is_ready, false);

    assert_int_equal(get("/livez", NULL)->http_status, 200);
    const struct tr_answer *answer = get("/readyz", NULL);
    assert_int_equal(answer->http_status, 503);
    assert_non_null(fixture_header(answer, "Retry-After"));
}

static void every_error_code_is_explained(void **state)
{
    (void)state;
    for (int i = 0; i < tr_status_count(); i++) {
        const struct tr_status_info *info = tr_status_info((enum tr_status)i);
        char path[100];
        (void)snprintf(path, sizeof(path), "/problems/%s", info->code);
        const struct tr_answer *answer = get(path, NULL);
        json_auto_t *problem = fixture_json(answer);

        if (info->http < 400) {
            assert_int_equal(answer->http_status, 404);
            continue;
        }
        assert_int_equal(answer->http_status, 200);
        assert_string_equal(json_string_value(json_object_get(problem, "type")), path);
        assert_string_equal(json_string_value(json_object_get(problem, "title")), info->title);
        assert_string_equal(json_string_value(json_object_get(problem, "advice")), info->advice);
        assert_int_equal(json_integer_value(json_object_get(problem, "status")), info->http);
    }
    assert_problem(get("/problems/nope", NULL), 404, "There is no error code 'nope'");
}

/* Nothing is served that the OpenAPI document does not have, and the other way round. */
static void the_routes_are_those_of_the_document(void **state)
{
    (void)state;
    json_auto_t *document = fixture_json(get("/openapi.json", NULL));
    const json_t *paths = json_object_get(document, "paths");
    size_t count;
    const struct tr_route *routes = tr_routes(&count);
    for (size_t i = 0; i < count; i++) {
        const bool is_tool = strcmp(routes[i].pattern, "/tools/{name}") == 0;
        const json_t *path = json_object_get(paths, is_tool ? "/tools/note" : routes[i].pattern);
        assert_int_equal(json_object_get(path, "get") != NULL, routes[i].get != NULL);
        assert_int_equal(json_object_get(path, "post") != NULL, routes[i].post != NULL);
    }
    /* Each tool has a path of its own where the table has one for all. */
    assert_int_equal(json_object_size(paths), count - 1 + described_suite.tool_count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_route_is_found_by_its_path),
        cmocka_unit_test(a_path_without_a_route_is_not_found),
        cmocka_unit_test(a_method_without_a_handler_is_answered_with_those_that_have_one),
        cmocka_unit_test(head_is_answered_like_get),
        cmocka_unit_test(the_index_links_to_every_route),
        cmocka_unit_test(tools_are_listed_in_the_dialect_that_was_asked_for),
        cmocka_unit_test(an_unknown_dialect_is_refused_with_the_known_ones),
        cmocka_unit_test(a_list_can_be_filtered),
        cmocka_unit_test(what_has_not_changed_is_not_sent_again),
        cmocka_unit_test(a_tool_is_shown_to_those_who_may_use_it),
        cmocka_unit_test(an_unknown_tool_is_refused_with_the_nearest_that_the_caller_may_use),
        cmocka_unit_test(the_document_and_the_plugins_are_those_of_the_caller),
        cmocka_unit_test(every_error_code_is_explained),
        cmocka_unit_test(the_routes_are_those_of_the_document),
        cmocka_unit_test(the_probes_say_what_state_the_gateway_is_in),
        cmocka_unit_test(the_index_has_whole_urls_where_the_gateway_knows_its_own),
    };
    return cmocka_run_group_tests(tests, start, end);
}
