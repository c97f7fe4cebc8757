/* trim.h - a result that is larger than its tool may send is cut, where it is largest. */
#ifndef TR_TOOLS_CORE_TRIM_H
#define TR_TOOLS_CORE_TRIM_H

#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"
#include "tools/core/text.h"

/* Shorten the JSON text in `result` to at most `limit_bytes`: the longest string is cut at a
 * character, the longest list at an item, over and over, until it fits; the shape stays what it
 * was. A result that cannot be made to fit (it is all numbers and keys) becomes null. */
TR_MUST_USE enum tr_status tr_trim(struct tr_text *result, size_t limit_bytes);

#endif
