#include "server/app.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "middleware/keyring.h"
#include "middleware/log.h"
#include "middleware/network.h"
#include "server/catalog.h"
#include "server/listener.h"
#include "server/route.h"
#include "server/services.h"
#include "server/worker.h"
#include "tools/core/clock.h"

enum { CONNECTION_POOL_BYTES = 16 * 1024, WORKERS_PER_CORE = 8, DRAIN_SLICE_MS = 5 };

/* What needs no credential: probes, and the meaning of an error that a caller without one may get.
 */
static const char *const public_paths[] = { "/livez", "/readyz", "/problems/" };

static enum tr_status make_keyring(struct tr_app *app, struct tr_fault *reterr)
{
    const struct tr_config *config = app->config;
    return config->key_count == 0
               ? TR_OK
               : tr_keyring_new(config->keys, config->key_count, &app->keyring, reterr);
}

static enum tr_status make_policy(struct tr_app *app, struct tr_fault *reterr)
{
    const struct config_server *server = &app->config->file->server;
    TR_TRY(make_keyring(app, reterr));
    TR_TRY(tr_network_list_new(server->trusted_proxies.items, server->trusted_proxies.count,
                               &app->trusted_proxies, reterr));
    struct tr_log *log = server->access_log ? tr_log_new(STDOUT_FILENO) : NULL;
    if (server->access_log && log == NULL) {
        return TR_NO_MEMORY;
    }
    const char *external_url = server->external_url;
    app->policy = (struct tr_policy){
        .keyring = app->keyring,
        .log = log,
        .trusted_proxies = app->trusted_proxies,
        .public_paths = public_paths,
        .public_path_count = TR_COUNT_OF(public_paths),
        .body_limit_bytes = (size_t)server->body_limit_bytes,
        .header_limit_bytes = CONNECTION_POOL_BYTES / 2,
        .body_timeout_ms = server->body_timeout_ms,
        .cors_origins = server->cors_origins.items,
        .cors_origin_count = server->cors_origins.count,
        .sends_hsts = external_url != NULL && external_url[4] == 's',
    };
    return TR_OK;
}

static enum tr_status make_catalog(struct tr_app *app)
{
    const struct tr_catalog_facts facts = {
        .registry = app->registry,
        .keyring = app->keyring,
        .external_url = app->config->file->server.external_url,
        .base_url = app->config->base_url,
    };
    app->catalog = tr_catalog_new(&facts);
    return app->catalog != NULL ? TR_OK : TR_NO_MEMORY;
}

static enum tr_status make_workers(struct tr_app *app, struct tr_fault *reterr)
{
    const struct config_server *server = &app->config->file->server;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t per_core = (size_t)(cores > 0 ? cores : 1) * WORKERS_PER_CORE;
    const size_t threads = server->workers > 0 ? (size_t)server->workers : per_core;
    app->workers = tr_worker_pool_new(threads, (size_t)server->queue_limit);
    return app->workers != NULL ? TR_OK
                                : tr_refuse(TR_INTERNAL, reterr, "server.workers",
                                            "%zu worker threads cannot be started", threads);
}

static bool handle(void *context, struct tr_exchange *exchange, struct tr_pending *pending)
{
    return tr_route(context, exchange, pending);
}

static enum tr_status listen_on(struct tr_app *app, struct tr_fault *reterr)
{
    const struct config_server *server = &app->config->file->server;
    const struct tr_listener_options options = {
        .address = server->listen,
        .threads = (size_t)server->threads,
        .connection_limit = (size_t)server->connection_limit,
        .per_address_limit = (size_t)server->per_address_limit,
        .pool_bytes = CONNECTION_POOL_BYTES,
        .idle_timeout_ms = server->idle_timeout_ms,
        .header_timeout_ms = server->header_timeout_ms,
        .policy = &app->policy,
        .handle = handle,
        .context = app,
    };
    return tr_listener_start(&options, &app->listener, reterr);
}

static enum tr_status start(struct tr_app *app, struct tr_fault *reterr)
{
    TR_TRY(make_policy(app, reterr));
    TR_TRY(make_catalog(app));
    TR_TRY(tr_batch_schema_init(&app->batch_schema));
    TR_TRY(make_workers(app, reterr));
    TR_TRY(tr_services_init(&app->services, app->config, reterr));
    TR_TRY(listen_on(app, reterr));
    atomic_store(&app->is_ready, true);
    return TR_OK;
}

enum tr_status tr_app_start(const struct tr_config *config, struct tr_registry *registry,
                            struct tr_app **ret_app, struct tr_fault *reterr)
{
    struct tr_app *app = calloc(1, sizeof(*app));
    if (app == NULL) {
        tr_registry_unref(registry);
        return tr_refuse(TR_NO_MEMORY, reterr, "start", "out of memory");
    }
    app->config = config;
    app->registry = registry;
    atomic_init(&app->is_ready, false);
    const enum tr_status status = start(app, reterr);
    if (status != TR_OK) {
        tr_app_stop(app);
        return status == TR_NO_MEMORY ? tr_refuse(status, reterr, "start", "out of memory")
                                      : status;
    }
    *ret_app = app;
    return TR_OK;
}

uint16_t tr_app_port(const struct tr_app *app)
{
    return tr_listener_port(app->listener);
}

void tr_app_quiesce(struct tr_app *app)
{
    atomic_store(&app->is_ready, false);
    tr_listener_quiesce(app->listener);
}

bool tr_app_drain(const struct tr_app *app, int64_t timeout_ms)
{
    const int64_t end_ms = tr_clock_ms() + timeout_ms;
    while (tr_listener_in_flight(app->listener) != 0) {
        if (tr_clock_ms() >= end_ms) {
            return false;
        }
        const struct timespec slice = { .tv_nsec = DRAIN_SLICE_MS * 1000L * 1000L };
        (void)nanosleep(&slice, NULL);
    }
    return true;
}

void tr_app_stop(struct tr_app *app)
{
    if (app == NULL) {
        return;
    }
    tr_listener_stop(app->listener);
    tr_services_stop(&app->services);
    tr_worker_pool_free(app->workers);
    tr_services_done(&app->services);
    tr_batch_schema_done(&app->batch_schema);
    tr_catalog_free(app->catalog);
    tr_log_free(app->policy.log);
    tr_network_list_free(app->trusted_proxies);
    tr_keyring_free(app->keyring);
    tr_registry_unref(app->registry);
    free(app);
}
