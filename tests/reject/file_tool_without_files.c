/* gcc: too many arguments to function 'run'
 * clang: too many arguments to function call */
#include "tests/reject/forecast.h"
#include "tools/base/file_tool.h"

static enum tr_status run(struct tr_call *call, const struct forecast_request *request,
                          struct forecast_response *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_OK;
}

TR_FILE_TOOL(forecast, run, forecast_request, forecast_response, .description = "Daily forecast");
