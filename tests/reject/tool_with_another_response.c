/* gcc: passing argument 3 of 'run' from incompatible pointer type
 * clang: incompatible pointer types passing 'struct forecast_response \*' */
#include "tests/reject/forecast.h"

static enum tr_status run(struct tr_call *call, const struct forecast_request *request,
                          struct forecast_request *response)
{
    (void)call;
    *response = *request;
    return TR_OK;
}

TR_TOOL(forecast, run, forecast_request, forecast_response, .description = "Daily forecast");
