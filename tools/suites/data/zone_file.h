/* zone_file.h - a time zone by the name that a caller gives it: IANA name, UTC or an offset. */
#ifndef TR_TOOLS_SUITES_DATA_ZONE_FILE_H
#define TR_TOOLS_SUITES_DATA_ZONE_FILE_H

#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_call;
struct tr_zone;

/* What `name` may look like, for a request's table. */
#define TR_ZONE_NAME_LENGTH TR_RANGE(1, 64)

/* Open the zone "Europe/Berlin" (a file of the system's), "UTC" or "Z", or "+02:00". Everything
 * lives in the call's memory, and `name` must too. Fails by tr_fail(), with the nearest name. */
TR_MUST_USE enum tr_status tr_zone_open(struct tr_call *call, const char *name,
                                        const struct tr_zone **ret_zone);

/* A zone whose clocks are always `offset_s` ahead of UTC, named by that: "+02:00". */
TR_MUST_USE enum tr_status tr_zone_fixed(struct tr_call *call, int32_t offset_s,
                                         const struct tr_zone **ret_zone);

#endif
