/* gcc: passing argument 2 of 'run' from incompatible pointer type
 * clang: incompatible pointer types passing 'const struct forecast_request \*' */
#include "tests/reject/forecast.h"

static enum tr_status run(struct tr_call *call, const struct forecast_response *request,
                          struct forecast_response *response)
{
    (void)call;
    *response = *request;
    return TR_OK;
}

TR_TOOL(forecast, run, forecast_request, forecast_response, .description = "Daily forecast");
