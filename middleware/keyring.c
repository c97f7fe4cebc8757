#include "middleware/keyring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "middleware/scope.h"
#include "middleware/secret.h"
#include "tools/core/arena.h"
#include "tools/core/glob.h"
#include "tools/core/limits.h"

_Static_assert((int)TR_KEY_DIGEST_BYTES == (int)TR_SHA256_BYTES, "keys are stored as SHA-256");

enum { BUCKETS = 256 };

struct entry {
    unsigned char digest[TR_KEY_DIGEST_BYTES];
    size_t index; /* of the principal */
};

struct tr_keyring {
    struct tr_arena arena;
    size_t count, scope_count;
    struct tr_principal *principals;   /* in the order of the specs */
    struct entry *entries;             /* sorted by digest */
    size_t bucket_starts[BUCKETS + 1]; /* into `entries`, by the first byte of the digest */
};

/* ---- loading ---- */

static enum tr_status refuse_key(const struct tr_key_spec *specs, size_t index, const char *member,
                                 const char *reason, struct tr_fault *reterr)
{
    char where[TR_FAULT_WHERE_BYTES];
    (void)snprintf(where, sizeof(where), "/%zu/%s", index, member);
    const char *name = specs[index].name;
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, where, "The key '%s' %s",
                     name != NULL ? name : "", reason);
}

static enum tr_status no_memory(struct tr_fault *reterr)
{
    return tr_refuse(TR_NO_MEMORY, reterr, NULL, "No memory for the keys");
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

static bool parse_digest(const char *hex, unsigned char out[TR_KEY_DIGEST_BYTES])
{
    if (hex == NULL || strlen(hex) != (size_t)2 * TR_KEY_DIGEST_BYTES) {
        return false;
    }
    for (size_t i = 0; i < TR_KEY_DIGEST_BYTES; i++) {
        const int high = hex_value(hex[2 * i]);
        const int low = hex_value(hex[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[i] = (unsigned char)(high * 16 + low);
    }
    return true;
}

static const char *copy_string(struct tr_arena *arena, const char *string)
{
    return tr_arena_strndup(arena, string, strlen(string));
}

static enum tr_status copy_globs(struct tr_keyring *keyring, const struct tr_key_spec *specs,
                                 size_t index, struct tr_fault *reterr)
{
    const struct tr_key_spec *spec = &specs[index];
    if (spec->tools == NULL) {
        return TR_OK;
    }
    const char **globs = TR_NEW(&keyring->arena, const char *, spec->tool_count + 1);
    if (globs == NULL) {
        return no_memory(reterr);
    }
    for (size_t i = 0; i < spec->tool_count; i++) {
        if (!tr_glob_is_valid(spec->tools[i])) {
            return refuse_key(specs, index, "tools", "has a pattern that no tool's name can match",
                              reterr);
        }
        globs[i] = copy_string(&keyring->arena, spec->tools[i]);
        if (globs[i] == NULL) {
            return no_memory(reterr);
        }
    }
    keyring->principals[index].tools = globs;
    keyring->principals[index].tool_count = spec->tool_count;
    return TR_OK;
}

static enum tr_status copy_spec(struct tr_keyring *keyring, const struct tr_key_spec *specs,
                                size_t index, struct tr_fault *reterr)
{
    const struct tr_key_spec *spec = &specs[index];
    if (spec->name == NULL || spec->name[0] == '\0') {
        return refuse_key(specs, index, "name", "has no name", reterr);
    }
    struct entry *entry = &keyring->entries[index];
    entry->index = index;
    if (!parse_digest(spec->sha256_hex, entry->digest)) {
        return refuse_key(specs, index, "sha256", "needs the 64 hex digits of its SHA-256", reterr);
    }
    struct tr_principal *principal = &keyring->principals[index];
    principal->expires_ms = spec->expires_ms;
    principal->name = copy_string(&keyring->arena, spec->name);
    if (principal->name == NULL) {
        return no_memory(reterr);
    }
    return copy_globs(keyring, specs, index, reterr);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    const int order = memcmp(a->digest, b->digest, sizeof(a->digest));
    if (order != 0) {
        return order;
    }
    return a->index < b->index ? -1 : 1;
}

static enum tr_status sort_entries(struct tr_keyring *keyring, const struct tr_key_spec *specs,
                                   struct tr_fault *reterr)
{
    struct entry *entries = keyring->entries;
    qsort(entries, keyring->count, sizeof(*entries), compare_entries);
    for (size_t i = 1; i < keyring->count; i++) {
        if (memcmp(entries[i - 1].digest, entries[i].digest, TR_KEY_DIGEST_BYTES) == 0) {
            return refuse_key(specs, entries[i].index, "sha256",
                              "has the same digest as an earlier key", reterr);
        }
    }
    size_t at = 0;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        keyring->bucket_starts[bucket] = at;
        while (at < keyring->count && entries[at].digest[0] == bucket) {
            at++;
        }
    }
    keyring->bucket_starts[BUCKETS] = at;
    return TR_OK;
}

static int compare_names(const void *left, const void *right)
{
    const struct tr_principal *const *a = left;
    const struct tr_principal *const *b = right;
    const int order = strcmp((*a)->name, (*b)->name);
    if (order != 0) {
        return order;
    }
    return *a < *b ? -1 : 1;
}

static enum tr_status check_names(struct tr_keyring *keyring, const struct tr_key_spec *specs,
                                  struct tr_fault *reterr)
{
    const struct tr_principal **sorted =
        TR_NEW(&keyring->arena, const struct tr_principal *, keyring->count);
    if (sorted == NULL) {
        return no_memory(reterr);
    }
    for (size_t i = 0; i < keyring->count; i++) {
        sorted[i] = &keyring->principals[i];
    }
    qsort(sorted, keyring->count, sizeof(*sorted), compare_names);
    for (size_t i = 1; i < keyring->count; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
            return refuse_key(specs, (size_t)(sorted[i] - keyring->principals), "name",
                              "has the same name as an earlier one", reterr);
        }
    }
    return TR_OK;
}

static enum tr_status load(struct tr_keyring *keyring, const struct tr_key_spec *specs,
                           struct tr_fault *reterr)
{
    keyring->principals = TR_NEW(&keyring->arena, struct tr_principal, keyring->count);
    keyring->entries = TR_NEW(&keyring->arena, struct entry, keyring->count);
    if (keyring->principals == NULL || keyring->entries == NULL) {
        return no_memory(reterr);
    }
    for (size_t i = 0; i < keyring->count; i++) {
        TR_TRY(copy_spec(keyring, specs, i, reterr));
    }
    TR_TRY(sort_entries(keyring, specs, reterr));
    TR_TRY(check_names(keyring, specs, reterr));
    if (!tr_scopes_assign(keyring->principals, keyring->count, &keyring->arena,
                          &keyring->scope_count)) {
        return no_memory(reterr);
    }
    return TR_OK;
}

enum tr_status tr_keyring_new(const struct tr_key_spec *specs, size_t count,
                              struct tr_keyring **ret_keyring, struct tr_fault *reterr)
{
    struct tr_keyring *keyring = calloc(1, sizeof(*keyring));
    if (keyring == NULL) {
        return no_memory(reterr);
    }
    tr_arena_init(&keyring->arena, TR_LOAD_ARENA_BYTES);
    keyring->count = count;
    const enum tr_status status = load(keyring, specs, reterr);
    if (status != TR_OK) {
        tr_keyring_free(keyring);
        return status;
    }
    *ret_keyring = keyring;
    return TR_OK;
}

void tr_keyring_free(struct tr_keyring *keyring)
{
    if (keyring != NULL) {
        tr_arena_done(&keyring->arena);
        free(keyring);
    }
}

/* ---- asking ---- */

const struct tr_principal *tr_keyring_find(const struct tr_keyring *keyring, const char *key,
                                           size_t key_length, int64_t now_ms)
{
    unsigned char digest[TR_KEY_DIGEST_BYTES];
    if (key_length == 0 || !tr_sha256(key, key_length, digest)) {
        return NULL;
    }
    const struct tr_principal *found = NULL;
    const size_t end = keyring->bucket_starts[digest[0] + 1];
    /* Goes on after a match: the time must not say which candidate it was. */
    for (size_t i = keyring->bucket_starts[digest[0]]; i < end; i++) {
        const struct entry *entry = &keyring->entries[i];
        if (tr_secret_equal(entry->digest, digest, sizeof(digest))) {
            found = &keyring->principals[entry->index];
        }
    }
    if (found != NULL && found->expires_ms != 0 && now_ms >= found->expires_ms) {
        return NULL;
    }
    return found;
}

size_t tr_keyring_count(const struct tr_keyring *keyring)
{
    return keyring->count;
}

const struct tr_principal *tr_keyring_principal(const struct tr_keyring *keyring, size_t index)
{
    return &keyring->principals[index];
}

size_t tr_keyring_scope_count(const struct tr_keyring *keyring)
{
    return keyring->scope_count;
}

bool tr_principal_may_use(const struct tr_principal *principal, const char *tool_name)
{
    if (principal == NULL || principal->tools == NULL) {
        return true;
    }
    for (size_t i = 0; i < principal->tool_count; i++) {
        if (tr_glob_match(principal->tools[i], tool_name)) {
            return true;
        }
    }
    return false;
}
