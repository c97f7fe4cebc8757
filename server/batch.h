/* batch.h - the body of POST /calls: which calls a batch consists of. */
#ifndef TR_SERVER_BATCH_H
#define TR_SERVER_BATCH_H

#include <stddef.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/schema.h"
#include "tools/core/status.h"
#include "tools/core/violation.h"

/* One call of a batch, bound from its JSON object. */
struct batch_call {
    const char *id; /* NULL: none given */
    const char *name;
    json_t *parameters; /* NULL: none given */
};

extern const struct tr_type batch_call_type;

/* The schema of the body, compiled once. */
struct tr_batch_schema {
    struct tr_schema_document call; /* of one item */
    struct tr_schema body;          /* the array around it */
};

TR_MUST_USE enum tr_status tr_batch_schema_init(struct tr_batch_schema *schema);
void tr_batch_schema_done(struct tr_batch_schema *schema);

/* What a body asks for. Everything in it is borrowed from `document` or lives in the arena. */
struct tr_batch {
    json_t *document; /* owned */
    struct batch_call *calls;
    size_t count;
};

/* Parse, check and bind. TR_MALFORMED_JSON and others with `reterr`, TR_INVALID_PARAMETERS with
 * `found` (pointers as "/0/name"), in whose arena everything lives. */
TR_MUST_USE enum tr_status tr_batch_parse(const struct tr_batch_schema *schema, const char *body,
                                          size_t length, struct tr_batch *ret_batch,
                                          struct tr_violations *found, struct tr_fault *reterr);
void tr_batch_done(struct tr_batch *batch);

#endif
