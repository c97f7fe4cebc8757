#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "middleware/log.h"
#include "tests/support/alloc_fail.h"

static void lines_come_out_in_order(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct tr_log *log = tr_log_new(ends[1]);
    assert_non_null(log);

    tr_log_line(log, "one\n", 4);
    tr_log_flush(log);
    tr_log_line(log, "two\n", 4);
    tr_log_line(log, "three\n", 6);
    tr_log_free(log);
    (void)close(ends[1]);

    char text[64] = "";
    size_t length = 0;
    ssize_t count = 0;
    while ((count = read(ends[0], text + length, sizeof(text) - 1 - length)) > 0) {
        length += (size_t)count;
    }
    assert_string_equal(text, "one\ntwo\nthree\n");
    (void)close(ends[0]);
}

static void a_log_without_lines_writes_nothing(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct tr_log *log = tr_log_new(ends[1]);
    tr_log_flush(log);
    tr_log_free(log);
    tr_log_free(NULL);
    (void)close(ends[1]);

    char byte = 0;
    assert_int_equal(read(ends[0], &byte, 1), 0);
    (void)close(ends[0]);
}

enum { THREADS = 4, LINES = 2000 };

static void *write_lines(void *context)
{
    for (int i = 0; i < LINES; i++) {
        tr_log_line(context, "0123456789\n", 11);
    }
    return NULL;
}

static void threads_do_not_mix_their_lines(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    struct tr_log *log = tr_log_new(fileno(file));
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, write_lines, log), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    tr_log_free(log);

    rewind(file);
    char line[64];
    size_t count = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        assert_string_equal(line, "0123456789\n");
        count++;
    }
    assert_int_equal(count, THREADS * LINES);
    (void)fclose(file);
}

/* A pipe that nobody reads from and that takes no more. */
static void open_full_pipe(int ends[2])
{
    char bytes[4096] = { 0 };
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    while (write(ends[1], bytes, sizeof(bytes)) > 0) {
    }
    while (write(ends[1], bytes, 1) > 0) {
    }
    assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
}

struct reader {
    int fd;
    size_t length;
    char text[4 * TR_LOG_BUFFER_BYTES];
};

static void *read_all(void *context)
{
    struct reader *reader = context;
    ssize_t count = 0;
    while ((count = read(reader->fd, reader->text + reader->length,
                         sizeof(reader->text) - reader->length))
           > 0) {
        reader->length += (size_t)count;
    }
    return NULL;
}

static size_t count_bytes(const char *text, size_t length, char byte)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += text[i] == byte ? 1 : 0;
    }
    return count;
}

/* The writer may get a word in between, so that there is more than one count. */
static size_t count_lost_lines(const char *text)
{
    static const char mark[] = "{\"lost_lines\":";
    size_t lost = 0;
    for (const char *at = strstr(text, mark); at != NULL; at = strstr(at + 1, mark)) {
        lost += strtoul(at + sizeof(mark) - 1, NULL, 10);
    }
    return lost;
}

static void lines_that_find_no_room_are_counted(void **state)
{
    (void)state;
    enum { LINE = 1000, SENT = 3 * TR_LOG_BUFFER_BYTES / LINE };
    static struct reader reader;
    char line[LINE];
    memset(line, '#', sizeof(line));
    line[LINE - 1] = '\n';
    int ends[2];
    open_full_pipe(ends);
    struct tr_log *log = tr_log_new(ends[1]);

    /* More than fits, while the pipe takes nothing: this must not block. */
    for (int i = 0; i < SENT; i++) {
        tr_log_line(log, line, sizeof(line));
    }
    reader = (struct reader){ .fd = ends[0] };
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_all, &reader), 0);
    tr_log_flush(log);
    tr_log_line(log, "last\n", 5);
    tr_log_free(log);
    (void)close(ends[1]);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)close(ends[0]);

    const size_t written = count_bytes(reader.text, reader.length, '#') / (LINE - 1);
    static const char end[] = "}\nlast\n";
    assert_true(written < SENT);
    assert_true(written * LINE > TR_LOG_BUFFER_BYTES - LINE);
    /* Behind what filled the pipe. */
    assert_int_equal(count_lost_lines(memchr(reader.text, '#', reader.length)), SENT - written);
    assert_memory_equal(reader.text + reader.length - strlen(end), end, strlen(end));
}

static void expect_file(FILE *file, const char *expected)
{
    char text[128] = "";
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    assert_string_equal(text, expected);
    (void)fclose(file);
}

static void lines_that_cannot_be_written_are_counted(void **state)
{
    (void)state;
    const int fd = open("/dev/full", O_WRONLY);
    assert_true(fd >= 0);
    FILE *file = tmpfile();
    assert_non_null(file);
    struct tr_log *log = tr_log_new(fd);

    tr_log_line(log, "one\n", 4);
    tr_log_line(log, "two\n", 4);
    tr_log_flush(log);
    assert_true(dup2(fileno(file), fd) == fd);
    tr_log_line(log, "three\n", 6);
    tr_log_line(log, "four\n", 5);
    tr_log_free(log);

    expect_file(file, "{\"lost_lines\":2}\nthree\nfour\n");
    (void)close(fd);
}

static void a_line_cut_in_two_is_ended_before_the_next(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    FILE *file = tmpfile();
    assert_non_null(file);
    struct tr_log *log = tr_log_new(fileno(file));

    const struct rlimit six_bytes = { .rlim_cur = 6, .rlim_max = before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &six_bytes), 0);
    tr_log_line(log, "one\n", 4);
    tr_log_line(log, "two\n", 4);
    tr_log_flush(log);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    tr_log_line(log, "three\n", 6);
    tr_log_free(log);

    expect_file(file, "one\ntw\n{\"lost_lines\":1}\nthree\n");
}

static void a_line_longer_than_the_buffer_is_lost(void **state)
{
    (void)state;
    static char line[TR_LOG_BUFFER_BYTES + 1];
    memset(line, '#', sizeof(line));
    FILE *file = tmpfile();
    assert_non_null(file);
    struct tr_log *log = tr_log_new(fileno(file));

    tr_log_line(log, line, sizeof(line));
    tr_log_line(log, "one\n", 4);
    tr_log_free(log);

    expect_file(file, "{\"lost_lines\":1}\none\n");
}

static bool make_log(void *context)
{
    (void)context;
    struct tr_log *log = tr_log_new(STDERR_FILENO);
    tr_log_free(log);
    return log != NULL;
}

static void a_log_survives_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(alloc_fail_each(make_log, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_out_in_order),
        cmocka_unit_test(a_log_without_lines_writes_nothing),
        cmocka_unit_test(threads_do_not_mix_their_lines),
        cmocka_unit_test(lines_that_find_no_room_are_counted),
        cmocka_unit_test(lines_that_cannot_be_written_are_counted),
        cmocka_unit_test(a_line_cut_in_two_is_ended_before_the_next),
        cmocka_unit_test(a_line_longer_than_the_buffer_is_lost),
        cmocka_unit_test(a_log_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
