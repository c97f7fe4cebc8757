/* web.h - the suite of tools that reach out to the web. */
#ifndef TR_TOOLS_SUITES_WEB_WEB_H
#define TR_TOOLS_SUITES_WEB_WEB_H

#include "tools/core/suite.h"
#include "tools/core/tool.h"

/* What an operator writes as `suites: {web: {...}}`, besides `network`, which belongs to the HTTP
 * base. NULL: not configured. */
struct web_settings {
    const char *weather_base_url;
    const char *weather_api_key;
    const char *search_url;
};

extern const struct tr_tool fetch_page_tool, http_request_tool, weather_tool, web_search_tool;

extern const struct tr_suite web_suite;

#endif
