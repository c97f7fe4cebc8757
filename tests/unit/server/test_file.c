#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/file.h"
#include "tools/core/text.h"

static char path[] = "/tmp/toolrest-test-file-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    if (fd < 0 || write(fd, "0123456789", 10) != 10) {
        return -1;
    }
    return close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void file_is_read_up_to_the_limit(void **state)
{
    (void)state;
    for (size_t limit = 9; limit <= 11; limit++) {
        tr_auto(text) struct tr_text out;
        tr_text_init(&out, limit);
        struct tr_fault fault = { .where = "" };

        const enum tr_status status = tr_file_read(path, &out, &fault);

        assert_int_equal(status, limit >= 10 ? TR_OK : TR_BODY_TOO_LARGE);
        if (status == TR_OK) {
            assert_string_equal(tr_text_string(&out), "0123456789");
        } else {
            assert_non_null(strstr(fault.what, "it is too large"));
        }
    }
}

static void file_that_cannot_be_read_is_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *path, *reason;
    } cases[] = {
        { "/no/such/file", "cannot read /no/such/file: No such file or directory" },
        { "/tmp", "cannot read /tmp: Is a directory" },
        { "", "No such file" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tr_auto(text) struct tr_text out;
        tr_text_init(&out, 100);
        struct tr_fault fault = { .where = "" };

        assert_int_equal(tr_file_read(cases[i].path, &out, &fault), TR_INVALID_PARAMETERS);

        assert_non_null(strstr(fault.what, cases[i].reason));
    }
}

static void descriptor_is_read_to_its_end_in_pieces(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char bytes[10000];
    memset(bytes, 'x', sizeof(bytes));
    assert_int_equal(write(ends[1], bytes, sizeof(bytes)), sizeof(bytes));
    assert_int_equal(close(ends[1]), 0);
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, sizeof(bytes));

    assert_int_equal(tr_file_read_descriptor(ends[0], "pipe", &out, NULL), TR_OK);

    assert_int_equal(out.length, sizeof(bytes));
    assert_int_equal(close(ends[0]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_is_read_up_to_the_limit),
        cmocka_unit_test(file_that_cannot_be_read_is_refused_with_the_reason),
        cmocka_unit_test(descriptor_is_read_to_its_end_in_pieces),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
