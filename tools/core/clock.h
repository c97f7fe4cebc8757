/* clock.h - the two clocks: monotonic for durations and deadlines, real time for the log. */
#ifndef TR_TOOLS_CORE_CLOCK_H
#define TR_TOOLS_CORE_CLOCK_H

#include <stdint.h>

int64_t tr_clock_ns(void);      /* monotonic */
int64_t tr_clock_ms(void);      /* monotonic, the unit of deadlines */
int64_t tr_clock_real_ms(void); /* since 1970-01-01T00:00:00Z */

#endif
