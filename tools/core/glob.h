/* glob.h - patterns of names: '*' is any run of characters, '?' is any one. */
#ifndef TR_TOOLS_CORE_GLOB_H
#define TR_TOOLS_CORE_GLOB_H

#include <stdbool.h>

/* Could it match a tool's name? 1 to TR_MAX_TOOL_NAME_BYTES of the characters of names, '*' and
 * '?'. */
bool tr_glob_is_valid(const char *glob);

/* The whole of `text`; upper and lower case differ, a character is one of UTF-8 (or a byte that
 * belongs to none). At most length times length steps. */
bool tr_glob_match(const char *glob, const char *text);

#endif
