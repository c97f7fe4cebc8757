/* One of the files of the virtual file system (see vfs_parts.h): what an operator says of a mount.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/glob.h"
#include "tools/core/limits.h"
#include "tools/guard/vfs_parts.h"

/* ---- the settings, described ---- */

static const char *const mount_preset_names[] = {
    [MOUNT_NONE] = "none",
    [MOUNT_RO] = "ro",
    [MOUNT_RW] = "rw",
    [MOUNT_RWND] = "rwnd",
};

static const char *const mount_right_names[] = {
    [MOUNT_READ] = "read",
    [MOUNT_WRITE] = "write",
    [MOUNT_CREATE] = "create",
    [MOUNT_DELETE] = "delete",
};

static const struct tr_field mount_rights_fields[] = {
    {
        TR_ENUM(mount_rights, preset, mount_preset),
        .description = "ro: read; rw: everything; rwnd: everything but delete; none: nothing",
    },
    {
        TR_LIST_OF_ENUM(mount_rights, list, mount_right),
        .description = "Each right by its name",
        .unique = true,
    },
};
static TR_ANY_OF_TYPE(mount_rights, "What tools may do");

static const struct tr_field mount_override_fields[] = {
    {
        TR_FIELD(mount_override, path),
        .description = "The folder, below the mount",
        .length = TR_RANGE(1, TR_VFS_PATH_BYTES - 1),
        .required = true,
        .example_json = TR_JSON("drafts"),
    },
    {
        TR_OBJECT(mount_override, rights, mount_rights),
        .description = "What tools may do in this folder, in place of what the mount says",
        .required = true,
        .example_json = TR_JSON("rw"),
    },
};
static TR_TYPE(mount_override, "Other rights for one folder below a mount");

static const struct tr_field mount_settings_fields[] = {
    {
        TR_FIELD(mount_settings, path),
        .description = "The folder as tools see it",
        .length = TR_RANGE(1, TR_VFS_PATH_BYTES - 1),
        .required = true,
        .example_json = TR_JSON("/data"),
    },
    {
        TR_FIELD(mount_settings, root),
        .description = "The folder as it is; a relative path starts at the folder of this file",
        .length = TR_RANGE(1, TR_VFS_PATH_BYTES - 1),
        .required = true,
        .example_json = TR_JSON("./data"),
    },
    {
        TR_OBJECT(mount_settings, rights, mount_rights),
        .description = "What tools may do: ro, rw, rwnd, none, or a list of read, write, create "
                       "and delete",
        .default_json = TR_JSON("ro"),
    },
    {
        TR_LIST_OF(mount_settings, overrides, mount_override),
        .description = "Other rights for folders below; the longest path counts",
        .count = TR_AT_MOST(256),
    },
    {
        TR_FIELD(mount_settings, max_file_bytes),
        .description = "The largest file that is read or written",
        .range = TR_RANGE(1, 17179869184),
        .default_json = TR_JSON(16777216),
    },
    {
        TR_LIST(mount_settings, hidden),
        .description = "Names of files and folders, with * and ?, that do not exist for tools",
        .count = TR_AT_MOST(256),
        .length = TR_RANGE(1, TR_VFS_NAME_BYTES - 1),
        .example_json = TR_JSON([".git", "*.key"]),
    },
};
TR_TYPE(mount_settings, "A folder for the file tools");

/* ---- what becomes of them ---- */

/* Where a refusal stands, and what the parts of one mount are made with. */
struct making {
    const struct mount_settings *settings;
    size_t index;
    struct tr_arena *arena;
    struct tr_mount *mount;
    struct tr_fault *reterr;
};

TR_PRINTF(3, 4)
static enum tr_status refuse(const struct making *making, const char *member, const char *format,
                             ...)
{
    char where[TR_FAULT_WHERE_BYTES];
    char what[TR_FAULT_WHAT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    (void)snprintf(where, sizeof(where), "/%zu/%s", making->index, member);
    return tr_refuse(TR_INVALID_PARAMETERS, making->reterr, where, "%s", what);
}

static enum tr_status refuse_memory(const struct making *making)
{
    return tr_refuse(TR_NO_MEMORY, making->reterr, NULL, "out of memory");
}

static unsigned rights_of(const struct mount_rights *rights)
{
    static const unsigned of_preset[] = {
        [MOUNT_RO] = TR_RIGHT_READ,
        [MOUNT_RW] = TR_RIGHT_READ | TR_RIGHT_WRITE | TR_RIGHT_CREATE | TR_RIGHT_DELETE,
        [MOUNT_RWND] = TR_RIGHT_READ | TR_RIGHT_WRITE | TR_RIGHT_CREATE,
    };
    static const unsigned of_right[] = {
        [MOUNT_RIGHT_ABSENT] = 0,         [MOUNT_READ] = TR_RIGHT_READ,
        [MOUNT_WRITE] = TR_RIGHT_WRITE,   [MOUNT_CREATE] = TR_RIGHT_CREATE,
        [MOUNT_DELETE] = TR_RIGHT_DELETE,
    };
    if (rights->choice == MOUNT_RIGHTS_PRESET) {
        return of_preset[rights->preset];
    }
    unsigned all = 0;
    for (size_t i = 0; rights->choice == MOUNT_RIGHTS_LIST && i < rights->list.count; i++) {
        all |= of_right[rights->list.items[i]];
    }
    return all;
}

/* Written as it is meant: no "//", ".", "..", no slash at its end. */
static bool is_plain(const char *text, const char *plain)
{
    return strcmp(text, plain) == 0 && !tr_path_climbs(plain);
}

static enum tr_status read_path(const struct making *making)
{
    const char *text = making->settings->path;
    char plain[TR_VFS_PATH_BYTES];
    if (*text != '/' || !tr_path_plain(text, strlen(text), plain) || !is_plain(text + 1, plain)) {
        return refuse(making, "path", "must be absolute and plain, as '/data'");
    }
    making->mount->name = tr_arena_strndup(making->arena, text, strlen(text));
    if (making->mount->name == NULL) {
        return refuse_memory(making);
    }
    making->mount->path = making->mount->name + 1;
    return TR_OK;
}

static enum tr_status open_root(const struct making *making)
{
    const int root = open(making->settings->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        return refuse(making, "root", "cannot be opened as a folder: %s", strerror(errno));
    }
    making->mount->root = root;
    return TR_OK;
}

static bool is_overridden(const struct tr_mount *mount, const char *path)
{
    for (size_t i = 0; i < mount->override_count; i++) {
        if (strcmp(mount->overrides[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

static enum tr_status read_overrides(const struct making *making)
{
    const size_t count = making->settings->overrides.count;
    struct tr_mount_override *overrides =
        TR_NEW(making->arena, struct tr_mount_override, count + 1);
    if (overrides == NULL) {
        return refuse_memory(making);
    }
    making->mount->overrides = overrides;
    for (size_t i = 0; i < count; i++) {
        const struct mount_override *given = &making->settings->overrides.items[i];
        char plain[TR_VFS_PATH_BYTES];
        char member[64];
        (void)snprintf(member, sizeof(member), "overrides/%zu/path", i);
        if (!tr_path_plain(given->path, strlen(given->path), plain) || plain[0] == '\0'
            || !is_plain(given->path, plain)) {
            return refuse(making, member, "must be a plain path below the mount, as 'drafts'");
        }
        if (is_overridden(making->mount, plain)) {
            return refuse(making, member, "is in the list twice");
        }
        overrides[i].path = tr_arena_strndup(making->arena, plain, strlen(plain));
        overrides[i].rights = rights_of(&given->rights);
        if (overrides[i].path == NULL) {
            return refuse_memory(making);
        }
        making->mount->override_count++;
    }
    return TR_OK;
}

static enum tr_status read_hidden(const struct making *making)
{
    const size_t count = making->settings->hidden.count;
    const char **hidden = TR_NEW(making->arena, const char *, count + 1);
    if (hidden == NULL) {
        return refuse_memory(making);
    }
    for (size_t i = 0; i < count; i++) {
        const char *glob = making->settings->hidden.items[i];
        if (*glob == '\0' || strlen(glob) >= TR_VFS_NAME_BYTES || strpbrk(glob, "/[]") != NULL) {
            char member[64];
            (void)snprintf(member, sizeof(member), "hidden/%zu", i);
            return refuse(making, member,
                          "must be a name with * and ?; for a path use an override with 'none'");
        }
        hidden[i] = tr_arena_strndup(making->arena, glob, strlen(glob));
        if (hidden[i] == NULL) {
            return refuse_memory(making);
        }
    }
    making->mount->hidden = hidden;
    making->mount->hidden_count = count;
    return TR_OK;
}

enum tr_status tr_mount_init(const struct mount_settings *settings, size_t index,
                             struct tr_arena *arena, struct tr_mount *out, struct tr_fault *reterr)
{
    const struct making making = {
        .settings = settings,
        .index = index,
        .arena = arena,
        .mount = out,
        .reterr = reterr,
    };
    *out = (struct tr_mount){
        .root = -1,
        .rights = rights_of(&settings->rights),
        .max_file_bytes = settings->max_file_bytes,
    };
    TR_TRY(read_path(&making));
    TR_TRY(read_overrides(&making));
    TR_TRY(read_hidden(&making));
    return open_root(&making);
}

/* ---- what they say ---- */

unsigned tr_mount_rights(const struct tr_mount *mount, const char *path)
{
    unsigned rights = mount->rights;
    size_t longest = 0;
    for (size_t i = 0; i < mount->override_count; i++) {
        const struct tr_mount_override *one = &mount->overrides[i];
        const size_t length = strlen(one->path);
        if (length > longest && tr_path_is_below(path, one->path)) {
            longest = length;
            rights = one->rights;
        }
    }
    return rights;
}

bool tr_mount_hides(const struct tr_mount *mount, const char *name, size_t length)
{
    char text[TR_VFS_NAME_BYTES];
    if (length >= sizeof(text)) {
        return false; /* no file has such a name */
    }
    memcpy(text, name, length);
    text[length] = '\0';
    if (strncmp(text, TR_VFS_TEMPORARY, sizeof(TR_VFS_TEMPORARY) - 1) == 0) {
        return true;
    }
    for (size_t i = 0; i < mount->hidden_count; i++) {
        if (tr_glob_match(mount->hidden[i], text)) {
            return true;
        }
    }
    return false;
}
