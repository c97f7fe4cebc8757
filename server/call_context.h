/* call_context.h - between an exchange and the calls that it asks for, whether they run here or on
 * a worker. */
#ifndef TR_SERVER_CALL_CONTEXT_H
#define TR_SERVER_CALL_CONTEXT_H

#include <stdbool.h>

#include "middleware/exchange.h"
#include "tools/core/call.h"
#include "tools/core/compiler.h"
#include "tools/core/status.h"
#include "tools/core/tool.h"

/* Does the tool end at once, so that an event thread may run it? */
bool tr_tool_is_quick(const struct tr_tool *tool);

/* Who calls, for `call`. Borrows from the exchange; when `copies`, the texts are copied into the
 * call's arena instead. False when out of memory. */
TR_MUST_USE bool tr_call_set_context(struct tr_call *call, const struct tr_exchange *exchange,
                                     bool copies);

/* Answer with the document in exchange->answer.body, which a run of `status` wrote. */
void tr_answer_run(struct tr_exchange *exchange, enum tr_status status);

#endif
