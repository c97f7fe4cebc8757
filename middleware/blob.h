/* blob.h - an immutable body shared by many answers: rendered once, counted, with its ETag. */
#ifndef TR_MIDDLEWARE_BLOB_H
#define TR_MIDDLEWARE_BLOB_H

#include <stdatomic.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/text.h"

struct tr_blob {
    atomic_size_t references;
    size_t length;
    char etag[24]; /* strong, quoted (RFC 9110 section 8.8.3); the same bytes give the same tag */
    char bytes[];  /* NUL-terminated */
};

/* Copies the text. One reference; NULL when out of memory or when the text failed. */
TR_MALLOC struct tr_blob *tr_blob_new(const struct tr_text *text);
struct tr_blob *tr_blob_ref(struct tr_blob *blob);
void tr_blob_unref(struct tr_blob *blob); /* NULL is accepted */

#endif
