#include "server/services.h"

#include "server/config.h"
#include "tools/base/http_engine.h"
#include "tools/guard/vfs.h"

static enum tr_status make_engine(struct tr_services *services, const struct tr_config *config,
                                  struct tr_fault *reterr)
{
    const struct config_http *http = &config->file->http;
    const struct tr_http_engine_options options = {
        .transfer_limit = (size_t)http->transfer_limit,
        .queue_limit = (size_t)http->queue_limit,
        .per_host_limit = (size_t)http->per_host_limit,
        .ca_file = http->ca_file,
    };
    services->http = tr_http_engine_new(&options);
    return services->http != NULL ? TR_OK
                                  : tr_refuse(TR_NO_MEMORY, reterr, "http", "out of memory");
}

enum tr_status tr_services_init(struct tr_services *services, const struct tr_config *config,
                                struct tr_fault *reterr)
{
    *services = (struct tr_services){ .http = NULL };
    TR_TRY(tr_vfs_new(config->file->mounts.items, config->file->mounts.count, &services->files,
                      reterr));
    return make_engine(services, config, reterr);
}

void tr_services_stop(struct tr_services *services)
{
    if (services->http != NULL) {
        tr_http_engine_stop(services->http);
    }
}

void tr_services_done(struct tr_services *services)
{
    tr_http_engine_free(services->http);
    tr_vfs_free(services->files);
    *services = (struct tr_services){ .http = NULL };
}
