#include <stdio.h>
#include <string.h>

#include "middleware/secret.h"
#include "server/config_expiry.h"
#include "server/config_parts.h"

static const char dev_key_name[] = "dev";

static enum tr_status refuse_member(const struct tr_config_loading *loading, size_t index,
                                    const char *member, const char *reason)
{
    char pointer[TR_FAULT_WHERE_BYTES];
    (void)snprintf(pointer, sizeof(pointer), "/auth/keys/%zu/%s", index, member);
    return tr_config_refuse(loading, pointer, "%s", reason);
}

static bool is_sha256_hex(const char *text)
{
    return strlen(text) == TR_SHA256_HEX_BYTES - 1
           && strspn(text, "0123456789abcdefABCDEF") == TR_SHA256_HEX_BYTES - 1;
}

static enum tr_status read_key(const struct tr_config_loading *loading, size_t index,
                               struct tr_key_spec *ret_spec)
{
    const struct config_key *key = &loading->file->auth.keys.items[index];
    int64_t expires_ms = 0;
    if (!is_sha256_hex(key->sha256)) {
        return refuse_member(loading, index, "sha256",
                             "must be 64 hexadecimal digits: the digest of the key and not the key "
                             "itself; 'toolrest key new' prints both");
    }
    if (key->expires != NULL && !tr_config_expiry(key->expires, &expires_ms)) {
        return refuse_member(loading, index, "expires",
                             "must be a date or a date-time, as 2030-01-01 or "
                             "2030-01-01T12:00:00Z");
    }
    *ret_spec = (struct tr_key_spec){
        .name = key->name,
        .sha256_hex = key->sha256,
        .tools = key->tools.items,
        .tool_count = key->tools.count,
        .expires_ms = expires_ms,
    };
    return TR_OK;
}

/* A key for this run alone. */
static enum tr_status make_dev_key(const struct tr_config_loading *loading,
                                   struct tr_key_spec *ret_spec)
{
    char key[47];
    char digest[TR_SHA256_HEX_BYTES];
    if (!tr_random_key(key) || !tr_sha256_hex(key, strlen(key), digest)) {
        return tr_refuse(TR_INTERNAL, loading->reterr, "command line",
                         "--dev: no random bytes are to be had for a key");
    }
    struct tr_arena *arena = &loading->config->arena;
    loading->config->dev_key = tr_arena_strndup(arena, key, strlen(key));
    *ret_spec = (struct tr_key_spec){
        .name = dev_key_name,
        .sha256_hex = tr_arena_strndup(arena, digest, strlen(digest)),
    };
    const bool is_kept = loading->config->dev_key != NULL && ret_spec->sha256_hex != NULL;
    return is_kept ? TR_OK : tr_config_refuse_memory(loading);
}

/* The keyring knows what no single key can show: names and digests that are there twice. */
static enum tr_status check_together(const struct tr_config_loading *loading)
{
    const struct tr_config *config = loading->config;
    struct tr_keyring *keyring = NULL;
    struct tr_fault fault = { .where = "" };
    const enum tr_status status = tr_keyring_new(config->keys, config->key_count, &keyring, &fault);
    tr_keyring_free(keyring);
    if (status == TR_OK) {
        return TR_OK;
    }
    if (status == TR_NO_MEMORY) {
        return tr_config_refuse_memory(loading);
    }
    return tr_config_refuse(loading, "/auth/keys", "%s", fault.what);
}

enum tr_status tr_config_read_keys(const struct tr_config_loading *loading)
{
    const size_t count = loading->file->auth.keys.count;
    struct tr_key_spec *specs = TR_NEW(&loading->config->arena, struct tr_key_spec, count + 1);
    if (specs == NULL) {
        return tr_config_refuse_memory(loading);
    }
    for (size_t i = 0; i < count; i++) {
        TR_TRY(read_key(loading, i, &specs[i]));
    }
    if (loading->source->is_dev) {
        TR_TRY(make_dev_key(loading, &specs[count]));
    }
    loading->config->keys = specs;
    loading->config->key_count = count + (loading->source->is_dev ? 1 : 0);
    return check_together(loading);
}
