/* folder.h - a temporary folder for tests that need real files. Every function fails the test when
 * it cannot do its work. */
#ifndef TR_TESTS_SUPPORT_FOLDER_H
#define TR_TESTS_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FOLDER_PATH_BYTES = 64 };

struct folder {
    char path[FOLDER_PATH_BYTES]; /* absolute */
    int fd;
};

void folder_make(struct folder *folder);

/* Remove it with everything in it. */
void folder_remove(struct folder *folder);

/* Paths are relative to the folder. */
void folder_mkdir(const struct folder *folder, const char *path);
void folder_write(const struct folder *folder, const char *path, const char *bytes, size_t length);
void folder_put(const struct folder *folder, const char *path, const char *text);
void folder_link(const struct folder *folder, const char *path, const char *target);
void folder_fifo(const struct folder *folder, const char *path);

/* Set the time of the last change. */
void folder_touch(const struct folder *folder, const char *path, int64_t since_1970_s);

/* The content of a small file; a static buffer, overwritten by the next call. NULL: not there. */
const char *folder_text(const struct folder *folder, const char *path);
bool folder_has(const struct folder *folder, const char *path);

/* How many entries are in the folder at `path`, "." and ".." not counted. */
size_t folder_count(const struct folder *folder, const char *path);

#endif
