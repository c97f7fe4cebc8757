/* gcc: passing argument 3 of 'run' from incompatible pointer type
 * clang: incompatible pointer types passing 'const struct forecast_request \*' */
#include "tests/reject/forecast.h"
#include "tools/base/file_tool.h"

static enum tr_status run(struct tr_call *call, const struct tr_vfs *vfs,
                          const struct forecast_response *request,
                          struct forecast_response *response)
{
    (void)call;
    (void)vfs;
    *response = *request;
    return TR_OK;
}

TR_FILE_TOOL(forecast, run, forecast_request, forecast_response, .description = "Daily forecast");
