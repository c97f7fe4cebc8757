/* find_tool.h - from a name that a caller sent to a tool that this caller may use. */
#ifndef TR_SERVER_FIND_TOOL_H
#define TR_SERVER_FIND_TOOL_H

#include <stdbool.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_app;
struct tr_entry;
struct tr_keyring;
struct tr_principal;

/* May a caller use the tool? `principal` NULL is nobody, who may use everything where there are no
 * keys at all, and nothing where there are some. `keyring` may be NULL. */
bool tr_caller_may_use(const struct tr_keyring *keyring, const struct tr_principal *principal,
                       const char *tool_name);

/* Are there any credentials in force? `keyring` may be NULL. */
bool tr_keys_in_force(const struct tr_keyring *keyring);

/* TR_UNKNOWN_TOOL (`reterr->what` names the nearest tool that the caller may use) or TR_FORBIDDEN:
 * a tool that exists and is not for this caller is no secret, and a caller who is told so can ask
 * for access instead of looking for a typing error. */
TR_MUST_USE enum tr_status tr_find_tool(const struct tr_app *app,
                                        const struct tr_principal *principal, const char *name,
                                        const struct tr_entry **ret_entry, struct tr_fault *reterr);

#endif
