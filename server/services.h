/* services.h - makes what the bases of tools work with, as the configuration says. */
#ifndef TR_SERVER_SERVICES_H
#define TR_SERVER_SERVICES_H

#include "tools/base/services.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_config;

/* Borrows `config` until the services are done. No thread is started before a tool needs one. On
 * failure what was made is in `services`, for tr_services_done(). */
TR_MUST_USE enum tr_status tr_services_init(struct tr_services *services,
                                            const struct tr_config *config,
                                            struct tr_fault *reterr);

/* End what is under way for calls, with TR_CANCELLED; calls that come later are refused. Before the
 * worker threads end, which may be told of it and may start more. */
void tr_services_stop(struct tr_services *services);

/* No call may be left. Works on a zeroed struct. */
void tr_services_done(struct tr_services *services);

static inline void tr_services_drop(struct tr_services *services)
{
    tr_services_done(services);
}

#endif
