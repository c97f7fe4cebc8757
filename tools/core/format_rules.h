/* format_rules.h - one question for each asserted format; format.h maps names to them. */
#ifndef TR_TOOLS_CORE_FORMAT_RULES_H
#define TR_TOOLS_CORE_FORMAT_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* Every function takes a text of any bytes, which need not end with NUL. */

bool tr_is_date_time(const char *bytes, size_t length);
bool tr_is_date(const char *bytes, size_t length);
bool tr_is_time(const char *bytes, size_t length);
bool tr_is_duration(const char *bytes, size_t length);

bool tr_is_uri(const char *bytes, size_t length);
bool tr_is_email(const char *bytes, size_t length);
bool tr_is_hostname(const char *bytes, size_t length);
bool tr_is_ipv4(const char *bytes, size_t length);
bool tr_is_ipv6(const char *bytes, size_t length);

bool tr_is_uuid(const char *bytes, size_t length);
bool tr_is_base64(const char *bytes, size_t length);

#endif
