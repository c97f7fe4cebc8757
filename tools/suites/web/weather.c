/* weather - the present weather in a city, from a service that speaks like weatherapi.com. */

#include <math.h>

#include "tools/base/http_tool.h"
#include "tools/base/outbound_secret.h"
#include "tools/suites/web/foreign.h"
#include "tools/suites/web/web.h"

enum {
    ANSWER_BYTES = 64 * 1024,
    LINE_BYTES = 200, /* of a name or a description */
    SERVICE_TIMEOUT_MS = 10 * 1000,
};

/* What is no temperature on this planet is an error of the service. */
#define HOTTEST 1000.0

enum weather_unit { WEATHER_UNIT_ABSENT, WEATHER_CELSIUS, WEATHER_FAHRENHEIT };

static const char *const weather_unit_names[] = {
    [WEATHER_CELSIUS] = "celsius",
    [WEATHER_FAHRENHEIT] = "fahrenheit",
};

struct weather_request {
    const char *city;
    enum weather_unit unit;
};

struct weather_response {
    double temperature;
    enum weather_unit unit;
    const char *description;
    const char *city;
    const char *country;
};

static const struct tr_field weather_request_fields[] = {
    {
        TR_FIELD(weather_request, city),
        .description = "The city's name, in any language; with its country when there are several "
                       "of that name: 'Paris, Canada'",
        .length = TR_RANGE(1, 100),
        .required = true,
        .example_json = TR_JSON("Lisbon"),
    },
    {
        TR_ENUM(weather_request, unit, weather_unit),
        .description = "The unit of the temperature",
        .default_json = TR_JSON("celsius"),
    },
};
static TR_TYPE(weather_request, "A city");

static const struct tr_field weather_response_fields[] = {
    {
        TR_FIELD(weather_response, temperature),
        .description = "The temperature, rounded to one decimal",
        .required = true,
    },
    {
        TR_ENUM(weather_response, unit, weather_unit),
        .description = "The unit of the temperature",
        .required = true,
    },
    {
        TR_FIELD(weather_response, description),
        .description = "The weather in a few words",
        .required = true,
    },
    {
        TR_FIELD(weather_response, city),
        .description = "The place that was found, to be compared with the one that was meant",
        .required = true,
    },
    {
        TR_FIELD(weather_response, country),
        .description = "The country of the place",
    },
};
static TR_TYPE(weather_response, "The present weather");

static enum tr_status prepare(struct tr_call *call, const struct weather_request *request,
                              struct tr_outbound *outbound)
{
    const struct web_settings *settings = call->settings;
    if (settings->weather_api_key == NULL) {
        return tr_fail(call, "No weather service is configured: the operator must set "
                             "suites.web.weather_api_key");
    }
    const char *const segments[] = { "current.json" };
    const struct tr_out_header query[] = {
        { .name = "key", .value = settings->weather_api_key },
        { .name = "q", .value = request->city },
        { .name = "aqi", .value = "no" },
    };
    const struct tr_url_parts parts = {
        .base = settings->weather_base_url,
        .segments = segments,
        .segment_count = TR_COUNT_OF(segments),
        .query = query,
        .query_count = TR_COUNT_OF(query),
    };
    outbound->secret = settings->weather_api_key;
    outbound->timeout_ms = SERVICE_TIMEOUT_MS;
    outbound->max_bytes = ANSWER_BYTES;
    return tr_outbound_set_url(call, outbound, &parts);
}

/* A text of the service's, which might repeat the key. */
static const char *line_of(struct tr_call *call, const json_t *text)
{
    const struct web_settings *settings = call->settings;
    const char *line = tr_foreign_line(call, text, LINE_BYTES);
    return tr_without_secret(call, line, settings->weather_api_key);
}

/* ---- refusals ---- */

/* The service's own codes, as its documentation lists them. */
enum {
    KEY_MISSING = 1002,
    NO_SUCH_PLACE = 1006,
    KEY_INVALID = 2006,
    QUOTA_USED_UP = 2007,
    KEY_DISABLED = 2008,
    KEY_NOT_FOR_THIS = 2009,
};

static enum tr_status explain(struct tr_call *call, const struct weather_request *request,
                              int status, const json_t *error)
{
    const json_int_t code = json_integer_value(json_object_get(error, "code"));
    switch (code) {
    case NO_SUCH_PLACE:
        return tr_fail(call,
                       "City '%s' was not found; check its spelling or add the country, as in "
                       "'Paris, France'",
                       request->city);
    case KEY_MISSING:
    case KEY_INVALID:
    case KEY_DISABLED:
    case KEY_NOT_FOR_THIS:
        return tr_fail(call,
                       "The weather service does not accept the configured key (code %d); the "
                       "operator must check suites.web.weather_api_key",
                       (int)code);
    case QUOTA_USED_UP:
        return tr_fail(call, "The weather service has answered as often as the configured key "
                             "allows; try again later");
    default: break;
    }
    const char *message = line_of(call, json_object_get(error, "message"));
    if (message == NULL) {
        return TR_NO_MEMORY;
    }
    return tr_fail(call, "The weather service answered with HTTP status %d%s%s; try again later",
                   status, *message != '\0' ? ": " : "", message);
}

/* An error's document is JSON too; something in between may have answered instead. */
static enum tr_status refuse(struct tr_call *call, const struct weather_request *request,
                             const struct tr_inbound *inbound)
{
    const json_t *answer = NULL;
    const enum tr_status status = tr_inbound_json(call, inbound, &answer);
    if (status == TR_NO_MEMORY) {
        return status;
    }
    return explain(call, request, inbound->status, json_object_get(answer, "error"));
}

/* ---- the answer ---- */

static bool read_temperature(const json_t *current, enum weather_unit unit, double *ret_value)
{
    const json_t *value =
        json_object_get(current, unit == WEATHER_FAHRENHEIT ? "temp_f" : "temp_c");
    if (!json_is_number(value) || !(fabs(json_number_value(value)) <= HOTTEST)) {
        return false;
    }
    const double rounded = round(json_number_value(value) * 10) / 10;
    *ret_value = rounded == 0 ? 0 : rounded; /* never -0.0 */
    return true;
}

static enum tr_status read_texts(struct tr_call *call, const json_t *answer,
                                 struct weather_response *response)
{
    const json_t *location = json_object_get(answer, "location");
    const json_t *condition = json_object_get(json_object_get(answer, "current"), "condition");
    const char *country = line_of(call, json_object_get(location, "country"));
    response->city = line_of(call, json_object_get(location, "name"));
    response->description = line_of(call, json_object_get(condition, "text"));
    if (country == NULL || response->city == NULL || response->description == NULL) {
        return TR_NO_MEMORY;
    }
    response->country = *country != '\0' ? country : NULL;
    return TR_OK;
}

static enum tr_status receive(struct tr_call *call, const struct weather_request *request,
                              const struct tr_inbound *inbound, struct weather_response *response)
{
    if (inbound->status < 200 || inbound->status > 299) {
        return refuse(call, request, inbound);
    }
    const json_t *answer = NULL;
    TR_TRY(tr_inbound_json(call, inbound, &answer));
    response->unit = request->unit;
    if (!read_temperature(json_object_get(answer, "current"), request->unit,
                          &response->temperature)) {
        return tr_fail(call, "The weather service answered without a temperature; the operator "
                             "must check suites.web.weather_base_url");
    }
    return read_texts(call, answer, response);
}

TR_HTTP_TOOL(weather, prepare, receive, weather_request, weather_response,
             .description = "The present temperature and weather in a city. Use it for the weather "
                            "now; it gives no forecast.",
             .annotations = { .read_only = true, .idempotent = true, .open_world = true },
             .timeout_ms = 15000, .example_json = TR_JSON({ "city": "Lisbon", "unit": "celsius" }));
