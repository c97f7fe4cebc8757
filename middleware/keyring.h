/* keyring.h - the API keys: who may call, what, until when. Stored as SHA-256, never as text. */
#ifndef TR_MIDDLEWARE_KEYRING_H
#define TR_MIDDLEWARE_KEYRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

enum { TR_KEY_DIGEST_BYTES = 32 };

/* Who a credential belongs to. Immutable; lives as long as the keyring. */
struct tr_principal {
    const char *name;         /* the user_id of calls */
    const char *const *tools; /* globs (* and ?) of tool names; NULL: every tool */
    size_t tool_count;
    int64_t expires_ms; /* real time; 0: never */
    size_t scope;       /* equal for principals that see the same tools; index of caches */
};

struct tr_key_spec {
    const char *name;
    const char *sha256_hex; /* 64 hex digits, the SHA-256 of the key's text */
    const char *const *tools;
    size_t tool_count;
    int64_t expires_ms;
};

struct tr_keyring; /* immutable after tr_keyring_new() */

/* Copies the specs. Refuses (TR_INVALID_PARAMETERS; `reterr->where` is the JSON Pointer in the list
 * of keys) a bad digest, an empty or doubled name, a digest given twice, a bad glob. A key is found
 * by the first byte of its digest, then compared in constant time with every candidate. */
TR_MUST_USE enum tr_status tr_keyring_new(const struct tr_key_spec *specs, size_t count,
                                          struct tr_keyring **ret_keyring, struct tr_fault *reterr);
void tr_keyring_free(struct tr_keyring *keyring); /* NULL is accepted */

/* The principal of `key`, NULL when no key matches or it has expired at `now_ms`. Takes the same
 * time wherever the keys differ. */
const struct tr_principal *tr_keyring_find(const struct tr_keyring *keyring, const char *key,
                                           size_t key_length, int64_t now_ms);

size_t tr_keyring_count(const struct tr_keyring *keyring);
const struct tr_principal *tr_keyring_principal(const struct tr_keyring *keyring, size_t index);
size_t tr_keyring_scope_count(const struct tr_keyring *keyring);

/* May the principal use the tool? A NULL principal may use everything only where the policy has no
 * keys at all (see policy.h). */
bool tr_principal_may_use(const struct tr_principal *principal, const char *tool_name);

#endif
