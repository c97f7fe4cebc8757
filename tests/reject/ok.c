/* The control: what the other programs get wrong, done right. It must compile. */
#include <jansson.h>

#include "tests/reject/forecast.h"

enum sky { SKY_ABSENT, SKY_CLEAR, SKY_CLOUDY };
static const char *const sky_names[] = { [SKY_CLEAR] = "clear", [SKY_CLOUDY] = "cloudy" };

struct wind {
    double speed;
};
static const struct tr_field wind_fields[] = {
    { TR_FIELD(wind, speed), .description = "In metres per second" },
};
TR_TYPE(wind, "Moving air");

struct place {
    int choice;
    union {
        const char *city;
        int64_t station;
    };
};
static const struct tr_field place_fields[] = {
    { TR_FIELD(place, city), .description = "A name" },
    { TR_FIELD(place, station), .description = "A number" },
};
TR_ANY_OF_TYPE(place, "A place");

struct report {
    struct place place;
    struct wind wind;
    const struct wind *gust;
    enum sky sky;
    TR_SPAN(const char *) notes;
    TR_SPAN(enum sky) skies;
    TR_SPAN(struct wind) winds;
    TR_SPAN(json_t *) readings;
    struct tr_opt_int days;
    struct tr_null nothing;
    json_t *hints;
    json_t *rest;
};
static const struct tr_field report_fields[] = {
    { TR_OBJECT(report, place, place), .description = "Where" },
    { TR_OBJECT(report, wind, wind), .description = "Now" },
    { TR_OBJECT(report, gust, wind), .description = "At most" },
    { TR_ENUM(report, sky, sky), .description = "Now" },
    { TR_LIST(report, notes), .description = "Words" },
    { TR_LIST_OF_ENUM(report, skies, sky), .description = "Later" },
    { TR_LIST_OF(report, winds, wind), .description = "Later" },
    { TR_LIST(report, readings), .description = "As they came" },
    { TR_FIELD(report, days), .description = "How many" },
    { TR_FIELD(report, nothing), .description = "Nothing" },
    { TR_FIELD(report, hints), .description = "Anything" },
    { TR_REST(report, rest), .description = "All else" },
};
extern const struct tr_type report_type;
TR_TYPE(report, "The weather");

static const char *check(struct tr_call *call, const struct forecast_request *request)
{
    (void)call;
    return request->days > 0 ? NULL : "There is nothing to forecast";
}
TR_VALIDATOR(check, forecast_request)

static enum tr_status run(struct tr_call *call, const struct forecast_request *request,
                          struct forecast_response *response)
{
    (void)call;
    response->temperature = (double)request->days;
    return TR_OK;
}

TR_TOOL(forecast, run, forecast_request, forecast_response, .description = "Daily forecast",
        .validate = check_entry);
