/* hash_text - the digest of a text, or its HMAC. */

#include <string.h>

#include "tools/suites/data/base64.h"
#include "tools/suites/data/data.h"
#include "tools/suites/data/digest.h"
#include "tools/suites/data/hex.h"

enum hash_text_encoding { HASH_TEXT_ENCODING_ABSENT, HASH_TEXT_HEX, HASH_TEXT_BASE64 };

struct hash_text_request {
    const char *text;
    enum digest_algorithm algorithm;
    enum hash_text_encoding encoding;
    const char *key;
};

struct hash_text_response {
    const char *digest;
    enum digest_algorithm algorithm;
    enum hash_text_encoding encoding;
    int64_t bits;
    bool is_keyed;
    bool is_weak;
};

static const char *const digest_algorithm_names[] = {
    [DIGEST_SHA256] = "sha256",     [DIGEST_SHA384] = "sha384",         [DIGEST_SHA512] = "sha512",
    [DIGEST_SHA3_256] = "sha3-256", [DIGEST_BLAKE2B512] = "blake2b512", [DIGEST_SHA1] = "sha1",
    [DIGEST_MD5] = "md5",
};

static const char *const hash_text_encoding_names[] = {
    [HASH_TEXT_HEX] = "hex",
    [HASH_TEXT_BASE64] = "base64",
};

static const struct tr_field hash_text_request_fields[] = {
    {
        TR_FIELD(hash_text_request, text),
        .description = "The text; its UTF-8 bytes are digested, as they are",
        .length = TR_AT_MOST(1000000),
        .required = true,
        .example_json = TR_JSON("hello"),
    },
    {
        TR_ENUM(hash_text_request, algorithm, digest_algorithm),
        .description = "The digest; sha1 and md5 are for comparing with existing checksums, not "
                       "for security",
        .default_json = TR_JSON("sha256"),
    },
    {
        TR_ENUM(hash_text_request, encoding, hash_text_encoding),
        .description = "How the digest is written: lower-case hexadecimal digits, or base64 with "
                       "padding",
        .default_json = TR_JSON("hex"),
    },
    {
        TR_FIELD(hash_text_request, key),
        .description = "Makes it an HMAC with this key, whose UTF-8 bytes are used; leave it out "
                       "for a plain digest",
        .length = TR_RANGE(1, 1024),
        .secret = true,
    },
};
static TR_TYPE(hash_text_request, "A text, and how to digest it");

static const struct tr_field hash_text_response_fields[] = {
    {
        TR_FIELD(hash_text_response, digest),
        .description = "The digest",
        .required = true,
    },
    {
        TR_ENUM(hash_text_response, algorithm, digest_algorithm),
        .description = "The algorithm that made it",
        .required = true,
    },
    {
        TR_ENUM(hash_text_response, encoding, hash_text_encoding),
        .description = "How it is written",
        .required = true,
    },
    {
        TR_FIELD(hash_text_response, bits),
        .description = "Length of the digest in bits",
        .required = true,
    },
    {
        TR_FIELD(hash_text_response, is_keyed),
        .description = "Whether it is an HMAC",
        .required = true,
    },
    {
        TR_FIELD(hash_text_response, is_weak),
        .description = "True for sha1 and md5, which must not be used for security",
        .required = true,
    },
};
static TR_TYPE(hash_text_response, "A digest");

static const char *write_digest(struct tr_call *call, const struct tr_digest *digest,
                                enum hash_text_encoding encoding)
{
    if (encoding == HASH_TEXT_BASE64) {
        return tr_base64_write(call, digest->bytes, digest->length, false, true);
    }
    char *text = tr_alloc(call, 2 * digest->length + 1, 1);
    if (text != NULL) {
        tr_hex_write(digest->bytes, digest->length, text);
    }
    return text;
}

static enum tr_status digest_text(struct tr_call *call, const struct hash_text_request *request,
                                  struct tr_digest *ret_digest)
{
    const struct tr_digest_input input = {
        .bytes = request->text,
        .length = strlen(request->text),
        .key = request->key,
        .key_length = request->key != NULL ? strlen(request->key) : 0,
    };
    const enum tr_status status = tr_digest_make(request->algorithm, &input, ret_digest);
    if (status == TR_NOT_FOUND) {
        return tr_fail(call, "This gateway's OpenSSL does not offer %s; use sha256",
                       digest_algorithm_names[request->algorithm]);
    }
    return status == TR_OK ? TR_OK : tr_fail_internal(call, "OpenSSL made no digest");
}

static enum tr_status hash_text(struct tr_call *call, const struct hash_text_request *request,
                                struct hash_text_response *response)
{
    struct tr_digest digest = { .length = 0 };
    TR_TRY(digest_text(call, request, &digest));
    *response = (struct hash_text_response){
        .digest = write_digest(call, &digest, request->encoding),
        .algorithm = request->algorithm,
        .encoding = request->encoding,
        .bits = (int64_t)digest.length * 8,
        .is_keyed = request->key != NULL,
        .is_weak = tr_digest_is_weak(request->algorithm),
    };
    return response->digest != NULL ? TR_OK : TR_NO_MEMORY;
}

TR_TOOL(hash_text, hash_text, hash_text_request, hash_text_response,
        .description = "Compute the cryptographic digest of a text (SHA-2, SHA-3, BLAKE2; SHA-1 "
                       "and MD5 for old checksums), or an HMAC with a key. Use it to fingerprint, "
                       "compare or sign a text; a digest cannot be worked out by thinking.",
        .annotations = { .read_only = true, .idempotent = true },
        .example_json = TR_JSON({ "text": "hello", "algorithm": "sha256" }));
