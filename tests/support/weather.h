/* weather.h - a sample tool's structs, with most of what a table can say; for tests of the core. */
#ifndef TR_TESTS_SUPPORT_WEATHER_H
#define TR_TESTS_SUPPORT_WEATHER_H

#include <stdint.h>

#include <jansson.h>

#include "tools/core/descriptor.h"

enum weather_units { WEATHER_UNITS_ABSENT, WEATHER_METRIC, WEATHER_IMPERIAL };

struct weather_point {
    double latitude, longitude;
};

/* A city name, or a point. */
struct weather_place {
    int choice;
    union {
        const char *city;
        struct weather_point point;
    };
};
enum { WEATHER_PLACE_CITY = 1, WEATHER_PLACE_POINT = 2 };

struct weather_request {
    struct weather_place place;
    int64_t days;
    enum weather_units units;
    TR_SPAN(const char *) include;
    struct tr_opt_bool alerts;
    json_t *hints;
};

struct weather_day {
    const char *date;
    double high, low;
    struct tr_opt_num rain;
};

struct weather_response {
    const char *place;
    TR_SPAN(struct weather_day) forecast;
    int64_t upstream_calls; /* internal */
};

extern const struct tr_type weather_request_type, weather_response_type;

#endif
