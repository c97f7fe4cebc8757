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
#include <sys/ioctl.h>
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
    case PROGRAM_KEEP:
    case PROGRAM_TERMINAL: (void)dup2(fd, STDOUT_FILENO); break;
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

/* A terminal: what is written to `slave` can be read from `master`. */
struct terminal {
    int master, slave;
};

static struct terminal open_terminal(void)
{
    struct terminal terminal = { .master = open("/dev/ptmx", O_RDWR | O_NOCTTY) };
    int is_locked = 0;
    int number = 0;
    char name[32];
    assert_true(terminal.master >= 0);
    assert_int_equal(ioctl(terminal.master, TIOCSPTLCK, &is_locked), 0);
    assert_int_equal(ioctl(terminal.master, TIOCGPTN, &number), 0);
    (void)snprintf(name, sizeof(name), "/dev/pts/%d", number);
    terminal.slave = open(name, O_RDWR | O_NOCTTY);
    assert_true(terminal.slave >= 0);
    return terminal;
}

/* Everything up to the end of the last process that has the terminal open. Its line ends are made
 * ours again. */
static void copy_terminal(int master, FILE *out)
{
    char bytes[1024];
    for (ssize_t got = read(master, bytes, sizeof(bytes)); got > 0;
         got = read(master, bytes, sizeof(bytes))) {
        for (ssize_t i = 0; i < got; i++) {
            if (bytes[i] != '\r') {
                assert_int_not_equal(fputc(bytes[i], out), EOF);
            }
        }
    }
    assert_int_equal(fflush(out), 0);
}

static pid_t start(const struct program *program, FILE *in, int out, FILE *err)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)dup2(fileno(in), STDIN_FILENO);
        (void)dup2(fileno(err), STDERR_FILENO);
        direct_output(program->output, out);
        (void)close(out);
        become(program->arguments);
    }
    return pid;
}

static int run_on_terminal(const struct program *program, FILE *in, FILE *out, FILE *err)
{
    const struct terminal terminal = open_terminal();
    const pid_t pid = start(program, in, terminal.slave, err);
    (void)close(terminal.slave);
    copy_terminal(terminal.master, out);
    (void)close(terminal.master);
    return exit_code(pid);
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
    struct ran ran = { .code = -1 };
    if (program.output == PROGRAM_TERMINAL) {
        ran.code = run_on_terminal(&program, in, out, err);
    } else {
        ran.code = exit_code(start(&program, in, fileno(out), err));
    }
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
