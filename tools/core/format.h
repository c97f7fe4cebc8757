/* format.h - the asserted string formats of JSON Schema (2020-12 validation, section 7.3). */
#ifndef TR_TOOLS_CORE_FORMAT_H
#define TR_TOOLS_CORE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* name, and the standard that judges it. */
#define TR_FORMAT_LIST(X)                                \
    X(DATE_TIME, "date-time") /* RFC 3339 section 5.6 */ \
    X(DATE, "date")           /* RFC 3339 full-date */   \
    X(TIME, "time")           /* RFC 3339 full-time */   \
    X(DURATION, "duration")   /* RFC 3339 appendix A */  \
    X(UUID, "uuid")           /* RFC 9562 */             \
    X(URI, "uri")             /* RFC 3986, absolute */   \
    X(EMAIL, "email")         /* RFC 5321 Mailbox */     \
    X(HOSTNAME, "hostname")   /* RFC 1123 */             \
    X(IPV4, "ipv4")           /* RFC 2673 dotted-quad */ \
    X(IPV6, "ipv6")           /* RFC 4291 section 2.2 */ \
    X(BYTE, "byte")           /* base64, RFC 4648 section 4, with padding */

enum tr_format {
    TR_FORMAT_NONE,
#define TR_FORMAT_ENUM(id, name) TR_FORMAT_##id,
    TR_FORMAT_LIST(TR_FORMAT_ENUM)
#undef TR_FORMAT_ENUM
};

/* TR_FORMAT_NONE for a name that is not asserted. */
enum tr_format tr_format_from_name(const char *name);

/* For sentences: "a valid date, like 2024-02-29". Never NULL. */
const char *tr_format_description(enum tr_format format);

/* Does the text have the format? Everything has TR_FORMAT_NONE. */
bool tr_format_holds(enum tr_format format, const char *bytes, size_t length);

#endif
