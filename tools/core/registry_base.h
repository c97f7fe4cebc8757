/* registry_base.h - the operator's word about the base of a tool; for the registry only. */
#ifndef TR_TOOLS_CORE_REGISTRY_BASE_H
#define TR_TOOLS_CORE_REGISTRY_BASE_H

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/registry.h"

/* Configure the tool's base with what the suite's settings say about it, `suite_settings` being the
 * whole object or NULL. Nothing happens for a tool without a base or a base without settings. */
TR_MUST_USE enum tr_status tr_entry_configure_base(struct tr_entry *entry,
                                                   const json_t *suite_settings,
                                                   struct tr_fault *reterr);

/* Configure it anew with `options` over the suite's: an object whose only key may be the base's, or
 * NULL. */
TR_MUST_USE enum tr_status tr_entry_override_base(struct tr_entry *entry, const json_t *options,
                                                  struct tr_fault *reterr);

/* Is `key` of a suite's settings meant for a base of one of its tools? */
bool tr_suite_has_base_key(const struct tr_suite *suite, const char *key);

#endif
