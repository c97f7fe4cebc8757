/* csv_value.h - the text of a field as a JSON value. */
#ifndef TR_TOOLS_SUITES_DATA_CSV_VALUE_H
#define TR_TOOLS_SUITES_DATA_CSV_VALUE_H

#include <stddef.h>

#include <jansson.h>

#include "tools/core/compiler.h"

/* A JSON number that this process can hold exactly, true, false and null (in any case of letters)
 * become what they say; an empty text becomes null; everything else, as "007", "1,5" and a number
 * of more than 15 digits with a fraction, stays text. Gives a new reference; NULL without memory.
 */
TR_MUST_USE json_t *tr_csv_value(const char *bytes, size_t length);

#endif
