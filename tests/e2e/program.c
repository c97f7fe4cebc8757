#include "tests/e2e/program.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_ARGUMENTS = 30, SILENCE_MS = 30000 };

static char program_path[] = TR_TEST_PROGRAM;

/* Become the program. Only what POSIX allows between fork() and exec(). */
static void become(const char *const *arguments)
{
    char *argv[MAX_ARGUMENTS + 2] = { program_path };
    for (size_t i = 0; i < MAX_ARGUMENTS && arguments[i] != NULL; i++) {
        memcpy(&argv[i + 1], &arguments[i], sizeof(argv[0]));
    }
    (void)execv(program_path, argv);
    _exit(127);
}

static char *read_all(FILE *file)
{
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *bytes = calloc((size_t)size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
    return bytes;
}

static int exit_code(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void direct_output(enum program_output output, int fd)
{
    int ends[2];
    switch (output) {
    case PROGRAM_KEEP: (void)dup2(fd, STDOUT_FILENO); break;
    case PROGRAM_CLOSED: (void)close(STDOUT_FILENO); break;
    case PROGRAM_BROKEN_PIPE:
        if (pipe(ends) == 0) {
            (void)dup2(ends[1], STDOUT_FILENO);
            (void)close(ends[0]);
            (void)close(ends[1]);
        }
        break;
    case PROGRAM_FULL_DISK: (void)dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); break;
    }
}

struct ran program_run(struct program program)
{
    FILE *in = tmpfile();
    FILE *out = tmpfile();
    FILE *err = tmpfile();
    assert_true(in != NULL && out != NULL && err != NULL);
    if (program.input != NULL) {
        assert_true(fputs(program.input, in) >= 0);
    }
    assert_int_equal(fflush(in), 0);
    rewind(in);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)dup2(fileno(in), STDIN_FILENO);
        (void)dup2(fileno(err), STDERR_FILENO);
        direct_output(program.output, fileno(out));
        become(program.arguments);
    }
    struct ran ran = { .code = exit_code(pid) };
    ran.out = read_all(out);
    ran.err = read_all(err);
    (void)fclose(in);
    (void)fclose(out);
    (void)fclose(err);
    return ran;
}

void ran_done(struct ran *ran)
{
    free(ran->out);
    free(ran->err);
    *ran = (struct ran){ 0 };
}

struct running program_start(const char *const *arguments)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        become(arguments);
    }
    (void)close(ends[1]);
    return (struct running){ .pid = pid, .out = ends[0] };
}

void program_wait_for(struct running *running, const char *text, char *room, size_t room_bytes)
{
    size_t length = 0;
    const char *found = NULL;
    room[0] = '\0';
    while (found == NULL || strchr(found, '\n') == NULL) {
        struct pollfd ready = { .fd = running->out, .events = POLLIN };
        assert_int_equal(poll(&ready, 1, SILENCE_MS), 1);
        const ssize_t got = read(running->out, room + length, room_bytes - length - 1);
        assert_true(got > 0);
        length += (size_t)got;
        room[length] = '\0';
        found = strstr(room, text);
    }
}

int program_stop(struct running *running, int number)
{
    assert_int_equal(kill(running->pid, number), 0);
    const int code = exit_code(running->pid);
    (void)close(running->out);
    return code;
}
