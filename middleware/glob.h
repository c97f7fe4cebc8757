/* glob.h - patterns of tool names: '*' is any run of characters, '?' is any one. */
#ifndef TR_MIDDLEWARE_GLOB_H
#define TR_MIDDLEWARE_GLOB_H

#include <stdbool.h>

/* Could it match a tool's name? 1 to TR_MAX_TOOL_NAME_BYTES of the characters of names, '*' and
 * '?'. */
bool tr_glob_is_valid(const char *glob);

/* The whole of `text`; upper and lower case differ. At most length times length steps. */
bool tr_glob_match(const char *glob, const char *text);

#endif
