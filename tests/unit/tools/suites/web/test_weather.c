#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/http_tool.h"
#include "tools/core/descriptor.h"
#include "tools/suites/web/web.h"

#define KEY "sesame/key+1"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = http_registry(&web_suite, "{\"weather_base_url\":\"https://weather.example/v1/\","
                                         "\"weather_api_key\":\"" KEY "\"}");
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

#define ANSWER(current) \
    "{\"location\":{\"name\":\"Lisbon\",\"country\":\"Portugal\"},\"current\":{" current "}}"
#define SUNNY ANSWER("\"temp_c\":21.46,\"temp_f\":70.63,\"condition\":{\"text\":\"Sunny\"}")

static struct tr_inbound json_answer(int status, const char *body)
{
    struct tr_inbound inbound = http_inbound("application/json", body);
    inbound.status = status;
    return inbound;
}

static void weather_asks_for_the_city_with_the_key(void **state)
{
    (void)state;
    static const struct {
        const char *body, *url;
    } cases[] = {
        { "{\"city\":\"Lisbon\"}",
          "https://weather.example/v1/current.json?key=sesame%2Fkey%2B1&q=Lisbon&aqi=no" },
        { "{\"city\":\"S\xc3\xa3o Paulo&key=x#\"}",
          "https://weather.example/v1/current.json?key=sesame%2Fkey%2B1"
          "&q=S%C3%A3o%20Paulo%26key%3Dx%23&aqi=no" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct http_exchange exchange;

        http_exchange_begin(&exchange, registry, "weather", cases[i].body);

        assert_int_equal(exchange.status, TR_OK);
        /* Releases of libcurl write %2f or %2F. */
        assert_int_equal(strcasecmp(exchange.outbound.url, cases[i].url), 0);
        assert_string_equal(exchange.outbound.secret, KEY);
        assert_null(exchange.outbound.body);
        assert_false(exchange.outbound.follows_redirects);
        http_exchange_done(&exchange);
    }
}

static void weather_gives_the_temperature_in_the_unit_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *request, *answer, *result;
    } cases[] = {
        { "{\"city\":\"Lisbon\"}", SUNNY,
          "{\"temperature\":21.5,\"unit\":\"celsius\",\"description\":\"Sunny\","
          "\"city\":\"Lisbon\",\"country\":\"Portugal\"}" },
        { "{\"city\":\"Lisbon\",\"unit\":\"Fahrenheit\"}", SUNNY,
          "{\"temperature\":70.6,\"unit\":\"fahrenheit\",\"description\":\"Sunny\","
          "\"city\":\"Lisbon\",\"country\":\"Portugal\"}" },
        { "{\"city\":\"x\"}", "{\"current\":{\"temp_c\":-0.04}}",
          "{\"temperature\":0.0,\"unit\":\"celsius\",\"description\":\"\",\"city\":\"\"}" },
        { "{\"city\":\"x\"}", "{\"current\":{\"temp_c\":20},\"location\":7}",
          "{\"temperature\":20.0,\"unit\":\"celsius\",\"description\":\"\",\"city\":\"\"}" },
        { "{\"city\":\"x\"}",
          ANSWER("\"temp_c\":-12.25,\"condition\":{\"text\":\"  Snow \\n\\u202eand\\u200b ice \"}"),
          "{\"temperature\":-12.3,\"unit\":\"celsius\",\"description\":\"Snow and ice\","
          "\"city\":\"Lisbon\",\"country\":\"Portugal\"}" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_inbound inbound = json_answer(200, cases[i].answer);

        assert_http_gives(registry, "weather", cases[i].request, &inbound, cases[i].result);
    }
}

static void weather_says_what_the_service_did_wrong(void **state)
{
    (void)state;
    static const char nothing[] = "The weather service answered without a temperature; the "
                                  "operator must check suites.web.weather_base_url";
    static const struct {
        int status;
        const char *answer, *error;
    } cases[] = {
        { 200, "{}", nothing },
        { 200, "[]", nothing },
        { 200, "null", nothing },
        { 200, ANSWER("\"temp_c\":\"21\""), nothing },
        { 200, ANSWER("\"temp_c\":null"), nothing },
        { 200, ANSWER("\"temp_c\":1e308"), nothing },
        { 200, ANSWER("\"temp_c\":{\"temp_c\":1}"), nothing },
        { 200, "{\"current\":[21]}", nothing },
        { 400, "{\"error\":{\"code\":1006,\"message\":\"No matching location found.\"}}",
          "City 'Atlantis' was not found; check its spelling or add the country, as in 'Paris, "
          "France'" },
        { 401, "{\"error\":{\"code\":2006,\"message\":\"API key " KEY " is invalid\"}}",
          "The weather service does not accept the configured key (code 2006); the operator must "
          "check suites.web.weather_api_key" },
        { 403, "{\"error\":{\"code\":2007,\"message\":\"x\"}}",
          "The weather service has answered as often as the configured key allows; try again "
          "later" },
        { 400, "{\"error\":{\"code\":9999,\"message\":\"No: " KEY " or sesame%2Fkey%2B1\\n!\"}}",
          "The weather service answered with HTTP status 400: No: *** or *** !; try again later" },
        { 500, "{\"error\":\"text\"}",
          "The weather service answered with HTTP status 500; try again later" },
        { 502, "<html>Bad gateway</html>",
          "The weather service answered with HTTP status 502; try again later" },
        { 301, "", "The weather service answered with HTTP status 301; try again later" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_inbound inbound = json_answer(cases[i].status, cases[i].answer);

        assert_http_fails(registry, "weather", "{\"city\":\"Atlantis\"}", &inbound, cases[i].error);
    }
}

static void weather_says_that_an_answer_is_no_json(void **state)
{
    (void)state;
    static const char *const answers[] = { "", "{", "\xff\xfe", "{\"current\":{\"temp_c\":NaN}}" };
    for (size_t i = 0; i < TR_COUNT_OF(answers); i++) {
        const struct tr_inbound inbound = json_answer(200, answers[i]);
        enum tr_status status = TR_OK;

        json_auto_t *answer = http_call(registry, "weather", "{\"city\":\"x\"}", &inbound, &status);

        assert_int_equal(status, TR_TOOL_FAILED);
        assert_non_null(strstr(json_string_value(json_object_get(answer, "error")), "not JSON"));
    }
}

static void weather_never_shows_the_key(void **state)
{
    (void)state;
    const struct tr_inbound inbound =
        json_answer(200, "{\"location\":{\"name\":\"" KEY "\",\"country\":\"a" KEY "b\"},"
                         "\"current\":{\"temp_c\":1,\"condition\":{\"text\":\"" KEY "\"}}}");

    assert_http_gives(registry, "weather", "{\"city\":\"x\"}", &inbound,
                      "{\"temperature\":1.0,\"unit\":\"celsius\",\"description\":\"***\","
                      "\"city\":\"***\",\"country\":\"a***b\"}");
}

static void weather_without_a_key_names_the_setting(void **state)
{
    (void)state;
    struct tr_registry *bare = http_registry(&web_suite, NULL);

    assert_http_fails(bare, "weather", "{\"city\":\"x\"}", NULL,
                      "No weather service is configured: the operator must set "
                      "suites.web.weather_api_key");
    tr_registry_unref(bare);
}

static bool call_once(void *context)
{
    const struct tr_inbound inbound = json_answer(200, SUNNY);
    enum tr_status status = TR_INTERNAL;
    (void)context;
    json_decref(http_call(registry, "weather", "{\"city\":\"Lisbon\"}", &inbound, &status));
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    return status == TR_OK;
}

static void weather_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(call_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weather_asks_for_the_city_with_the_key),
        cmocka_unit_test(weather_gives_the_temperature_in_the_unit_asked_for),
        cmocka_unit_test(weather_says_what_the_service_did_wrong),
        cmocka_unit_test(weather_says_that_an_answer_is_no_json),
        cmocka_unit_test(weather_never_shows_the_key),
        cmocka_unit_test(weather_without_a_key_names_the_setting),
        cmocka_unit_test(weather_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
