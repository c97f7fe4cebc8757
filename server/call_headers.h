/* call_headers.h - the headers of a request that the operator lets a tool pass on. */
#ifndef TR_SERVER_CALL_HEADERS_H
#define TR_SERVER_CALL_HEADERS_H

#include <stdbool.h>

#include "middleware/exchange.h"
#include "tools/core/call.h"
#include "tools/core/compiler.h"
#include "tools/core/registry.h"

/* Copy into the call what the configuration of `entry` names, if it came. A header that came more
 * than once is left out, with a warning, for nobody knows which one is meant; so is one that
 * Connection names, for it ends here. The names are borrowed from the entry. Costs nothing where
 * nothing is named. False when out of memory. */
TR_MUST_USE bool tr_call_set_headers(struct tr_call *call, const struct tr_request *request,
                                     const struct tr_entry *entry);

#endif
