/* mount_settings.h - what an operator writes under `mounts:`. */
#ifndef TR_TOOLS_GUARD_MOUNT_SETTINGS_H
#define TR_TOOLS_GUARD_MOUNT_SETTINGS_H

#include <stdint.h>

#include "tools/core/descriptor.h"

/* Several rights by one word. */
enum mount_preset {
    MOUNT_PRESET_ABSENT,
    MOUNT_NONE,
    MOUNT_RO,   /* read */
    MOUNT_RW,   /* everything */
    MOUNT_RWND, /* everything but delete */
};

enum mount_right {
    MOUNT_RIGHT_ABSENT,
    MOUNT_READ,
    MOUNT_WRITE,
    MOUNT_CREATE,
    MOUNT_DELETE,
};

/* `rights: ro`, or `rights: [read, create]`. */
struct mount_rights {
    int choice;
    union {
        enum mount_preset preset;
        TR_SPAN(enum mount_right) list;
    };
};
enum { MOUNT_RIGHTS_PRESET = 1, MOUNT_RIGHTS_LIST = 2 };

/* Other rights for one folder below the mount and everything in it. */
struct mount_override {
    const char *path; /* "drafts", "archive/2024" */
    struct mount_rights rights;
};

struct mount_settings {
    const char *path; /* "/data" */
    const char *root; /* the physical folder */
    struct mount_rights rights;
    TR_SPAN(struct mount_override) overrides;
    int64_t max_file_bytes;
    TR_SPAN(const char *) hidden; /* ".git", "*.key": names with * and ? */
};

extern const struct tr_type mount_settings_type;

#endif
