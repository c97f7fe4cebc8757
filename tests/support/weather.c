#include "tests/support/weather.h"

static const char *const weather_units_names[] = {
    [WEATHER_METRIC] = "metric",
    [WEATHER_IMPERIAL] = "imperial",
};

static const struct tr_field weather_point_fields[] = {
    {
        TR_FIELD(weather_point, latitude),
        .description = "Degrees north",
        .range = TR_RANGE(-90, 90),
        .required = true,
    },
    {
        TR_FIELD(weather_point, longitude),
        .description = "Degrees east",
        .range = TR_RANGE(-180, 180),
        .required = true,
    },
};
static TR_TYPE(weather_point, "A point on the map");

static const struct tr_field weather_place_fields[] = {
    {
        TR_FIELD(weather_place, city),
        .description = "City name, in any language",
        .length = TR_RANGE(1, 80),
    },
    {
        TR_OBJECT(weather_place, point, weather_point),
        .description = "Exact position",
    },
};
static TR_ANY_OF_TYPE(weather_place, "A place");

static const struct tr_field weather_request_fields[] = {
    {
        TR_OBJECT(weather_request, place, weather_place),
        .description = "Where to look",
        .required = true,
        .example_json = TR_JSON("Lisbon"),
    },
    {
        TR_FIELD(weather_request, days),
        .description = "How many days ahead",
        .range = TR_RANGE(1, 14),
        .default_json = TR_JSON(3),
    },
    {
        TR_ENUM(weather_request, units, weather_units),
        .description = "Unit system",
        .default_json = TR_JSON("metric"),
    },
    {
        TR_LIST(weather_request, include),
        .description = "Extra sections to return",
        .count = TR_AT_MOST(5),
        .length = TR_RANGE(1, 20),
        .unique = true,
        .example_json = TR_JSON(["wind", "sun"]),
    },
    {
        TR_FIELD(weather_request, alerts),
        .description = "Whether to return warnings",
        .nullable = true,
    },
    {
        TR_FIELD(weather_request, hints),
        .description = "Anything the caller wants echoed",
    },
};
TR_TYPE(weather_request, "Where and how far ahead to look");

static const struct tr_field weather_day_fields[] = {
    {
        TR_FIELD(weather_day, date),
        .description = "Local day",
        .format = "date",
        .required = true,
    },
    {
        TR_FIELD(weather_day, high),
        .description = "Highest temperature",
        .required = true,
    },
    {
        TR_FIELD(weather_day, low),
        .description = "Lowest temperature",
        .required = true,
    },
    {
        TR_FIELD(weather_day, rain),
        .description = "Rain in millimetres; null when not measured",
        .required = true,
        .nullable = true,
    },
};
static TR_TYPE(weather_day, "One day");

static const struct tr_field weather_response_fields[] = {
    {
        TR_FIELD(weather_response, place),
        .description = "Place found",
        .required = true,
    },
    {
        TR_LIST_OF(weather_response, forecast, weather_day),
        .description = "One entry a day, soonest first",
        .required = true,
    },
    {
        TR_FIELD(weather_response, upstream_calls),
        .description = "How often the upstream was asked",
        .internal = true,
    },
};
TR_TYPE(weather_response, "Daily forecast");
