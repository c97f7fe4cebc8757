/* envelope.h - stage 11: the one shape of every answer of a tool that ran (DESIGN section 2). */
#ifndef TR_TOOLS_CORE_ENVELOPE_H
#define TR_TOOLS_CORE_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr_report;
struct tr_text;

struct tr_envelope {
    bool is_success;
    const char *result; /* JSON text, `result_length` bytes; NULL: null */
    size_t result_length;
    const char *error; /* NULL: null */
    const char *id, *name;
    int64_t duration_ns;
    const struct tr_report *report; /* `metadata`, when it has something to say */
};

void tr_envelope_write(struct tr_text *out, const struct tr_envelope *envelope);

#endif
