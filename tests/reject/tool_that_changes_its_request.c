/* gcc: passing argument 2 of 'run' discards 'const' qualifier
 * clang: passing 'const struct forecast_request \*' to parameter of type.*discards qualifiers */
#include "tests/reject/forecast.h"

static enum tr_status run(struct tr_call *call, struct forecast_request *request,
                          struct forecast_response *response)
{
    (void)call;
    request->days = 0;
    response->temperature = 0;
    return TR_OK;
}

TR_TOOL(forecast, run, forecast_request, forecast_response, .description = "Daily forecast");
