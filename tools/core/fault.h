/* fault.h - why something was refused, in words: where (a JSON Pointer, or file:line) and what. */
#ifndef TR_TOOLS_CORE_FAULT_H
#define TR_TOOLS_CORE_FAULT_H

#include "tools/core/compiler.h"
#include "tools/core/limits.h"
#include "tools/core/status.h"

/* Plain storage, no end. Both texts are cut at a character boundary when they are too long. */
struct tr_fault {
    char where[TR_FAULT_WHERE_BYTES]; /* empty: the whole thing */
    char what[TR_FAULT_WHAT_BYTES];
};

/* Fill `fault` (which may be NULL) and return `status`, so that a refusal is one statement.
 * `where` may be NULL or point into `fault`. */
TR_PRINTF(4, 5)
enum tr_status tr_refuse(enum tr_status status, struct tr_fault *fault, const char *where,
                         const char *format, ...);

#endif
