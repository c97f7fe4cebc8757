/* http_head.h - the header lines of an answer, as the engine keeps them: "Name: value\n" each. */
#ifndef TR_TOOLS_BASE_HTTP_HEAD_H
#define TR_TOOLS_BASE_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "tools/base/outbound.h"
#include "tools/core/compiler.h"
#include "tools/guard/header_guard.h"

/* The field at *at, which moves on behind it and which the field borrows from; false at the end.
 * Lines that are no field, and those that continue the one before, are passed over. */
TR_MUST_USE bool tr_http_head_next(const char **at, struct tr_header_field *ret_field);

/* The value of the first field of this name, in any case; NULL when there is none. */
const char *tr_http_head_find(const char *head, const char *name, size_t *ret_length);

/* The same field for the header guard. */
static inline struct tr_header_field tr_header_field_of(const struct tr_out_header *header)
{
    return (struct tr_header_field){
        .name = header->name,
        .name_length = strlen(header->name),
        .value = header->value,
        .value_length = strlen(header->value),
    };
}

#endif
