#include "tools/core/format.h"

#include <string.h>

#include "tools/core/format_rules.h"

static const char *const format_names[] = {
#define FORMAT_NAME(id, name) [TR_FORMAT_##id] = (name),
    TR_FORMAT_LIST(FORMAT_NAME)
#undef FORMAT_NAME
};

enum { FORMAT_COUNT = sizeof(format_names) / sizeof(format_names[0]) };

enum tr_format tr_format_from_name(const char *name)
{
    for (unsigned i = TR_FORMAT_NONE + 1; i < FORMAT_COUNT; i++) {
        if (strcmp(name, format_names[i]) == 0) {
            return (enum tr_format)i;
        }
    }
    return TR_FORMAT_NONE;
}

/* "a valid NAME", and an example where the name says little. */
static const char *const format_descriptions[] = {
    [TR_FORMAT_NONE] = "a string",
    [TR_FORMAT_DATE_TIME] = "a valid date-time, like 2024-02-29T12:00:00Z",
    [TR_FORMAT_DATE] = "a valid date, like 2024-02-29",
    [TR_FORMAT_TIME] = "a valid time, like 12:00:00Z",
    [TR_FORMAT_DURATION] = "a valid duration, like P1DT12H",
    [TR_FORMAT_UUID] = "a valid uuid, like 2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    [TR_FORMAT_URI] = "a valid uri with its scheme, like https://example.com/a?b=c",
    [TR_FORMAT_EMAIL] = "a valid email address, like name@example.com",
    [TR_FORMAT_HOSTNAME] = "a valid hostname, like www.example.com",
    [TR_FORMAT_IPV4] = "a valid ipv4 address, like 192.0.2.1",
    [TR_FORMAT_IPV6] = "a valid ipv6 address, like 2001:db8::1",
    [TR_FORMAT_BYTE] = "valid base64 with its padding, like aGVsbG8=",
};
_Static_assert(sizeof(format_descriptions) == sizeof(format_names), "every format has one");

const char *tr_format_description(enum tr_format format)
{
    return format_descriptions[format];
}

bool tr_format_holds(enum tr_format format, const char *bytes, size_t length)
{
    switch (format) {
    case TR_FORMAT_NONE: return true;
    case TR_FORMAT_DATE_TIME: return tr_is_date_time(bytes, length);
    case TR_FORMAT_DATE: return tr_is_date(bytes, length);
    case TR_FORMAT_TIME: return tr_is_time(bytes, length);
    case TR_FORMAT_DURATION: return tr_is_duration(bytes, length);
    case TR_FORMAT_UUID: return tr_is_uuid(bytes, length);
    case TR_FORMAT_URI: return tr_is_uri(bytes, length);
    case TR_FORMAT_EMAIL: return tr_is_email(bytes, length);
    case TR_FORMAT_HOSTNAME: return tr_is_hostname(bytes, length);
    case TR_FORMAT_IPV4: return tr_is_ipv4(bytes, length);
    case TR_FORMAT_IPV6: return tr_is_ipv6(bytes, length);
    case TR_FORMAT_BYTE: return tr_is_base64(bytes, length);
    }
    return true;
}
