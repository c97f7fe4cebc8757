#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/library_log.h"
#include "tools/core/compiler.h"

enum { LINE_BYTES = 2048, LINES_A_SECOND = 10 };

TR_PRINTF(3, 4)
static size_t line_at(char out[LINE_BYTES], int64_t now_ms, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t length = tr_library_log_line(out, LINE_BYTES, now_ms, format, arguments);
    va_end(arguments);
    out[length] = '\0';
    return length;
}

static void message_becomes_one_printable_line(void **state)
{
    (void)state;
    char line[LINE_BYTES];

    line_at(line, 10 * 1000, "bad \"%s\"\n", "\x1B[31m\r\nFAKE\\\x80");

    assert_string_equal(line, "toolrest: http: bad \"\\x1B[31mFAKE\\x5C\\x80\"\n");
}

static void long_message_is_cut(void **state)
{
    (void)state;
    char line[LINE_BYTES];
    char message[1000];
    memset(message, '\x01', sizeof(message));
    message[sizeof(message) - 1] = '\0';

    const size_t length = line_at(line, 20 * 1000, "%s", message);

    assert_true(length > 255 && length < 255 * 4 + 64);
    assert_int_equal(line[length - 1], '\n');
}

static void line_fits_into_any_room(void **state)
{
    (void)state;
    char line[LINE_BYTES];
    for (size_t room = 1; room < 40; room++) {
        memset(line, 'x', sizeof(line));
        va_list none;
        memset(&none, 0, sizeof(none));

        const size_t length = tr_library_log_line(line, room, 100 * 1000 + (int64_t)room * 1000,
                                                  "\x01\x01\x01", none);

        assert_true(length <= room);
        assert_int_equal(line[room], 'x');
    }
}

static void our_own_doing_is_not_worth_a_line(void **state)
{
    (void)state;
    char line[LINE_BYTES];

    const size_t length = line_at(line, 200 * 1000, "%s\n",
                                  "Application reported internal error, closing connection.");

    assert_int_equal(length, 0);
}

static void flood_is_counted_instead_of_printed(void **state)
{
    (void)state;
    char line[LINE_BYTES];
    for (int i = 0; i < LINES_A_SECOND; i++) {
        assert_int_not_equal(line_at(line, 300 * 1000, "m"), 0);
    }
    assert_int_equal(line_at(line, 300 * 1000 + 999, "m"), 0);
    assert_int_equal(line_at(line, 300 * 1000 + 999, "m"), 0);

    line_at(line, 301 * 1000, "again");

    assert_string_equal(line, "toolrest: http: (2 left out) again\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_becomes_one_printable_line),
        cmocka_unit_test(long_message_is_cut),
        cmocka_unit_test(line_fits_into_any_room),
        cmocka_unit_test(our_own_doing_is_not_worth_a_line),
        cmocka_unit_test(flood_is_counted_instead_of_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
