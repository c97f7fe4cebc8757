#include "tests/support/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEXT_BYTES = 64 * 1024 };

void folder_make(struct folder *folder)
{
    (void)snprintf(folder->path, sizeof(folder->path), "/tmp/toolrest-test-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(folder->fd >= 0);
}

static void empty(int parent, const char *name)
{
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    if (stream == NULL) {
        return;
    }
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (unlinkat(fd, entry->d_name, 0) != 0) {
            empty(fd, entry->d_name);
            (void)unlinkat(fd, entry->d_name, AT_REMOVEDIR);
        }
    }
    (void)closedir(stream);
}

void folder_remove(struct folder *folder)
{
    empty(folder->fd, ".");
    (void)close(folder->fd);
    assert_int_equal(rmdir(folder->path), 0);
}

void folder_mkdir(const struct folder *folder, const char *path)
{
    assert_int_equal(mkdirat(folder->fd, path, 0755), 0);
}

void folder_write(const struct folder *folder, const char *path, const char *bytes, size_t length)
{
    const int fd = openat(folder->fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    while (length != 0) {
        const ssize_t count = write(fd, bytes, length);
        assert_true(count > 0);
        bytes += count;
        length -= (size_t)count;
    }
    assert_int_equal(close(fd), 0);
}

void folder_put(const struct folder *folder, const char *path, const char *text)
{
    folder_write(folder, path, text, strlen(text));
}

void folder_link(const struct folder *folder, const char *path, const char *target)
{
    assert_int_equal(symlinkat(target, folder->fd, path), 0);
}

void folder_fifo(const struct folder *folder, const char *path)
{
    char whole[512];
    (void)snprintf(whole, sizeof(whole), "%s/%s", folder->path, path);
    assert_int_equal(mkfifo(whole, 0644), 0);
}

void folder_touch(const struct folder *folder, const char *path, int64_t since_1970_s)
{
    const struct timespec times[2] = {
        { .tv_sec = (time_t)since_1970_s },
        { .tv_sec = (time_t)since_1970_s },
    };
    assert_int_equal(utimensat(folder->fd, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

const char *folder_text(const struct folder *folder, const char *path)
{
    static char text[TEXT_BYTES];
    const int fd = openat(folder->fd, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    const ssize_t count = read(fd, text, sizeof(text) - 1);
    assert_true(count >= 0);
    text[count] = '\0';
    (void)close(fd);
    return text;
}

bool folder_has(const struct folder *folder, const char *path)
{
    struct stat unused;
    return fstatat(folder->fd, path, &unused, AT_SYMLINK_NOFOLLOW) == 0;
}

size_t folder_count(const struct folder *folder, const char *path)
{
    const int fd = openat(folder->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fdopendir(fd);
    assert_non_null(stream);
    size_t count = 0;
    while (readdir(stream) != NULL) {
        count++;
    }
    (void)closedir(stream);
    return count - 2;
}
