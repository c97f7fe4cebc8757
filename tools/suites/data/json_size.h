/* json_size.h - how much of the output limit a value takes, so that a tool can stop at a whole
 * match or row instead of being cut. */
#ifndef TR_TOOLS_SUITES_DATA_JSON_SIZE_H
#define TR_TOOLS_SUITES_DATA_JSON_SIZE_H

#include <stddef.h>

/* At most that many bytes does the text take as a JSON string, its quotes and a comma included. */
size_t tr_json_string_size(const char *bytes, size_t length);

#endif
