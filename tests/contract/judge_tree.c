#include "tests/contract/judge_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_PATH_BYTES = 4096 };

/* ---- making ---- */

static bool write_file(int folder, const char *path, const char *content)
{
    const int fd = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) {
        return false;
    }
    const size_t length = strlen(content);
    const bool is_written = write(fd, content, length) == (ssize_t)length;
    return close(fd) == 0 && is_written;
}

static bool make_link(const struct judge_tree *tree, const char *path, const char *target)
{
    char text[MAX_PATH_BYTES];
    const bool is_inside = strncmp(target, "{T}", strlen("{T}")) == 0;
    (void)snprintf(text, sizeof(text), "%s%s", is_inside ? tree->folder : "",
                   is_inside ? target + strlen("{T}") : target);
    return symlinkat(text, tree->fd, path) == 0;
}

static bool make_socket(const struct judge_tree *tree, const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%.60s/%.40s", tree->folder, path);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    const bool is_bound =
        fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0;
    (void)close(fd);
    return is_bound;
}

static bool make_folders_and_files(const struct judge_tree *tree)
{
    const json_t *folders = json_object_get(tree->description, "dirs");
    for (size_t i = 0; i < json_array_size(folders); i++) {
        if (mkdirat(tree->fd, json_string_value(json_array_get(folders, i)), 0755) != 0) {
            return false;
        }
    }
    const char *path = NULL;
    json_t *value = NULL;
    json_object_foreach (json_object_get(tree->description, "files"), path, value) {
        if (!write_file(tree->fd, path, json_string_value(value))) {
            return false;
        }
    }
    return true;
}

static bool make_links(const struct judge_tree *tree)
{
    const char *path = NULL;
    json_t *value = NULL;
    json_object_foreach (json_object_get(tree->description, "symlinks"), path, value) {
        if (!make_link(tree, path, json_string_value(value))) {
            return false;
        }
    }
    json_object_foreach (json_object_get(tree->description, "hardlinks"), path, value) {
        if (linkat(tree->fd, json_string_value(value), tree->fd, path, 0) != 0) {
            return false;
        }
    }
    return true;
}

static bool make_special_files(const struct judge_tree *tree)
{
    const json_t *fifos = json_object_get(tree->description, "fifos");
    for (size_t i = 0; i < json_array_size(fifos); i++) {
        char path[MAX_PATH_BYTES];
        (void)snprintf(path, sizeof(path), "%s/%s", tree->folder,
                       json_string_value(json_array_get(fifos, i)));
        if (mkfifo(path, 0644) != 0) {
            return false;
        }
    }
    const json_t *sockets = json_object_get(tree->description, "sockets");
    for (size_t i = 0; i < json_array_size(sockets); i++) {
        if (!make_socket(tree, json_string_value(json_array_get(sockets, i)))) {
            return false;
        }
    }
    return true;
}

static bool set_modes(const struct judge_tree *tree)
{
    const char *path = NULL;
    json_t *value = NULL;
    json_object_foreach (json_object_get(tree->description, "modes"), path, value) {
        const mode_t mode = (mode_t)strtoul(json_string_value(value), NULL, 8);
        if (fchmodat(tree->fd, path, mode, 0) != 0) {
            return false;
        }
    }
    return true;
}

bool judge_tree_make(struct judge_tree *ret_tree)
{
    *ret_tree = (struct judge_tree){ .folder = "/tmp/toolrest-paths-XXXXXX", .fd = -1 };
    ret_tree->description = json_load_file(TR_TEST_DATA_DIR "/paths_fixture.json", 0, NULL);
    if (ret_tree->description == NULL || mkdtemp(ret_tree->folder) == NULL) {
        json_decref(ret_tree->description);
        return false;
    }
    ret_tree->fd = open(ret_tree->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool is_made = ret_tree->fd >= 0 && make_folders_and_files(ret_tree)
                         && make_links(ret_tree) && make_special_files(ret_tree)
                         && set_modes(ret_tree);
    if (!is_made) {
        judge_tree_remove(ret_tree);
    }
    return is_made;
}

/* ---- removing ---- */

static void empty_folder(int parent, const char *name)
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
            empty_folder(fd, entry->d_name);
            (void)unlinkat(fd, entry->d_name, AT_REMOVEDIR);
        }
    }
    (void)closedir(stream);
}

void judge_tree_remove(struct judge_tree *tree)
{
    if (tree->fd >= 0) {
        empty_folder(tree->fd, ".");
        (void)close(tree->fd);
    }
    (void)rmdir(tree->folder);
    json_decref(tree->description);
    *tree = (struct judge_tree){ .fd = -1 };
}

/* ---- looking ---- */

static bool is_inside(const char *path)
{
    return strncmp(path, "root/", strlen("root/")) == 0;
}

static bool has_content(int folder, const char *path, const char *content)
{
    char bytes[256];
    const int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = fd >= 0 ? read(fd, bytes, sizeof(bytes)) : -1;
    (void)close(fd);
    return count == (ssize_t)strlen(content) && memcmp(bytes, content, (size_t)count) == 0;
}

static size_t count_entries(int folder, const char *name)
{
    const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    size_t count = 0;
    while (stream != NULL && readdir(stream) != NULL) {
        count++;
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    return count;
}

bool judge_tree_is_whole(const struct judge_tree *tree)
{
    const char *path = NULL;
    json_t *value = NULL;
    json_object_foreach (json_object_get(tree->description, "files"), path, value) {
        if (!is_inside(path) && !has_content(tree->fd, path, json_string_value(value))) {
            return false;
        }
    }
    /* With "." and "..": root, root-evil, outside and secret.txt; one file in each of the others.
     */
    return count_entries(tree->fd, ".") == 6 && count_entries(tree->fd, "outside") == 3
           && count_entries(tree->fd, "root-evil") == 3;
}
