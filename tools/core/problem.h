/* problem.h - the problem document (RFC 9457) that every refusal is answered with. */
#ifndef TR_TOOLS_CORE_PROBLEM_H
#define TR_TOOLS_CORE_PROBLEM_H

#include "tools/core/status.h"

struct tr_text;
struct tr_violations;

/* DESIGN section 2: type, title, status, detail, code, success, error, violations, retryable,
 * request_id. `detail` NULL: the title; `violations` NULL or empty: left out; `request_id` NULL:
 * left out. */
void tr_problem_write(struct tr_text *out, enum tr_status status, const char *detail,
                      const struct tr_violations *violations, const char *request_id);

#endif
