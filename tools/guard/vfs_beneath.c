/* One of the files of the virtual file system (see vfs_parts.h): the system calls that POSIX has no
 * words for. It takes the flags from the kernel's headers, which do not go with <fcntl.h>. */
#include <errno.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/guard/vfs_parts.h"

/* A folder that moves while it is looked at is worth another look (EAGAIN), but not for ever. */
enum { MAX_LOOKS = 64 };

#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

/* <unistd.h> keeps it from strict POSIX. */
long syscall(long number, ...);

static int open_at(int folder, const char *name, int flags)
{
    return (int)syscall(SYS_openat, folder, name, flags, 0);
}

static int open_beneath(int root, const char *path)
{
    const struct open_how how = {
        .flags = FOLDER_FLAGS,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS,
    };
    int fd = -1;
    for (int looks = 0; looks < MAX_LOOKS && fd < 0; looks++) {
        fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
        if (fd < 0 && errno != EAGAIN && errno != EINTR) {
            return -1;
        }
    }
    return fd;
}

bool tr_beneath_is_supported(int root)
{
    const int fd = open_beneath(root, ".");
    if (fd >= 0) {
        (void)close(fd);
    }
    return fd >= 0;
}

/* A link is no folder, which is all that openat() says of it; openat2() says ELOOP. */
static int explain(int folder, const char *name, int error)
{
    char target[1];
    const bool is_link = error == ENOTDIR && readlinkat(folder, name, target, sizeof(target)) >= 0;
    errno = is_link ? ELOOP : error;
    return -1;
}

/* The path is plain, so no component is ".." and none has a slash: each step stays in the folder
 * that was opened before. */
static int walk(int root, const char *path)
{
    int folder = open_at(root, ".", FOLDER_FLAGS);
    while (folder >= 0 && *path != '\0') {
        char name[TR_VFS_NAME_BYTES];
        const size_t length = strcspn(path, "/");
        memcpy(name, path, length);
        name[length] = '\0';
        path += length + (path[length] == '/');
        int next = open_at(folder, name, FOLDER_FLAGS | O_NOFOLLOW);
        if (next < 0) {
            next = explain(folder, name, errno);
        }
        const int error = errno;
        (void)close(folder);
        errno = error;
        folder = next;
    }
    return folder;
}

int tr_beneath_open(const struct tr_vfs *vfs, int root, const char *path)
{
    if (tr_path_climbs(path)) {
        errno = EXDEV;
        return -1;
    }
    if (vfs->walks) {
        return walk(root, path);
    }
    return open_beneath(root, *path != '\0' ? path : ".");
}

int tr_beneath_rename_new(int from_folder, const char *from, int to_folder, const char *to)
{
    if (syscall(SYS_renameat2, from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    /* A file system without that flag: a link refuses a name that is there as well. */
    if (linkat(from_folder, from, to_folder, to, 0) != 0) {
        return -1;
    }
    return unlinkat(from_folder, from, 0);
}
