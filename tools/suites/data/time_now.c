/* time_now - what time it is, anywhere. */

#include "tools/core/clock.h"
#include "tools/suites/data/data.h"
#include "tools/suites/data/zone_file.h"
#include "tools/suites/data/zoned_time.h"

struct time_now_request {
    const char *timezone;
};

static const struct tr_field time_now_request_fields[] = {
    {
        TR_FIELD(time_now_request, timezone),
        .description = "Where: an IANA name such as Europe/Berlin, UTC, or an offset such as "
                       "+02:00",
        .length = TR_ZONE_NAME_LENGTH,
        .default_json = TR_JSON("UTC"),
    },
};
static TR_TYPE(time_now_request, "A time zone");

static enum tr_status tell_time(struct tr_call *call, const struct time_now_request *request,
                                struct zoned_time *response)
{
    const struct tr_zone *zone = NULL;
    TR_TRY(tr_zone_open(call, request->timezone, &zone));
    return tr_zoned_time_make(call, tr_clock_real_ms(), zone, response);
}

TR_TOOL(time_now, tell_time, time_now_request, zoned_time,
        .description = "Tell the date and time now, in any time zone, with the day of the week, "
                       "the offset and the Unix time. Use it whenever the present date matters: "
                       "you do not know it otherwise.",
        .annotations = { .read_only = true }, .blocking = true, /* it reads a file */
        .example_json = TR_JSON({ "timezone": "Europe/Berlin" }));
