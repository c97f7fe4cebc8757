/* While one thread swaps what a path leads through, others use it: whatever they get, it is never
 * from outside, and no call hangs. */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/support/exchange.h"
#include "tests/unit/tools/guard/vfs_fixture.h"
#include "tools/core/descriptor.h"

enum { ROUNDS = 4000 };

static const bool walks[] = { false, true };

struct swapper {
    int folder;
    const char *one, *other;
    atomic_bool is_over;
    atomic_size_t swaps;
    pthread_t thread;
};

static void *swap(void *context)
{
    struct swapper *swapper = context;
    while (!atomic_load(&swapper->is_over)) {
        (void)atomic_fetch_add(&swapper->swaps,
                               exchange_names(swapper->folder, swapper->one, swapper->other));
    }
    return NULL;
}

static void start_swapping(struct swapper *swapper)
{
    atomic_init(&swapper->is_over, false);
    atomic_init(&swapper->swaps, 0);
    assert_int_equal(pthread_create(&swapper->thread, NULL, swap, swapper), 0);
    while (atomic_load(&swapper->swaps) == 0) {
    }
}

static void stop_swapping(struct swapper *swapper)
{
    atomic_store(&swapper->is_over, true);
    assert_int_equal(pthread_join(swapper->thread, NULL), 0);
}

static void start(struct vfs_fixture *fixture, bool is_walking)
{
    fixture_start(fixture);
    const struct folder *folder = &fixture->folder;
    folder_mkdir(folder, "outside");
    folder_put(folder, "outside/file", "SECRET");
    folder_put(folder, "outside/only", "SECRET");
    folder_mkdir(folder, "work/sub");
    folder_put(folder, "work/sub/file", "inside");
    fixture_mount_usual(fixture);
    if (is_walking) {
        tr_vfs_walk(fixture->vfs);
    }
}

/* Goes on until the way led inside once: the other thread may stand still, with the names swapped,
 * for all of the rounds. */
static void assert_never_reads_outside(struct vfs_fixture *fixture, const char *path)
{
    size_t reads = 0;
    for (size_t i = 0; i < ROUNDS || reads == 0; i++) {
        const char *text = NULL;
        if (fixture_read(fixture, path, &text) == TR_OK) {
            assert_string_equal(text, "inside");
            reads++;
        }
        tr_arena_done(&fixture->call.arena);
        tr_call_init(&fixture->call);
    }
}

static void a_folder_swapped_for_a_link_leads_nowhere_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture, walks[i]);
        folder_link(&fixture.folder, "work/swap", "../outside");
        struct swapper swapper = { .folder = fixture.folder.fd,
                                   .one = "work/sub",
                                   .other = "work/swap" };
        start_swapping(&swapper);

        assert_never_reads_outside(&fixture, "/work/sub/file");
        assert_never_reads_outside(&fixture, "/work/sub/../sub/file");

        stop_swapping(&swapper);
        fixture_end(&fixture);
    }
}

static void a_file_swapped_for_a_link_is_not_followed(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture, walks[i]);
        folder_link(&fixture.folder, "work/sub/swap", "../../outside/file");
        struct swapper swapper = { .folder = fixture.folder.fd,
                                   .one = "work/sub/file",
                                   .other = "work/sub/swap" };
        start_swapping(&swapper);

        assert_never_reads_outside(&fixture, "/work/sub/file");

        stop_swapping(&swapper);
        fixture_end(&fixture);
    }
}

static void a_file_swapped_for_a_fifo_holds_no_thread(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    start(&fixture, false);
    folder_fifo(&fixture.folder, "work/sub/swap");
    struct swapper swapper = { .folder = fixture.folder.fd,
                               .one = "work/sub/file",
                               .other = "work/sub/swap" };
    start_swapping(&swapper);

    assert_never_reads_outside(&fixture, "/work/sub/file");

    stop_swapping(&swapper);
    fixture_end(&fixture);
}

/* A link that stays inside, and one that leads from a folder without rights: the rights of what is
 * read count, not those of what was looked at. */
static void rights_are_those_of_what_is_opened(void **state)
{
    (void)state;
    struct vfs_fixture fixture;
    fixture_start(&fixture);
    const struct folder *folder = &fixture.folder;
    folder_mkdir(folder, "work/open");
    folder_put(folder, "work/open/file", "inside");
    folder_mkdir(folder, "work/closed");
    folder_put(folder, "work/closed/file", "SECRET");
    folder_link(folder, "work/way", "open");
    folder_link(folder, "work/swap", "closed");
    const struct mount_override override = {
        .path = "closed",
        .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_NONE } },
    };
    const struct fixture_mount mount = {
        .path = "/work", .root = "work", .overrides = &override, .override_count = 1
    };
    fixture_mount(&fixture, &mount, 1);
    struct swapper swapper = { .folder = folder->fd, .one = "work/way", .other = "work/swap" };
    start_swapping(&swapper);

    assert_never_reads_outside(&fixture, "/work/way/file");

    stop_swapping(&swapper);
    fixture_end(&fixture);
}

static void nothing_outside_is_written_made_moved_or_deleted(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT_OF(walks); i++) {
        struct vfs_fixture fixture;
        start(&fixture, walks[i]);
        folder_link(&fixture.folder, "work/swap", "../outside");
        struct swapper swapper = { .folder = fixture.folder.fd,
                                   .one = "work/sub",
                                   .other = "work/swap" };
        start_swapping(&swapper);

        for (size_t round = 0; round < ROUNDS / 8; round++) {
            bool is_new = false;
            struct tr_call *call = &fixture.call;
            (void)fixture_write(&fixture, "/work/sub/file", TR_WRITE_REPLACE, "inside");
            (void)fixture_write(&fixture, "/work/sub/new", TR_WRITE_APPEND, "x");
            (void)!tr_vfs_make_folder(call, fixture.vfs, "/work/sub/a/b", true, &is_new);
            (void)!tr_vfs_move(call, fixture.vfs, "/work/sub/only", "/work/got", true);
            (void)!tr_vfs_move(call, fixture.vfs, "/work/sub/new", "/work/sub/moved", true);
            (void)!tr_vfs_delete(call, fixture.vfs, "/work/sub/only");
            (void)!tr_vfs_delete(call, fixture.vfs, "/work/sub/moved");
            tr_call_done(call);
            tr_call_init(call);
        }

        stop_swapping(&swapper);
        assert_int_equal(folder_count(&fixture.folder, "outside"), 2);
        assert_string_equal(folder_text(&fixture.folder, "outside/file"), "SECRET");
        assert_string_equal(folder_text(&fixture.folder, "outside/only"), "SECRET");
        assert_false(folder_has(&fixture.folder, "work/got"));
        fixture_end(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_swapped_for_a_link_leads_nowhere_else),
        cmocka_unit_test(a_file_swapped_for_a_link_is_not_followed),
        cmocka_unit_test(a_file_swapped_for_a_fifo_holds_no_thread),
        cmocka_unit_test(rights_are_those_of_what_is_opened),
        cmocka_unit_test(nothing_outside_is_written_made_moved_or_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
