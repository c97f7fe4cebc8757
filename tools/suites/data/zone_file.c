#include "tools/suites/data/zone_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/core/call.h"
#include "tools/core/nearest.h"
#include "tools/suites/data/time_text.h"
#include "tools/suites/data/zone.h"

#define FOLDER "/usr/share/zoneinfo/"

enum { MAX_FILE_BYTES = 256 * 1024, PATH_BYTES = sizeof(FOLDER) + 64, MAX_PARTS = 3 };

static inline void tr_descriptor_drop(int *descriptor)
{
    if (*descriptor >= 0) {
        (void)close(*descriptor);
    }
}

/* ---- names ---- */

static bool is_letter(char byte)
{
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'z';
}

static bool is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static bool is_part_byte(char byte)
{
    return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_' || byte == '-'
           || byte == '+';
}

/* Up to three parts of letters, digits and _ - +. There is no dot, so no way out of the folder, and
 * a capital letter first, which leaves out what the folder holds besides zones. */
static bool is_zone_name(const char *name)
{
    size_t parts = 1;
    bool is_part_empty = true;
    if (!is_upper(name[0]) || strlen(name) > PATH_BYTES - sizeof(FOLDER)) {
        return false;
    }
    for (; *name != '\0'; name++) {
        if (*name == '/') {
            parts++;
            if (is_part_empty) {
                return false;
            }
        } else if (!is_part_byte(*name)) {
            return false;
        }
        is_part_empty = *name == '/';
    }
    return !is_part_empty && parts <= MAX_PARTS;
}

/* ---- files ---- */

/* Everything there is, up to the limit; false when the descriptor cannot be read. */
static bool read_bytes(int descriptor, unsigned char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length) {
        const ssize_t got = read(descriptor, bytes + at, length - at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += (size_t)got;
    }
    return true;
}

/* TR_NOT_FOUND when there is no such regular file. A FIFO must not be waited for. */
static enum tr_status read_file(struct tr_call *call, const char *name,
                                const unsigned char **ret_bytes, size_t *ret_length)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof(path), "%s%s", FOLDER, name);
    tr_auto(descriptor) int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    if (descriptor < 0 || fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)
        || about.st_size > MAX_FILE_BYTES) {
        return TR_NOT_FOUND;
    }
    const size_t length = (size_t)about.st_size;
    unsigned char *bytes = tr_alloc(call, length + 1, 1); /* zeroed: a NUL is behind */
    if (bytes == NULL) {
        return TR_NO_MEMORY;
    }
    if (!read_bytes(descriptor, bytes, length)) {
        return TR_NOT_FOUND;
    }
    *ret_bytes = bytes;
    *ret_length = length;
    return TR_OK;
}

/* ---- what was meant instead ---- */

static bool is_city(const char *zone, const char *wanted)
{
    const char *city = strrchr(zone, '/');
    if (city == NULL) {
        return false;
    }
    for (city++; *city != '\0' && *wanted != '\0'; city++, wanted++) {
        const char byte = *wanted == ' ' ? '_' : *wanted;
        if ((*city | 0x20) != (byte | 0x20)) {
            return false;
        }
    }
    return *city == '\0' && *wanted == '\0';
}

/* Lines of "country<tab>coordinates<tab>name[<tab>comment]". */
static char *next_name(char **at)
{
    while (**at != '\0') {
        char *line = *at;
        const size_t length = strcspn(line, "\n");
        *at += length + (line[length] != '\0' ? 1 : 0);
        line[length] = '\0';
        char *tab = line[0] == '#' ? NULL : strchr(line, '\t');
        char *name = tab != NULL ? strchr(tab + 1, '\t') : NULL;
        if (name != NULL) {
            name++;
            name[strcspn(name, "\t")] = '\0';
            return name;
        }
    }
    return NULL;
}

/* The zone that is spelled nearly so, or named after that city; NULL when there is none. */
static const char *nearest_zone(struct tr_call *call, const char *wanted)
{
    const unsigned char *bytes = NULL;
    size_t length = 0;
    if (read_file(call, "zone.tab", &bytes, &length) != TR_OK) {
        return NULL;
    }
    char *list = tr_arena_strndup(&call->arena, (const char *)bytes, length);
    if (list == NULL) {
        return NULL;
    }
    struct tr_nearest nearest = { .wanted = wanted };
    for (char *name = next_name(&list); name != NULL; name = next_name(&list)) {
        if (is_city(name, wanted)) {
            return name;
        }
        tr_nearest_offer(&nearest, name);
    }
    return nearest.best;
}

static enum tr_status refuse(struct tr_call *call, const char *name)
{
    const char *nearest = nearest_zone(call, name);
    if (nearest != NULL) {
        return tr_fail(call, "There is no time zone '%s'; did you mean '%s'?", name, nearest);
    }
    return tr_fail(call,
                   "There is no time zone '%s'; use an IANA name such as Europe/Berlin or "
                   "America/New_York, UTC, or an offset such as +02:00",
                   name);
}

/* ---- opening ---- */

enum tr_status tr_zone_fixed(struct tr_call *call, int32_t offset_s,
                             const struct tr_zone **ret_zone)
{
    struct tr_zone *zone = tr_alloc(call, 1, sizeof(*zone));
    struct tr_zone_time *time = tr_alloc(call, 1, sizeof(*time));
    if (zone == NULL || time == NULL) {
        return TR_NO_MEMORY;
    }
    time->offset_s = offset_s;
    tr_time_write_offset(offset_s, time->abbreviation);
    *zone = (struct tr_zone){ .name = time->abbreviation, .times = time, .time_count = 1 };
    *ret_zone = zone;
    return TR_OK;
}

static const struct tr_zone *utc_zone(void)
{
    static const struct tr_zone_time time = { .abbreviation = "UTC" };
    static const struct tr_zone zone = { .name = "UTC", .times = &time, .time_count = 1 };
    return &zone;
}

static enum tr_status open_file(struct tr_call *call, const char *name,
                                const struct tr_zone **ret_zone)
{
    const unsigned char *bytes = NULL;
    size_t length = 0;
    enum tr_status status = read_file(call, name, &bytes, &length);
    if (status == TR_NOT_FOUND) {
        return refuse(call, name);
    }
    TR_TRY(status);
    struct tr_zone *zone = tr_alloc(call, 1, sizeof(*zone));
    if (zone == NULL) {
        return TR_NO_MEMORY;
    }
    status = tr_zone_parse(&call->arena, bytes, length, zone);
    if (status == TR_INTERNAL) {
        return tr_fail_internal(call, "The system's data of the time zone '%s' cannot be read",
                                name);
    }
    TR_TRY(status);
    zone->name = name;
    *ret_zone = zone;
    return TR_OK;
}

enum tr_status tr_zone_open(struct tr_call *call, const char *name, const struct tr_zone **ret_zone)
{
    int32_t offset_s = 0;
    if (strcasecmp(name, "UTC") == 0 || strcasecmp(name, "Z") == 0) {
        *ret_zone = utc_zone();
        return TR_OK;
    }
    if (tr_time_read_offset(name, strlen(name), &offset_s)) {
        return tr_zone_fixed(call, offset_s, ret_zone);
    }
    return is_zone_name(name) ? open_file(call, name, ret_zone) : refuse(call, name);
}
