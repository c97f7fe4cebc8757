/* app.h - the running gateway: who owns what, and how it starts, drains and stops. */
#ifndef TR_SERVER_APP_H
#define TR_SERVER_APP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "middleware/policy.h"
#include "server/batch.h"
#include "server/config.h"
#include "tools/base/services.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/registry.h"
#include "tools/core/status.h"

struct tr_catalog;
struct tr_keyring;
struct tr_listener;
struct tr_network_list;
struct tr_worker_pool;

/* Everything is made once by tr_app_start() in the order of the members, and unmade in reverse. All
 * of it is immutable while requests run, except the parts that have their own locks. */
struct tr_app {
    const struct tr_config *config; /* borrowed */
    struct tr_registry *registry;   /* one reference */
    struct tr_keyring *keyring;     /* NULL: no keys */
    struct tr_network_list *trusted_proxies;
    struct tr_policy policy;    /* borrows from the members above and from the configuration */
    struct tr_catalog *catalog; /* the rendered lists and documents, per scope */
    struct tr_batch_schema batch_schema;
    struct tr_worker_pool *workers;
    struct tr_services services; /* of the bases; borrowed by every call */
    struct tr_listener *listener;
    atomic_bool is_ready; /* GET /readyz; false again from tr_app_quiesce() on */
};

/* Load the tools, start the threads, listen. Takes `registry` (from tr_suites_load()) also on
 * failure. TR_INVALID_PARAMETERS or TR_INTERNAL with one line in `reterr`; nothing is left behind.
 */
TR_MUST_USE enum tr_status tr_app_start(const struct tr_config *config,
                                        struct tr_registry *registry, struct tr_app **ret_app,
                                        struct tr_fault *reterr);

/* The port that is really bound. */
uint16_t tr_app_port(const struct tr_app *app);

/* Stop accepting and say so at /readyz; running requests go on. */
void tr_app_quiesce(struct tr_app *app);

/* Wait until no request is running any more, at most `timeout_ms`; true when none is. */
TR_MUST_USE bool tr_app_drain(const struct tr_app *app, int64_t timeout_ms);

/* Cancel what is still running, answer it 503, stop every thread and free. NULL is accepted. Waits
 * for tools that ignore their cancellation; a caller that cannot wait leaves by _exit(). */
void tr_app_stop(struct tr_app *app);

#endif
