/* digest.h - message digests, keyed or not, and random bytes. digest.c is the only file of the
 * suites that knows OpenSSL. */
#ifndef TR_TOOLS_SUITES_DATA_DIGEST_H
#define TR_TOOLS_SUITES_DATA_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

enum digest_algorithm {
    DIGEST_ALGORITHM_ABSENT,
    DIGEST_SHA256,
    DIGEST_SHA384,
    DIGEST_SHA512,
    DIGEST_SHA3_256,
    DIGEST_BLAKE2B512,
    DIGEST_SHA1,
    DIGEST_MD5,
    DIGEST_ALGORITHM_COUNT,
};

enum { TR_DIGEST_BYTES = 64 }; /* of the longest one */

struct tr_digest {
    unsigned char bytes[TR_DIGEST_BYTES];
    size_t length;
};

/* What is to be digested, and the key of an HMAC (RFC 2104); NULL: a plain digest. */
struct tr_digest_input {
    const void *bytes;
    size_t length;
    const void *key;
    size_t key_length;
};

/* TR_NOT_FOUND when this OpenSSL, as it is configured, does not offer the algorithm; TR_INTERNAL
 * when it fails. */
TR_MUST_USE enum tr_status tr_digest_make(enum digest_algorithm algorithm,
                                          const struct tr_digest_input *input,
                                          struct tr_digest *ret_digest);

/* Were collisions found, so that the digest is fit for a checksum only? */
bool tr_digest_is_weak(enum digest_algorithm algorithm);

/* Cryptographically strong random bytes. False when there are none to be had. */
TR_MUST_USE bool tr_digest_random(void *out, size_t length);

#endif
