#include "tools/core/clock.h"

#include <time.h>

enum { NS_PER_MS = 1000 * 1000 };
#define NS_PER_S ((int64_t)1000 * 1000 * 1000)

static int64_t read_ns(clockid_t clock)
{
    struct timespec now = { 0 };
    (void)clock_gettime(clock, &now); /* cannot fail for the two clocks used here */
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t tr_clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

int64_t tr_clock_ms(void)
{
    return read_ns(CLOCK_MONOTONIC) / NS_PER_MS;
}

int64_t tr_clock_real_ms(void)
{
    return read_ns(CLOCK_REALTIME) / NS_PER_MS;
}
