/* Any bytes as a path, behind a NUL byte any bytes as the target of a link that the path may lead
 * through. Whatever is read comes from below the mount, with openat2() and without alike. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tools/core/call.h"
#include "tools/core/descriptor.h"
#include "tools/guard/vfs_parts.h"

enum { MAX_BYTES = 8192 };

/* Made once: {folder}/secret, and the mount {folder}/root with a few files. */
static struct {
    char folder[64];
    int fd;
    struct tr_vfs *kernel, *walking;
} tree = { .folder = "/tmp/toolrest-fuzz-XXXXXX" };

static const char *const folders[] = { "root", "root/sub", "root/sub/deep", "root/none" };
static const char *const files[] = { "root/a", "root/sub/b", "root/sub/deep/c", "root/none/d" };
static const char *const links[] = { "root/up", "root/in", "root/sub/back" };
static const char *const targets[] = { "..", "sub/deep", "../link" };

static void remove_tree(void)
{
    tr_vfs_free(tree.kernel);
    tr_vfs_free(tree.walking);
    (void)unlinkat(tree.fd, "root/link", 0);
    (void)unlinkat(tree.fd, "secret", 0);
    for (size_t i = 0; i < TR_COUNT_OF(links); i++) {
        (void)unlinkat(tree.fd, links[i], 0);
    }
    for (size_t i = TR_COUNT_OF(files); i-- > 0;) {
        (void)unlinkat(tree.fd, files[i], 0);
    }
    for (size_t i = TR_COUNT_OF(folders); i-- > 0;) {
        (void)unlinkat(tree.fd, folders[i], AT_REMOVEDIR);
    }
    (void)rmdir(tree.folder);
}

static void make_file(const char *path, const char *text)
{
    const int fd = openat(tree.fd, path, O_WRONLY | O_CREAT, 0644);
    FUZZ_REQUIRE(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(fd);
}

static struct tr_vfs *mount_tree(void)
{
    char root[96];
    (void)snprintf(root, sizeof(root), "%s/root", tree.folder);
    static const struct mount_override closed = {
        .path = "none",
        .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_NONE } },
    };
    const struct mount_settings mount = {
        .path = "/data",
        .root = root,
        .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_RO } },
        .overrides = { &closed, 1 },
        .max_file_bytes = 100,
    };
    struct tr_vfs *vfs = NULL;
    struct tr_fault fault;
    FUZZ_REQUIRE(tr_vfs_new(&mount, 1, &vfs, &fault) == TR_OK);
    return vfs;
}

static void make_tree(void)
{
    FUZZ_REQUIRE(mkdtemp(tree.folder) != NULL);
    tree.fd = open(tree.folder, O_RDONLY | O_DIRECTORY);
    for (size_t i = 0; i < TR_COUNT_OF(folders); i++) {
        FUZZ_REQUIRE(mkdirat(tree.fd, folders[i], 0755) == 0);
    }
    for (size_t i = 0; i < TR_COUNT_OF(files); i++) {
        make_file(files[i], strstr(files[i], "none") != NULL ? "SECRET" : "inside");
    }
    make_file("secret", "SECRET");
    for (size_t i = 0; i < TR_COUNT_OF(links); i++) {
        FUZZ_REQUIRE(symlinkat(targets[i], tree.fd, links[i]) == 0);
    }
    tree.kernel = mount_tree();
    tree.walking = mount_tree();
    tr_vfs_walk(tree.walking);
    FUZZ_REQUIRE(atexit(remove_tree) == 0);
}

static void make_link(const char *target)
{
    (void)unlinkat(tree.fd, "root/link", 0);
    if (*target != '\0' && symlinkat(target, tree.fd, "root/link") != 0) {
        FUZZ_REQUIRE(errno == ENAMETOOLONG);
    }
}

static enum tr_status read_path(const struct tr_vfs *vfs, const char *path)
{
    struct tr_call call;
    struct tr_vfs_content content;
    tr_call_init(&call);
    const enum tr_status status = tr_vfs_read_all(&call, vfs, path, 100, &content);
    if (status == TR_OK) {
        FUZZ_REQUIRE(strcmp(content.bytes, "inside") == 0);
    } else {
        FUZZ_REQUIRE(status == TR_TOOL_FAILED || status == TR_PATH_BLOCKED);
        FUZZ_REQUIRE(call.failure != NULL && call.failure[0] != '\0');
    }
    FUZZ_REQUIRE(call.failure == NULL || strstr(call.failure, tree.folder) == NULL
                 || strstr(path, tree.folder) != NULL);
    tr_call_done(&call);
    return status;
}

/* What is called plain is plain. */
static void check_place(const char *bytes, size_t length)
{
    struct tr_vfs_place place;
    if (tr_vfs_place(tree.kernel, bytes, length, &place) != TR_PATH_FINE) {
        return;
    }
    char again[TR_VFS_PATH_BYTES];
    FUZZ_REQUIRE(memchr(bytes, '\0', length) == NULL);
    FUZZ_REQUIRE(tr_path_plain(place.path, strlen(place.path), again));
    FUZZ_REQUIRE(strcmp(again, place.path) == 0);
    FUZZ_REQUIRE(place.path[0] != '/');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[MAX_BYTES + 1];
    if (tree.kernel == NULL) {
        make_tree();
    }
    check_place((const char *)data, size);
    const size_t length = size < MAX_BYTES ? size : MAX_BYTES;
    memcpy(path, data, length);
    path[length] = '\0';
    const size_t first = strlen(path);
    make_link(first < length ? path + first + 1 : "");

    const enum tr_status status = read_path(tree.kernel, path);

    FUZZ_REQUIRE(read_path(tree.walking, path) == status);
    return 0;
}
