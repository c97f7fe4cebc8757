/* test_files.c - the tools of the files suite over real sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/e2e/gateway.h"
#include "tests/support/folder.h"
#include "tools/core/descriptor.h"

static struct folder folder;
static struct gateway gateway;

static int start(void **state)
{
    (void)state;
    char mounts[512];
    folder_make(&folder);
    folder_mkdir(&folder, "data");
    folder_mkdir(&folder, "work");
    folder_put(&folder, "data/notes.txt", "A note\n");
    folder_link(&folder, "data/link-to-etc-passwd", "/etc/passwd");
    folder_fifo(&folder, "data/fifo");
    (void)snprintf(mounts, sizeof(mounts),
                   "mounts:\n"
                   "  - {path: /data, root: %s/data}\n"
                   "  - {path: /work, root: %s/work, rights: [read, write, create]}\n",
                   folder.path, folder.path);
    gateway_start(&gateway, "", mounts);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    gateway_stop(&gateway);
    folder_remove(&folder);
    return 0;
}

static void files_are_answered_with_their_status(void **state)
{
    (void)state;
    static const struct {
        const char *path, *body;
        long status;
        const char *code, *error;
    } cases[] = {
        { "/tools/file_read", "{\"path\":\"/data/notes.txt\"}", 200, "", "" },
        { "/tools/file_read", "{\"path\":\"/data/missing.txt\"}", 200, "",
          "File not found: /data/missing.txt" },
        { "/tools/file_read", "{\"path\":\"/nowhere/a\"}", 403, "path_blocked",
          "Path blocked: /nowhere/a is below no mount. There are: /data, /work" },
        { "/tools/file_read", "{\"path\":\"/data/link-to-etc-passwd\"}", 403, "path_blocked",
          "Path blocked: /data/link-to-etc-passwd leads out of its mount" },
        { "/tools/file_read", "{\"path\":\"/data/fifo\"}", 403, "path_blocked",
          "Path blocked: /data/fifo is no regular file" },
        { "/tools/file_write", "{\"path\":\"/data/a.txt\",\"content\":\"x\"}", 403, "path_blocked",
          "Path blocked: the mount /data does not allow creating /data/a.txt" },
        { "/tools/file_write", "{\"path\":\"/work/new/a.txt\",\"content\":\"x\"}", 200, "", "" },
        { "/tools/file_delete", "{\"path\":\"/work/new/a.txt\"}", 403, "path_blocked",
          "Path blocked: the mount /work does not allow deleting /work/new/a.txt" },
        { "/tools/file_edit",
          "{\"path\":\"/work/new/a.txt\",\"old_text\":\"x\",\"new_text\":\"yy\"}", 200, "", "" },
        { "/tools/directory_list", "{\"path\":\"/work\",\"depth\":2}", 200, "", "" },
        { "/tools/file_search", "{\"path\":\"/work\",\"pattern\":\"yy\"}", 200, "", "" },
        { "/tools/file_info", "{\"path\":\"/data\"}", 200, "", "" },
        { "/tools/directory_create", "{\"path\":\"/work/other\"}", 200, "", "" },
        { "/tools/list_mounts", "{}", 200, "", "" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct reply reply =
            gateway_send(&gateway, (struct sent){ .path = cases[i].path, .body = cases[i].body });

        if (reply.status != cases[i].status
            || strcmp(reply_text(&reply, "error"), cases[i].error) != 0) {
            fail_msg("%s %s: %ld %s", cases[i].path, cases[i].body, reply.status, reply.body);
        }
        assert_string_equal(reply_text(&reply, "code"), cases[i].code);
        assert_null(strstr(reply.body, folder.path));
        reply_done(&reply);
    }
    assert_string_equal(folder_text(&folder, "work/new/a.txt"), "yy");
}

static void a_batch_may_use_files(void **state)
{
    (void)state;
    struct reply reply = gateway_send(
        &gateway,
        (struct sent){
            .path = "/calls",
            .body = "[{\"id\":\"1\",\"name\":\"file_read\",\"parameters\":"
                    "{\"path\":\"/data/notes.txt\"}},{\"id\":\"2\",\"name\":\"file_read\","
                    "\"parameters\":{\"path\":\"/data/../x\"}}]",
        });

    assert_int_equal(reply.status, 200);
    assert_non_null(strstr(reply.body, "A note"));
    assert_non_null(strstr(reply.body, "path_blocked"));
    reply_done(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_answered_with_their_status),
        cmocka_unit_test(a_batch_may_use_files),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
