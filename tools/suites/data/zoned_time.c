#include "tools/suites/data/zoned_time.h"

#include <string.h>

#include "tools/core/call.h"
#include "tools/suites/data/civil.h"
#include "tools/suites/data/time_text.h"
#include "tools/suites/data/zone.h"

static const struct tr_field zoned_time_fields[] = {
    {
        TR_FIELD(zoned_time, time),
        .description = "The local time with its offset (RFC 3339), with milliseconds when there "
                       "are some; the offset has seconds where clocks went by the sun, up to about "
                       "1900",
        .required = true,
        .example_json = TR_JSON("2024-07-01T14:00:00+02:00"),
    },
    {
        TR_FIELD(zoned_time, unix_seconds),
        .description = "Whole seconds since 1970-01-01T00:00:00Z",
        .required = true,
    },
    {
        TR_FIELD(zoned_time, unix_ms),
        .description = "Milliseconds since then",
        .required = true,
    },
    {
        TR_FIELD(zoned_time, timezone),
        .description = "The zone: its IANA name, UTC or an offset",
        .required = true,
    },
    {
        TR_FIELD(zoned_time, utc_offset),
        .description = "How far its clocks are ahead of UTC at that time",
        .required = true,
        .example_json = TR_JSON("+02:00"),
    },
    {
        TR_FIELD(zoned_time, abbreviation),
        .description = "What that time is called there",
        .required = true,
        .example_json = TR_JSON("CEST"),
    },
    {
        TR_FIELD(zoned_time, is_dst),
        .description = "Whether it is daylight saving time",
        .required = true,
    },
    {
        TR_FIELD(zoned_time, weekday),
        .description = "The day of the week there, in English",
        .required = true,
    },
};
TR_TYPE(zoned_time, "A moment, as the clocks of one time zone show it");

static const char *const weekdays[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
};

enum tr_status tr_zoned_time_make(struct tr_call *call, int64_t unix_ms, const struct tr_zone *zone,
                                  struct zoned_time *ret_time)
{
    const int64_t unix_s = tr_floor_divide(unix_ms, 1000);
    const struct tr_zone_time *shown = tr_zone_at(zone, unix_s);
    const int64_t local_s = unix_s + shown->offset_s;
    if (local_s < TR_TIME_FIRST || local_s > TR_TIME_LAST) {
        return tr_fail(call, "The time is not in the years 0000 to 9999 in %s", zone->name);
    }
    char *time = tr_alloc(call, TR_TIME_TEXT_BYTES, 1);
    char *offset = tr_alloc(call, TR_OFFSET_TEXT_BYTES, 1);
    if (time == NULL || offset == NULL) {
        return TR_NO_MEMORY;
    }
    tr_time_write(unix_ms, shown->offset_s, strcmp(zone->name, "UTC") == 0, time);
    tr_time_write_offset(shown->offset_s, offset);
    *ret_time = (struct zoned_time){
        .time = time,
        .unix_seconds = unix_s,
        .unix_ms = unix_ms,
        .timezone = zone->name,
        .utc_offset = offset,
        .abbreviation = shown->abbreviation,
        .is_dst = shown->is_dst,
        .weekday = weekdays[tr_civil_weekday(tr_floor_divide(local_s, TR_DAY_SECONDS))],
    };
    return TR_OK;
}
