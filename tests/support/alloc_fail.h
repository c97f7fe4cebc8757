/* alloc_fail.h - makes one chosen allocation fail, to test what happens when memory runs out.
 *
 * It sees every malloc, calloc, realloc, strdup and strndup of the product and of the test itself
 * (the linker wraps them, see cmake/testing.cmake), and all of jansson's. Other libraries are left
 * alone. Counts are kept for each thread. Works under the sanitizers, which find what leaks. */
#ifndef TR_TESTS_SUPPORT_ALLOC_FAIL_H
#define TR_TESTS_SUPPORT_ALLOC_FAIL_H

#include <stdbool.h>
#include <stddef.h>

/* From now on count this thread's allocations and refuse the `nth` one (1 is the next), only that.
 */
void alloc_fail_at(size_t nth);

/* Refuse none any more. Was one refused since alloc_fail_at()? */
bool alloc_fail_stop(void);

/* Run `attempt(context)` with its 1st, its 2nd, ... allocation refused until it needs no more. Each
 * attempt starts afresh, cleans up after itself whatever happened, and says whether it succeeded;
 * what must hold when it did not, it asserts itself. Fails the test when the last attempt, which
 * was refused nothing, did not succeed, and when there were no allocations at all. Gives the number
 * of allocations of a whole attempt. */
size_t alloc_fail_each(bool (*attempt)(void *context), void *context);

#endif
