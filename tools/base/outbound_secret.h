/* outbound_secret.h - texts without the secret that was sent to an upstream. */
#ifndef TR_TOOLS_BASE_OUTBOUND_SECRET_H
#define TR_TOOLS_BASE_OUTBOUND_SECRET_H

#include "tools/core/compiler.h"

struct tr_call;

/* `text` with every `secret`, plain or percent-encoded, replaced by "***"; `text` itself where
 * there is none, or either is NULL. Lives as long as the call, or as `text`. NULL when out of
 * memory, so that nothing is shown then. */
TR_MUST_USE const char *tr_without_secret(struct tr_call *call, const char *text,
                                          const char *secret);

#endif
