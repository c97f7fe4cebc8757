/* services.h - what the bases work with: made once at the start, shared by all calls. */
#ifndef TR_TOOLS_BASE_SERVICES_H
#define TR_TOOLS_BASE_SERVICES_H

struct tr_http_engine;
struct tr_vfs;

/* Borrowed by every call as call->services. A member that is NULL is not there: a tool that needs
 * it ends with an error that says so. */
struct tr_services {
    struct tr_http_engine *http;
    struct tr_vfs *files;
};

#endif
