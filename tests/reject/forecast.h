/* forecast.h - a small tool's structs, for programs that must not compile. */
#ifndef TR_TESTS_REJECT_FORECAST_H
#define TR_TESTS_REJECT_FORECAST_H

#include <stdint.h>

#include "tools/core/descriptor.h"
#include "tools/core/tool.h"

struct forecast_request {
    const char *city;
    int64_t days;
};

struct forecast_response {
    double temperature;
};

extern const struct tr_type forecast_request_type, forecast_response_type;
extern const struct tr_tool forecast_tool;

#endif
