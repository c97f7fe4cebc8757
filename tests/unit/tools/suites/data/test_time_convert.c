#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/core/clock.h"
#include "tools/core/descriptor.h"
#include "tools/suites/data/data.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tool_registry(&data_suite);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

/* ---- time_now ---- */

static void time_now_tells_the_time(void **state)
{
    (void)state;
    const int64_t before_ms = tr_clock_real_ms();
    enum tr_status status = TR_INTERNAL;
    json_t *answer = tool_call(registry, "time_now", "{\"timezone\":\"Asia/Kolkata\"}", &status);
    const int64_t after_ms = tr_clock_real_ms();

    const json_t *result = json_object_get(answer, "result");
    const json_int_t unix_ms = json_integer_value(json_object_get(result, "unix_ms"));
    assert_int_equal(status, TR_OK);
    assert_in_range(unix_ms, before_ms, after_ms);
    assert_int_equal(json_integer_value(json_object_get(result, "unix_seconds")), unix_ms / 1000);
    assert_string_equal(json_string_value(json_object_get(result, "utc_offset")), "+05:30");
    assert_string_equal(json_string_value(json_object_get(result, "abbreviation")), "IST");
    json_decref(answer);
}

static void time_now_is_in_utc_unless_asked_otherwise(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    json_t *answer = tool_call(registry, "time_now", "{}", &status);

    const char *time =
        json_string_value(json_object_get(json_object_get(answer, "result"), "time"));
    assert_int_equal(status, TR_OK);
    assert_int_equal(time[strlen(time) - 1], 'Z');
    json_decref(answer);
}

/* ---- time_convert ---- */

static void time_convert_gives_the_same_moment_elsewhere(void **state)
{
    (void)state;
    assert_tool_gives(
        registry, "time_convert",
        "{\"time\":\"2024-07-01T12:00:00.25\",\"from\":\"Europe/Berlin\",\"to\":"
        "\"America/New_York\"}",
        "{\"from\":{\"time\":\"2024-07-01T12:00:00.250+02:00\",\"unix_seconds\":1719828000,"
        "\"unix_ms\":1719828000250,\"timezone\":\"Europe/Berlin\",\"utc_offset\":\"+02:00\","
        "\"abbreviation\":\"CEST\",\"is_dst\":true,\"weekday\":\"Monday\"},"
        "\"to\":{\"time\":\"2024-07-01T06:00:00.250-04:00\",\"unix_seconds\":1719828000,"
        "\"unix_ms\":1719828000250,\"timezone\":\"America/New_York\",\"utc_offset\":\"-04:00\","
        "\"abbreviation\":\"EDT\",\"is_dst\":true,\"weekday\":\"Monday\"},\"kind\":\"unique\"}");
}

static void time_convert_reads_many_forms(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *time, *kind;
    } cases[] = {
        { "\"time\":\"2024-07-01T12:00:00Z\"", "2024-07-01T12:00:00Z", "instant" },
        { "\"time\":\"2024-07-01t12:00:00z\"", "2024-07-01T12:00:00Z", "instant" },
        { "\"time\":\"2024-07-01T12:00:00+02:00\"", "2024-07-01T10:00:00Z", "instant" },
        { "\"time\":\"2024-07-01 12:00-0530\"", "2024-07-01T17:30:00Z", "instant" },
        { "\"time\":\"2024-07-01 12:00 +02\"", "2024-07-01T10:00:00Z", "instant" },
        { "\"time\":\"2024-07-01 -05:00\"", "2024-07-01T05:00:00Z", "instant" },
        { "\"time\":\"2024-07-01\",\"from\":\"UTC\"", "2024-07-01T00:00:00Z", "unique" },
        { "\"time\":\"2024-07-01T12:00:00.123456789Z\"", "2024-07-01T12:00:00.123Z", "instant" },
        { "\"time\":0", "1970-01-01T00:00:00Z", "instant" },
        { "\"time\":\"0\"", "1970-01-01T00:00:00Z", "instant" },
        { "\"time\":-1", "1969-12-31T23:59:59Z", "instant" },
        { "\"time\":1719828000250,\"unit\":\"milliseconds\"", "2024-07-01T10:00:00.250Z",
          "instant" },
        { "\"time\":-1,\"unit\":\"milliseconds\"", "1969-12-31T23:59:59.999Z", "instant" },
        { "\"time\":0,\"to\":\"+05:30\"", "1970-01-01T05:30:00+05:30", "instant" },
        { "\"time\":\"0000-01-01T00:00:00Z\"", "0000-01-01T00:00:00Z", "instant" },
        { "\"time\":\"9999-12-31T23:59:59.999Z\"", "9999-12-31T23:59:59.999Z", "instant" },
        { "\"time\":253402300799", "9999-12-31T23:59:59Z", "instant" },
        { "\"time\":\"1880-01-01T00:00:00Z\",\"to\":\"Europe/Berlin\"",
          "1880-01-01T00:53:28+00:53:28", "instant" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[200];
        (void)snprintf(body, sizeof(body), "{%s}", cases[i].parameters);
        enum tr_status status = TR_INTERNAL;

        json_t *answer = tool_call(registry, "time_convert", body, &status);

        const json_t *result = json_object_get(answer, "result");
        const char *time =
            json_string_value(json_object_get(json_object_get(result, "to"), "time"));
        if (time == NULL || strcmp(time, cases[i].time) != 0) {
            fail_msg("%s: %s", body, time != NULL ? time : "refused");
        }
        assert_string_equal(json_string_value(json_object_get(result, "kind")), cases[i].kind);
        json_decref(answer);
    }
}

static void time_convert_resolves_what_clocks_show_twice_or_never(void **state)
{
    (void)state;
    static const struct {
        const char *time, *fold, *from, *kind;
    } cases[] = {
        { "2024-10-27T02:30", "earlier", "2024-10-27T02:30:00+02:00", "ambiguous" },
        { "2024-10-27T02:30", "later", "2024-10-27T02:30:00+01:00", "ambiguous" },
        { "2024-03-31T02:30", "earlier", "2024-03-31T01:30:00+01:00", "skipped" },
        { "2024-03-31T02:30", "later", "2024-03-31T03:30:00+02:00", "skipped" },
        { "2024-03-31T03:00", "later", "2024-03-31T03:00:00+02:00", "unique" },
        { "2024-10-27T01:59:59", "later", "2024-10-27T01:59:59+02:00", "unique" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[200];
        (void)snprintf(body, sizeof(body),
                       "{\"time\":\"%s\",\"from\":\"Europe/Berlin\",\"fold\":\"%s\"}",
                       cases[i].time, cases[i].fold);
        enum tr_status status = TR_INTERNAL;

        json_t *answer = tool_call(registry, "time_convert", body, &status);

        const json_t *result = json_object_get(answer, "result");
        assert_int_equal(status, TR_OK);
        assert_string_equal(
            json_string_value(json_object_get(json_object_get(result, "from"), "time")),
            cases[i].from);
        assert_string_equal(json_string_value(json_object_get(result, "kind")), cases[i].kind);
        json_decref(answer);
    }
}

static void time_convert_refuses_them_unless_told_what_to_do(void **state)
{
    (void)state;
    assert_tool_refuses(
        registry, "time_convert", "{\"time\":\"2024-10-27T02:30\",\"from\":\"Europe/Berlin\"}",
        TR_TOOL_FAILED,
        "The time 2024-10-27T02:30 comes twice in Europe/Berlin, where clocks are set back then; "
        "set 'fold' to earlier (2024-10-27T02:30:00+02:00) or later (2024-10-27T02:30:00+01:00)");
    assert_tool_refuses(
        registry, "time_convert", "{\"time\":\"2024-03-31T02:30\",\"from\":\"Europe/Berlin\"}",
        TR_TOOL_FAILED,
        "The time 2024-03-31T02:30 does not exist in Europe/Berlin, where clocks are set forward "
        "then; set 'fold' to earlier (2024-03-31T01:30:00+01:00) or later "
        "(2024-03-31T03:30:00+02:00)");
}

static void time_convert_says_how_a_time_is_written(void **state)
{
    (void)state;
#define CANNOT "Parameter 'time' cannot be read: "
    static const struct {
        const char *time, *error;
    } cases[] = {
        { "\"tomorrow\"", CANNOT "a date is written as in 2024-02-29" },
        { "\"01.07.2024\"", CANNOT "a date is written as in 2024-02-29" },
        { "\"2024-7-1\"", CANNOT "a date is written as in 2024-02-29" },
        { "\"2024-13-01\"", CANNOT "there are the months 01 to 12" },
        { "\"2024-00-01\"", CANNOT "there are the months 01 to 12" },
        { "\"2023-02-29\"", CANNOT "the month has no such day" },
        { "\"2024-04-00\"", CANNOT "the month has no such day" },
        { "\"2024-07-01T12\"",
          CANNOT "a time of day is written as in 12:00, 12:00:00 or 12:00:00.123" },
        { "\"2024-07-01T12:00:00.\"",
          CANNOT "a time of day is written as in 12:00, 12:00:00 or 12:00:00.123" },
        { "\"2024-07-01T24:00\"", CANNOT "times of day go from 00:00:00 to 23:59:59" },
        { "\"2024-07-01T23:60\"", CANNOT "times of day go from 00:00:00 to 23:59:59" },
        { "\"2016-12-31T23:59:60Z\"", CANNOT "a leap second has no Unix time; write second 59" },
        { "\"2024-07-01T12:00 CEST\"",
          CANNOT "an offset is written as in Z, +02:00 or -0530; a zone's name belongs in 'from'" },
        { "\"2024-07-01T12:00+24:00\"",
          CANNOT "an offset is written as in Z, +02:00 or -0530; a zone's name belongs in 'from'" },
        { "\"2024-07-01T12:00Z[UTC]\"", CANNOT "there is more text behind the offset" },
        { "\"2024-07-01T12:00\"",
          "Parameter 'time' has no offset: name its zone in 'from', or write the offset, as in "
          "2024-07-01T12:00:00+02:00" },
        { "253402300800", "Parameter 'time' is beyond the years 0000 to 9999; does 'unit' fit?" },
        { "-62167219201", "Parameter 'time' is beyond the years 0000 to 9999; does 'unit' fit?" },
    };
#undef CANNOT
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[200];
        (void)snprintf(body, sizeof(body), "{\"time\":%s}", cases[i].time);

        assert_tool_refuses(registry, "time_convert", body, TR_INVALID_PARAMETERS, cases[i].error);
    }
}

static void time_convert_stays_within_the_years_that_can_be_written(void **state)
{
    (void)state;
    assert_tool_refuses(registry, "time_convert",
                        "{\"time\":\"9999-12-31T23:59:59Z\",\"to\":\"+01:00\"}", TR_TOOL_FAILED,
                        "The time is not in the years 0000 to 9999 in +01:00");
    assert_tool_refuses(registry, "time_convert", "{\"time\":\"0000-01-01T00:00:00+01:00\"}",
                        TR_TOOL_FAILED, "The time is not in the years 0000 to 9999 in UTC");
}

static void time_convert_warns_when_the_offset_is_not_that_of_the_zone(void **state)
{
    (void)state;
    static const struct {
        const char *offset;
        size_t warnings;
    } cases[] = { { "+02:00", 0 }, { "+01:00", 1 } };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[200];
        (void)snprintf(body, sizeof(body),
                       "{\"time\":\"2024-07-01T12:00:00%s\",\"from\":\"Europe/Berlin\"}",
                       cases[i].offset);
        enum tr_status status = TR_INTERNAL;

        json_t *answer = tool_call(registry, "time_convert", body, &status);

        const json_t *metadata = json_object_get(answer, "metadata");
        assert_int_equal(status, TR_OK);
        assert_int_equal(json_array_size(json_object_get(metadata, "warnings")), cases[i].warnings);
        json_decref(answer);
    }
}

static void the_tools_for_times_survive_failing_allocations(void **state)
{
    (void)state;
    assert_tool_survives_failing_allocations(registry, "time_now",
                                             "{\"timezone\":\"Europe/Berlin\"}");
    assert_tool_survives_failing_allocations(
        registry, "time_convert",
        "{\"time\":\"2024-03-31T02:30\",\"from\":\"Europe/Berlin\",\"fold\":\"later\","
        "\"to\":\"+02:00\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_now_tells_the_time),
        cmocka_unit_test(time_now_is_in_utc_unless_asked_otherwise),
        cmocka_unit_test(time_convert_gives_the_same_moment_elsewhere),
        cmocka_unit_test(time_convert_reads_many_forms),
        cmocka_unit_test(time_convert_resolves_what_clocks_show_twice_or_never),
        cmocka_unit_test(time_convert_refuses_them_unless_told_what_to_do),
        cmocka_unit_test(time_convert_says_how_a_time_is_written),
        cmocka_unit_test(time_convert_stays_within_the_years_that_can_be_written),
        cmocka_unit_test(time_convert_warns_when_the_offset_is_not_that_of_the_zone),
        cmocka_unit_test(the_tools_for_times_survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
