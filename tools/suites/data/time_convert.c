/* time_convert - the same moment in another time zone. */

#include <string.h>

#include "tools/core/number.h"
#include "tools/suites/data/data.h"
#include "tools/suites/data/time_text.h"
#include "tools/suites/data/zone.h"
#include "tools/suites/data/zone_file.h"
#include "tools/suites/data/zone_local.h"
#include "tools/suites/data/zoned_time.h"

/* ---- what it takes ---- */

/* A text, or a Unix time. */
struct time_convert_time {
    int choice;
    union {
        const char *text;
        int64_t unix_time;
    };
};
enum { TIME_IS_TEXT = 1, TIME_IS_UNIX = 2 };

enum time_convert_unit { TIME_CONVERT_UNIT_ABSENT, TIME_CONVERT_SECONDS, TIME_CONVERT_MS };
enum time_convert_fold {
    TIME_CONVERT_FOLD_ABSENT,
    TIME_CONVERT_REFUSE,
    TIME_CONVERT_EARLIER,
    TIME_CONVERT_LATER,
};

struct time_convert_request {
    struct time_convert_time time;
    const char *from;
    const char *to;
    enum time_convert_unit unit;
    enum time_convert_fold fold;
};

static const char *const time_convert_unit_names[] = {
    [TIME_CONVERT_SECONDS] = "seconds",
    [TIME_CONVERT_MS] = "milliseconds",
};

static const char *const time_convert_fold_names[] = {
    [TIME_CONVERT_REFUSE] = "refuse",
    [TIME_CONVERT_EARLIER] = "earlier",
    [TIME_CONVERT_LATER] = "later",
};

static const struct tr_field time_convert_time_fields[] = {
    {
        TR_FIELD(time_convert_time, text),
        .description = "RFC 3339 (2024-07-01T12:00:00+02:00), a local time without an offset "
                       "(2024-07-01 12:00), a date (midnight), or a Unix time in digits",
        .length = TR_RANGE(1, 64),
    },
    {
        TR_FIELD(time_convert_time, unix_time),
        .description = "A Unix time, in the unit that 'unit' says",
    },
};
static TR_ANY_OF_TYPE(time_convert_time, "A time as text, or a Unix time");

static const struct tr_field time_convert_request_fields[] = {
    {
        TR_OBJECT(time_convert_request, time, time_convert_time),
        .description = "The time to convert",
        .required = true,
        .example_json = TR_JSON("2024-07-01T12:00:00"),
    },
    {
        TR_FIELD(time_convert_request, from),
        .description = "The zone of a time that has no offset of its own: an IANA name such as "
                       "Europe/Berlin, UTC, or an offset such as +02:00",
        .length = TR_ZONE_NAME_LENGTH,
        .example_json = TR_JSON("Europe/Berlin"),
    },
    {
        TR_FIELD(time_convert_request, to),
        .description = "The zone to convert to, written in the same way",
        .length = TR_ZONE_NAME_LENGTH,
        .default_json = TR_JSON("UTC"),
    },
    {
        TR_ENUM(time_convert_request, unit, time_convert_unit),
        .description = "What a Unix time counts",
        .default_json = TR_JSON("seconds"),
    },
    {
        TR_ENUM(time_convert_request, fold, time_convert_fold),
        .description = "What to do with a local time that clocks show twice or never, because they "
                       "are set back or forward: refuse, or take the earlier or the later moment",
        .default_json = TR_JSON("refuse"),
    },
};
static TR_TYPE(time_convert_request, "A time, its zone and the zone that is wanted");

/* ---- what it gives ---- */

enum time_convert_kind {
    TIME_CONVERT_KIND_ABSENT,
    TIME_CONVERT_INSTANT,
    TIME_CONVERT_UNIQUE,
    TIME_CONVERT_AMBIGUOUS,
    TIME_CONVERT_SKIPPED,
};

struct time_convert_response {
    struct zoned_time from;
    struct zoned_time to;
    enum time_convert_kind kind;
};

static const char *const time_convert_kind_names[] = {
    [TIME_CONVERT_INSTANT] = "instant",
    [TIME_CONVERT_UNIQUE] = "unique",
    [TIME_CONVERT_AMBIGUOUS] = "ambiguous",
    [TIME_CONVERT_SKIPPED] = "skipped",
};

static const struct tr_field time_convert_response_fields[] = {
    {
        TR_OBJECT(time_convert_response, from, zoned_time),
        .description = "The moment where it comes from",
        .required = true,
    },
    {
        TR_OBJECT(time_convert_response, to, zoned_time),
        .description = "The same moment in the zone that was wanted",
        .required = true,
    },
    {
        TR_ENUM(time_convert_response, kind, time_convert_kind),
        .description =
            "instant: the time had an offset or was a Unix time; otherwise how often the "
            "clocks of 'from' show it: unique (once), ambiguous (twice) or skipped "
            "(never), resolved by 'fold'",
        .required = true,
    },
};
static TR_TYPE(time_convert_response, "A moment in two time zones");

/* ---- reading the time ---- */

/* The number that a Unix time is, also when it was sent as text. */
static bool is_unix(const struct time_convert_time *time, int64_t *ret_value)
{
    if (time->choice == TIME_IS_UNIX) {
        *ret_value = time->unix_time;
        return true;
    }
    return tr_parse_int64(time->text, strlen(time->text), ret_value);
}

/* False beyond the years that can be written. */
static bool unix_ms(const struct time_convert_request *request, int64_t value, int64_t *ret_ms)
{
    const int64_t per_second = request->unit == TIME_CONVERT_MS ? 1000 : 1;
    if (value < TR_TIME_FIRST * per_second || value > TR_TIME_LAST * per_second) {
        return false;
    }
    *ret_ms = value * (1000 / per_second);
    return true;
}

static const char *check_time(struct tr_call *call, const struct time_convert_request *request)
{
    int64_t value = 0;
    int64_t ms = 0;
    if (is_unix(&request->time, &value)) {
        return unix_ms(request, value, &ms) ? NULL
                                            : "Parameter 'time' is beyond the years 0000 to 9999; "
                                              "does 'unit' fit?";
    }
    const char *text = request->time.text;
    struct tr_time_text time;
    const char *reason = tr_time_read(text, strlen(text), &time);
    if (reason != NULL) {
        return tr_printf(call, "Parameter 'time' cannot be read: %s", reason);
    }
    return time.has_offset || request->from != NULL
               ? NULL
               : "Parameter 'time' has no offset: name its zone in 'from', or write the offset, as "
                 "in 2024-07-01T12:00:00+02:00";
}
TR_VALIDATOR(check_time, time_convert_request)

/* ---- converting ---- */

/* The moment that was meant, and where it comes from. */
struct origin {
    int64_t ms;
    const struct tr_zone *zone;
    enum time_convert_kind kind;
};

static enum tr_status refuse_local(struct tr_call *call, const struct time_convert_request *request,
                                   const struct tr_zone *zone, const struct tr_local *local)
{
    char earlier[TR_TIME_TEXT_BYTES];
    char later[TR_TIME_TEXT_BYTES];
    tr_time_write(local->earlier * 1000, tr_zone_at(zone, local->earlier)->offset_s, false,
                  earlier);
    tr_time_write(local->later * 1000, tr_zone_at(zone, local->later)->offset_s, false, later);
    return tr_fail(call,
                   "The time %s %s in %s, where clocks are set %s; set 'fold' to earlier (%s) or "
                   "later (%s)",
                   request->time.text,
                   local->kind == TR_LOCAL_SKIPPED ? "does not exist" : "comes twice", zone->name,
                   local->kind == TR_LOCAL_SKIPPED ? "forward then" : "back then", earlier, later);
}

static enum tr_status read_local(struct tr_call *call, const struct time_convert_request *request,
                                 const struct tr_time_text *time, struct origin *out)
{
    static const enum time_convert_kind kinds[] = {
        [TR_LOCAL_UNIQUE] = TIME_CONVERT_UNIQUE,
        [TR_LOCAL_AMBIGUOUS] = TIME_CONVERT_AMBIGUOUS,
        [TR_LOCAL_SKIPPED] = TIME_CONVERT_SKIPPED,
    };
    TR_TRY(tr_zone_open(call, request->from, &out->zone));
    const struct tr_local local = tr_zone_local(out->zone, time->local_s);
    if (local.kind != TR_LOCAL_UNIQUE && request->fold == TIME_CONVERT_REFUSE) {
        return refuse_local(call, request, out->zone, &local);
    }
    const int64_t seconds = request->fold == TIME_CONVERT_LATER ? local.later : local.earlier;
    out->ms = seconds * 1000 + time->milliseconds;
    out->kind = kinds[local.kind];
    return TR_OK;
}

/* Its own offset says where a time is; a zone beside it is only looked at. */
static enum tr_status read_instant(struct tr_call *call, const struct time_convert_request *request,
                                   const struct tr_time_text *time, struct origin *out)
{
    out->kind = TIME_CONVERT_INSTANT;
    out->ms = (time->local_s - time->offset_s) * 1000 + time->milliseconds;
    if (request->from == NULL) {
        return time->offset_s == 0 ? tr_zone_open(call, "UTC", &out->zone)
                                   : tr_zone_fixed(call, time->offset_s, &out->zone);
    }
    TR_TRY(tr_zone_open(call, request->from, &out->zone));
    if (tr_zone_at(out->zone, time->local_s - time->offset_s)->offset_s != time->offset_s) {
        tr_warn(call, "The time's own offset is not that of 'from' (%s); the offset was used",
                request->from);
    }
    return TR_OK;
}

static enum tr_status read_time(struct tr_call *call, const struct time_convert_request *request,
                                struct origin *out)
{
    int64_t value = 0;
    if (is_unix(&request->time, &value)) {
        out->kind = TIME_CONVERT_INSTANT;
        if (!unix_ms(request, value, &out->ms)) {
            return tr_fail(call, "The time is beyond the years 0000 to 9999");
        }
        return tr_zone_open(call, request->from != NULL ? request->from : "UTC", &out->zone);
    }
    const char *text = request->time.text;
    struct tr_time_text time;
    const char *reason = tr_time_read(text, strlen(text), &time);
    if (reason != NULL) {
        return tr_fail(call, "The time cannot be read: %s", reason);
    }
    return time.has_offset ? read_instant(call, request, &time, out)
                           : read_local(call, request, &time, out);
}

static enum tr_status convert(struct tr_call *call, const struct time_convert_request *request,
                              struct time_convert_response *response)
{
    struct origin origin = { .ms = 0 };
    TR_TRY(read_time(call, request, &origin));
    const struct tr_zone *zone = NULL;
    TR_TRY(tr_zone_open(call, request->to, &zone));
    response->kind = origin.kind;
    TR_TRY(tr_zoned_time_make(call, origin.ms, origin.zone, &response->from));
    return tr_zoned_time_make(call, origin.ms, zone, &response->to);
}

TR_TOOL(time_convert, convert, time_convert_request, time_convert_response,
        .description =
            "Convert a time from one time zone to another, or between a local time and Unix time, "
            "by the rules that were or will be in force there on that day. Use it for meetings, "
            "logs and deadlines: daylight saving time is easily got wrong.",
        .annotations = { .read_only = true, .idempotent = true },
        .blocking = true, /* reads files */
        .example_json = TR_JSON(
            { "time": "2024-07-01T12:00:00", "from": "Europe/Berlin", "to": "America/New_York" }),
        .validate = check_time_entry);
