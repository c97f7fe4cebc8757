#include "tools/suites/web/web.h"

static const struct tr_field web_settings_fields[] = {
    {
        TR_FIELD(web_settings, weather_base_url),
        .description = "Where the weather service is: one that speaks like weatherapi.com",
        .format = "uri",
        .default_json = TR_JSON("https://api.weatherapi.com/v1"),
    },
    {
        TR_FIELD(web_settings, weather_api_key),
        .description = "The key for the weather service",
        .length = TR_AT_LEAST(1),
        .secret = true,
    },
    {
        TR_FIELD(web_settings, search_url),
        .description = "Where the search service is: a SearXNG instance that allows the format "
                       "json, as in https://search.example.com",
        .format = "uri",
    },
};
static TR_TYPE(web_settings, "The services that the web tools ask");

/* In the order in which callers see them. */
static const struct tr_tool *const web_tools[] = {
    &fetch_page_tool,
    &web_search_tool,
    &http_request_tool,
    &weather_tool,
};

const struct tr_suite web_suite = {
    TR_SUITE_HEADER,
    .name = "web",
    .version = "1.0.0",
    .description = "Pages, searches, HTTP requests and the weather: what is out there on the web",
    .tools = web_tools,
    .tool_count = TR_COUNT_OF(web_tools),
    .settings = &web_settings_type,
};
