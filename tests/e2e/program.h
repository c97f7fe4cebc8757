/* program.h - runs the toolrest program as a process of its own, for tests of the command line. */
#ifndef TR_TESTS_E2E_PROGRAM_H
#define TR_TESTS_E2E_PROGRAM_H

#include <stddef.h>
#include <sys/types.h>

/* What a run of the program did. */
struct ran {
    int code;        /* its exit code; -1: a signal ended it */
    char *out, *err; /* everything it wrote, NUL-terminated */
};

/* Where its standard output goes; what it writes is only kept for the first and the last. */
enum program_output {
    PROGRAM_KEEP,
    PROGRAM_CLOSED,
    PROGRAM_BROKEN_PIPE,
    PROGRAM_FULL_DISK,
    PROGRAM_TERMINAL
};

struct program {
    const char *const *arguments; /* NULL-terminated, without the program's name */
    const char *input;            /* for standard input; NULL: nothing */
    enum program_output output;
};

/* Run it to its end. */
struct ran program_run(struct program program);
void ran_done(struct ran *ran);

/* One that goes on until it is told to stop. */
struct running {
    pid_t pid;
    int out; /* the end of a pipe that it writes its standard output to */
};

struct running program_start(const char *const *arguments);

/* Read its output up to and with the line that contains `text`, into `room`; fails the test when it
 * ends before or stays silent for long. */
void program_wait_for(struct running *running, const char *text, char *room, size_t room_bytes);

/* Send the signal and wait for its end; gives the exit code, or -1. */
int program_stop(struct running *running, int number);

#endif
