#include "tests/support/alloc_fail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

enum { MAX_ATTEMPTS = 100 * 1000 };

static _Thread_local struct {
    size_t until_refusal; /* 0: refuse none */
    bool has_refused;
} state;

static bool is_refused(void)
{
    if (state.until_refusal == 0) {
        return false;
    }
    state.until_refusal--;
    if (state.until_refusal > 0) {
        return false;
    }
    state.has_refused = true;
    return true;
}

/* ---- what the linker puts in the place of the real functions ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *string);
char *__real_strndup(const char *string, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *string);
char *__wrap_strndup(const char *string, size_t size);

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return is_refused() ? NULL : __real_realloc(block, size);
}

char *__wrap_strdup(const char *string)
{
    return is_refused() ? NULL : __real_strdup(string);
}

char *__wrap_strndup(const char *string, size_t size)
{
    return is_refused() ? NULL : __real_strndup(string, size);
}

/* ---- what tests use ---- */

void alloc_fail_at(size_t nth)
{
    /* jansson is a shared library, out of the linker's reach. What it allocated before can be freed
     * by either pair of functions. */
    json_set_alloc_funcs(__wrap_malloc, free);
    state.until_refusal = nth;
    state.has_refused = false;
}

bool alloc_fail_stop(void)
{
    state.until_refusal = 0;
    return state.has_refused;
}

size_t alloc_fail_each(bool (*attempt)(void *context), void *context)
{
    for (size_t nth = 1; nth <= MAX_ATTEMPTS; nth++) {
        alloc_fail_at(nth);
        const bool has_succeeded = attempt(context);
        if (alloc_fail_stop()) {
            continue;
        }
        assert_true(has_succeeded);
        assert_true(nth > 1);
        return nth - 1;
    }
    fail_msg("Still refused after %d allocations: does an attempt repeat a failed one for ever?",
             MAX_ATTEMPTS);
    return 0;
}
