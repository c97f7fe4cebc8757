#include "middleware/secret.h"

#include <pthread.h>
#include <stdint.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

/* Looking the algorithm up costs more than hashing a key, so it is done once; a context is kept for
 * each thread and freed when the thread ends. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static EVP_MD *sha256;
static pthread_key_t context_key;
static bool has_context_key;
static _Thread_local EVP_MD_CTX *thread_context;

static void free_context(void *context)
{
    EVP_MD_CTX_free(context);
    thread_context = NULL;
}

static void prepare(void)
{
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    has_context_key = pthread_key_create(&context_key, free_context) == 0;
}

/* NULL when OpenSSL or memory refuses. */
static EVP_MD_CTX *context_of_thread(void)
{
    if (thread_context != NULL) {
        return thread_context;
    }
    (void)pthread_once(&once, prepare);
    if (sha256 == NULL || !has_context_key) {
        return NULL;
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL || pthread_setspecific(context_key, context) != 0) {
        EVP_MD_CTX_free(context);
        return NULL;
    }
    thread_context = context;
    return context;
}

bool tr_sha256(const void *bytes, size_t length, unsigned char out[TR_SHA256_BYTES])
{
    EVP_MD_CTX *context = context_of_thread();
    return context != NULL && EVP_DigestInit_ex2(context, sha256, NULL) == 1
           && EVP_DigestUpdate(context, bytes, length) == 1
           && EVP_DigestFinal_ex(context, out, NULL) == 1;
}

bool tr_sha256_hex(const void *bytes, size_t length, char out[TR_SHA256_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[TR_SHA256_BYTES];
    if (!tr_sha256(bytes, length, digest)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(digest); i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[TR_SHA256_HEX_BYTES - 1] = '\0';
    return true;
}

bool tr_secret_equal(const void *left, const void *right, size_t length)
{
    return CRYPTO_memcmp(left, right, length) == 0;
}

bool tr_random_bytes(void *out, size_t length)
{
    return length <= INT32_MAX && RAND_bytes(out, (int)length) == 1;
}

bool tr_random_key(char out[TR_API_KEY_BYTES])
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    enum { KEY_BYTES = 32, DIGITS = 43 };
    unsigned char random[KEY_BYTES + 1] = { 0 }; /* a zero behind fills up the last digit */
    if (!tr_random_bytes(random, KEY_BYTES)) {
        return false;
    }
    out[0] = 't';
    out[1] = 'r';
    out[2] = '_';
    for (size_t i = 0; i < DIGITS; i++) {
        const size_t bit = i * 6;
        const unsigned pair = (unsigned)random[bit / 8] << 8 | random[bit / 8 + 1];
        out[3 + i] = alphabet[pair >> (10 - bit % 8) & 63];
    }
    out[3 + DIGITS] = '\0';
    OPENSSL_cleanse(random, sizeof(random));
    return true;
}

const char *tr_secret_version(void)
{
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}
