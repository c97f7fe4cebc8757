/* config.h - the deployment's configuration: one YAML file, bound by the same descriptors as a
 * tool's parameters. */
#ifndef TR_SERVER_CONFIG_H
#define TR_SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "middleware/keyring.h"
#include "server/endpoint.h"
#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/fault.h"
#include "tools/core/registry.h"
#include "tools/core/status.h"
#include "tools/guard/mount_settings.h"

struct tr_place;
struct tr_yaml_marks;

/* server: */
struct config_server {
    const char *listen;                    /* "127.0.0.1:8080" */
    const char *external_url;              /* without a slash at its end; NULL: not known */
    TR_SPAN(const char *) trusted_proxies; /* CIDR */
    TR_SPAN(const char *) cors_origins;
    int64_t threads;     /* event threads; 0: one per core */
    int64_t workers;     /* threads for blocking tools; 0: 8 per core */
    int64_t queue_limit; /* calls that may wait for a worker */
    int64_t connection_limit;
    int64_t per_address_limit; /* 0: no limit */
    int64_t body_limit_bytes;
    int64_t idle_timeout_ms, header_timeout_ms, body_timeout_ms;
    int64_t drain_timeout_ms;
    bool access_log;
};

/* http: */
struct config_http {
    int64_t transfer_limit; /* outbound requests at once */
    int64_t queue_limit;    /* more that wait for their turn */
    int64_t per_host_limit; /* at once to one host; 0: no limit */
    const char *ca_file;    /* NULL: the system's */
};

/* auth.keys[]: */
struct config_key {
    const char *name;
    const char *sha256;
    TR_SPAN(const char *) tools; /* globs; absent: every tool */
    const char *expires;         /* date or date-time; NULL: never */
};

struct config_auth {
    TR_SPAN(struct config_key) keys;
};

/* The file, bound. */
struct config_file {
    struct config_server server;
    struct config_http http;
    struct config_auth auth;
    TR_SPAN(struct mount_settings) mounts;
    TR_SPAN(const char *) plugins; /* paths, as they are written in the file */
    json_t *suites;                /* {name: settings}, NULL: none; bound by each suite */
    json_t *tools;                 /* bound by config_tools.c; NULL: every tool */
};

extern const struct tr_type config_file_type;

/* What to load: the file and what the command line says over it. Zeroed: all defaults. */
struct tr_config_source {
    const char *path;           /* NULL: no file */
    const char *listen;         /* --listen; NULL: the file's */
    const char *const *plugins; /* --plugin, loaded after the file's */
    size_t plugin_count;
    bool is_dev; /* --dev */
};

/* What the program runs with. Owns everything below through `arena`; immutable once loaded. */
struct tr_config {
    struct tr_arena arena;
    const char *path;                  /* the source's; NULL: there is no file */
    const struct tr_yaml_marks *marks; /* which line of it says what; NULL without a file */
    const struct config_file *file;
    struct tr_endpoint listen; /* server.listen, parsed */
    const char *base_url;      /* what a caller's URLs start with: external_url, else of `listen` */
    const struct tr_key_spec *keys; /* of auth.keys, and with --dev one that was made up */
    size_t key_count;
    const struct tr_tool_options *tools; /* of `tools:` */
    size_t tool_count;
    bool has_tools; /* `tools:` was given: only those are loaded */
    bool is_dev;
    const char *dev_key;        /* the generated key, to print once; NULL without --dev */
    const char *const *plugins; /* paths as they can be opened from here */
    size_t plugin_count;
};

/* Read, expand ${VAR} and ${file:PATH}, bind, check. Refuses with TR_INVALID_PARAMETERS;
 * `reterr->where` is "file:line" (or "file" or "command line"), `what` one line that names key and
 * reason, with the nearest name for an unknown key, and never repeats a value. On failure nothing
 * is left behind. */
TR_MUST_USE enum tr_status tr_config_load(const struct tr_config_source *source,
                                          struct tr_config *ret_config, struct tr_fault *reterr);
void tr_config_done(struct tr_config *config);

/* Put file, line and key in front of a fault that what stands at `place` of the file led to.
 * Without a file the fault stays as it is. */
void tr_config_blame(const struct tr_config *config, const struct tr_place *place,
                     struct tr_fault *fault);

static inline void tr_config_drop(struct tr_config *config)
{
    tr_config_done(config);
}

#endif
