/* gcc: passing argument 2 of 'check' from incompatible pointer type
 * clang: incompatible pointer types passing 'const struct forecast_request \*' */
#include "tests/reject/forecast.h"

static const char *check(struct tr_call *call, const struct forecast_response *response)
{
    (void)call;
    return response->temperature > 0 ? NULL : "Too cold";
}

extern const char *(*const forecast_check)(struct tr_call *, const void *);
TR_VALIDATOR(check, forecast_request)
const char *(*const forecast_check)(struct tr_call *, const void *) = check_entry;
