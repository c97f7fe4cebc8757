#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/call.h"
#include "tools/core/descriptor.h"
#include "tools/guard/vfs_parts.h"

static void every_error_has_a_status_and_a_sentence(void **state)
{
    (void)state;
    static const struct {
        int error;
        enum tr_status status;
        const char *sentence; /* NULL: none */
    } cases[] = {
        { ENOENT, TR_TOOL_FAILED, "File not found: /d/x" },
        { EEXIST, TR_TOOL_FAILED, "File exists already: /d/x" },
        { ENOTDIR, TR_TOOL_FAILED,
          "Not a folder: /d/x, or a folder in it; directory_list shows what there is" },
        { EISDIR, TR_TOOL_FAILED, "Is a folder, not a file: /d/x" },
        { ENOTEMPTY, TR_TOOL_FAILED, "Folder is not empty: /d/x; delete what is in it first" },
        { ENAMETOOLONG, TR_TOOL_FAILED, "The name is too long: /d/x" },
        { EACCES, TR_TOOL_FAILED, "No permission: the gateway itself may not do that with /d/x" },
        { EPERM, TR_TOOL_FAILED, "No permission: the gateway itself may not do that with /d/x" },
        { EROFS, TR_TOOL_FAILED, "The file system of /d/x is read only" },
        { ENOSPC, TR_TOOL_FAILED,
          "The disk is full: /d/x was left as it was; delete something first" },
        { EDQUOT, TR_TOOL_FAILED,
          "The disk is full: /d/x was left as it was; delete something first" },
        { EFBIG, TR_TOOL_FAILED, "The file would become too large: /d/x" },
        { EIO, TR_TOOL_FAILED, "The file system refuses /d/x: Input/output error" },
        { EXDEV, TR_PATH_BLOCKED, "Path blocked: /d/x leads out of its mount" },
        { ELOOP, TR_PATH_BLOCKED, "Path blocked: /d/x leads through too many links" },
        { EMFILE, TR_BUSY, NULL },
        { ENFILE, TR_BUSY, NULL },
        { ENOMEM, TR_NO_MEMORY, NULL },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_call call;
        tr_call_init(&call);

        assert_int_equal(tr_vfs_fail(&call, "/d/x", cases[i].error), cases[i].status);

        if (cases[i].sentence == NULL) {
            assert_null(call.failure);
        } else {
            assert_string_equal(call.failure, cases[i].sentence);
        }
        tr_call_done(&call);
    }
}

static void a_path_that_is_too_long_is_told_how_long_it_may_be(void **state)
{
    (void)state;
    static const struct tr_vfs vfs;
    struct tr_call call;
    tr_call_init(&call);

    assert_int_equal(tr_vfs_fail_path(&call, &vfs, "/d", TR_PATH_TOO_LONG), TR_PATH_BLOCKED);

    assert_string_equal(call.failure, "Path blocked: it or one of its names is too long (4095 "
                                      "bytes, 255 for a name)");
    tr_call_done(&call);
}

static void a_long_list_of_mounts_is_left_to_its_tool(void **state)
{
    (void)state;
    enum { MOUNTS = 64 };
    static struct tr_mount mounts[MOUNTS];
    for (size_t i = 0; i < MOUNTS; i++) {
        mounts[i].name = "/a-mount-with-a-long-name";
    }
    const struct tr_vfs vfs = { .mounts = mounts, .count = MOUNTS };
    struct tr_call call;
    tr_call_init(&call);

    assert_int_equal(tr_vfs_fail_path(&call, &vfs, "/d", TR_PATH_NO_MOUNT), TR_PATH_BLOCKED);

    assert_string_equal(call.failure,
                        "Path blocked: /d is below no mount. The tool list_mounts tells them");
    tr_call_done(&call);
}

static void a_call_that_should_stop_says_why(void **state)
{
    (void)state;
    struct tr_call call;
    tr_call_init(&call);

    assert_int_equal(tr_vfs_check_stop(&call), TR_OK);
    call.deadline_ms = 1;
    assert_int_equal(tr_vfs_check_stop(&call), TR_TIMEOUT);
    atomic_store(&call.is_cancelled, true);
    assert_int_equal(tr_vfs_check_stop(&call), TR_CANCELLED);

    tr_call_done(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_has_a_status_and_a_sentence),
        cmocka_unit_test(a_path_that_is_too_long_is_told_how_long_it_may_be),
        cmocka_unit_test(a_long_list_of_mounts_is_left_to_its_tool),
        cmocka_unit_test(a_call_that_should_stop_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
