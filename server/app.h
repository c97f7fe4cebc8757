/* app.h - the running gateway: who owns what, and how it starts, drains and stops. */
#ifndef TR_SERVER_APP_H
#define TR_SERVER_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "middleware/policy.h"
#include "server/config.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/registry.h"
#include "tools/core/status.h"

struct tr_catalog;
struct tr_listener;
struct tr_worker_pool;

/* Everything is made once by tr_app_start() in the order of the members, and unmade in reverse. All
 * of it is immutable while requests run, except the parts that have their own locks. */
struct tr_app {
    const struct tr_config *config; /* borrowed */
    struct tr_registry *registry;   /* one reference */
    struct tr_policy policy;        /* owns what its members point to */
    struct tr_catalog *catalog;     /* the rendered lists and documents, per scope */
    struct tr_worker_pool *workers;
    struct tr_listener *listener;
    bool is_ready; /* atomic in use: GET /readyz */
};

#endif
