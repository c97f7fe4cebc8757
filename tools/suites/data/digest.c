#include "tools/suites/data/digest.h"

#include <stdint.h>

#include <openssl/evp.h>
#include <openssl/rand.h>

_Static_assert(TR_DIGEST_BYTES == EVP_MAX_MD_SIZE, "room for every digest of OpenSSL");

/* As OpenSSL calls them. */
static const char *const names[] = {
    [DIGEST_SHA256] = "SHA256",     [DIGEST_SHA384] = "SHA384",         [DIGEST_SHA512] = "SHA512",
    [DIGEST_SHA3_256] = "SHA3-256", [DIGEST_BLAKE2B512] = "BLAKE2B512", [DIGEST_SHA1] = "SHA1",
    [DIGEST_MD5] = "MD5",
};
_Static_assert(sizeof(names) / sizeof(names[0]) == DIGEST_ALGORITHM_COUNT, "one name each");

static bool is_offered(const char *name)
{
    EVP_MD *algorithm = EVP_MD_fetch(NULL, name, NULL);
    EVP_MD_free(algorithm);
    return algorithm != NULL;
}

static bool make_plain(const char *name, const struct tr_digest_input *input,
                       struct tr_digest *digest)
{
    return EVP_Q_digest(NULL, name, NULL, input->bytes, input->length, digest->bytes,
                        &digest->length)
           == 1;
}

static bool make_keyed(const char *name, const struct tr_digest_input *input,
                       struct tr_digest *digest)
{
    return EVP_Q_mac(NULL, "HMAC", NULL, name, NULL, input->key, input->key_length, input->bytes,
                     input->length, digest->bytes, sizeof(digest->bytes), &digest->length)
           != NULL;
}

enum tr_status tr_digest_make(enum digest_algorithm algorithm, const struct tr_digest_input *input,
                              struct tr_digest *ret_digest)
{
    const char *name = names[algorithm];
    if (name == NULL || !is_offered(name)) {
        return TR_NOT_FOUND;
    }
    struct tr_digest digest = { .length = 0 };
    const bool is_made =
        input->key == NULL ? make_plain(name, input, &digest) : make_keyed(name, input, &digest);
    if (!is_made) {
        return TR_INTERNAL;
    }
    *ret_digest = digest;
    return TR_OK;
}

bool tr_digest_is_weak(enum digest_algorithm algorithm)
{
    return algorithm == DIGEST_SHA1 || algorithm == DIGEST_MD5;
}

bool tr_digest_random(void *out, size_t length)
{
    return length <= INT32_MAX && RAND_bytes(out, (int)length) == 1;
}
