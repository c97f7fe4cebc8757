/* policy.h - what the links of the chain go by: the bound configuration, immutable after start. */
#ifndef TR_MIDDLEWARE_POLICY_H
#define TR_MIDDLEWARE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr_keyring;
struct tr_log;
struct tr_network_list;

struct tr_policy {
    const struct tr_keyring *keyring; /* NULL or empty: no credential is needed (loopback only) */
    struct tr_log *log;               /* NULL: no access log */
    const struct tr_network_list
        *trusted_proxies; /* NULL: none; Forwarded headers are then ignored */

    /* Need no credential. "/docs/" lists "/docs" and everything below it, "/" only the root. */
    const char *const *public_paths;
    size_t public_path_count;

    size_t body_limit_bytes;   /* 1 MiB */
    size_t header_limit_bytes; /* half of the connection's pool; 0: none */
    int64_t body_timeout_ms;   /* for the whole body, absolute; 0: none */

    const char *const *cors_origins; /* exact origins, or "*"; empty: no CORS headers */
    size_t cors_origin_count;
    bool sends_hsts; /* the external URL is https */
};

#endif
