/* web_search - results of a SearXNG instance, or of any service that answers like one. */

#include <string.h>

#include "tools/base/http_tool.h"
#include "tools/suites/web/foreign.h"
#include "tools/suites/web/web.h"

enum {
    ANSWER_BYTES = 2 * 1024 * 1024,
    TITLE_BYTES = 300,
    SNIPPET_BYTES = 1000,
    URL_BYTES = 2048,
    MAX_COUNT = 20,
    SERVICE_TIMEOUT_MS = 20 * 1000,
};

struct web_search_request {
    const char *query;
    int64_t count;
    const char *language;
};

struct web_search_result {
    const char *title;
    const char *url;
    const char *snippet;
};

struct web_search_response {
    TR_SPAN(struct web_search_result) results;
};

static const struct tr_field web_search_request_fields[] = {
    {
        TR_FIELD(web_search_request, query),
        .description = "What to search for: a few words, as for any search engine",
        .length = TR_RANGE(1, 500),
        .required = true,
        .example_json = TR_JSON("history of the lathe"),
    },
    {
        TR_FIELD(web_search_request, count),
        .description = "How many results to give at most",
        .range = TR_RANGE(1, MAX_COUNT),
        .default_json = TR_JSON(10),
    },
    {
        TR_FIELD(web_search_request, language),
        .description = "Search in this language only: a tag like 'en' or 'pt-BR'; any language "
                       "when left out",
        .length = TR_RANGE(2, 20),
        .pattern = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        .example_json = TR_JSON("en"),
    },
};
static TR_TYPE(web_search_request, "What to search for");

static const struct tr_field web_search_result_fields[] = {
    {
        TR_FIELD(web_search_result, title),
        .description = "The title of the page",
        .required = true,
    },
    {
        TR_FIELD(web_search_result, url),
        .description = "Where the page is; fetch_page reads it",
        .required = true,
    },
    {
        TR_FIELD(web_search_result, snippet),
        .description = "A passage of the page, or a word on it; empty when there is none",
        .required = true,
    },
};
static TR_TYPE(web_search_result, "A page that was found");

static const struct tr_field web_search_response_fields[] = {
    {
        TR_LIST_OF(web_search_response, results, web_search_result),
        .description = "The pages that were found, the best first",
        .required = true,
    },
};
static TR_TYPE(web_search_response, "What was found");

static enum tr_status prepare(struct tr_call *call, const struct web_search_request *request,
                              struct tr_outbound *outbound)
{
    const struct web_settings *settings = call->settings;
    if (settings->search_url == NULL) {
        return tr_fail(call, "No search service is configured: the operator must set "
                             "suites.web.search_url to the URL of a SearXNG instance");
    }
    const char *const segments[] = { "search" };
    const struct tr_out_header query[] = {
        { .name = "q", .value = request->query },
        { .name = "format", .value = "json" },
        { .name = "language", .value = request->language },
    };
    const struct tr_url_parts parts = {
        .base = settings->search_url,
        .segments = segments,
        .segment_count = TR_COUNT_OF(segments),
        .query = query,
        .query_count = TR_COUNT_OF(query),
    };
    outbound->timeout_ms = SERVICE_TIMEOUT_MS;
    outbound->max_bytes = ANSWER_BYTES;
    TR_TRY(tr_outbound_set_header(call, outbound, "Accept", "application/json"));
    return tr_outbound_set_url(call, outbound, &parts);
}

static enum tr_status refuse(struct tr_call *call, int status)
{
    switch (status) {
    case 403:
        return tr_fail(call, "The search service does not give its results as JSON; the operator "
                             "must allow the format json in its settings (search.formats)");
    case 429:
        return tr_fail(call, "The search service has had too many questions; try again later");
    default:
        return tr_fail(call, "The search service answered with HTTP status %d; try again later",
                       status);
    }
}

/* A result without a web address is none; *ret_is_kept says so. */
static enum tr_status read_result(struct tr_call *call, const json_t *item,
                                  struct web_search_result *ret_result, bool *ret_is_kept)
{
    const json_t *url = json_object_get(item, "url");
    *ret_is_kept = json_string_length(url) <= URL_BYTES;
    ret_result->url = tr_foreign_line(call, url, URL_BYTES);
    ret_result->title = tr_foreign_line(call, json_object_get(item, "title"), TITLE_BYTES);
    ret_result->snippet = tr_foreign_line(call, json_object_get(item, "content"), SNIPPET_BYTES);
    if (ret_result->url == NULL || ret_result->title == NULL || ret_result->snippet == NULL) {
        return TR_NO_MEMORY;
    }
    *ret_is_kept &=
        strncmp(ret_result->url, "http://", 7) == 0 || strncmp(ret_result->url, "https://", 8) == 0;
    return TR_OK;
}

static enum tr_status receive(struct tr_call *call, const struct web_search_request *request,
                              const struct tr_inbound *inbound,
                              struct web_search_response *response)
{
    if (inbound->status < 200 || inbound->status > 299) {
        return refuse(call, inbound->status);
    }
    const json_t *answer = NULL;
    TR_TRY(tr_inbound_json(call, inbound, &answer));
    const json_t *found = json_object_get(answer, "results");
    if (!json_is_array(found)) {
        return tr_fail(call, "The search service answered without results; the operator must check "
                             "suites.web.search_url");
    }
    struct web_search_result *results = TR_NEW(&call->arena, struct web_search_result, MAX_COUNT);
    if (results == NULL) {
        return TR_NO_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(found) && count < (size_t)request->count; i++) {
        bool is_kept = false;
        TR_TRY(read_result(call, json_array_get(found, i), &results[count], &is_kept));
        count += is_kept;
    }
    response->results.items = results;
    response->results.count = count;
    return TR_OK;
}

TR_HTTP_TOOL(
    web_search, prepare, receive, web_search_request, web_search_response,
    .description = "Search the web. Use it to find pages about something, then read them with "
                   "fetch_page: a result is only a title, an address and a short passage.",
    .annotations = { .read_only = true, .idempotent = true, .open_world = true },
    .timeout_ms = 25000, .example_json = TR_JSON({ "query": "history of the lathe", "count": 5 }));
