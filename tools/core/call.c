#include "tools/core/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "tools/core/clock.h"
#include "tools/core/utf8.h"

/* A sleeping tool looks this often whether it should stop. */
enum { SLEEP_SLICE_MS = 10, MAX_SENTENCE_BYTES = 2048 };

void tr_call_init(struct tr_call *call)
{
    *call = (struct tr_call){ 0 };
    tr_arena_init(&call->arena, TR_CALL_ARENA_BYTES);
    atomic_init(&call->is_cancelled, false);
    call->report.arena = &call->arena;
}

void tr_call_done(struct tr_call *call)
{
    tr_arena_done(&call->arena);
}

void *tr_alloc(struct tr_call *call, size_t count, size_t size)
{
    return tr_arena_alloc(&call->arena, count, size);
}

TR_PRINTF(2, 0)
static const char *sentence(struct tr_call *call, const char *format, va_list args)
{
    char text[MAX_SENTENCE_BYTES];
    const int wanted = vsnprintf(text, sizeof(text), format, args);
    if (wanted < 0) {
        return NULL;
    }
    const size_t length =
        (size_t)wanted < sizeof(text) ? (size_t)wanted : tr_utf8_cut(text, sizeof(text) - 1);
    return tr_arena_strndup(&call->arena, text, length);
}

const char *tr_printf(struct tr_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = tr_arena_vprintf(&call->arena, format, args);
    va_end(args);
    return text;
}

enum tr_status tr_fail(struct tr_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    call->failure = sentence(call, format, args);
    va_end(args);
    return TR_TOOL_FAILED;
}

enum tr_status tr_fail_internal(struct tr_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    call->failure = sentence(call, format, args);
    va_end(args);
    return TR_INTERNAL;
}

void tr_warn(struct tr_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = sentence(call, format, args);
    va_end(args);
    if (text == NULL) {
        call->report.is_incomplete = true;
        return;
    }
    tr_report_text(&call->report, &call->report.warnings, text);
}

bool tr_call_should_stop(const struct tr_call *call)
{
    return atomic_load_explicit(&call->is_cancelled, memory_order_relaxed)
           || (call->deadline_ms != 0 && tr_clock_ms() >= call->deadline_ms);
}

bool tr_call_sleep(const struct tr_call *call, int64_t duration_ms)
{
    const int64_t end_ms = tr_clock_ms() + duration_ms;
    for (;;) {
        if (tr_call_should_stop(call)) {
            return false;
        }
        const int64_t left_ms = end_ms - tr_clock_ms();
        if (left_ms <= 0) {
            return true;
        }
        const int64_t slice_ms = left_ms < SLEEP_SLICE_MS ? left_ms : SLEEP_SLICE_MS;
        const struct timespec slice = { .tv_nsec = (long)slice_ms * 1000 * 1000 };
        (void)nanosleep(&slice, NULL); /* a signal only shortens the slice */
    }
}
