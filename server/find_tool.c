#include "server/find_tool.h"

#include <stddef.h>

#include "middleware/keyring.h"
#include "server/app.h"
#include "tools/core/nearest.h"
#include "tools/core/registry.h"

bool tr_keys_in_force(const struct tr_keyring *keyring)
{
    return keyring != NULL && tr_keyring_count(keyring) > 0;
}

bool tr_caller_may_use(const struct tr_keyring *keyring, const struct tr_principal *principal,
                       const char *tool_name)
{
    if (principal == NULL) {
        return !tr_keys_in_force(keyring);
    }
    return tr_principal_may_use(principal, tool_name);
}

/* Only what the caller may use is named, so that an error text tells no more than GET /tools. */
static enum tr_status refuse_unknown(const struct tr_app *app, const struct tr_principal *principal,
                                     const char *name, struct tr_fault *reterr)
{
    struct tr_nearest nearest = { .wanted = name };
    const size_t count = tr_registry_tool_count(app->registry);
    for (size_t i = 0; i < count; i++) {
        const char *candidate = tr_registry_tool(app->registry, i)->tool->name;
        if (tr_caller_may_use(app->policy.keyring, principal, candidate)) {
            tr_nearest_offer(&nearest, candidate);
        }
    }
    if (nearest.best == NULL) {
        return tr_refuse(TR_UNKNOWN_TOOL, reterr, NULL, "Tool '%s' not found", name);
    }
    return tr_refuse(TR_UNKNOWN_TOOL, reterr, NULL, "Tool '%s' not found; did you mean '%s'?", name,
                     nearest.best);
}

enum tr_status tr_find_tool(const struct tr_app *app, const struct tr_principal *principal,
                            const char *name, const struct tr_entry **ret_entry,
                            struct tr_fault *reterr)
{
    const struct tr_entry *entry = tr_registry_find(app->registry, name);
    if (entry == NULL) {
        return refuse_unknown(app, principal, name, reterr);
    }
    if (!tr_caller_may_use(app->policy.keyring, principal, name)) {
        return tr_refuse(TR_FORBIDDEN, reterr, NULL, "Your key does not allow the tool '%s'", name);
    }
    *ret_entry = entry;
    return TR_OK;
}
