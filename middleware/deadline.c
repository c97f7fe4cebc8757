/* Until when a body must have arrived, and how long each stage of the answer took.
 *
 * A caller cannot set a deadline of its own: the tool's limit holds, and a caller that has waited
 * enough closes the connection, which cancels the call. */
#include <string.h>

#include "middleware/chain.h"
#include "middleware/decimal.h"
#include "middleware/policy.h"

enum { NS_PER_MS = 1000 * 1000, NS_PER_US = 1000 };

static void admit(struct tr_exchange *exchange)
{
    const struct tr_request *request = &exchange->request;
    const int64_t timeout_ms = exchange->policy->body_timeout_ms;
    if (timeout_ms > 0 && (request->content_length > 0 || request->is_chunked)) {
        exchange->body_deadline_ms = exchange->started_ns / NS_PER_MS + timeout_ms;
    }
}

/* "name;dur=0.012" (https://www.w3.org/TR/server-timing/), in milliseconds; nothing for a stage
 * that did not run. */
static char *write_stage(char *out, const char *start, const char *name, int64_t duration_ns)
{
    if (duration_ns <= 0) {
        return out;
    }
    if (out != start) {
        *out++ = ',';
    }
    const size_t length = strlen(name);
    memcpy(out, name, length + 1);
    return tr_write_decimal_milli(out + length, (uint64_t)duration_ns / NS_PER_US);
}

static void leave(struct tr_exchange *exchange)
{
    const struct tr_run_timings *timings = &exchange->timings;
    const struct stage {
        const char *name;
        int64_t duration_ns;
    } stages[] = {
        { "parse;dur=", timings->parse_ns },
        { "params;dur=", timings->params_ns },
        { "bind;dur=", timings->bind_ns },
        { "execute;dur=", timings->execute_ns },
        { "finish;dur=", timings->finish_ns },
        { "total;dur=", exchange->left_ns - exchange->started_ns },
    };
    enum { LONGEST_NAME = sizeof("execute;dur="), COUNT = sizeof(stages) / sizeof(stages[0]) };
    _Static_assert(COUNT * (LONGEST_NAME + TR_DECIMAL_MILLI_BYTES + 1) < TR_SERVER_TIMING_BYTES,
                   "Server-Timing fits");
    char *out = exchange->timing_text;
    for (size_t i = 0; i < COUNT; i++) {
        out = write_stage(out, exchange->timing_text, stages[i].name, stages[i].duration_ns);
    }
    *out = '\0';
    tr_answer_header_constant(exchange, "Server-Timing", exchange->timing_text);
}

const struct tr_middleware tr_deadline = {
    .name = "deadline",
    .admit = admit,
    .leave = leave,
    .leaves_always = true,
};
