#include "middleware/blob.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "middleware/secret.h"

enum { ETAG_DIGITS = 20 }; /* 80 bits of the body's SHA-256 */

static bool write_etag(struct tr_blob *blob)
{
    _Static_assert(sizeof(blob->etag) >= ETAG_DIGITS + 3, "room for the quotes and the NUL");
    char digest[TR_SHA256_HEX_BYTES];
    if (!tr_sha256_hex(blob->bytes, blob->length, digest)) {
        return false;
    }
    blob->etag[0] = '"';
    memcpy(blob->etag + 1, digest, ETAG_DIGITS);
    blob->etag[ETAG_DIGITS + 1] = '"';
    blob->etag[ETAG_DIGITS + 2] = '\0';
    return true;
}

struct tr_blob *tr_blob_new(const struct tr_text *text)
{
    if (text->status != TR_OK || text->length > SIZE_MAX - sizeof(struct tr_blob) - 1) {
        return NULL;
    }
    struct tr_blob *blob = malloc(sizeof(*blob) + text->length + 1);
    if (blob == NULL) {
        return NULL;
    }
    atomic_init(&blob->references, 1);
    blob->length = text->length;
    memcpy(blob->bytes, tr_text_string(text), text->length + 1);
    if (!write_etag(blob)) {
        free(blob);
        return NULL;
    }
    return blob;
}

struct tr_blob *tr_blob_ref(struct tr_blob *blob)
{
    (void)atomic_fetch_add_explicit(&blob->references, 1, memory_order_relaxed);
    return blob;
}

void tr_blob_unref(struct tr_blob *blob)
{
    /* Acquire and release: whoever frees sees all that others did with the blob. */
    if (blob != NULL
        && atomic_fetch_sub_explicit(&blob->references, 1, memory_order_acq_rel) == 1) {
        free(blob);
    }
}
