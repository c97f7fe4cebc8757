#include "tools/suites/data/zone.h"

#include <string.h>

#include "tools/core/arena.h"

enum {
    HEADER_BYTES = 44,
    TIME_BYTES = 6,           /* of a local time type record */
    MAX_OFFSET_S = 26 * 3600, /* RFC 9636 section 3.2: no clock is farther from UTC */
};

/* The counts of a header (RFC 9636 section 3.1), which say how long the data block is. */
struct counts {
    uint64_t is_utc, is_standard, leap, change, time, name;
};

struct input {
    const unsigned char *at, *end;
};

static size_t left(const struct input *in)
{
    return (size_t)(in->end - in->at);
}

/* Big-endian. */
static uint64_t number_at(const unsigned char *bytes, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Two's complement, without relying on how a conversion out of range behaves. */
static int64_t signed_of(uint64_t value)
{
    return value <= INT64_MAX ? (int64_t)value : -(int64_t)(UINT64_MAX - value) - 1;
}

static int32_t signed32_of(uint64_t value)
{
    return value <= INT32_MAX ? (int32_t)value : -(int32_t)(UINT32_MAX - value) - 1;
}

static bool take_header(struct input *in, struct counts *out)
{
    if (left(in) < HEADER_BYTES || memcmp(in->at, "TZif", 4) != 0 || in->at[4] < '2') {
        return false;
    }
    *out = (struct counts){
        .is_utc = number_at(in->at + 20, 4),
        .is_standard = number_at(in->at + 24, 4),
        .leap = number_at(in->at + 28, 4),
        .change = number_at(in->at + 32, 4),
        .time = number_at(in->at + 36, 4),
        .name = number_at(in->at + 40, 4),
    };
    in->at += HEADER_BYTES;
    return true;
}

/* The counts have 32 bits each, so the sum cannot overflow. */
static uint64_t block_bytes(const struct counts *counts, uint64_t number_bytes)
{
    return counts->change * (number_bytes + 1) + counts->time * TIME_BYTES + counts->name
           + counts->leap * (number_bytes + 4) + counts->is_standard + counts->is_utc;
}

/* Version 1's block is in front for old readers; the same follows with 64 bits. */
static bool take_headers(struct input *in, struct counts *out)
{
    if (!take_header(in, out) || block_bytes(out, 4) > left(in)) {
        return false;
    }
    in->at += block_bytes(out, 4);
    return take_header(in, out) && block_bytes(out, 8) <= left(in) && out->time != 0
           && out->time <= 256 && out->name != 0 && out->leap == 0;
}

static bool read_name(const unsigned char *names, size_t length, size_t index,
                      char out[TR_ZONE_NAME_BYTES])
{
    const void *end = index < length ? memchr(names + index, '\0', length - index) : NULL;
    if (end == NULL) {
        return false;
    }
    const size_t name_length = (size_t)((const unsigned char *)end - (names + index));
    if (name_length >= TR_ZONE_NAME_BYTES) {
        return false;
    }
    memcpy(out, names + index, name_length + 1);
    for (size_t i = 0; i < name_length; i++) {
        if (out[i] <= ' ' || out[i] > '~') {
            return false;
        }
    }
    return true;
}

static bool read_times(const unsigned char *bytes, const struct counts *counts,
                       struct tr_zone_time *out)
{
    const unsigned char *names = bytes + counts->time * TIME_BYTES;
    for (size_t i = 0; i < counts->time; i++, bytes += TIME_BYTES) {
        out[i].offset_s = signed32_of(number_at(bytes, 4));
        out[i].is_dst = bytes[4] != 0;
        if (out[i].offset_s <= -MAX_OFFSET_S || out[i].offset_s >= MAX_OFFSET_S
            || !read_name(names, (size_t)counts->name, bytes[5], out[i].abbreviation)) {
            return false;
        }
    }
    return true;
}

static bool read_changes(const unsigned char *bytes, const struct counts *counts, int64_t *changes,
                         unsigned char *shows)
{
    const unsigned char *indexes = bytes + counts->change * 8;
    for (size_t i = 0; i < counts->change; i++) {
        changes[i] = signed_of(number_at(bytes + 8 * i, 8));
        shows[i] = indexes[i];
        if (shows[i] >= counts->time || (i != 0 && changes[i] <= changes[i - 1])) {
            return false;
        }
    }
    return true;
}

/* A newline, the rule, which may be empty, and a newline. */
static bool read_footer(const struct input *in, struct tr_zone *zone)
{
    if (left(in) < 2 || in->at[0] != '\n') {
        return false;
    }
    const unsigned char *start = in->at + 1;
    const unsigned char *end = memchr(start, '\n', left(in) - 1);
    if (end == NULL) {
        return false;
    }
    zone->has_rule = end > start;
    return !zone->has_rule
           || tr_zone_rule_read((const char *)start, (size_t)(end - start), &zone->rule);
}

enum tr_status tr_zone_parse(struct tr_arena *arena, const unsigned char *bytes, size_t length,
                             struct tr_zone *ret_zone)
{
    struct input in = { .at = bytes, .end = bytes + length };
    struct counts counts;
    if (!take_headers(&in, &counts)) {
        return TR_INTERNAL;
    }
    struct tr_zone_time *times = TR_NEW(arena, struct tr_zone_time, counts.time);
    int64_t *changes = TR_NEW(arena, int64_t, counts.change + 1);
    unsigned char *shows = TR_NEW(arena, unsigned char, counts.change + 1);
    if (times == NULL || changes == NULL || shows == NULL) {
        return tr_arena_status(arena);
    }
    struct tr_zone zone = {
        .times = times,
        .time_count = (size_t)counts.time,
        .changes = changes,
        .shows = shows,
        .change_count = (size_t)counts.change,
    };
    const unsigned char *block = in.at;
    in.at += block_bytes(&counts, 8);
    if (!read_changes(block, &counts, changes, shows)
        || !read_times(block + counts.change * 9, &counts, times) || !read_footer(&in, &zone)) {
        return TR_INTERNAL;
    }
    *ret_zone = zone;
    return TR_OK;
}

/* How many changes there were up to `seconds`. */
static size_t changes_until(const struct tr_zone *zone, int64_t seconds)
{
    size_t low = 0;
    size_t high = zone->change_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (zone->changes[middle] <= seconds) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct tr_zone_time *tr_zone_at(const struct tr_zone *zone, int64_t seconds)
{
    const size_t count = changes_until(zone, seconds);
    if (count == zone->change_count && zone->has_rule) {
        return tr_zone_rule_at(&zone->rule, seconds);
    }
    return count == 0 ? &zone->times[0] : &zone->times[zone->shows[count - 1]];
}
