#include <unistd.h>

#include "tests/unit/tools/guard/vfs_fixture.h"
#include "tools/core/descriptor.h"

/* Everything twice: with openat2() and without. */
static const bool walks[] = { false, true };

static void start(struct vfs_fixture *fixture)
{
    fixture_start(fixture);
    const struct folder *folder = &fixture->folder;
    folder_put(folder, "secret.txt", "SECRET");
    folder_put(folder, "data/a.txt", "A");
    folder_mkdir(folder, "data/sub");
    folder_put(folder, "data/sub/b.txt", "B");
}

static void use(struct vfs_fixture *fixture, bool is_walking)
{
    fixture_mount_usual(fixture);
    if (is_walking) {
        tr_vfs_walk(fixture->vfs);
    }
}

static void files_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture);
        use(&fixture, walks[i]);

        assert_reads(&fixture, "/data/a.txt", "A");
        assert_reads(&fixture, "data/sub/b.txt", "B");
        assert_reads(&fixture, "/data/./sub//b.txt", "B");
        assert_reads(&fixture, "/data/sub/../a.txt", "A");

        fixture_end(&fixture);
    }
}

static void what_cannot_be_read_has_its_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum tr_status status;
        const char *sentence;
    } cases[] = {
        { "/data/missing.txt", TR_TOOL_FAILED, "File not found: /data/missing.txt" },
        { "/data/no/such.txt", TR_TOOL_FAILED, "File not found: /data/no/such.txt" },
        { "/data/no/../a.txt", TR_TOOL_FAILED, "File not found: /data/no/../a.txt" },
        { "/data/sub", TR_TOOL_FAILED, "Is a folder, not a file: /data/sub" },
        { "/data", TR_TOOL_FAILED, "Is a folder, not a file: /data" },
        { "/data/a.txt/", TR_TOOL_FAILED,
          "Not a folder: /data/a.txt/, or a folder in it; directory_list shows what there is" },
        { "/data/a.txt/x", TR_TOOL_FAILED,
          "Not a folder: /data/a.txt/x, or a folder in it; directory_list shows what there is" },
        { "/data/a.txt/..", TR_TOOL_FAILED,
          "Not a folder: /data/a.txt/.., or a folder in it; directory_list shows what there is" },
        { "/data/../secret.txt", TR_PATH_BLOCKED,
          "Path blocked: /data/../secret.txt leads out of its mount" },
        { "/data/sub/../../secret.txt", TR_PATH_BLOCKED,
          "Path blocked: /data/sub/../../secret.txt leads out of its mount" },
        { "/nowhere/a", TR_PATH_BLOCKED,
          "Path blocked: /nowhere/a is below no mount. There are: /data, /work" },
        { "", TR_PATH_BLOCKED, "Path blocked: it is empty" },
        { "/data/\xff", TR_PATH_BLOCKED, "Path blocked: it is not UTF-8 text" },
        { "/data/fifo", TR_PATH_BLOCKED, "Path blocked: /data/fifo is no regular file" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture);
        folder_fifo(&fixture.folder, "data/fifo");
        use(&fixture, walks[i]);
        for (size_t at = 0; at < TR_COUNT_OF(cases); at++) {
            assert_not_read(&fixture, cases[at].path, cases[at].status, cases[at].sentence);
        }
        fixture_end(&fixture);
    }
}

static void links_that_stay_inside_are_followed(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture);
        folder_link(&fixture.folder, "data/file", "sub/b.txt");
        folder_link(&fixture.folder, "data/folder", "sub");
        folder_link(&fixture.folder, "data/sub/up", "../a.txt");
        folder_link(&fixture.folder, "data/chain", "folder/up");
        folder_link(&fixture.folder, "data/self", ".");
        use(&fixture, walks[i]);

        assert_reads(&fixture, "/data/file", "B");
        assert_reads(&fixture, "/data/folder/b.txt", "B");
        assert_reads(&fixture, "/data/sub/up", "A");
        assert_reads(&fixture, "/data/chain", "A");
        assert_reads(&fixture, "/data/self/self/a.txt", "A");
        assert_reads(&fixture, "/data/folder/../a.txt", "A");

        fixture_end(&fixture);
    }
}

static void links_that_lead_out_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *link, *target, *path;
    } cases[] = {
        { "data/up", "../secret.txt", "/data/up" },
        { "data/etc", "/etc", "/data/etc/passwd" },
        { "data/slash", "/", "/data/slash" },
        { "data/sub/far", "../../secret.txt", "/data/sub/far" },
        { "data/to_up", "up", "/data/to_up" },
        { "data/parent", "..", "/data/parent/secret.txt" },
        { "data/proc", "/proc/self/root", "/data/proc/etc/passwd" },
        { "data/gone", "../nothing", "/data/gone" },
        { "data/sibling", "../work", "/data/sibling" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture);
        for (size_t at = 0; at < TR_COUNT_OF(cases); at++) {
            folder_link(&fixture.folder, cases[at].link, cases[at].target);
        }
        use(&fixture, walks[i]);
        for (size_t at = 0; at < TR_COUNT_OF(cases); at++) {
            char sentence[256];
            (void)snprintf(sentence, sizeof(sentence), "Path blocked: %s leads out of its mount",
                           cases[at].path);
            assert_not_read(&fixture, cases[at].path, TR_PATH_BLOCKED, sentence);
        }
        fixture_end(&fixture);
    }
}

static void loops_of_links_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture);
        folder_link(&fixture.folder, "data/loop", "loop");
        folder_link(&fixture.folder, "data/one", "two/x");
        folder_link(&fixture.folder, "data/two", "one/x");
        use(&fixture, walks[i]);

        assert_not_read(&fixture, "/data/loop", TR_PATH_BLOCKED,
                        "Path blocked: /data/loop leads through too many links");
        assert_not_read(&fixture, "/data/one", TR_PATH_BLOCKED,
                        "Path blocked: /data/one leads through too many links");

        fixture_end(&fixture);
    }
}

static void as_many_links_as_the_kernel_allows_are_followed(void **state)
{
    (void)state;
    enum { LIMIT = 40 };
    struct vfs_fixture fixture;
    start(&fixture);
    folder_link(&fixture.folder, "data/self", ".");
    use(&fixture, false);
    for (size_t count = LIMIT - 1; count <= LIMIT + 1; count++) {
        char path[LIMIT * 8] = "/data";
        size_t length = strlen(path);
        for (size_t at = 0; at < count; at++) {
            length += (size_t)snprintf(path + length, sizeof(path) - length, "/self");
        }
        (void)snprintf(path + length, sizeof(path) - length, "/a.txt");
        const char *text = NULL;

        assert_int_equal(fixture_read(&fixture, path, &text),
                         count <= LIMIT ? TR_OK : TR_PATH_BLOCKED);
    }
    fixture_end(&fixture);
}

static void a_mount_takes_precedence_over_the_folder_below_it(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_put(&fixture.folder, "work/b.txt", "of work");
    folder_link(&fixture.folder, "data/link", "sub/b.txt");
    folder_link(&fixture.folder, "data/folder", "sub");
    const struct fixture_mount mounts[] = {
        { .path = "/data", .root = "data" },
        { .path = "/data/sub", .root = "work" },
    };
    fixture_mount(&fixture, mounts, 2);

    assert_reads(&fixture, "/data/sub/b.txt", "of work");
    assert_not_read(&fixture, "/data/link", TR_PATH_BLOCKED,
                    "Path blocked: /data/link leads out of its mount");
    assert_not_read(&fixture, "/data/x/../sub/b.txt", TR_TOOL_FAILED,
                    "File not found: /data/x/../sub/b.txt");
    assert_not_read(&fixture, "/data/folder/b.txt", TR_PATH_BLOCKED,
                    "Path blocked: /data/folder/b.txt leads out of its mount");

    fixture_end(&fixture);
}

static void overrides_hold_wherever_the_path_comes_from(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_mkdir(&fixture.folder, "data/sub/open");
    folder_put(&fixture.folder, "data/sub/open/c.txt", "C");
    folder_put(&fixture.folder, "data/subway", "S");
    folder_link(&fixture.folder, "data/link", "sub/b.txt");
    const struct mount_override overrides[] = {
        { .path = "sub", .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_NONE } } },
        { .path = "sub/open", .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_RO } } },
    };
    const struct fixture_mount mount = {
        .path = "/data", .root = "data", .overrides = overrides, .override_count = 2
    };
    fixture_mount(&fixture, &mount, 1);

    assert_reads(&fixture, "/data/a.txt", "A");
    assert_reads(&fixture, "/data/subway", "S");
    assert_reads(&fixture, "/data/sub/open/c.txt", "C");
    assert_not_read(&fixture, "/data/sub/b.txt", TR_PATH_BLOCKED,
                    "Path blocked: the mount /data does not allow reading /data/sub/b.txt");
    assert_not_read(&fixture, "/data/link", TR_PATH_BLOCKED,
                    "Path blocked: the mount /data does not allow reading /data/link");
    assert_not_read(&fixture, "/data/sub/open/../b.txt", TR_PATH_BLOCKED,
                    "Path blocked: the mount /data does not allow reading /data/sub/open/../b.txt");

    fixture_end(&fixture);
}

static void hidden_names_are_not_there(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_mkdir(&fixture.folder, "data/.git");
    folder_put(&fixture.folder, "data/.git/config", "G");
    folder_put(&fixture.folder, "data/sub/x.key", "K");
    folder_link(&fixture.folder, "data/link", "sub/x.key");
    folder_link(&fixture.folder, "data/y.key", "a.txt");
    static const char *const hidden[] = { ".git", "*.key" };
    const struct fixture_mount mount = {
        .path = "/data", .root = "data", .hidden = hidden, .hidden_count = 2
    };
    fixture_mount(&fixture, &mount, 1);

    static const char *const paths[] = { "/data/.git/config", "/data/sub/x.key",
                                         "/data/link",        "/data/.git/../a.txt",
                                         "/data/y.key",       "/data/sub/../.git/config" };
    for (size_t i = 0; i < TR_COUNT_OF(paths); i++) {
        char sentence[256];
        (void)snprintf(sentence, sizeof(sentence), "File not found: %s", paths[i]);
        assert_not_read(&fixture, paths[i], TR_TOOL_FAILED, sentence);
    }
    assert_reads(&fixture, "/data/a.txt", "A");

    fixture_end(&fixture);
}

static void files_have_a_greatest_size(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_put(&fixture.folder, "data/9", "123456789");
    folder_put(&fixture.folder, "data/10", "1234567890");
    folder_put(&fixture.folder, "data/11", "12345678901");
    const struct fixture_mount mount = { .path = "/data", .root = "data", .max_file_bytes = 10 };
    fixture_mount(&fixture, &mount, 1);

    assert_reads(&fixture, "/data/9", "123456789");
    assert_reads(&fixture, "/data/10", "1234567890");
    assert_not_read(&fixture, "/data/11", TR_TOOL_FAILED,
                    "File too large: /data/11 has 11 bytes, its mount allows 10");

    fixture_end(&fixture);
}

static void a_reader_has_a_limit_of_its_own(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_put(&fixture.folder, "data/ten", "0123456789");
    fixture_mount_usual(&fixture);
    for (size_t limit = 9; limit <= 11; limit++) {
        struct tr_vfs_content content;
        assert_int_equal(tr_vfs_read_all(&fixture.call, fixture.vfs, "/data/ten", limit, &content),
                         limit < 10 ? TR_TOOL_FAILED : TR_OK);
    }
    fixture_end(&fixture);
}

static void a_part_of_a_file_is_read(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_put(&fixture.folder, "data/ten", "0123456789");
    fixture_mount_usual(&fixture);
    static const struct {
        int64_t offset;
        size_t room;
        const char *text;
    } cases[] = {
        { 0, 3, "012" }, { 7, 3, "789" }, { 7, 4, "789" },
        { 9, 1, "9" },   { 10, 5, "" },   { 99, 5, "" },
    };
    tr_auto(vfs_file) struct tr_vfs_file file = { 0 };
    assert_int_equal(tr_vfs_open(&fixture.call, fixture.vfs, "/data/ten", &file), TR_OK);
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char buffer[16] = "";
        size_t got = 99;

        assert_int_equal(
            tr_vfs_read(&fixture.call, &file, cases[i].offset, buffer, cases[i].room, &got), TR_OK);

        assert_int_equal(got, strlen(cases[i].text));
        assert_memory_equal(buffer, cases[i].text, got);
    }
    tr_vfs_close(&file);
    fixture_end(&fixture);
}

static void a_cancelled_call_reads_nothing(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    const char *text = NULL;
    start(&fixture);
    fixture_mount_usual(&fixture);
    atomic_store(&fixture.call.is_cancelled, true);

    assert_int_equal(fixture_read(&fixture, "/data/a.txt", &text), TR_CANCELLED);

    fixture_end(&fixture);
}

static void no_descriptor_stays_open(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture);
    folder_link(&fixture.folder, "data/link", "sub/b.txt");
    folder_link(&fixture.folder, "data/out", "../secret.txt");
    fixture_mount_usual(&fixture);
    const int before = dup(fixture.folder.fd);
    const char *text = NULL;

    static const char *const paths[] = { "/data/a.txt",       "/data/sub",   "/data/link",
                                         "/data/out",         "/data/no/no", "/data/a.txt/b",
                                         "/data/sub/../a.txt" };
    for (size_t i = 0; i < TR_COUNT_OF(paths); i++) {
        (void)fixture_read(&fixture, paths[i], &text);
    }

    (void)close(before);
    const int after = dup(fixture.folder.fd);
    assert_int_equal(after, before);
    (void)close(after);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(what_cannot_be_read_has_its_sentence),
        cmocka_unit_test(links_that_stay_inside_are_followed),
        cmocka_unit_test(links_that_lead_out_are_refused),
        cmocka_unit_test(loops_of_links_end),
        cmocka_unit_test(as_many_links_as_the_kernel_allows_are_followed),
        cmocka_unit_test(a_mount_takes_precedence_over_the_folder_below_it),
        cmocka_unit_test(overrides_hold_wherever_the_path_comes_from),
        cmocka_unit_test(hidden_names_are_not_there),
        cmocka_unit_test(files_have_a_greatest_size),
        cmocka_unit_test(a_reader_has_a_limit_of_its_own),
        cmocka_unit_test(a_part_of_a_file_is_read),
        cmocka_unit_test(a_cancelled_call_reads_nothing),
        cmocka_unit_test(no_descriptor_stays_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
